import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ipLocation as from } from "../../../../src/core/geocoding/ip/ip-location.ts";
import { untilLimited } from "../../../support/world.ts";
import { type GeocodeWorld, openGeocodeWorld } from "./geocode-world.ts";

describe("what the platform knows of an address", () => {
  it("is taken over", () => {
    const cf = { country: "CA", city: "Montréal", region: "Quebec", regionCode: "QC", postalCode: "H2X", asn: 577 };
    expect(from({ ...cf, latitude: "45.5", longitude: "-73.6", timezone: "America/Toronto" })).toEqual({
      location: { latitude: 45.5, longitude: -73.6 },
      countryCode: "CA",
      city: "Montréal",
      state: "Quebec",
      stateCode: "QC",
      postalCode: "H2X",
      timeZone: "America/Toronto",
      proxy: false,
    });
  });

  it("may be nothing, or only a country", () => {
    expect(from({})).toEqual({ proxy: false });
    expect(from({ country: "XX" })).toEqual({ proxy: false });
    expect(from({ country: "DE" })).toEqual({ countryCode: "DE", proxy: false });
    expect(from({ country: "DE", latitude: "", longitude: "x" }).location).toBeUndefined();
  });

  it("tells exits of Tor and networks of rented servers", () => {
    expect(from({ country: "T1" })).toEqual({ proxy: true });
    for (const asn of [9009, 14061, 16509, 60729, 136787, 212238])
      expect([asn, from({ country: "US", asn }).proxy]).toEqual([asn, true]);
  });

  it("takes networks that people live behind for what they are", () => {
    // Comcast, Deutsche Telekom, Bell Canada, Orange
    for (const asn of [7922, 3320, 577, 3215]) expect([asn, from({ asn }).proxy]).toEqual([asn, false]);
  });
});

describe("GET /v1/geocode/ip, limited", () => {
  let world: GeocodeWorld;
  beforeAll(async () => {
    world = await openGeocodeWorld({ ipGeocode: 2 });
  });
  afterAll(() => world.close());

  it("answers 429 when one address asks too often", async () => {
    expect((await world.get("/v1/geocode/ip")).status).toBe(200);
    const answers = await untilLimited(() => Promise.all([1, 2, 3, 4].map(() => world.get("/v1/geocode/ip"))));
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});
