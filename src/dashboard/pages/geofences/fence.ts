import type { listAllGeofences } from "../../../worker/http/geofences/geofences.ts";
import type { Answer } from "../../api/client.ts";

/** A geofence as the API lists it. */
export type Fence = Answer<typeof listAllGeofences>["geofences"][number];
