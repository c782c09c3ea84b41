/**
 * MapLibre and what draws on it, in one chunk of its own: it is loaded where a map is shown, and nowhere else. It makes its
 * workers from a blob, which is why the policy of the page allows `worker-src blob:`.
 */
import maplibre from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";

export { maplibre };
