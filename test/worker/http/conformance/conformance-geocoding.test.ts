import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../../support/world.ts";
import { type GeocodeWorld, openGeocodeWorld } from "../geocode/geocode-world.ts";

/** What the specification says of geocoding, search and address validation, by its effect; docs/conformance.md names these tests. */

let world: GeocodeWorld;
beforeAll(async () => {
  const limits = {
    searchGeofences: 1000,
    upsertGeofence: 1000,
    patchSettings: 1000,
    geocodeBatch: 1000,
    context: 1000,
  };
  world = await openGeocodeWorld(limits, ["world", "village", "queens"]);
}, 240_000);
afterAll(() => world.close());

const url = (path: string, values: Record<string, string>) => `${path}?${new URLSearchParams(values)}`;
const forward = async (values: Record<string, string>) =>
  (await world.get(url("/v1/geocode/forward", values))).body.addresses as Json[];
const layersIn = (addresses: Json[]) => [...new Set(addresses.map(({ layer }) => layer))].sort();

describe("a forward geocode", () => {
  const CAFE = "Lorimer Coffee, New York";
  const HOUSE = "217-14 Hollis Avenue, New York, NY 11429";

  it("without layers has addresses and coarse results, and no places", async () => {
    expect((await forward({ query: CAFE, layers: "fine" }))[0]).toMatchObject({
      layer: "place",
      name: "Lorimer Coffee",
    });
    expect(layersIn(await forward({ query: CAFE }))).not.toContain("place");
    expect(layersIn(await forward({ query: HOUSE }))).toEqual(["address"]);
    expect(layersIn(await forward({ query: "11429" }))).toContain("postalCode");
    expect(layersIn(await forward({ query: "Queens Village" }))).toContain("locality");
    expect(await forward({ query: "Coffee in New York" })).not.toContainEqual(
      expect.objectContaining({ layer: "place" }),
    );
    const suggested = (await world.get(url("/v1/search/autocomplete", { query: "Lorimer Cof" }))).body.addresses;
    expect(suggested[0]).toMatchObject({ layer: "place", name: "Lorimer Coffee" });
  });

  it("searches the layers that the project has set as its default", async () => {
    const set = (forwardLayers: unknown) => world.secret("PATCH", "/v1/settings", { geocoding: { forwardLayers } });
    const shown = async () => (await world.secret("GET", "/v1/settings")).body.geocoding.forwardLayers;
    const byDefault = ["address", "postalCode", "locality", "county", "state", "country"];
    const inBatch = async () =>
      (await world.secret("POST", "/v1/geocode/batch", { rows: [{ query: CAFE }] })).body.rows[0].addresses;
    expect(await shown()).toEqual(byDefault);
    expect(layersIn(await inBatch())).not.toContain("place");
    expect((await set(["fine", "coarse"])).body.geocoding.forwardLayers).toEqual(["place", ...byDefault]);
    expect((await forward({ query: CAFE }))[0]).toMatchObject({ layer: "place", name: "Lorimer Coffee" });
    expect((await inBatch())[0]).toMatchObject({ layer: "place", name: "Lorimer Coffee" });
    expect(layersIn(await forward({ query: CAFE, layers: "address,coarse" }))).not.toContain("place");
    for (const wrong of [["street"], "place", [1], Array(17).fill("place")]) {
      const { status, body } = await set(wrong);
      expect([status, body.meta.param]).toEqual([400, expect.stringMatching(/^geocoding/)]);
    }
    expect(await shown()).toEqual(["place", ...byDefault]);
    for (const reset of [null, []]) {
      await set(["place"]);
      expect((await set(reset)).body.geocoding.forwardLayers).toEqual(byDefault);
    }
    expect(layersIn(await forward({ query: CAFE }))).not.toContain("place");
  });

  it("has results in the given countries only", async () => {
    const countries = async (values: Record<string, string>) => [
      ...new Set((await forward({ query: "Meridale", limit: "20", ...values })).map(({ countryCode }) => countryCode)),
    ];
    expect((await countries({})).sort()).toEqual(["CA", "US"]);
    expect(await countries({ country: "CA" })).toEqual(["CA"]);
    expect(await countries({ country: "us" })).toEqual(["US"]);
    expect((await countries({ country: "US, CA" })).sort()).toEqual(["CA", "US"]);
    expect((await countries({ country: "DE" })).filter((code) => code !== "DE")).toEqual([]);
  });

  it("has the borough and the neighborhood of the point", async () => {
    const [house] = await forward({ query: HOUSE });
    expect(house).toMatchObject({ borough: "Queens", neighborhood: "Queens Village", county: "Queens County" });
    expect(house.formattedAddress).toBe("217-14 Hollis Avenue, Queens, New York, NY 11429 USA");
    const { body } = await world.get(url("/v1/geocode/reverse", { coordinates: "40.72,-73.745", layers: "address" }));
    expect(body.addresses[0]).toMatchObject({ borough: "Queens", neighborhood: "Queens Village", number: "217-14" });
  });
});

