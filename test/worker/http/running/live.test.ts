import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { makeMember } from "../../../support/members.ts";
import { expectWithin } from "../../../support/times.ts";
import { eventually, get, type Json, makeWorld, post, put, sleep, sql, type World } from "../../../support/world.ts";
import { openSocket, type Viewer } from "./web-socket.ts";

const HERE = { latitude: 12, longitude: 34 };
let world: World;
const viewers: Viewer[] = [];

const look = async (query = "", key = world.keys.testSecret): Promise<Viewer> => {
  const viewer = await openSocket(`${inject("baseUrl")}/v1/live?${query}`, { authorization: key });
  viewers.push(viewer);
  return viewer;
};
const track = (deviceId: string, key = world.keys.testPublishable, more: Json = {}) =>
  post("/v1/track", key, { deviceId, ...HERE, accuracy: 5, foreground: true, ...more });
/** The messages of a viewer once there are so many of a type. */
const heard = (viewer: Viewer, type: string, atLeast = 1) =>
  eventually(
    async () => viewer.messages.filter((message) => message.type === type),
    (found) => found.length >= atLeast,
  );

beforeAll(async () => {
  world = await makeWorld();
  for (const key of [world.keys.testSecret, world.keys.liveSecret]) {
    await put("/v1/geofences/home/one", key, {
      description: "Home",
      type: "circle",
      coordinates: [34, 12],
      radius: 100,
    });
  }
});
afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.close();
  await sleep(50);
});

