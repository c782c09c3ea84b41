import { beforeAll, describe, it } from "vitest";
import { eventually, makeWorld, type World, withGeodata } from "../support/world.ts";
import { request, showEffect, tableOf } from "./conformance-geo-effects.ts";
import { ROUTES_EFFECTS, TRAFFIC_ROUTE } from "./conformance-routes-cases.ts";

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
  it.each(ROUTES_EFFECTS)("$id: $effect", (effect) => showEffect(effect, world.keys.testPublishable));
});
