import { beforeAll, describe, expect, inject, it } from "vitest";
import { PARAMETERS } from "../../../conformance/parameters.ts";
import { control, get, type Json, makeWorld, type World, withGeodata } from "../../../support/world.ts";
import { queryOf } from "./conformance-geo-requests.ts";

/** Statements of docs/conformance.md on geocoding, paths and statuses that are not about one parameter. */

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  const rateLimits = { forwardGeocode: 1000, ipGeocode: 1000 };
  world = await makeWorld({ geodata: true, settings: { rateLimits } });
}, 240_000);

describe("the confidence of a forward geocode", () => {
  const first = async (query: string) =>
    (await get(`/v1/geocode/forward?${queryOf({ query, country: "US" })}`, world.keys.testPublishable)).body
      .addresses[0];
  const houseNumber = (number: number) => first(`${number} Bobolink Place, Meridale`);

  it("is exact for a known number, and interpolated halfway between two of the same side", async () => {
    const [below, between, above] = await Promise.all([1550, 1552, 1554].map(houseNumber));
    expect([below, between, above].map(({ number, confidence }) => [number, confidence])).toEqual([
      ["1550", "exact"],
      ["1552", "interpolated"],
      ["1554", "exact"],
    ]);
    for (const axis of ["latitude", "longitude"]) expect(between[axis]).toBeCloseTo((below[axis] + above[axis]) / 2, 5);
  });

  it("is fallback for the street, or the town, where the number or the street is unknown", async () => {
    const [street, town] = [await houseNumber(9999), await first("12 Zzyzxqqq Crescent, Meridale, MT")];
    expect([street.confidence, street.street, street.number]).toEqual(["fallback", "Bobolink Place", undefined]);
    expect([town.confidence, town.layer, town.city]).toEqual(["fallback", "locality", "Meridale"]);
  });
});

describe("an IP geocode", () => {
  const from = async (country: string, more: Record<string, string> = {}) => {
    const headers = { authorization: world.keys.testPublishable, "x-forwarded-for": "203.0.113.9", ...more };
    const asked = { country, method: "GET", path: "/v1/geocode/ip", headers };
    return (await control<{ body: Json & { address: Json } }>("fetchFrom", asked)).body;
  };

  it("shows where the connection comes from: position, country, state, city, postal code and time zone", async () => {
    const { address, ip, proxy } = await from("US");
    expect([ip, proxy]).toEqual(["203.0.113.9", false]);
    expect(address).toMatchObject({
      latitude: 48.99,
      longitude: -111.2,
      geometry: { type: "Point", coordinates: [-111.2, 48.99] },
      country: "United States",
      countryCode: "US",
      countryFlag: "🇺🇸",
      state: "Montana",
      stateCode: "MT",
      city: "Sweet Grass",
      postalCode: "59484",
      timeZone: { id: "America/Denver" },
    });
  });

  it("is of the connection's country, and no header or parameter moves it", async () => {
    const { address } = await from("CA");
    expect([address.countryCode, address.country, address.countryFlag]).toEqual(["CA", "Canada", "🇨🇦"]);
    const still = ({ address: { timeZone: _, ...rest } }: { address: Json }) => rest;
    const claims = { "cf-ipcountry": "JP", "cf-iplatitude": "35.6", "cf-iplongitude": "139.7", "cf-ipcity": "Tokyo" };
    expect(still(await from("CA", claims))).toEqual(still({ address }));
  });
});

describe("the paths of the specification", () => {
  it("are there with their prefix alone", async () => {
    const status = async (method: string, path: string) =>
      (await fetch(`${inject("baseUrl")}${path}`, { method, headers: { authorization: "no key" } })).status;
    const statuses = await Promise.all(
      PARAMETERS.map(async ({ method, path }) => {
        const other = path.startsWith("/v1") ? path.slice(3) : `/v1${path}`;
        return [path, ...(await Promise.all([status(method, path), status(method, other)]))];
      }),
    );
    expect(statuses).toEqual(PARAMETERS.map(({ path }) => [path, 401, 404]));
  });

  it("never respond with 202: no operation has this status", async () => {
    const { paths } = (await (await fetch(`${inject("baseUrl")}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: Json }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({ name: `${method} ${path}`, responses })),
    );
    expect(operations.length).toBeGreaterThan(50);
    expect(operations.filter(({ responses }) => "202" in responses).map(({ name }) => name)).toEqual([]);
  });
});
