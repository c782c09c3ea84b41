import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { growth } from "../growth/growth.ts";
import { fuzz } from "./fuzz.ts";
import { type FuzzPlatform, startFuzzPlatform } from "./platform.ts";

/** `npm run test:fuzz` sends hundreds of times as many, drawn anew each time. */
const RUNS = process.env.EVERY_LOOK ? 4 : 2;
/** So that a failure here is the same failure on the next machine. */
const SEED = 4;

let platform: FuzzPlatform;
beforeAll(async () => {
  platform = await startFuzzPlatform();
}, 240_000);
afterAll(() => platform?.stop());

describe("every endpoint of the reference", () => {
  it("answers whatever is sent as the reference says, without a 5xx, within a second of CPU", async () => {
    const { faults, endpoints, requests, statuses } = await fuzz(platform, { runs: RUNS, seed: SEED });
    expect(faults).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(endpoints * RUNS);
    // The door is not all that was tried: many requests were let in.
    expect(statuses[200]).toBeGreaterThan(requests / 6);
  }, 300_000);
});

describe("a text made to hurt", () => {
  const at = (name: string) => ({ fields: [name] });

  const FORMS: [form: string, options: { only: string[]; fields: string[] }][] = [
    ["a query string, without a key", { only: ["openapi"], ...at("query string") }],
    ["a form", { only: ["track"], ...at("form") }],
    ["a JSON body", { only: ["track"], ...at("JSON body") }],
    ["a multipart body", { only: ["track"], ...at("multipart body") }],
    ["a CSV file", { only: ["importBeacons"], ...at("CSV body") }],
    ["a trace", { only: ["match"], ...at("body gpx") }],
    ["an icon", { only: ["uploadMapIcon"], ...at("body image") }],
    ["a path on a map", { only: ["staticMap"], ...at("query path") }],
    ["a token", { only: ["context"], ...at("header authorization") }],
    ["a cookie", { only: ["context"], ...at("header cookie") }],
    ["an address", { only: ["forwardGeocode"], ...at("query query") }],
  ];
  const BY_DAY = ["a query string, without a key", "a JSON body", "a trace"];

  it.each(FORMS.filter(([form]) => process.env.EVERY_LOOK || BY_DAY.includes(form)))(
    "costs no more than its length, as %s",
    async (_, options) => {
      const { fields, faults } = await growth(platform, options);
      expect([fields, faults]).toEqual([1, []]);
    },
    90_000,
  );
});
