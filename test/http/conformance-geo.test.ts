import { beforeAll, describe, it } from "vitest";
import { makeWorld, type World, withGeodata } from "../support/world.ts";
import { CHAINS, GEO_EFFECTS } from "./conformance-geo-cases.ts";
import { showEffect } from "./conformance-geo-effects.ts";

let world: World;
const ENDPOINTS = ["forwardGeocode", "reverseGeocode", "autocomplete", "searchPlaces", "validateAddress"];

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  const rateLimits = Object.fromEntries(ENDPOINTS.map((name) => [name, 10_000]));
  world = await makeWorld({ geodata: true, settings: { places: CHAINS, rateLimits } });
}, 240_000);

describe("a parameter", () => {
  it.each(GEO_EFFECTS)("$id: $effect", (effect) => showEffect(effect, world.keys.testPublishable));
});
