import { describe, expect, it } from "vitest";
import { openGeodata } from "../../../src/worker/geodata/live.ts";
import { roadsAround } from "../../../src/worker/geodata/roads.ts";
import { FakeBucket } from "./fake-bucket.ts";

/** Requests 6 s after the list of builds was read, while R2 does not answer: none may wait for it. */

const ADDRESS = {
  city: "Brooklyn",
  stateCode: "NY",
  postalCode: "11201",
  countryCode: "US",
  addressLabel: "20 Jay St",
};
/** File below src/worker/http, endpoint, fields. */
const CASES: [file: string, name: string, fields: Record<string, unknown>][] = [
  ["geocode/forward", "forwardGeocode", { query: "Brooklyn" }],
  ["geocode/reverse", "reverseGeocode", { coordinates: "40.7,-73.98" }],
  ["geocode/autocomplete", "autocomplete", { query: "Brook", near: "40.7,-73.98" }],
  ["places/places", "searchPlaces", { iataCode: "JFK" }],
  ["places/places", "searchPlaces", { near: "40.7,-73.98", categories: "cafe" }],
  ["geocode/address-validation", "validateAddressEndpoint", ADDRESS],
  ["routes/distance", "distance", { origin: "40.7,-73.98", destination: "40.8,-73.98", modes: "car" }],
  ["routes/matrix", "matrix", { origins: "40.7,-73.98", destinations: "40.8,-73.98", mode: "car" }],
  ["routes/directions", "directions", { locations: "40.7,-73.98|40.8,-73.98" }],
  ["routes/optimize", "optimize", { locations: "40.7,-73.98|40.75,-73.98|40.8,-73.98" }],
  ["routes/match", "match", { path: [{ coordinates: "40.7,-73.98" }, { coordinates: "40.8,-73.98" }] }],
];

/** A bucket whose list was read at 0, and which answers nothing from now on. */
async function silentBucket(): Promise<FakeBucket> {
  const bucket = new FakeBucket();
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [] }));
  await openGeodata(bucket, { now: 0, waitUntil: undefined });
  bucket.pause = () => new Promise(() => undefined);
  return bucket;
}

describe("a request while the list of builds is looked up again", () => {
  it.concurrent.each(CASES)("%s: %s of %j is answered from the one there is", async (file, name, fields) => {
    const work: Promise<unknown>[] = [];
    // By name: these modules know the Worker's types, which tests do not have.
    const endpoint = (await import(new URL(`../../../src/worker/http/${file}.ts`, import.meta.url).href))[name];
    const call = {
      params: {},
      caller: { settings: {} },
      env: { GEODATA: await silentBucket() },
      now: 6000,
      request: new Request("https://api.example.com/"),
      query: endpoint.query?.parse(fields),
      body: endpoint.body?.parse(fields),
      waitUntil: (promise: Promise<unknown>) => work.push(promise),
    };
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("it waits")), 2000));
    expect(await Promise.race([endpoint.handle(call), late])).toBeTruthy();
    expect(work).toHaveLength(1);
  });

  it("by a Durable Object, which goes on after its answer, is answered as well", async () => {
    const bucket = await silentBucket();
    const asking = { now: 6000, waitUntil: () => undefined };
    const geodata = await openGeodata(bucket, asking);
    expect(await roadsAround(geodata, [{ latitude: 40.7, longitude: -73.98 }])).toBeUndefined();
  });
});
