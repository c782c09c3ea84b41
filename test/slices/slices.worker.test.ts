import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FuzzPlatform, startFuzzPlatform } from "../fuzz/platform.ts";
import { type ApiDocument, operationsOf } from "../fuzz/requests.ts";
import { CHEAP } from "./cheap.ts";
import { DEMO, dearRequests } from "./dear-requests.ts";
import { cpuDuring, slicesOf } from "./probe.ts";

/**
 * CPU of the isolate while a ping waited [ms]. A slice is 20 ms (src/core/geo/pace.ts); a ping waits for one or two, and for a collection of
 * garbage. `npm run bench -- neighbours` times pings beside such requests in Porto.
 */
const MAX_WAIT_MS = 130;
/** The first requests run uncompiled, and a late reading counts slices twice: the least of so many attempts decides. */
const ATTEMPTS = 5;

let platform: FuzzPlatform;

beforeAll(async () => {
  platform = await startFuzzPlatform();
});
afterAll(() => platform?.stop());

// Before requests that begin jobs, which go on.
describe("a client that leaves", () => {
  it("ends the work of its request within a second", async () => {
    const fleet = dearRequests(DEMO).find(({ operationId }) => operationId === "optimizeFleet")!.request;
    const { hostname, port } = new URL(platform.url);
    const headers = { authorization: platform.keys.testSecret, "content-type": "application/json" };
    const began = request({ hostname, port, method: fleet.method, path: fleet.path, headers });
    began.on("error", () => {});
    began.end(JSON.stringify({ ...(fleet.body as object), options: { x: 5 } }));
    await sleep(1500);
    expect(await cpuDuring(platform, 1000)).toBeGreaterThan(50);
    began.socket?.resetAndDestroy();
    await sleep(1000);
    expect(await cpuDuring(platform, 1000)).toBeLessThan(50);
  });
});

describe("the dearest request of an endpoint", () => {
  const all = dearRequests(DEMO);

  it("is known of each, or the endpoint is named as cheap", async () => {
    const document = (await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDocument;
    const operations = operationsOf(document).map(({ operationId }) => operationId);
    const dear = new Set(all.map(({ operationId }) => operationId));
    expect(operations.filter((name) => dear.has(name) === CHEAP.has(name))).toEqual([]);
    expect([...dear, ...CHEAP].filter((name) => !operations.includes(name))).toEqual([]);
  });

  it.each(all.map((one) => [`${one.operationId}: ${one.name}`, one.request] as const))(
    "gives a ping a turn: %s",
    async (_, request) => {
      const headers = { authorization: platform.keys.testSecret };
      let longest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < ATTEMPTS && longest > MAX_WAIT_MS; i++) {
        const found = await slicesOf(platform, { ...request, headers });
        // A refusal is cheap, and would look like good manners.
        expect(found.status, found.text.slice(0, 300)).toBeLessThan(300);
        longest = Math.min(longest, found.longest);
      }
      expect(longest).toBeLessThan(MAX_WAIT_MS);
    },
  );
});
