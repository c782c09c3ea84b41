import { beforeAll, describe, expect, it } from "vitest";
import { call, get, makeWorld, post, sleep, type World, withGeodata } from "../../support/world.ts";

const TOWN = "48.985,-111.23";
const SHORT = [`/v1/context?coordinates=${TOWN}`, "/v1/config?deviceId=a", `/v1/geocode/reverse?coordinates=${TOWN}`];

/** Locations of a fleet in the town: the dearest request of a publishable key. */
const at = (i: number) => [-111.24 + (i % 10) * 2e-3, 48.98 + Math.floor(i / 10) * 1e-3];
const whereOf = ([longitude, latitude]: number[]) => ({ latitude, longitude });
const FLEET = {
  vehicles: Array.from({ length: 10 }, (_, id) => ({ id, start: at(id), end: at(id) })),
  jobs: Array.from({ length: 90 }, (_, id) => ({ id, location: at(id + 10) })),
};
/** Takes about a second. */
const solve = (key: string, x = 1) => post("/v1/route/optimize", key, { ...FLEET, options: { x } });

beforeAll(async () => {
  await withGeodata("demo");
}, 400_000);

const limitedTo = (computing: number): Promise<World> =>
  makeWorld({ geodata: true, settings: { rateLimits: { computing, optimizeFleet: 1000 } } });

/** Computes until the account of a key is in debt; the response that says so. */
async function untilInDebt(key: string) {
  for (let i = 0; i < 20; i++) {
    const answer = await solve(key);
    if (answer.status === 429) return answer;
  }
  throw new Error("no debt after 20 fleets");
}

describe("the limit of computing", () => {
  it("rejects long requests of a publishable key in debt until the stated time, and never short ones", async () => {
    const { keys } = await limitedTo(1);
    const { body, headers } = await untilInDebt(keys.testPublishable);
    expect(body.meta.message).toBe("Rate limit exceeded: 1 milliseconds of computing per second.");
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(headers.get("x-ratelimit-limit")).toBe("1");
    for (const path of SHORT) expect([path, (await get(path, keys.testPublishable)).status]).toEqual([path, 200]);
    const track = { deviceId: "a", latitude: 48.985, longitude: -111.23, accuracy: 5 };
    expect((await post("/v1/track", keys.testPublishable, track)).status).toBe(200);
    expect((await call("OPTIONS", "/v1/route/optimize", {})).status).toBe(204);
    expect((await solve(keys.testPublishable)).status).toBe(429);
    // The other environment, and servers, have accounts of their own or none.
    expect((await solve(keys.livePublishable)).status).toBe(200);
    expect((await solve(keys.testSecret)).status).toBe(200);
  });

  it("admits again after Retry-After", async () => {
    const { keys } = await limitedTo(50);
    const { headers } = await untilInDebt(keys.testPublishable);
    await sleep(1000 * Number(headers.get("retry-after")));
    expect((await solve(keys.testPublishable)).status).toBe(200);
  });

  it("is raised for a project", async () => {
    const { keys } = await limitedTo(1_000_000);
    for (let i = 0; i < 4; i++) expect((await solve(keys.testPublishable)).status).toBe(200);
  });

  it("applies to the tools of an agent with the key", async () => {
    const { keys } = await limitedTo(1);
    await untilInDebt(keys.testPublishable);
    const { body } = await call("POST", "/mcp", {
      key: keys.testPublishable,
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-03-26" },
      json: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "plan_fleet",
          arguments: {
            vehicles: FLEET.vehicles.map(({ id, start }) => ({ name: `${id}`, start: whereOf(start) })),
            stops: FLEET.jobs.slice(0, 40).map(({ id, location }) => ({ name: `${id}`, place: whereOf(location) })),
          },
        },
      },
    });
    expect(typeof body === "string" ? body : JSON.stringify(body)).toContain("milliseconds of computing per second");
  });
});
