import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { typesOf } from "../../../src/server/make/client-files.ts";
import { typeErrors, writeClient } from "../../support/generated-clients.ts";
import { get, makeWorld, type World, withGeodata } from "../../support/world.ts";

/** Clients that generators make from the document of the server, compiled in strict mode, and one of them used. */

const folder = mkdtempSync(join(tmpdir(), "graticule-generated-"));
let world: World;

/** Two points of the demo town, and one without roads. */
const [WEST, EAST, SEA] = ["48.985,-111.23", "49.015,-111.17", "10,10"];

const PROGRAM = `
import { createClient } from "./client/client/index.ts";
import { directions, forwardGeocode, listUsers, track } from "./client/index.ts";

const [baseUrl, publishable, secret] = process.argv.slice(2) as [string, string, string];
const client = createClient({ baseUrl, auth: publishable });

const tracked = await track({
  client,
  body: { deviceId: "generated", latitude: 48.99, longitude: -111.2, accuracy: 5, metadata: { vip: true } },
  throwOnError: true,
});
const addresses = await forwardGeocode({ client, query: { query: "Meridale", layers: "coarse" }, throwOnError: true });
const routes = await directions({ client, query: { locations: "${WEST}|${EAST}", units: "metric" }, throwOnError: true });
const nowhere = await directions({ client, query: { locations: "${WEST}|${SEA}" }, throwOnError: true });
const wrong = await directions({ client, query: { locations: "here" } });
const users = await listUsers({ client, auth: secret, throwOnError: true });

const route = routes.data.routes[0];
console.log(
  JSON.stringify({
    device: tracked.data.user?.deviceId,
    metadata: tracked.data.user?.metadata,
    events: tracked.data.events.length,
    country: addresses.data.addresses[0]?.countryCode,
    metres: route?.distance.value,
    steps: route?.legs[0]?.steps.length,
    maneuver: route?.legs[0]?.steps[0]?.manuever,
    nowhere: nowhere.data.routes.length,
    reason: nowhere.data.unavailable,
    wrong: wrong.error?.meta.param,
    users: users.data.users.map(({ deviceId }) => deviceId),
  }),
);
`;

/** Uses that do not fit the document, a line each. */
const MISTAKES = `
import { directions, reverseGeocode, track } from "./client/index.ts";
export const a = track({ body: { deviceId: "a", latitude: "north", longitude: 1, accuracy: 5 } });
export const b = reverseGeocode({ query: {} });
export const c = directions({ query: { locations: "1,2|3,4", mode: "horse" } });
export const d = directions({ query: { locations: "1,2|3,4" }, throwOnError: true }).then(({ data }) => data.rutes);
`;

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ geodata: true });
  const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "types.ts"), await typesOf(document));
  await writeClient(document, join(folder, "client"));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "mistakes.ts"), MISTAKES);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("clients generated from /openapi.json", () => {
  it("compile in strict mode, types and functions", async () => {
    expect(await typeErrors(folder, ["types.ts", "client/index.ts", "client/client.gen.ts", "program.ts"])).toBe("");
  });

  it("have the server's types: a wrong type, a missing parameter, an unknown value and an unknown field are errors", async () => {
    const reported = await typeErrors(folder, ["mistakes.ts"]);
    expect([...reported.matchAll(/mistakes\.ts\((\d+)/g)].map(([, line]) => Number(line)).sort()).toEqual([3, 4, 5, 6]);
  });

  it("track, geocode, route and list, and return the error of a wrong parameter", async () => {
    const { testPublishable, testSecret } = world.keys;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...["--no-warnings", join(folder, "program.ts")],
      ...[inject("baseUrl"), testPublishable, testSecret],
    ]);
    const { body } = await get(`/v1/route/directions?locations=${WEST}|${EAST}&units=metric`, testPublishable);
    const [route] = body.routes;
    expect(JSON.parse(stdout)).toEqual({
      device: "generated",
      metadata: { vip: true },
      events: expect.any(Number),
      country: "US",
      metres: route.distance.value,
      steps: route.legs[0].steps.length,
      maneuver: route.legs[0].steps[0].manuever,
      nowhere: 0,
      reason: "No road is within reach of location 1.",
      wrong: "locations",
      users: ["generated"],
    });
  });
});
