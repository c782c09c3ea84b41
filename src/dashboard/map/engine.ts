/**
 * MapLibre and its layers, in one chunk that is loaded only for pages with a map. It creates its workers from a blob,
 * so the page's policy allows `worker-src blob:`.
 */
import maplibre from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";

// A separate script shapes and orders Arabic and Hebrew names. It is loaded for the first such name.
void maplibre.setRTLTextPlugin(new URL("/dashboard/rtl-text.js", location.origin).href, true);

export { maplibre };
