import { BEACON_EFFECTS } from "./beacons.ts";
import { CONTEXT_EFFECTS } from "./context.ts";
import type { EffectTable } from "./effect.ts";
import { SEARCH_GEOFENCES_EFFECTS } from "./search-geofences.ts";
import { SEARCH_PLACES_EFFECTS } from "./search-places.ts";
import { SEARCH_USERS_EFFECTS } from "./search-users.ts";
import { TRACK_EFFECTS } from "./track.ts";

/** The effects of tracking, context, beacons and searches: test/worker/http/conformance/effects.test.ts sends their requests. */
export const EFFECTS: readonly EffectTable[] = [
  { endpoint: "track", effects: TRACK_EFFECTS },
  { endpoint: "context", effects: CONTEXT_EFFECTS },
  { endpoint: "createBeacon", effects: BEACON_EFFECTS },
  { endpoint: "searchUsers", effects: SEARCH_USERS_EFFECTS },
  { endpoint: "searchGeofences", effects: SEARCH_GEOFENCES_EFFECTS },
  { endpoint: "searchPlaces", effects: SEARCH_PLACES_EFFECTS },
];