describe("a text that is only spaces", () => {
  it.each<[string, string, Record<string, string>, string]>([
    ["forward", "/v1/geocode/forward", { query: " " }, "query"],
    ["forward, with tabs and line breaks", "/v1/geocode/forward", { query: "\t \n\u00a0" }, "query"],
    ["forward, in its fields", "/v1/geocode/forward", { street: " ", city: "  " }, "query"],
    ["autocomplete", "/v1/search/autocomplete", { query: "   " }, "query"],
    ["places", "/v1/search/places", { near: "40.72,-73.745", categories: " ", chains: " , " }, "chains"],
    ...["city", "stateCode", "postalCode", "countryCode"].map(
      (name): [string, string, Record<string, string>, string] => [
        `validate, ${name}`,
        "/v1/addresses/validate",
        {
          city: "New York",
          stateCode: "NY",
          postalCode: "11429",
          countryCode: "US",
          addressLabel: "1 A St",
          [name]: "  ",
        },
        name,
      ],
    ),
    [
      "validate, the first line",
      "/v1/addresses/validate",
      { city: "New York", stateCode: "NY", postalCode: "11429", countryCode: "US", addressLabel: " ", number: " " },
      "addressLabel",
    ],
  ])("is missing: %s", async (_, path, values, param) => {
    const { status, body } = await world.get(url(path, values));
    expect([status, body.meta.param]).toEqual([400, param]);
    expect(body.meta.message).toMatch(new RegExp(`^${param}: Required\\.`));
  });

  it("is missing in a row of a batch, and stops no other row", async () => {
    const odd = [null, "Meridale", 5, []];
    const rows = [{ query: " " }, { query: "Meridale, MT" }, { kind: "validate", city: " " }, ...odd];
    const { body } = await world.secret("POST", "/v1/geocode/batch", { rows });
    expect(body.rows.map(({ status, param }: Json) => [status, param])).toEqual([
      ["failed", "query"],
      ["ok", undefined],
      ["failed", "city"],
      ...odd.map(() => ["failed", undefined]),
    ]);
    expect(body.rows[3]).toEqual({
      row: 4,
      kind: "forward",
      status: "failed",
      code: 400,
      message: "Must be an object.",
    });
  });
});

