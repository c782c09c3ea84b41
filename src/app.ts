import { Hono } from "hono";
import { validateAddressEndpoint } from "./http/address-validation.ts";
import { autocomplete, autocompleteClick } from "./http/autocomplete.ts";
import { getBeaconImport, importBeacons, listBeaconImports } from "./http/beacon-imports.ts";
import {
  createBeacon,
  deleteBeaconById,
  deleteBeaconByPair,
  getBeaconById,
  getBeaconByPair,
  listAllBeacons,
  searchBeacons,
  updateBeaconById,
  upsertBeaconByPair,
} from "./http/beacons.ts";
import { context } from "./http/context.ts";
import { logConversion, verifyEventById } from "./http/conversions.ts";
import { directions } from "./http/directions.ts";
import { distance } from "./http/distance.ts";
import { referencePages } from "./http/docs.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { ApiError } from "./http/errors.ts";
import { getEvent, listAllEvents, removeEvent } from "./http/events.ts";
import { setFraudFlags } from "./http/fraud.ts";
import { forwardGeocode, reverseGeocode } from "./http/geocode.ts";
import { ipGeocode } from "./http/geocode-ip.ts";
import {
  createGeofence,
  deleteGeofenceById,
  deleteGeofenceByPair,
  getGeofenceById,
  getGeofenceByPair,
  listAllGeofences,
  searchGeofences,
  updateGeofenceById,
  upsertGeofenceByPair,
  usersInGeofenceById,
  usersInGeofenceByPair,
} from "./http/geofences.ts";
import { writeLog } from "./http/log.ts";
import { mapGlyphs } from "./http/map-glyphs.ts";
import { mapSprite } from "./http/map-sprite.ts";
import { mapStyle } from "./http/map-style.ts";
import { mapTile, mapTileJson } from "./http/map-tiles.ts";
import { match } from "./http/match.ts";
import { matrix } from "./http/matrix.ts";
import { optimize } from "./http/optimize.ts";
import { config, logs, ping } from "./http/ping.ts";
import { searchPlaces } from "./http/places.ts";
import { replayTrack } from "./http/replay.ts";
import { type App, baseHeaders, failure, preflight, serve, startLog } from "./http/serve.ts";
import { getSettings, patchProjectSettings } from "./http/settings.ts";
import { staticMap } from "./http/static-map.ts";
import {
  deleteMapIcon,
  deleteMapStyle,
  getMapStyle,
  listMapIcons,
  listMapStyles,
  uploadMapIcon,
  uploadMapStyle,
} from "./http/static-map-uploads.ts";
import { syncRegion } from "./http/sync.ts";
import { track } from "./http/track.ts";
import { createTrip, getTrip, getTripRoute, listAllTrips, removeTrip, updateTrip } from "./http/trips.ts";
import { deleteUser, getUser, listAllUsers, searchUsers, setUserSegments } from "./http/users.ts";
import {
  listWebhookDeadLetters,
  replayDeadLetter,
  replayDeadLetters,
  testWebhook,
  webhookDeliveries,
} from "./http/webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listAllWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "./http/webhooks.ts";

/** The table of contents: every endpoint of the platform, in the order of the reference page. */
export const endpoints: readonly Endpoint[] = [
  track,
  replayTrack,
  syncRegion,
  context,

  forwardGeocode,
  reverseGeocode,
  ipGeocode,
  autocomplete,
  autocompleteClick,

  searchGeofences,
  searchUsers,
  searchPlaces,
  searchBeacons,

  validateAddressEndpoint,

  distance,
  matrix,
  directions,
  match,
  optimize,

  staticMap,
  mapStyle,
  mapTileJson,
  mapTile,
  mapGlyphs,
  mapSprite,
  uploadMapIcon,
  listMapIcons,
  deleteMapIcon,
  uploadMapStyle,
  listMapStyles,
  getMapStyle,
  deleteMapStyle,

  createGeofence,
  listAllGeofences,
  // Before the pair: "/geofences/x/users" asks for the users in x, if there is a geofence x.
  usersInGeofenceById,
  usersInGeofenceByPair,
  upsertGeofenceByPair,
  getGeofenceByPair,
  deleteGeofenceByPair,
  updateGeofenceById,
  getGeofenceById,
  deleteGeofenceById,

  createBeacon,
  listAllBeacons,
  upsertBeaconByPair,
  getBeaconByPair,
  deleteBeaconByPair,
  updateBeaconById,
  getBeaconById,
  deleteBeaconById,
  importBeacons,
  listBeaconImports,
  getBeaconImport,

  listAllUsers,
  getUser,
  deleteUser,
  setFraudFlags,
  setUserSegments,

  createTrip,
  updateTrip,
  listAllTrips,
  getTrip,
  getTripRoute,
  removeTrip,

  logConversion,
  verifyEventById,
  listAllEvents,
  getEvent,
  removeEvent,

  createWebhook,
  listAllWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  webhookDeliveries,
  listWebhookDeadLetters,
  replayDeadLetters,
  replayDeadLetter,

  getSettings,
  patchProjectSettings,

  config,
  ping,
  logs,
  ...referencePages(() => endpoints),
];

export const app = new Hono<App>();

const methodsByPath = new Map<string, string[]>();
for (const endpoint of endpoints) {
  for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
    app.on(endpoint.method, path, serve(endpoint));
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), endpoint.method]);
  }
}

app.options("*", (context) => preflight(context.req.raw, crypto.randomUUID()));

// A known path with another method is 405, anything else 404.
for (const [path, methods] of methodsByPath) {
  app.all(path, (context) => {
    const log = startLog(context, path);
    const error = new ApiError(405, `Method not allowed. Use ${methods.join(" or ")}.`, {
      headers: { Allow: methods.join(", ") },
    });
    const response = failure(error, log, baseHeaders(log.requestId, true));
    writeLog(log);
    return response;
  });
}

app.notFound((context) => {
  const log = startLog(context, "*");
  const response = failure(
    new ApiError(404, "Not found. There is no such path."),
    log,
    baseHeaders(log.requestId, true),
  );
  writeLog(log);
  return response;
});

app.onError((error, context) => {
  const log = startLog(context, "*");
  const response = failure(error, log, baseHeaders(log.requestId, true));
  writeLog(log);
  return response;
});
