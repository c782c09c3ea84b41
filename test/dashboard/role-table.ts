import type { Role } from "../../src/core/auth/role.ts";

/**
 * The role that a session needs at each endpoint, as people decided it, and not as the code says it: a test compares both. A new endpoint is
 * listed here by the one who adds it.
 */
const NAMES: Readonly<Record<Role | "none" | "operator", string>> = {
  none: "connectAgent describeAgent getSession listPasskeys passkeyOptions registerPasskey removePasskey signOut signOutEverywhere",
  read:
    "autocomplete autocompleteClick checkGeodata config context directions disconnectAgent distance elevation " +
    "explain explainCampaign explainEvent " +
    "exportEvents exportGeofences exportTrips exportUser exportUsers forwardGeocode geocodeBatch geofenceUsers " +
    "geofenceUsersById getAddress getAsset getBeacon getBeaconById getBeaconImport getCampaign getEvent getGeocodeJob " +
    "getGeocodeJobResult getGeofence getGeofenceById getGeofenceImport getMapStyle getPlace getProject getRecords " +
    "getRouteJob getRouteJobResult getMeeting getSegment getSettings getEtaStats getJourneyStats getStats getTrip getUser getWebhook health " +
    "ipGeocode isochrone listBeaconImports listBeacons listCampaigns listDeadLetters listEvents " +
    "listGeocodeJobs listGeodata listGeofenceImports listGeofences listKeys " +
    "listLiveGeodata listMapIcons listMapStyles listMeetings listMembers listRouteJobs listSegments listSegmentUsers listTripShares listTrips listUserJourneys listUserUpdates " +
    "listUsers listWebhooks live logs mapGlyphs mapMarker mapSprite mapStyle mapTile mapTileJson match matrix " +
    "mapboxDirections mapboxDirectionsPost mapboxIsochrone mapboxMatching mapboxMatchingPost mapboxMatrix mapboxTrips " +
    "nominatimLookup nominatimReverse nominatimSearch nominatimStatus osrmMatch osrmNearest osrmRoute osrmTable osrmTrip " +
    "photonReverse photonSearch photonStructured vroom " +
    "listAgents optimize optimizeFleet postConfig postStaticMap previewSegment rasterTile rasterTileJson removeMember revealRisk " +
    "reverseGeocode routeGraph searchBeacons searchGeofences searchPlaces searchUsers staticMap syncRegion tripRoute " +
    "validateAddress webhookDeliveries",
  write:
    "cancelGeocodeJob cancelRouteJob createBeacon createCampaign createFleetJob createGeocodeJob createGeofence createMatchJob " +
    "createMeeting createSegment createTrip deleteBeacon deleteBeaconById deleteCampaign deleteEvent deleteGeocodeJob deleteGeofence deleteGeofenceById " +
    "deleteMeeting deleteRouteJob deleteSegment deleteTrip deleteUser importBeacons importGeofences ingestOverland ingestOwnTracks " +
    "ingestTraccar ingestTraccarQuery logConversion replayTrack revokeTripShare setTripLegs setUserFraud " +
    "setUserSegments shareTrip signMap track updateBeacon updateCampaign updateGeofence updateMeeting updateSegment updateTrip updateTripLeg upsertBeacon " +
    "upsertGeofence verifyEvent",
  admin:
    "addMember changeMember changeProject createMemberLink createWebhook deleteMapIcon deleteMapStyle deleteWebhook " +
    "getStatus listAuditEntries patchSettings replayDeadLetter replayDeadLetters rotateKey rotateWebhookSecret " +
    "testWebhook updateWebhook uploadMapIcon uploadMapStyle",
  owner: "",
  operator: "activateGeodata removeGeodata rollBackGeodata",
};

export const NEEDED: ReadonlyMap<string, Role | "none" | "operator"> = new Map(
  Object.entries(NAMES).flatMap(([role, names]) =>
    names
      .split(" ")
      .filter(Boolean)
      .map((name) => [name, role as Role | "none" | "operator"] as const),
  ),
);
