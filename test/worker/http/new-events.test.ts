import { describe, expect, it } from "vitest";
import { call, get, makeWorld, post, put } from "../../support/world.ts";

/** Events of this moment: their device may not have written them to the database yet. */

const at = { latitude: 40.7, longitude: -74, accuracy: 5 };

describe("an event of this moment", () => {
  it("is deleted, and does not come back", async () => {
    const { keys } = await makeWorld();
    const { testPublishable: key, testSecret: secret } = keys;
    await post("/v1/track", key, { deviceId: "known", ...at });
    for (const who of [
      { deviceId: "d1", userId: "never-located" },
      { deviceId: "known" },
      { deviceId: "known", userId: "ann" },
    ]) {
      const { event } = (await post("/v1/events", key, { name: "x", ...who })).body;
      expect((await call("DELETE", `/v1/events/${event._id}`, { key: secret })).status).toBe(200);
      expect((await get(`/v1/events/${event._id}`, secret)).status).toBe(404);
      expect((await call("DELETE", `/v1/events/${event._id}`, { key: secret })).status).toBe(404);
    }
    // More updates write the rows that held the events.
    await post("/v1/track", key, { deviceId: "known", ...at, latitude: 40.71 });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await get("/v1/events?types=x", secret)).body.events).toEqual([]);
  });

  it("is read and verified", async () => {
    const { keys } = await makeWorld();
    const { testPublishable: key, testSecret: secret } = keys;
    const { event } = (await post("/v1/events", key, { name: "x", deviceId: "d" })).body;
    expect((await get(`/v1/events/${event._id}`, secret)).status).toBe(200);
    const next = (await post("/v1/events", key, { name: "x", deviceId: "d" })).body.event;
    const verified = await put(`/v1/events/${next._id}/verification`, key, { verification: -1, deviceId: "d" });
    expect([verified.status, verified.body.event.verification]).toEqual([200, -1]);
    expect((await get(`/v1/events/${next._id}`, secret)).body.event.verification).toBe(-1);
  });

  it("of an update, a trip and another environment: only its own key deletes it", async () => {
    const { keys } = await makeWorld();
    const { testPublishable: key, testSecret: secret, liveSecret } = keys;
    await post("/v1/trips", secret, { externalId: "t", userId: "u" });
    const { events } = (await post("/v1/track", key, { deviceId: "d", userId: "u", ...at })).body;
    expect(events.map(({ type }: { type: string }) => type)).toContain("user.started_trip");
    for (const { _id } of events) {
      expect((await call("DELETE", `/v1/events/${_id}`, { key: liveSecret })).status).toBe(404);
      expect((await call("DELETE", `/v1/events/${_id}`, { key: secret })).status).toBe(200);
    }
    expect((await get("/v1/events", secret)).body.events).toEqual([]);
  });
});
