import { beforeAll, describe, it } from "vitest";
import { ROUTES_DIFFERENCES, TRAFFIC_ROUTE } from "../../../conformance/differences/routes.ts";
import { eventually, makeWorld, type World, withGeodata } from "../../../support/world.ts";
import { compare, request, tableOf } from "./conformance-geo-requests.ts";

let world: World;
const ENDPOINTS = ["distance", "matrix", "match", "directions", "optimize"];

beforeAll(async () => {
  await withGeodata("demo");
  await withGeodata("traffic");
  const rateLimits = Object.fromEntries(ENDPOINTS.map((name) => [name, 10_000]));
  world = await makeWorld({ settings: { rateLimits } });
  const distance = tableOf("parameter.distance.origin");
  await eventually(
    () => request(distance, { ...distance.least, ...TRAFFIC_ROUTE }, world.keys.testPublishable),
    ({ body }) => body.routes?.car !== undefined,
    15_000,
  );
}, 240_000);

describe("a parameter", () => {
  it.each(ROUTES_DIFFERENCES)("$id: $effect", (difference) => compare(difference, world.keys.testPublishable));
});
