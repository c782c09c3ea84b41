import { beforeAll, expect, it } from "vitest";
import { call, get, makeWorld, type World } from "../../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { patchSettings: 1000, getSettings: 1000 } } });
});
const patch = (json: unknown) => call("PATCH", "/v1/settings", { key: world.keys.testSecret, json });
const many = (n: number) => Array.from({ length: n }, (_, i) => `slug-${i}`);

it.each([
  ["a chain's id that is a list", { chainMappings: { a: [1] } }, "chainMappings"],
  ["mappings that are a text", { chainMappings: "x" }, "chainMappings"],
  ["mappings of an empty slug", { chainMappings: { "": "1" } }, "chainMappings"],
  ["metadata with a list", { chainMetadata: { a: { b: [1] } } }, "chainMetadata"],
  ["metadata with a long text", { chainMetadata: { a: { b: "x".repeat(4097) } } }, "chainMetadata"],
  ["too many chains in a filter", { placeFilters: { chain: many(1001) } }, "placeFilters"],
  ["a filter that is a text", { placeFilters: { category: "cafe" } }, "placeFilters"],
  ["too many chains nearby", { nearbyChains: many(1001) }, "nearbyChains"],
  ["a dwell threshold above a week", { tracking: { dwellThreshold: 10_081 } }, "tracking"],
  ["a switch that is neither on nor off", { tracking: { regions: { country: "perhaps" } } }, "tracking"],
  ["tracking that is a number", { tracking: 1 }, "tracking"],
  ["events kept for no day", { retention: { events: 0 } }, "retention"],
  ["users kept for more than ten years", { retention: { users: 3651 } }, "retention"],
  ["trips kept for half a day", { retention: { trips: 0.5 } }, "retention"],
  ["a time zone that is none", { timeZone: "Mars/Base" }, "timeZone"],
  ["locations kept for ever", { retention: { locations: "forever" } }, "retention"],
  ["a country by its name", { blockedCountries: ["France"] }, "blockedCountries"],
  ["a country in small letters", { blockedCountries: ["fr"] }, "blockedCountries"],
  ["more countries than there are", { blockedCountries: Array(251).fill("FR") }, "blockedCountries"],
])("settings are refused with %s, by name, in our own words, and nothing changes", async (_, body, param) => {
  const before = (await get("/v1/settings", world.keys.testSecret)).body;
  const { status, body: answer } = await patch(body);
  expect([status, answer.meta.param]).toEqual([400, expect.stringMatching(new RegExp(`^${param}`))]);
  expect(answer.meta.message).toContain(`Invalid ${param}.`);
  expect(answer.meta.message).not.toMatch(
    /Too (big|small)|must match|expected \w+ to|received|Unrecognized|Invalid (input|key)/,
  );
  expect((await get("/v1/settings", world.keys.testSecret)).body).toEqual(before);
});

it("what is kept for how long has defaults, and each can be set by itself", async () => {
  const { keys } = await makeWorld({ settings: { rateLimits: { patchSettings: 1000, getSettings: 1000 } } });
  const own = (json: unknown) => call("PATCH", "/v1/settings", { key: keys.testSecret, json });
  const settings = async () => (await get("/v1/settings", keys.testSecret)).body;
  expect((await settings()).retention).toEqual({ users: 365, events: 365, trips: 90, locations: 7, updates: 7 });
  expect((await settings()).blockedCountries).toEqual([]);
  expect((await own({ retention: { events: 30 } })).body.retention).toMatchObject({ users: 365, events: 30 });
  expect((await own({ retention: { trips: "7" } })).body.retention).toMatchObject({ events: 30, trips: 7 });
  expect((await own({ blockedCountries: ["RU", "FR", "FR"] })).body.blockedCountries).toEqual(["FR", "RU"]);
  expect((await own({ nearbyChains: [] })).body.retention).toEqual({
    users: 365,
    events: 30,
    trips: 7,
    locations: 7,
    updates: 7,
  });
  expect((await own({ timeZone: "Asia/Tokyo" })).body.timeZone).toBe("Asia/Tokyo");
  expect((await own({ blockedCountries: [] })).body).toMatchObject({ blockedCountries: [], timeZone: "Asia/Tokyo" });
});

it("names that would reach into the program's own objects stay names", async () => {
  const inner = '{"chainMetadata":{"__proto__":{"polluted":true},"constructor":{"polluted":true}}}';
  const answer = await call("PATCH", "/v1/settings", { key: world.keys.testSecret, body: inner });
  expect([200, 400]).toContain(answer.status);
  const { body } = await get("/v1/settings", world.keys.testSecret);
  expect(body.placeFilters).not.toHaveProperty("polluted");
  const other = await makeWorld();
  expect(JSON.stringify((await get("/v1/settings", other.keys.testSecret)).body)).not.toContain("polluted");
});

it("show the limits that the operator has set, and leave them to the operator", async () => {
  const { keys } = await makeWorld({ settings: { rateLimits: { matrix: 5, patchSettings: 100 } } });
  const own = { key: keys.testSecret };
  expect((await call("GET", "/v1/settings", own)).body.rateLimits).toEqual({ matrix: 5, patchSettings: 100 });
  const raised = await call("PATCH", "/v1/settings", { ...own, json: { rateLimits: { matrix: 5000 } } });
  expect([raised.status, raised.body.meta.param]).toEqual([400, "rateLimits"]);
  expect(raised.body.meta.message).toContain("operator");
  const other = await call("PATCH", "/v1/settings", { ...own, json: { nearbyChains: ["a"] } });
  expect(other.body).toMatchObject({ nearbyChains: ["a"], rateLimits: { matrix: 5, patchSettings: 100 } });
});
