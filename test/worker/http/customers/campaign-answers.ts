import { type Answer, call, eventually, get, type Json, makeWorld, post, put } from "../../../support/world.ts";

/** Real answers of campaigns, each field of them seen at least once. */
export async function noteCampaigns(note: (name: string, answer: Answer) => Answer["body"]): Promise<void> {
  const { keys } = await makeWorld({ settings: { rateLimits: { track: 1000 } } });
  const key = keys.testSecret;
  const [inside, outside] = [
    { latitude: 41.1, longitude: -8.6 },
    { latitude: 41.2, longitude: -8.6 },
  ];
  const circle = { description: "Store", type: "circle", coordinates: [-8.6, 41.1], radius: 100 };
  const { geofence } = (await put("/v1/geofences/store/1", key, circle)).body;
  const create = async (json: Json) => note("createCampaign", await post("/v1/campaigns", key, json)).campaign;
  const colored = (text: string) => ({ text, color: "#123456" });
  const message = {
    title: colored("Hello"),
    body: colored("Coffee is ready"),
    button: { ...colored("Open"), backgroundColor: "#FFFFFF", deepLink: "myapp://offers/5" },
    image: { name: "Cup", url: "missing" },
    metadata: { offer: 5 },
  };
  const group = { metadata: { plan: "pro" }, segments: ["vip"], userIds: ["eve"], deviceTypes: ["iOS"] };
  const at = { event: "user.entered_geofence", geofenceTags: ["store"] };
  const welcome = await create({
    name: "Welcome",
    type: "inAppMessage",
    trigger: { ...at, geofenceIds: [geofence._id], minimumConfidence: 1 },
    audience: { metadata: { plan: "free" }, exclude: group },
    content: message,
    schedule: {
      startsAt: "2026-01-01T00:00:00",
      endsAt: "2199-12-31T00:00:00",
      daysOfWeek: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
      hours: [["00:00", "24:00"]],
      timeZone: "Europe/Lisbon",
      operatingHours: true,
    },
    limits: { perUser: 1, days: 30, cooldownMinutes: 60, total: 1000 },
    goal: { event: "bought", days: 7 },
  });
  const text = { text: "Hi", title: "Store", subtitle: "Open", url: "myapp://store", metadata: { offer: 5 } };
  await create({
    name: "Two",
    type: "eventNotification",
    trigger: { placeChains: ["cafe"], categories: ["coffee-shop"] },
    audience: group,
    variants: [{ weight: 2, content: text }, { content: text }],
    holdout: 0.1,
  });
  await create({ name: "Door", type: "eventNotification", trigger: { beaconTags: ["door"] }, content: text });
  await create({ name: "Trip", type: "eventNotification", trigger: { tripModes: ["car"] }, content: text });
  const near = { name: "Near", type: "geofenceNotification", trigger: { geofenceTags: ["store"] } };
  const fence = await create({ ...near, content: { ...text, repeats: true } });
  const url = `/v1/campaigns/${welcome._id}`;
  note("updateCampaign", await call("PATCH", url, { key, json: { name: "Welcome back" } }));
  for (const position of [inside, outside, inside]) {
    const update = { deviceId: "phone", ...position, accuracy: 5, nearbyGeofences: true, metadata: { plan: "free" } };
    note("track", await post("/v1/track", key, update));
  }
  const variants = { variants: [{ content: message }, { content: { ...message, image: undefined } }], holdout: 0.2 };
  note(
    "getCampaign",
    await eventually(
      () => get(url, key),
      ({ body }) => body.campaign.stats.sent === 1,
    ),
  );
  note("explainCampaign", await get(`${url}/explain?user=phone`, key));
  note("updateCampaign", await call("PATCH", url, { key, json: variants }));
  note("getCampaign", await get(url, key));
  note("listCampaigns", await get("/v1/campaigns", key));
  note("listEvents", await get("/v1/events", key));
  await noteOptions(note, keys);
  note("deleteCampaign", await call("DELETE", `/v1/campaigns/${fence._id}`, { key }));
}

/** Every setting for the SDKs, and the tracking options of an update. */
async function noteOptions(note: Parameters<typeof noteCampaigns>[0], keys: Record<string, string>): Promise<void> {
  const flags = [
    ...["startTrackingOnInitialize", "trackOnceOnAppOpen", "usePersistence", "extendFlushReplays"],
    ...["useLogPersistence", "useRadarModifiedBeacon", "useOpenedAppConversion", "syncAfterSetUser", "useSyncRegion"],
    ...["useForegroundLocationUpdatedAtMsDiff", "bufferGeofenceEntries", "bufferGeofenceExits", "stopDetection"],
    ...["skipForegroundCheck", "useOfflineRTOUpdates", "offlineEventGenerationEnabled", "useSwiftLocationManager"],
    ...["startUpdatesWhileInUse", "useNotificationDiff", "useLocationMetadata"],
  ];
  const trackingOptions = {
    preset: "responsive",
    startTrackingAfter: "2026-01-01T00:00:00.000Z",
    stopTrackingAfter: "2099-01-01T00:00:00.000Z",
    rampUpRadius: 100,
  };
  const sdk = {
    logLevel: "debug",
    ...Object.fromEntries(flags.map((name) => [name, true])),
    defaultGeofenceDwellThreshold: 5,
    remoteTrackingOptions: [
      { type: "default", trackingOptions },
      { type: "inGeofence", geofenceTags: ["store"], trackingOptions: { ...trackingOptions, ...EVERY_OPTION } },
    ],
  };
  const key = keys.testSecret;
  note("patchSettings", await call("PATCH", "/v1/settings", { key, json: { sdk } }));
  note("getSettings", await get("/v1/settings", key));
  note("config", await get("/v1/config", keys.testPublishable));
  note("postConfig", await post("/v1/config", keys.testPublishable, {}));
  const update = { deviceId: "phone", latitude: 41.1, longitude: -8.6, accuracy: 5 };
  note("track", await post("/v1/track", keys.testPublishable, update));
}

const EVERY_OPTION = {
  desiredStoppedUpdateInterval: 60,
  fastestStoppedUpdateInterval: 60,
  desiredMovingUpdateInterval: 60,
  fastestMovingUpdateInterval: 60,
  desiredSyncInterval: 60,
  stopDuration: 140,
  stopDistance: 70,
  stoppedGeofenceRadius: 100,
  movingGeofenceRadius: 100,
  syncGeofencesLimit: 10,
  showBlueBar: false,
  useStoppedGeofence: true,
  useMovingGeofence: true,
  syncGeofences: true,
  useVisits: true,
  useSignificantLocationChanges: true,
  beacons: false,
  foregroundServiceEnabled: false,
  desiredAccuracy: "high",
  sync: "all",
  replay: "stops",
};
