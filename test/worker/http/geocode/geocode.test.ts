import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAddresses } from "../../../core/geocoding/index/demo-index.ts";
import { expectWithin } from "../../../support/times.ts";
import { type GeocodeWorld, openGeocodeWorld } from "./geocode-world.ts";

/** A house of the demo world, on each side of the border. */
interface Known {
  number: string;
  street: string;
  city: string;
  stateCode: string;
  postalCode: string;
  latitude: number;
  longitude: number;
}

let world: GeocodeWorld;
const houses: Record<string, Known> = {};

beforeAll(async () => {
  world = await openGeocodeWorld();
  const { index } = await demoAddresses();
  const names = (await index.names(0))!;
  for (let entry = 0; entry < names.count && Object.keys(houses).length < 2; entry++) {
    const { countryCode, city, stateCode } = names.context(entry);
    if (names.kinds[entry] !== 0 || houses[countryCode]) continue;
    const { houses: all } = await index.details(0, names, entry);
    const house = all.find(({ computed, number }) => !computed && /^\d+$/.test(number.text));
    if (!house) continue;
    houses[countryCode] = {
      number: house.number.text,
      street: names.name(entry),
      city,
      stateCode,
      postalCode: names.postalCode(entry),
      ...house.location,
    };
  }
});
afterAll(() => world.close());

const line = ({ number, street, city, stateCode, postalCode }: Known) =>
  `${number} ${street}, ${city}, ${stateCode} ${postalCode}`;
const query = (text: string) => `query=${encodeURIComponent(text)}`;

describe("GET /v1/geocode/forward", () => {
  it("answers a complete address with every field that is known", async () => {
    const { US } = houses;
    const { status, body } = await world.get(`/v1/geocode/forward?${query(line(US))}`);
    expect([status, body.meta]).toEqual([200, { code: 200 }]);
    const [address] = body.addresses;
    expect(address).toMatchObject({
      latitude: US.latitude,
      longitude: US.longitude,
      geometry: { type: "Point", coordinates: [US.longitude, US.latitude] },
      country: "United States",
      countryCode: "US",
      countryFlag: "🇺🇸",
      number: US.number,
      street: US.street,
      city: "Meridale",
      state: "Montana",
      stateCode: "MT",
      postalCode: US.postalCode,
      layer: "address",
      confidence: "exact",
      addressLabel: `${US.number} ${US.street}`,
      formattedAddress: `${US.number} ${US.street}, Meridale, MT ${US.postalCode} USA`,
      timeZone: {
        id: "America/Denver",
        name: expect.stringMatching(/^Mountain (Standard|Daylight) Time$/),
        code: expect.stringMatching(/^M[SD]T$/),
        currentTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[67]:00$/),
        utcOffset: expect.toSatisfy((offset: number) => offset === -25200 || offset === -21600),
        dstOffset: expect.toSatisfy((offset: number) => offset === 0 || offset === 3600),
      },
    });
    expect(JSON.stringify(body)).not.toContain("null");
  });

  it("says in the language asked for what the country is called", async () => {
    const { body } = await world.get(`/v1/geocode/forward?${query(line(houses.US))}&lang=de`);
    expect(body.addresses[0].country).toBe("Vereinigte Staaten");
  });

  it("shows only countries and layers asked for", async () => {
    const text = query(line(houses.US));
    expect((await world.get(`/v1/geocode/forward?${text}&country=CA`)).body.addresses).not.toContainEqual(
      expect.objectContaining({ countryCode: "US" }),
    );
    const { body } = await world.get(`/v1/geocode/forward?${text}&layers=locality`);
    expect(new Set(body.addresses.map(({ layer }: { layer: string }) => layer))).toEqual(new Set(["locality"]));
  });

  it("falls back to the town when nobody knows the street", async () => {
    const { body } = await world.get(`/v1/geocode/forward?${query("12 Zzyzxqqq Crescent, Meridale, MT")}`);
    expect(body.addresses[0]).toMatchObject({ layer: "locality", city: "Meridale", confidence: "fallback" });
  });

  it.each([
    ["", "query"],
    ["query=", "query"],
    ["query=%20", "query"],
    ["query=%20%09%0A", "query"],
    ["query=%20&near=40,-73", "query"],
    ["query=a&near=0x28,-73", "near"],
    ["query=a&near=4e9,-73", "near"],
    ["query=a&bounds=-0x1,0,10,10", "bounds"],
    ["query=a&bounds=0x1,0,10,10", "bounds"],
    [`query=${"x".repeat(257)}`, "query"],
    ["query=a&layers=street", "layers"],
    ["query=a&country=USA", "country"],
    ["query=a&lang=it", "lang"],
  ])("refuses %s", async (parameters, param) => {
    const { status, body } = await world.get(`/v1/geocode/forward?${parameters}`);
    expect([status, body.meta.param]).toEqual([400, param]);
  });

  it.each(["%00", "...", "🏠🏠🏠", "a".repeat(256), "1 ".repeat(120), "' OR 1=1 --", "\\(.*)+"])(
    "answers a hostile query (%j) with a list, soon",
    async (text) => {
      const began = Date.now();
      const { status, body } = await world.get(`/v1/geocode/forward?${query(text)}`);
      expect(status).toBe(200);
      expect(Array.isArray(body.addresses)).toBe(true);
      expectWithin(began, 2000);
    },
  );
});

