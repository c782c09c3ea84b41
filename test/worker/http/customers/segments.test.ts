import { beforeAll, describe, expect, it } from "vitest";
import { call, control, eventually, get, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

let world: World;
const rateLimits = { track: 1000, setUserSegments: 1000, getUser: 1000 };
beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits } });
});
const track = (deviceId: string, more = {}) =>
  post("/v1/track", world.keys.testPublishable, { deviceId, latitude: 1, longitude: 2, accuracy: 5, ...more });
const set = (id: string, segments: unknown, key = world.keys.testSecret) =>
  put(`/v1/users/${id}/segments`, key, { segments });
const arrived = (id: string) =>
  eventually(
    () => sql("SELECT id FROM user WHERE id = ?", id),
    (rows) => rows.length === 1,
  );
const VIP = { description: "VIP", externalId: "vip" };

describe("segments of a user", () => {
  it("show at once in the answer and in track, within a second in look-ups, and outlive the tracker's memory", async () => {
    const { user } = (await track("phone", { userId: "ann" })).body;
    expect(user).not.toHaveProperty("segments");
    await arrived(user._id);
    const answer = await set("ann", [VIP, { description: "Regular", externalId: "2" }]);
    expect([answer.status, answer.body.user._id]).toEqual([200, user._id]);
    const segments = [VIP, { description: "Regular", externalId: "2" }];
    expect(answer.body.user.segments).toEqual(segments);
    expect((await track("phone", { userId: "ann" })).body.user.segments).toEqual(segments);
    const read = () => get(`/v1/users/${user._id}`, world.keys.testSecret);
    expect((await eventually(read, ({ body }) => body.user.segments !== undefined)).body.user.segments).toEqual(
      segments,
    );
    await control("evict", { object: "DEVICE_TRACKER", name: `${world.id * 2}:phone` });
    expect((await track("phone", { userId: "ann" })).body.user.segments).toEqual(segments);
    expect((await set(user._id, [])).body.user).not.toHaveProperty("segments");
    expect((await track("phone", { userId: "ann" })).body.user).not.toHaveProperty("segments");
  });

  it("are set on every record of a userId, and on no other's", async () => {
    for (const device of ["tablet", "watch"]) await arrived((await track(device, { userId: "bob" })).body.user._id);
    await arrived((await track("other", { userId: "eve" })).body.user._id);
    expect((await set("bob", [VIP])).status).toBe(200);
    for (const device of ["tablet", "watch"])
      expect((await track(device, { userId: "bob" })).body.user.segments).toEqual([VIP]);
    expect((await track("other", { userId: "eve" })).body.user).not.toHaveProperty("segments");
  });

  it.each([
    ["no list", "vip"],
    ["a segment without a description", [{ externalId: "1" }]],
    ["a segment without an id", [{ description: "VIP" }]],
    ["more than a hundred", Array(101).fill(VIP)],
  ])("are refused when they are %s", async (_, segments) => {
    const { status, body } = await set("ann", segments);
    expect([status, body.meta.param]).toEqual([400, expect.stringMatching(/^segments/)]);
  });

  it("of somebody unknown, also to this environment, are 404", async () => {
    expect((await set("nobody", [VIP])).status).toBe(404);
    expect((await set("bob", [VIP], world.keys.liveSecret)).status).toBe(404);
    expect(
      (await call("PUT", "/v1/users/bob/segments", { key: world.keys.testSecret, json: {} })).body.meta.param,
    ).toBe("segments");
  });
});
