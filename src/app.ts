import { getAddress } from "./http/addresses/address.ts";
import { getBeaconImport, importBeacons, listBeaconImports } from "./http/beacons/beacon-imports.ts";
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
} from "./http/beacons/beacons.ts";
import {
  createCampaign,
  deleteCampaign,
  getCampaign,
  listCampaigns,
  updateCampaign,
} from "./http/campaigns/campaigns.ts";
import { explainCampaignForUser } from "./http/campaigns/explain-campaign.ts";
import { agentEndpoints } from "./http/dashboard/agents.ts";
import { getAudit } from "./http/dashboard/audit.ts";
import { activateGeodata, checkGeodata, getGeodata, removeGeodata, rollBackGeodata } from "./http/dashboard/geodata.ts";
import { getKeys, rotateKey } from "./http/dashboard/keys.ts";
import { createMember, createMemberLink, deleteMember, getMembers, patchMember } from "./http/dashboard/members.ts";
import { dashboardPages } from "./http/dashboard/pages.ts";
import {
  getPasskeys,
  passkeyOptions,
  passkeySignIn,
  passkeySignInOptions,
  registerPasskey,
  removePasskey,
} from "./http/dashboard/passkeys.ts";
import { getProject, patchProject } from "./http/dashboard/project.ts";
import { getRecords } from "./http/dashboard/records.ts";
import { getSession, signIn, signOut, signOutEverywhere } from "./http/dashboard/sign-in.ts";
import { getStatus } from "./http/dashboard/status.ts";
import { logConversion, verifyEventById } from "./http/events/conversions.ts";
import { getEvent, listAllEvents, removeEvent } from "./http/events/events.ts";
import { exportEvents, exportGeofences, exportTrips, exportUsers } from "./http/exports/exports.ts";
import { exportUser } from "./http/exports/user-export.ts";
import { validateAddressEndpoint } from "./http/geocode/address-validation.ts";
import { autocomplete, autocompleteClick } from "./http/geocode/autocomplete.ts";
import { geocodeBatch } from "./http/geocode/batch.ts";
import { forwardGeocode } from "./http/geocode/forward.ts";
import { ipGeocode } from "./http/geocode/geocode-ip.ts";
import {
  cancelGeocodeJob,
  createGeocodeJob,
  deleteGeocodeJob,
  getGeocodeJob,
  getGeocodeJobResult,
  listGeocodeJobs,
} from "./http/geocode/jobs.ts";
import { reverseGeocode } from "./http/geocode/reverse.ts";
import { listLiveGeodata } from "./http/geodata/geodata.ts";
import { getGeofenceImport, importGeofences, listGeofenceImports } from "./http/geofences/geofence-imports.ts";
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
} from "./http/geofences/geofences.ts";
import { ingestOverland } from "./http/ingest/overland.ts";
import { ingestOwnTracks } from "./http/ingest/owntracks.ts";
import { ingestTraccar, ingestTraccarQuery } from "./http/ingest/traccar.ts";
import { getEtaStats } from "./http/insight/eta-stats.ts";
import { explain, explainEvent } from "./http/insight/explain.ts";
import { live } from "./http/insight/live.ts";
import { getStats } from "./http/insight/stats.ts";
import { listUserUpdates } from "./http/insight/updates.ts";
import { mapGlyphs } from "./http/maps/map-glyphs.ts";
import { getAsset, mapMarker } from "./http/maps/map-marker.ts";
import { mapSprite } from "./http/maps/map-sprite.ts";
import { mapStyle } from "./http/maps/map-style.ts";
import { mapTile, mapTileJson } from "./http/maps/map-tiles.ts";
import { rasterTile, rasterTileJson } from "./http/maps/raster-tile.ts";
import { shareMapGlyphs, shareMapSprite, shareMapStyle, shareMapTile } from "./http/maps/share-map.ts";
import { signMap } from "./http/maps/sign-map.ts";
import { postStaticMap, staticMap } from "./http/maps/static-map.ts";
import {
  deleteMapIcon,
  deleteMapStyle,
  getMapStyle,
  listMapIcons,
  listMapStyles,
  uploadMapIcon,
  uploadMapStyle,
} from "./http/maps/static-map-uploads.ts";
import { mcpEndpoint } from "./http/mcp/mcp.ts";
import { metrics } from "./http/metrics/metrics.ts";
import { oauthEndpoints } from "./http/oauth/token.ts";
import { getPlace } from "./http/places/place.ts";
import { searchPlaces } from "./http/places/places.ts";
import { health } from "./http/project/health.ts";
import { config, logs, ping, postConfig } from "./http/project/ping.ts";
import { revealRisk } from "./http/project/reveal-risk.ts";
import { getSettings, patchProjectSettings } from "./http/project/settings.ts";
import { recovery } from "./http/recovery/recovery.ts";
import { referencePages } from "./http/reference/docs.ts";
import { guidePages } from "./http/reference/guide-pages.ts";
import { directions } from "./http/routes/directions.ts";
import { distance } from "./http/routes/distance.ts";
import { elevation } from "./http/routes/elevation.ts";
import { routeGraph } from "./http/routes/graph.ts";
import { routeIsochrone } from "./http/routes/isochrone.ts";
import {
  cancelRouteJob,
  createFleetJob,
  createMatchJob,
  deleteRouteJob,
  getRouteJob,
  getRouteJobResult,
  listRouteJobs,
} from "./http/routes/jobs.ts";
import { match } from "./http/routes/match.ts";
import { matrix } from "./http/routes/matrix.ts";
import { optimize } from "./http/routes/optimize.ts";
import { optimizeFleet } from "./http/routes/optimize-fleet.ts";
import {
  createSegment,
  deleteSegment,
  getSegment,
  listAllSegments,
  listSegmentUsers,
  previewSegment,
  updateSegment,
} from "./http/segments/segments.ts";
import { hasValidHost } from "./http/serve/connection.ts";
import type { Endpoint } from "./http/serve/endpoint.ts";
import { ExactPaths, type Execution } from "./http/serve/exact-paths.ts";
import { NO_ENDPOINT, noteAnswer, requestFigures } from "./http/serve/figures.ts";
import { writeLog } from "./http/serve/log.ts";
import { requestIdOf } from "./http/serve/request-id.ts";
import { failure, preflight, serve, startLog } from "./http/serve/serve.ts";
import { traceAnswer } from "./http/serve/traces.ts";
import { listTripShares, openTripShare, revokeTripShare, shareTrip } from "./http/shares/shares.ts";
import { context } from "./http/track/context.ts";
import { replayTrack } from "./http/track/replay.ts";
import { syncRegion } from "./http/track/sync.ts";
import { track } from "./http/track/track.ts";
import { setTripLegs, updateTripLeg } from "./http/trips/legs.ts";
import { createTrip, getTrip, getTripRoute, listAllTrips, removeTrip, updateTrip } from "./http/trips/trips.ts";
import { setFraudFlags } from "./http/users/fraud.ts";
import { deleteUser, getUser, listAllUsers, searchUsers, setUserSegments } from "./http/users/users.ts";
import {
  listWebhookDeadLetters,
  replayDeadLetter,
  replayDeadLetters,
  testWebhook,
  webhookDeliveries,
} from "./http/webhooks/webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listAllWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "./http/webhooks/webhooks.ts";
import { jwks } from "./http/well-known/jwks.ts";
import type { Env } from "./platform/env.ts";
import { ApiError } from "./platform/errors.ts";

