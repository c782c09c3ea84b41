/**
 * MapLibre and what draws on it, in one chunk of its own: it is loaded where a map is shown, and nowhere else. It makes its
 * workers from a blob, which is why the policy of the page allows `worker-src blob:`.
 */
import maplibre from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";

// Arabic and Hebrew names are joined and ordered by a script of ours, which is loaded when the first of them is met.
void maplibre.setRTLTextPlugin(new URL("/dashboard/rtl-text.js", location.origin).href, true);

export { maplibre };
