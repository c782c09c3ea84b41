import { beforeAll, describe, it } from "vitest";
import { CHAINS, GEO_DIFFERENCES } from "../../../conformance/differences/geo.ts";
import { makeWorld, type World, withGeodata } from "../../../support/world.ts";
import { compare } from "./conformance-geo-requests.ts";

let world: World;
const ENDPOINTS = ["forwardGeocode", "reverseGeocode", "autocomplete", "searchPlaces", "validateAddress"];

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  const rateLimits = Object.fromEntries(ENDPOINTS.map((name) => [name, 10_000]));
  world = await makeWorld({ geodata: true, settings: { places: CHAINS, rateLimits } });
}, 240_000);

describe("a parameter", () => {
  it.each(GEO_DIFFERENCES)("$id: $effect", (difference) => compare(difference, world.keys.testPublishable));
});
