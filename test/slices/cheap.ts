/**
 * Operations that compute little besides what the database does: they read or write one thing, or a page of rows. Those that compute more
 * are in dear-requests.ts; a test requires each operation to be in one of the two.
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
  deleteCampaign explainCampaign createMeeting listMeetings getMeeting updateMeeting deleteMeeting createSegment listSegments previewSegment getSegment updateSegment
  deleteSegment listSegmentUsers createBeacon listBeacons upsertBeacon getBeacon deleteBeacon
  updateBeacon getBeaconById deleteBeaconById listBeaconImports getBeaconImport listUsers getUser
  deleteUser setUserFraud setUserSegments listUserUpdates listUserJourneys createTrip listTrips updateTrip
  setTripLegs updateTripLeg getTrip deleteTrip tripRoute shareTrip listTripShares revokeTripShare
  openTripShare shareMapStyle shareMapTile shareMapGlyphs shareMapSprite logConversion listEvents
  verifyEvent getEvent deleteEvent explainEvent live exportUsers exportUser exportEvents exportTrips
  createWebhook listWebhooks getWebhook updateWebhook deleteWebhook rotateWebhookSecret testWebhook
  webhookDeliveries listDeadLetters replayDeadLetters replayDeadLetter getStats getJourneyStats getEtaStats
  listLiveGeodata getSettings patchSettings config postConfig ping logs health metrics recovery
  getSession signIn signOut signOutEverywhere passkeySignInOptions passkeySignIn listPasskeys
  registerPasskey passkeyOptions removePasskey listMembers addMember changeMember removeMember
  createMemberLink describeAgent connectAgent listAgents disconnectAgent listKeys rotateKey
  getProject changeProject listAuditEntries listGeodata checkGeodata activateGeodata rollBackGeodata
  removeGeodata getStatus getRecords protectedResource authorizationServer oauthToken oauthRevoke
  mcp osrmNearest nominatimReverse nominatimLookup nominatimStatus photonReverse
`
    .trim()
    .split(/\s+/),
);