/** The table of contents: every endpoint of the platform, in the order of the reference page. */
const endpoints: readonly Endpoint[] = [
  track,
  replayTrack,
  syncRegion,
  context,
  revealRisk,
  jwks,

  ingestTraccar,
  ingestTraccarQuery,
  ingestOwnTracks,
  ingestOverland,

  forwardGeocode,
  reverseGeocode,
  ipGeocode,
  autocomplete,
  autocompleteClick,

  geocodeBatch,
  createGeocodeJob,
  listGeocodeJobs,
  getGeocodeJob,
  getGeocodeJobResult,
  cancelGeocodeJob,
  deleteGeocodeJob,

  searchGeofences,
  searchUsers,
  searchPlaces,
  searchBeacons,

  getPlace,

  validateAddressEndpoint,
  getAddress,

  distance,
  elevation,
  matrix,
  directions,
  match,
  optimize,
  optimizeFleet,
  routeGraph,
  routeIsochrone,
  createMatchJob,
  createFleetJob,
  listRouteJobs,
  getRouteJob,
  getRouteJobResult,
  cancelRouteJob,
  deleteRouteJob,

  staticMap,
  postStaticMap,
  signMap,
  mapStyle,
  mapTileJson,
  mapTile,
  rasterTileJson,
  rasterTile,
  mapGlyphs,
  mapSprite,
  mapMarker,
  getAsset,
  uploadMapIcon,
  listMapIcons,
  deleteMapIcon,
  uploadMapStyle,
  listMapStyles,
  getMapStyle,
  deleteMapStyle,

  createGeofence,
  listAllGeofences,
  // Before the pair: "/geofences/x/users" requests the users in x, if there is a geofence x.
  usersInGeofenceById,
  usersInGeofenceByPair,
  upsertGeofenceByPair,
  getGeofenceByPair,
  deleteGeofenceByPair,
  updateGeofenceById,
  getGeofenceById,
  deleteGeofenceById,
  importGeofences,
  listGeofenceImports,
  getGeofenceImport,

  createCampaign,
  listCampaigns,
  getCampaign,
  updateCampaign,
  deleteCampaign,
  explainCampaignForUser,
  createSegment,
  listAllSegments,
  previewSegment,
  getSegment,
  updateSegment,
  deleteSegment,
  listSegmentUsers,

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
  listUserUpdates,

  createTrip,
  updateTrip,
  setTripLegs,
  updateTripLeg,
  listAllTrips,
  getTrip,
  getTripRoute,
  removeTrip,
  shareTrip,
  listTripShares,
  revokeTripShare,
  openTripShare,
  shareMapStyle,
  shareMapTile,
  shareMapGlyphs,
  shareMapSprite,

  logConversion,
  verifyEventById,
  listAllEvents,
  getEvent,
  removeEvent,
  explainEvent,
  explain,
  live,

  exportUsers,
  exportUser,
  exportEvents,
  exportGeofences,
  exportTrips,

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

  getStats,
  getEtaStats,
  listLiveGeodata,

  getSettings,
  patchProjectSettings,

  config,
  postConfig,
  ping,
  logs,
  health,
  metrics,
  recovery,

  getSession,
  signIn,
  signOut,
  signOutEverywhere,
  passkeySignInOptions,
  passkeySignIn,
  getPasskeys,
  passkeyOptions,
  registerPasskey,
  removePasskey,
  getMembers,
  createMember,
  patchMember,
  deleteMember,
  createMemberLink,
  ...agentEndpoints,
  getKeys,
  rotateKey,
  getProject,
  patchProject,
  getAudit,
  getGeodata,
  checkGeodata,
  activateGeodata,
  rollBackGeodata,
  removeGeodata,
  getStatus,
  getRecords,
  ...oauthEndpoints,
  mcpEndpoint((request, env, execution) => answerRequest(request, env, execution)),
  ...referencePages(() => endpoints),
];

