import { getAddress } from "./addresses/address.ts";
import { getBeaconImport, importBeacons, listBeaconImports } from "./beacons/beacon-imports.ts";
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
} from "./beacons/beacons.ts";
import { createCampaign, deleteCampaign, getCampaign, listCampaigns, updateCampaign } from "./campaigns/campaigns.ts";
import { explainCampaignForUser } from "./campaigns/explain-campaign.ts";
import { agentEndpoints } from "./dashboard/agents.ts";
import { getAudit } from "./dashboard/audit.ts";
import { activateGeodata, checkGeodata, getGeodata, removeGeodata, rollBackGeodata } from "./dashboard/geodata.ts";
import { getKeys, rotateKey } from "./dashboard/keys.ts";
import { createMember, createMemberLink, deleteMember, getMembers, patchMember } from "./dashboard/members.ts";
import {
  getPasskeys,
  passkeyOptions,
  passkeySignIn,
  passkeySignInOptions,
  registerPasskey,
  removePasskey,
} from "./dashboard/passkeys.ts";
import { getProject, patchProject } from "./dashboard/project.ts";
import { getRecords } from "./dashboard/records.ts";
import { getSession, signIn, signOut, signOutEverywhere } from "./dashboard/sign-in.ts";
import { getStatus } from "./dashboard/status.ts";
import { logConversion, verifyEventById } from "./events/conversions.ts";
import { getEvent, listAllEvents, removeEvent } from "./events/events.ts";
import { exportEvents, exportGeofences, exportTrips, exportUsers } from "./exports/exports.ts";
import { exportUser } from "./exports/user-export.ts";
import { validateAddressEndpoint } from "./geocode/address-validation.ts";
import { autocomplete, autocompleteClick } from "./geocode/autocomplete.ts";
import { geocodeBatch } from "./geocode/batch.ts";
import { forwardGeocode } from "./geocode/forward.ts";
import { ipGeocode } from "./geocode/geocode-ip.ts";
import {
  cancelGeocodeJob,
  createGeocodeJob,
  deleteGeocodeJob,
  getGeocodeJob,
  getGeocodeJobResult,
  listGeocodeJobs,
} from "./geocode/jobs.ts";
import { reverseGeocode } from "./geocode/reverse.ts";
import { listLiveGeodata } from "./geodata/geodata.ts";
import { getGeofenceImport, importGeofences, listGeofenceImports } from "./geofences/geofence-imports.ts";
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
} from "./geofences/geofences.ts";
import { ingestOverland } from "./ingest/overland.ts";
import { ingestOwnTracks } from "./ingest/owntracks.ts";
import { ingestTraccar, ingestTraccarQuery } from "./ingest/traccar.ts";
import { getEtaStats } from "./insight/eta-stats.ts";
import { explain, explainEvent } from "./insight/explain.ts";
import { getJourneyStats } from "./insight/journey-stats.ts";
import { listUserJourneys } from "./insight/journeys.ts";
import { live } from "./insight/live.ts";
import { getStats } from "./insight/stats.ts";
import { listUserUpdates } from "./insight/updates.ts";
import { mapGlyphs } from "./maps/map-glyphs.ts";
import { getAsset, mapMarker } from "./maps/map-marker.ts";
import { mapSprite } from "./maps/map-sprite.ts";
import { mapStyle } from "./maps/map-style.ts";
import { mapTile, mapTileJson } from "./maps/map-tiles.ts";
import { rasterTile, rasterTileJson } from "./maps/raster-tile.ts";
import { shareMapGlyphs, shareMapSprite, shareMapStyle, shareMapTile } from "./maps/share-map.ts";
import { signMap } from "./maps/sign-map.ts";
import { postStaticMap, staticMap } from "./maps/static-map.ts";
import {
  deleteMapIcon,
  deleteMapStyle,
  getMapStyle,
  listMapIcons,
  listMapStyles,
  uploadMapIcon,
  uploadMapStyle,
} from "./maps/static-map-uploads.ts";
import { type AnswerRequest, mcpEndpoint } from "./mcp/mcp.ts";
import { createMeeting, deleteMeeting, getMeeting, listMeetings, updateMeeting } from "./meetings/meetings.ts";
import { metrics } from "./metrics/metrics.ts";
import { oauthEndpoints } from "./oauth/token.ts";
import { mapboxDirections, mapboxDirectionsPost } from "./peers/mapbox/directions.ts";
import { mapboxMatching, mapboxMatchingPost } from "./peers/mapbox/matching.ts";
import { mapboxIsochrone, mapboxMatrix, mapboxTrips } from "./peers/mapbox/others.ts";
import { nominatimLookup, nominatimStatus } from "./peers/nominatim/lookup.ts";
import { nominatimReverse } from "./peers/nominatim/reverse.ts";
import { nominatimSearch } from "./peers/nominatim/search.ts";
import { osrmMatch } from "./peers/osrm/match.ts";
import { osrmNearest } from "./peers/osrm/nearest.ts";
import { osrmRoute } from "./peers/osrm/route.ts";
import { osrmTable } from "./peers/osrm/table.ts";
import { osrmTripEndpoint } from "./peers/osrm/trip.ts";
import { photonReverse, photonSearch, photonStructured } from "./peers/photon/search.ts";
import { solveVroom } from "./peers/vroom/vroom.ts";
import { getPlace } from "./places/place.ts";
import { searchPlaces } from "./places/places.ts";
import { health } from "./project/health.ts";
import { config, logs, ping, postConfig } from "./project/ping.ts";
import { revealRisk } from "./project/reveal-risk.ts";
import { getSettings, patchProjectSettings } from "./project/settings.ts";
import { recovery } from "./recovery/recovery.ts";
import { referencePages } from "./reference/docs.ts";
import { directions } from "./routes/directions.ts";
import { distance } from "./routes/distance.ts";
import { elevation } from "./routes/elevation.ts";
import { routeGraph } from "./routes/graph.ts";
import { routeIsochrone } from "./routes/isochrone.ts";
import {
  cancelRouteJob,
  createFleetJob,
  createMatchJob,
  deleteRouteJob,
  getRouteJob,
  getRouteJobResult,
  listRouteJobs,
} from "./routes/jobs.ts";
import { match } from "./routes/match.ts";
import { matrix } from "./routes/matrix.ts";
import { optimize } from "./routes/optimize.ts";
import { optimizeFleet } from "./routes/optimize-fleet.ts";
import {
  createSegment,
  deleteSegment,
  getSegment,
  listAllSegments,
  listSegmentUsers,
  previewSegment,
  updateSegment,
} from "./segments/segments.ts";
import type { Endpoint } from "./serve/endpoint.ts";
import { listTripShares, openTripShare, revokeTripShare, shareTrip } from "./shares/shares.ts";
import { context } from "./track/context.ts";
import { replayTrack } from "./track/replay.ts";
import { syncRegion } from "./track/sync.ts";
import { track } from "./track/track.ts";
import { setTripLegs, updateTripLeg } from "./trips/legs.ts";
import { createTrip, getTrip, getTripRoute, listAllTrips, removeTrip, updateTrip } from "./trips/trips.ts";
import { setFraudFlags } from "./users/fraud.ts";
import { deleteUser, getUser, listAllUsers, searchUsers, setUserSegments } from "./users/users.ts";
import {
  listWebhookDeadLetters,
  replayDeadLetter,
  replayDeadLetters,
  testWebhook,
  webhookDeliveries,
} from "./webhooks/webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listAllWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "./webhooks/webhooks.ts";
import { jwks } from "./well-known/jwks.ts";