describe("a validation", () => {
  const place = { city: "New York", stateCode: "NY", postalCode: "11429", countryCode: "US", street: "Hollis Avenue" };
  const validate = async (values: Record<string, string>) =>
    (await world.get(url("/v1/addresses/validate", { ...place, ...values }))).body;

  it("needs a postal code: without one it is a 400 that names it", async () => {
    const { postalCode: _, ...without } = place;
    for (const values of [without, { ...place, postalCode: "" }]) {
      const { status, body } = await world.get(url("/v1/addresses/validate", { ...values, number: "217-20" }));
      expect([status, body.meta.code, body.meta.param]).toEqual([400, 400, "postalCode"]);
      expect(body.meta.message).toMatch(/^postalCode: (Required|Invalid postalCode)\./);
    }
    expect((await validate({ number: "217-20" })).result.verificationStatus).toBe("verified");
  });

  it("has plus4 where the source has it, whatever the request says", async () => {
    for (const postalCode of ["11429", "11429-1234", "11429-9999"]) {
      const { address, result } = await validate({ number: "217-14", postalCode });
      expect([address.plus4, address.postalCode, result.verificationStatus]).toEqual(["1234", "11429", "verified"]);
      expect(address.formattedAddress).toContain("11429-1234");
    }
    expect((await validate({ number: "217-20", postalCode: "11429-1234" })).address.plus4).toBeUndefined();
  });

  it("has propertyType where the source says what the building is for", async () => {
    const typeOf = async (number: string, values = {}) =>
      (await validate({ number, ...values })).address.metadata.propertyType;
    expect(await typeOf("217-14")).toBe("residential");
    expect(await typeOf("217-20")).toBe("commercial");
    expect(await typeOf("217-26", { unit: "1A" })).toBe("residential");
    expect(await typeOf("217-32")).toBeUndefined();
  });

  it("is not verified with a unit that is not known there, and the analysis says why", async () => {
    const judged = async (number: string, unit?: string) => {
      const { result } = await validate({ number, ...(unit && { unit }) });
      return [result.verificationStatus, result.analysis];
    };
    expect(await judged("217-26", "1A")).toEqual(["verified", undefined]);
    expect(await judged("217-26", "9Z")).toEqual(["partially verified", "unit:invalid"]);
    expect(await judged("217-26")).toEqual(["partially verified", "unit:missing"]);
    expect(await judged("217-20", "4B")).toEqual(["partially verified", "unit:invalid"]);
    expect(await judged("217-20")).toEqual(["verified", undefined]);
  });
});

describe("regions", () => {
  it("have dma with the code and name of the operator's table, in track, in context and on the user", async () => {
    const dma = { code: "501", name: "New York, NY" };
    const update = { deviceId: "queens", latitude: 40.7201, longitude: -73.745, accuracy: 5 };
    const tracked = await world.secret("POST", "/v1/track", update);
    expect(tracked.body.user.dma).toMatchObject(dma);
    expect((await world.secret("GET", "/v1/users/queens")).body.user.dma).toMatchObject(dma);
    expect((await world.get("/v1/context?coordinates=40.7201,-73.745")).body.context.dma).toMatchObject(dma);
    const elsewhere = { ...update, deviceId: "meridale", latitude: 48.99, longitude: -111.2 };
    expect((await world.secret("POST", "/v1/track", elsewhere)).body.user).not.toHaveProperty("dma");
  });
});

describe("a search of geofences", () => {
  it("shows 100 geofences without a limit, and as many as the limit allows", async () => {
    const [latitude, longitude] = [10, 20];
    const all = Array.from({ length: 130 }, (_, i) => i);
    await Promise.all(
      all.map((i) =>
        world.secret("PUT", `/v1/geofences/limit/${i}`, {
          description: `Fence ${i}`,
          type: "circle",
          radius: 10,
          coordinates: [longitude + i * 3e-4, latitude],
        }),
      ),
    );
    const found = async (values: Record<string, string>) => {
      const query = { near: `${latitude},${longitude}`, radius: "5000", ...values };
      const { body } = await world.get(url("/v1/search/geofences", query));
      return body.geofences.map(({ externalId }: Json) => Number(externalId));
    };
    expect(await found({})).toEqual(all.slice(0, 100));
    expect(await found({ limit: "1" })).toEqual([0]);
    expect(await found({ limit: "100" })).toEqual(all.slice(0, 100));
    expect(await found({ limit: "101", includeGeometry: "false" })).toEqual(all.slice(0, 101));
    expect(await found({ limit: "1000", includeGeometry: "false" })).toEqual(all);
  });
});
