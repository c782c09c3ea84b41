import polyline from "@mapbox/polyline";
import { beforeAll, describe, expect, it } from "vitest";
import { call, get, type Json, makeWorld, post } from "../../../support/world.ts";

const TYPES = ["user.left_route", "user.returned_to_route"];
let secret: string;

beforeAll(async () => {
  secret = (await makeWorld({ settings: { rateLimits: { track: 1000 } } })).keys.testSecret;
});

describe("a route that comes with the trip", () => {
  const line = (points: [number, number][]) => polyline.encode(points, 5);
  const planned = line([
    [10, 10],
    [10, 10.05],
  ]);

  it("is compared also where no roads are, and can be replaced", async () => {
    const trip = { externalId: "bus-1", userId: "bus", plannedRoute: planned, routeTolerance: 50 };
    expect((await post("/v1/trips", secret, trip)).status).toBe(200);
    const routeOf = async () => (await get("/v1/trips/bus-1/route", secret)).body.route;
    expect((await routeOf()).planned).toBe(planned);
    const begin = Date.now() - 600_000;
    let [updates, types] = [0, [] as string[]];
    const drive = async (...points: [number, number][]) => {
      const replays = points.map(([latitude, longitude]) => ({
        ...{ deviceId: "bus", userId: "bus", accuracy: 5, latitude, longitude },
        updatedAt: new Date(begin + ++updates * 10_000).toISOString(),
      }));
      const { status, body } = await post("/v1/track/replay", secret, { replays });
      expect([status, body.rejected]).toEqual([200, []]);
      const made = (body.events as Json[]).filter(({ type }) => TYPES.includes(String(type)));
      types = made.map(({ type }) => String(type));
      expect(JSON.stringify(body.events)).not.toContain("plannedRoute");
    };
    await post("/v1/track", secret, {
      ...{ deviceId: "bus", userId: "bus", accuracy: 5, latitude: 10, longitude: 10.001, updatedAtMs: begin },
    });
    await drive([10, 10.01], [10.002, 10.01], [10.004, 10.01], [10.006, 10.01]);
    expect(types).toEqual(["user.left_route"]);
    await drive([10, 10.02]);
    expect(types).toEqual(["user.returned_to_route"]);
    const other = line([
      [10, 10.02],
      [10.05, 10.02],
    ]);
    const change = { key: secret, json: { plannedRoute: other } };
    expect((await call("PATCH", "/v1/trips/bus-1", change)).status).toBe(200);
    expect((await routeOf()).planned).toBe(other);
    await drive([10.01, 10.02], [10.02, 10.02]);
    expect(types).toEqual([]);
    await drive([10.02, 10.023], [10.02, 10.026], [10.02, 10.029]);
    expect(types).toEqual(["user.left_route"]);
  });

  it("is refused if it is no line, and thinned if it is long", async () => {
    for (const plannedRoute of [
      "_",
      line([[10, 10]]),
      line([
        [100, 10],
        [10, 10],
      ]),
      7,
      "?".repeat(100_001),
    ]) {
      const { status, body } = await post("/v1/trips", secret, { externalId: "bad", plannedRoute });
      expect([status, body.meta.param]).toEqual([400, "plannedRoute"]);
    }
    const long = Array.from({ length: 2000 }, (_, i): [number, number] => [10 + i / 10_000, 10 + (i % 7) / 5000]);
    await post("/v1/trips", secret, { externalId: "long", plannedRoute: line(long) });
    const { body } = await get("/v1/trips/long/route", secret);
    expect(polyline.decode(body.route.planned, 5).length).toBe(300);
  });
});