describe("GET /v1/geocode/reverse", () => {
  it("tells the house, then what lies around it, with distances", async () => {
    const { CA } = houses;
    const { body } = await world.get(`/v1/geocode/reverse?coordinates=${CA.latitude},${CA.longitude}`);
    expect(body.addresses[0]).toMatchObject({
      layer: "address",
      number: CA.number,
      street: CA.street,
      countryCode: "CA",
      stateCode: "AB",
      city: "North Meridale",
      distance: 0,
    });
    expect(body.addresses.map(({ layer }: { layer: string }) => layer)).toEqual(
      expect.arrayContaining(["address", "locality", "state", "country"]),
    );
    expect(body.addresses[0].confidence).toBe("exact");
  });

  it("shows the layers asked for, and nothing on the open sea", async () => {
    const { US } = houses;
    const at = `${US.latitude},${US.longitude}`;
    const { body } = await world.get(`/v1/geocode/reverse?coordinates=${at}&layers=state`);
    expect(body.addresses).toHaveLength(1);
    expect(body.addresses[0]).toMatchObject({ layer: "state", state: "Montana", stateCode: "MT" });
    expect((await world.get("/v1/geocode/reverse?coordinates=0,-30")).body.addresses).toEqual([]);
  });

  it("accepts spaces around the numbers of coordinates, as lists have them", async () => {
    const { US } = houses;
    for (const comma of [",", ",%20", "%20,%20"]) {
      const { status, body } = await world.get(`/v1/geocode/reverse?coordinates=${US.latitude}${comma}${US.longitude}`);
      expect([status, body.addresses[0].number]).toEqual([200, US.number]);
    }
  });

  it.each([
    ...["", "coordinates=91,0", "coordinates=1,2,3", "coordinates=0x28,-74", "coordinates=4e9,-74"],
    ...["coordinates=4%200,-74", "coordinates=40,-%2074", "coordinates=Infinity,0", "coordinates=0b1,0"],
  ])("refuses %j", async (parameters) => {
    const { status, body } = await world.get(`/v1/geocode/reverse?${parameters}`);
    expect([status, body.meta.param]).toEqual([400, "coordinates"]);
  });
});

describe("GET /v1/search/autocomplete", () => {
  it("finds a house by the beginning of its street, near by", async () => {
    const { US } = houses;
    const text = `${US.number} ${US.street.slice(0, -3)}`;
    const { body } = await world.get(`/v1/search/autocomplete?${query(text)}&near=${US.latitude},${US.longitude}`);
    expect(body.addresses[0]).toMatchObject({ number: US.number, street: US.street, layer: "address" });
    expect(body.addresses[0].distance).toBeGreaterThanOrEqual(0);
    expect(body.addresses[0].addressLabel).toBe(`${US.number} ${US.street}`);
  });

  it("finds a town in another language, places when they are asked for, and no more than the limit", async () => {
    const near = `near=${houses.US.latitude},${houses.US.longitude}`;
    const town = (await world.get(`/v1/search/autocomplete?${query("Mittagst")}&${near}&lang=de`)).body;
    expect(town.addresses[0]).toMatchObject({ layer: "locality", city: "Mittagstal", countryCode: "US" });
    const places = (await world.get(`/v1/search/autocomplete?${query("ca")}&${near}&layers=place&limit=3`)).body;
    expect(places.addresses).toHaveLength(3);
    for (const { layer, placeLabel } of places.addresses)
      expect([layer, typeof placeLabel]).toEqual(["place", "string"]);
  });

  it("takes the country under either name, in the caller's order", async () => {
    const { US } = houses;
    for (const name of ["country", "countryCode"]) {
      const { body } = await world.get(`/v1/search/autocomplete?${query("meridale")}&${name}=ca, us`);
      const codes = body.addresses.map(({ countryCode }: { countryCode: string }) => countryCode);
      expect([name, codes.length > 0, codes.every((code: string) => code === "US" || code === "CA")]).toEqual([
        name,
        true,
        true,
      ]);
    }
    const { body } = await world.get(`/v1/search/autocomplete?${query(US.street)}&countryCode=CA`);
    for (const { countryCode } of body.addresses) expect(countryCode).toBe("CA");
  });

  it.each([
    ["", "query"],
    ["query=%20%20", "query"],
    ["query=a&limit=0", "limit"],
    ["query=a&limit=101", "limit"],
    ["query=a&near=here", "near"],
    ["query=a&countryCode=USA", "countryCode"],
  ])("refuses %s", async (parameters, param) => {
    const { status, body } = await world.get(`/v1/search/autocomplete?${parameters}`);
    expect([status, body.meta.param]).toEqual([400, param]);
  });

  it("takes note of a click with 204 and no body", async () => {
    const response = await world.request("/v1/search/autocomplete/click", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "main", result: {} }),
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });
});

describe("GET /v1/geocode/ip", () => {
  it("tells where the connection comes from, and nothing a client claims in a header", async () => {
    const plain = await world.get("/v1/geocode/ip");
    expect(plain.status).toBe(200);
    expect(typeof plain.body.proxy).toBe("boolean");
    expect(plain.body.ip).toMatch(/^[\d.]{7,15}$|^[\da-f:]*:[\da-f:.]+$/);
    const { address } = plain.body;
    if (address.countryCode) expect(address.countryFlag).toMatch(/^\p{RI}{2}$/u);
    if (address.latitude !== undefined)
      expect(address.geometry).toEqual({ type: "Point", coordinates: [address.longitude, address.latitude] });
    const ipWith = async (headers: Record<string, string>) =>
      ((await (await world.request("/v1/geocode/ip", { headers })).json()) as { ip?: string }).ip;
    expect(await ipWith({ "cf-connecting-ip": "203.0.113.7" })).toBe(plain.body.ip);
    expect(await ipWith({ forwarded: "for=203.0.113.7", "x-real-ip": "203.0.113.7" })).toBe(plain.body.ip);
    // this test's own machine is a trusted proxy: what it says of its client counts, and nothing its client says
    expect(await ipWith({ "x-forwarded-for": "203.0.113.7, 198.51.100.4" })).toBe("198.51.100.4");
  });
});
