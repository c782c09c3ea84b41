import { type Answer, call, del, get, makeWorld, post, put } from "../../../support/world.ts";

/** Real answers of segments, rules about meetings, orders of trips and insights, each field of them seen at least once. */
export async function noteSegments(note: (name: string, answer: Answer) => Answer["body"]): Promise<void> {
  const settings = { tracking: { insights: true }, rateLimits: { track: 1000, createSegment: 1000 } };
  const { keys } = await makeWorld({ settings });
  const key = keys.testSecret;
  const here = { latitude: 41.1, longitude: -8.6 };
  const circle = { description: "Store", type: "circle", coordinates: [-8.6, 41.1], radius: 100 };
  note("upsertGeofence", await put("/v1/geofences/store/1", key, { ...circle, segments: ["active"] }));
  await put("/v1/geofences/store/2", key, circle);
  await post("/v1/track", key, { deviceId: "phone", userId: "ann", ...here, accuracy: 5 });
  const visit = { type: "geofenceTag", value: "store" };
  const rule = {
    match: "any",
    conditions: [
      { ...visit, visits: 1, days: 30 },
      { ...visit, weeks: 4, not: true },
      { type: "metadata", metadata: { plan: "pro" } },
      { type: "country", values: ["PT"] },
      { type: "lastSeen", days: 7 },
    ],
  };
  const body = { externalId: "active", description: "Active users", rule };
  note("createSegment", await post("/v1/segments", key, body));
  note("listSegments", await get("/v1/segments", key));
  note("getSegment", await get("/v1/segments/active", key));
  note("previewSegment", await post("/v1/segments/preview", key, { rule }));
  const json = { description: "Users that are active" };
  note("updateSegment", await call("PATCH", "/v1/segments/active", { key, json }));
  await post("/v1/track", key, { deviceId: "phone", userId: "ann", ...here, accuracy: 5, stopped: true });
  note("listSegmentUsers", await get("/v1/segments/active/users", key));
  note("deleteSegment", await del("/v1/segments/active", key));
  const group = { userTags: ["courier"], metadata: { kind: "bike" }, segments: ["fast"], userIds: ["ann"] };
  const meeting = { name: "Couriers", users: group, others: group, radius: 100, testUserIds: ["ann"] };
  const { _id } = note("createMeeting", await post("/v1/meetings", key, meeting)).meeting;
  note("listMeetings", await get("/v1/meetings", key));
  note("getMeeting", await get(`/v1/meetings/${_id}`, key));
  note("updateMeeting", await call("PATCH", `/v1/meetings/${_id}`, { key, json: { radius: 50 } }));
  note("deleteMeeting", await del(`/v1/meetings/${_id}`, key));
  const orders = [{ id: "soup", guid: "1a2b", handoffMode: "curbside", fireBeforeMinutes: 600 }];
  const goal = { destinationGeofenceTag: "store", destinationGeofenceExternalId: "2" };
  note("createTrip", await post("/v1/trips", key, { externalId: "food", userId: "ann", ...goal, orders }));
  note("track", await post("/v1/track", key, { deviceId: "phone", userId: "ann", ...here, accuracy: 5 }));
  const fired = { orders: [{ id: "soup", status: "fired" }] };
  note("updateTrip", await call("PATCH", "/v1/trips/food/update", { key, json: fired }));
}