const TRACKING: readonly Endpoint[] = [
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
];

const QUERIES: readonly Endpoint[] = [
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
];

const RECORDS: readonly Endpoint[] = [
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
  createMeeting,
  listMeetings,
  getMeeting,
  updateMeeting,
  deleteMeeting,
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
  listUserJourneys,

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
];

const OPERATIONS: readonly Endpoint[] = [
  getStats,
  getEtaStats,
  getJourneyStats,
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
];

const MEMBERS: readonly Endpoint[] = [
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
];

/** The services of others, for their clients. */
const PEERS: readonly Endpoint[] = [
  osrmRoute,
  osrmTable,
  osrmNearest,
  osrmMatch,
  osrmTripEndpoint,
  nominatimSearch,
  nominatimReverse,
  nominatimLookup,
  nominatimStatus,
  photonSearch,
  photonReverse,
  photonStructured,
  mapboxDirections,
  mapboxDirectionsPost,
  mapboxMatrix,
  mapboxMatching,
  mapboxMatchingPost,
  mapboxTrips,
  mapboxIsochrone,
  solveVroom,
];

/**
 * The table of contents: every endpoint of the platform, in the order of the reference page.
 * @param answer the Worker's response to a request, for the tools of agents
 */
export function listEndpoints(answer: AnswerRequest): readonly Endpoint[] {
  const endpoints: readonly Endpoint[] = [
    ...TRACKING,
    ...QUERIES,
    ...RECORDS,
    ...OPERATIONS,
    ...MEMBERS,
    ...PEERS,
    mcpEndpoint(answer),
    ...referencePages(() => endpoints),
  ];
  return endpoints;
}
