/**
 * Operations whose work does not grow with what a caller sends or has, or only by some microseconds per row that the database reads, in
 * pages of at most 1,000. By their tags in the OpenAPI document they would be too many to see a new one among them.
 */
export const CHEAP: ReadonlySet<string> = new Set(
  `
  track replayTrack syncRegion revealRisk jwks ingestTraccar ingestTraccarQuery ingestOwnTracks
  ingestOverland reverseGeocode ipGeocode autocompleteClick geocodeBatch createGeocodeJob
  listGeocodeJobs getGeocodeJob deleteGeocodeJob getGeocodeJobResult cancelGeocodeJob searchUsers
  searchBeacons getPlace validateAddress getAddress routeGraph listRouteJobs getRouteJob
  deleteRouteJob getRouteJobResult cancelRouteJob signMap mapStyle mapTileJson rasterTileJson
  mapGlyphs mapSprite mapMarker getAsset uploadMapIcon deleteMapIcon listMapIcons uploadMapStyle
  getMapStyle deleteMapStyle listMapStyles createGeofence listGeofences geofenceUsersById
  geofenceUsers getGeofence deleteGeofence updateGeofence getGeofenceById deleteGeofenceById
  listGeofenceImports getGeofenceImport createCampaign listCampaigns getCampaign updateCampaign
  deleteCampaign explainCampaign createSegment listSegments previewSegment getSegment updateSegment
  deleteSegment listSegmentUsers createBeacon listBeacons upsertBeacon getBeacon deleteBeacon
  updateBeacon getBeaconById deleteBeaconById listBeaconImports getBeaconImport listUsers getUser
  deleteUser setUserFraud setUserSegments listUserUpdates createTrip listTrips updateTrip
  setTripLegs updateTripLeg getTrip deleteTrip tripRoute shareTrip listTripShares revokeTripShare
  openTripShare shareMapStyle shareMapTile shareMapGlyphs shareMapSprite logConversion listEvents
  verifyEvent getEvent deleteEvent explainEvent live exportUsers exportUser exportEvents exportTrips
  createWebhook listWebhooks getWebhook updateWebhook deleteWebhook rotateWebhookSecret testWebhook
  webhookDeliveries listDeadLetters replayDeadLetters replayDeadLetter getStats getEtaStats
  listLiveGeodata getSettings patchSettings config postConfig ping logs health metrics recovery
  getSession signIn signOut signOutEverywhere passkeySignInOptions passkeySignIn listPasskeys
  registerPasskey passkeyOptions removePasskey listMembers addMember changeMember removeMember
  createMemberLink describeAgent connectAgent listAgents disconnectAgent listKeys rotateKey
  getProject changeProject listAuditEntries listGeodata checkGeodata activateGeodata rollBackGeodata
  removeGeodata getStatus getRecords protectedResource authorizationServer oauthToken oauthRevoke
  mcp
`
    .trim()
    .split(/\s+/),
);