describe("GET /v1/live", () => {
  it("tells where a user is and what has happened, as the lists show it", async () => {
    const viewer = await look();
    expect(await heard(viewer, "hello")).toEqual([{ type: "hello", at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    const { body } = await track("a", world.keys.testPublishable, { userId: "anna", stopped: true });
    const told = Date.now();
    const [message] = await heard(viewer, "event");
    expectWithin(told, 1000);
    expect(message.event).toEqual((await get(`/v1/events/${body.events[0]._id}`, world.keys.testSecret)).body.event);
    const [position] = await heard(viewer, "position");
    expect(position).toEqual({
      type: "position",
      user: {
        _id: body.user._id,
        userId: "anna",
        deviceId: "a",
        accuracy: 5,
        stopped: true,
        foreground: true,
        location: { type: "Point", coordinates: [34, 12] },
        updatedAt: body.user.updatedAt,
      },
    });
  });

  it("tells Live nothing of Test, Test nothing of Live, and nobody of another project", async () => {
    const other = await makeWorld();
    const all = [
      await look("", world.keys.testSecret),
      await look("", world.keys.liveSecret),
      await look("", other.keys.testSecret),
    ];
    await track("only-live", world.keys.livePublishable);
    await heard(all[1], "event");
    await track("only-test", world.keys.testPublishable);
    await heard(all[0], "event");
    await sleep(300);
    const devices = all.map(({ messages }) => [
      ...new Set(messages.flatMap((one) => (one.event ?? one)?.user?.deviceId ?? [])),
    ]);
    expect(devices).toEqual([["only-test"], ["only-live"], []]);
  });

  it("tells only of the kinds, the types and the user that were asked for", async () => {
    const events = await look("kinds=events");
    const positions = await look("kinds=positions");
    const conversions = await look("types=bought");
    const one = await look("userId=berta");
    await track("x", world.keys.testPublishable, { userId: "berta" });
    await track("y");
    await post("/v1/events", world.keys.testSecret, { name: "bought", deviceId: "y" });
    await heard(conversions, "event");
    await heard(one, "event");
    await sleep(300);
    const typesOf = ({ messages }: Viewer) => [...new Set(messages.map(({ type }) => type))].sort();
    expect([events, positions].map(typesOf)).toEqual([
      ["event", "hello"],
      ["hello", "position"],
    ]);
    expect(conversions.messages.filter(({ type }) => type === "event").map(({ event }) => event?.type)).toEqual([
      "bought",
    ]);
    expect(new Set(one.messages.slice(1).map((message) => (message.event ?? message).user?.userId))).toEqual(
      new Set(["berta"]),
    );
  });

  it("answers ping with pong", async () => {
    const viewer = await look();
    viewer.send("ping");
    expect(await eventually(async () => viewer.texts.includes("pong"), Boolean)).toBe(true);
  });

  it("closes the line of a key that was revoked before it tells more", async () => {
    const fresh = await makeWorld();
    const viewer = await look("", fresh.keys.testSecret);
    await sql("UPDATE api_key SET revoked_at = 1 WHERE project = ? AND secret = 1", fresh.id);
    await track("after", fresh.keys.testPublishable);
    expect(
      await eventually(
        async () => viewer.closed,
        (code) => code !== undefined,
      ),
    ).toBe(4401);
    expect(viewer.messages.map(({ type }) => type)).toEqual(["hello"]);
  });

  it("opens for a member's session, on the dashboard's own pages, in the environment that is asked for", async () => {
    const member = await makeMember({ [world.id]: "read" });
    const open = (query: string, headers: Record<string, string> = {}) =>
      openSocket(`${inject("baseUrl")}/v1/live?${query}`, {
        cookie: member.cookie,
        "sec-fetch-site": "same-origin",
        origin: inject("baseUrl"),
        ...headers,
      });
    const viewer = await open(`project=${world.id}&environment=test`);
    viewers.push(viewer);
    await track("seen-live", world.keys.livePublishable);
    await track("seen-test");
    await heard(viewer, "event");
    expect(new Set(viewer.messages.slice(1).map((one) => (one.event ?? one).user?.deviceId))).toEqual(
      new Set(["seen-test"]),
    );

    const other = await makeWorld();
    for (const [query, headers, status] of [
      [`project=${other.id}&environment=test`, {}, 403],
      [`project=${world.id}&environment=test`, { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
      [`project=${world.id}`, {}, 400],
      [`project=${world.id}&environment=test`, { cookie: "" }, 401],
    ] as const)
      expect(await open(query, headers).catch((refused) => refused)).toMatchObject({ status });

    // The session ends: nothing more is told.
    const before = viewer.messages.length;
    await sql("DELETE FROM session WHERE member = ?", member.id);
    await sleep(8_500);
    await track("after-the-end");
    expect(
      await eventually(
        async () => viewer.closed,
        (code) => code !== undefined,
      ),
    ).toBe(4401);
    expect(viewer.messages).toHaveLength(before);
  });

  it("takes 50 viewers and tells the next to wait", async () => {
    const fresh = await makeWorld({ settings: { rateLimits: { live: 1000 } } });
    for (let i = 0; i < 50; i++) await look("", fresh.keys.testSecret);
    const answer = await openSocket(`${inject("baseUrl")}/v1/live`, { authorization: fresh.keys.testSecret }).catch(
      (refused) => refused,
    );
    expect(answer).toMatchObject({ status: 429 });
    viewers.pop()?.close();
    const again = await eventually(
      () => look("", fresh.keys.testSecret).catch(() => undefined),
      (viewer) => viewer !== undefined,
    );
    expect(again?.closed).toBeUndefined();
  });

  it("answers 426 to what is no upgrade, and refuses wrong parameters by name before", async () => {
    const plain = await get("/v1/live", world.keys.testSecret);
    expect([plain.status, plain.body.meta.code]).toEqual([426, 426]);
    const wrong = await get("/v1/live?kinds=smells", world.keys.testSecret);
    expect([wrong.status, wrong.body.meta.param]).toEqual([400, "kinds"]);
    for (const [key, status] of [
      [world.keys.testPublishable, 403],
      [`prj_test_sk_${"0".repeat(40)}`, 401],
    ] as const) {
      const refused = await openSocket(`${inject("baseUrl")}/v1/live`, { authorization: key }).catch((error) => error);
      expect(refused).toMatchObject({ status });
    }
  });
});
