import { z } from "zod";
import { withBeaconNotes, withFenceNotes } from "../../../core/engagement/phone.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import { NO_PLACE_SETTINGS, passesFilters } from "../../../core/places/settings.ts";
import { timeZoneAt } from "../../../core/regions/time-zone.ts";
import { trackedPlace } from "../../answers/track/around.ts";
import { whileAway } from "../../geodata/bucket-away.ts";
import { openGeodata } from "../../geodata/live.ts";
import { PLACES_LAYER, placesNear } from "../../geodata/places.ts";
import { campaignsOf } from "../../objects/campaigns/known-campaigns.ts";
import { beaconShape } from "../../wire/beacon.ts";
import { geofenceShape } from "../../wire/geofence.ts";
import { number, optionalText } from "../../wire/input/fields.ts";
import { placeShape, wirePlace } from "../../wire/surroundings.ts";
import { beaconsNear } from "../beacons/beacons.ts";
import { rangedBy } from "../beacons/ranged-by.ts";
import { geofencesNear } from "../geofences/nearby.ts";
import { beaconEpochOf, campaignEpochOf } from "../serve/callers/caller.ts";
import { spokenFor } from "../serve/callers/speaker.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { trackingSettings } from "./track-request.ts";

/** Search radius around a device [m], smaller if there are too many results. */
const RADIUS = 1000;
const MAX_COUNT = 100;
/** Minimum radius of a region [m]: a device would leave a smaller one immediately. */
const MIN_RADIUS = 50;

export const syncRegion = endpoint({
  name: "syncRegion",
  method: "POST",
  path: "/v1/sync/region",
  level: "publishable",
  role: "read",
  chapter: "Track",
  summary: "Returns the geofences, places and beacons near a device, and the area for which the lists are complete.",
  description: `Up to ${MAX_COUNT} of each within ${RADIUS} m, nearest first. \`region\` is the circle within which the lists are complete: outside it, request them again. Geofences and beacons have the notifications of campaigns without audience, limits and variants in their metadata. Nothing is stored.`,
  body: z.object({
    latitude: number({ min: -90, max: 90 }),
    longitude: number({ min: -180, max: 180 }),
    userId: optionalText().meta({ description: "Includes geofences that are limited to this user" }),
  }),
  response: z.object({
    geofences: z.array(geofenceShape),
    places: z.array(placeShape),
    beacons: z.array(beaconShape),
    region: z.object({ latitude: z.number(), longitude: z.number(), radius: z.number() }),
  }),
  async handle(call) {
    const { body, caller, env, now, request } = call;
    const { latitude, longitude } = body;
    const userId = spokenFor(caller, body.userId);
    const point = { latitude, longitude };
    const type = rangedBy(request.headers);
    const settings = trackingSettings(caller);
    const filters = caller.settings.places ?? NO_PLACE_SETTINGS;
    const [geofences, found, beacons, book] = await Promise.all([
      geofencesNear(call, point, { userId }, { limit: MAX_COUNT, radius: RADIUS }),
      settings.places ? placesAround(call, point) : [],
      settings.beacons && beaconEpochOf(caller) > 0
        ? beaconsNear(env, caller.scope, point, { radius: RADIUS, limit: MAX_COUNT, type })
        : [],
      campaignsOf(env, caller.scope, campaignEpochOf(caller)),
    ]);
    let radius = RADIUS;
    const reach = (list: readonly unknown[], far: () => number) => {
      if (list.length >= MAX_COUNT) radius = Math.min(radius, far());
    };
    const to = ({ coordinates: [lon, lat] }: { coordinates: [number, number] }) =>
      distance(point, { latitude: lat, longitude: lon });
    // Geofences are sorted by the distance to their edge.
    reach(geofences, () => {
      const { geometryCenter, geometryRadius, type } = geofences[geofences.length - 1];
      return to(geometryCenter) - (type === "isochrone" ? 0 : (geometryRadius ?? 0));
    });
    reach(found, () => distance(point, found[found.length - 1].place.location));
    reach(beacons, () => to(beacons[beacons.length - 1].geometry));
    const timeZone = book && timeZoneAt(point);
    return {
      geofences: withFenceNotes(geofences, book, undefined, now, timeZone),
      places: found
        .filter(({ place }) => passesFilters(place, filters))
        .map(({ place }) => wirePlace(trackedPlace(place, filters))),
      beacons: withBeaconNotes(beacons, book, timeZone, now),
      region: { latitude, longitude, radius: Math.max(MIN_RADIUS, Math.floor(radius)) },
    };
  },
});

/** The places around a point; none while the bucket is away, which the response says. */
async function placesAround(call: Call, point: Coordinate) {
  const search = { radius: RADIUS, limit: MAX_COUNT };
  const find = async () => placesNear(await openGeodata(call.env.GEODATA, call), point, search);
  return (await whileAway(call.env.GEODATA, call, (part) => part(PLACES_LAYER, find))) ?? [];
}
