import type { JSX } from "preact";
import type { listAllGeofences } from "../../../worker/http/geofences/geofences.ts";
import type { Answer } from "../../api/client.ts";
import type { Bounds } from "../../map/position.ts";

/** A geofence as the API lists it. */
export type Fence = Answer<typeof listAllGeofences>["geofences"][number];

/** What a detail shows on the page's map, and the box it is in. */
export interface MapOfDetail {
  layer: JSX.Element;
  bounds: Bounds | undefined;
}

/** What the kinds of geofences are called. */
export const KIND_WORDS: Readonly<Record<Fence["type"], string>> = {
  circle: "Circle",
  polygon: "Polygon",
  isochrone: "Travel-time area",
};