const paths = new ExactPaths<Env, ExecutionContext>();
const app = paths.hono;

/** The Worker's response to a request. */
export const answerRequest = (request: Request, env: Env, execution: ExecutionContext) =>
  hasValidHost(request.url)
    ? paths.fetch(request, env, execution)
    : refuse({ req: { raw: request }, env, executionCtx: execution }, "*", INVALID_HOST);

const INVALID_HOST = new ApiError(400, "The Host header is not a host name.");

const methodsByPath = new Map<string, string[]>();
for (const endpoint of endpoints) {
  const handler = serve(endpoint);
  for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
    paths.on(endpoint.method, path, handler);
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), endpoint.method]);
  }
}

// The app itself: files, and one page for all of its routes.
app.route("/", dashboardPages());
app.route("/", guidePages());

app.options("*", (context) => preflight(context.req.raw, requestIdOf(context.req.raw.headers), context.env));

const unmatched = requestFigures.of(NO_ENDPOINT);

/** Hono's data of a request that matches no endpoint. */
interface Asked {
  req: { raw: Request };
  env: Env;
  executionCtx: Execution;
}

/** The response to a request that matches no endpoint. */
function refuse({ req, env, executionCtx }: Asked, route: string, error: unknown): Response {
  const log = startLog(req.raw, route);
  const response = failure(error, log, env);
  const durationMs = writeLog(log, env, executionCtx);
  noteAnswer(env, NO_ENDPOINT, unmatched, log, durationMs);
  traceAnswer(env, NO_ENDPOINT, req.raw, log, durationMs, executionCtx);
  return response;
}

// A known path with another method is 405, anything else 404.
for (const [path, methods] of methodsByPath) {
  app.all(path, (context) => {
    const allowed = { Allow: methods.join(", ") };
    const error = new ApiError(405, `Method not allowed. Use ${methods.join(" or ")}.`, { headers: allowed });
    return refuse(context, path, error);
  });
}

app.notFound((context) => refuse(context, "*", new ApiError(404, "Not found. There is no such path.")));

app.onError((error, context) => refuse(context, "*", error));
