import { describe, expect, it } from "vitest";
import type { Place, Region, RegionKind, Regions } from "../../../src/core/tracking/types/surroundings.ts";
import { at, Device, home, typesOf } from "./world.ts";

const region = (type: RegionKind, code: string): Region => ({ _id: `${type}-${code}`, type, code, name: code });
const newYork: Regions = {
  country: region("country", "US"),
  state: region("state", "NY"),
  dma: region("dma", "501"),
  postalCode: region("postalCode", "11201"),
};
const newJersey: Regions = { ...newYork, state: region("state", "NJ"), postalCode: region("postalCode", "07302") };
const toronto: Regions = { country: region("country", "CA"), state: region("state", "ON") };

describe("regions", () => {
  it("are entered with the first update in them", () => {
    const device = new Device();
    device.around = { fences: [], regions: newYork };
    const { events } = device.send(0);
    expect(events).toMatchObject([
      { type: "user.entered_region_country", region: { _id: "country-US", type: "country", code: "US", name: "US" } },
      { type: "user.entered_region_state", region: { code: "NY" } },
      { type: "user.entered_region_dma", region: { code: "501" } },
      { type: "user.entered_region_postal_code", region: { code: "11201" } },
    ]);
    expect(device.send(1).events).toEqual([]);
  });

  it("are left before others are entered, with the minutes spent in them", () => {
    const device = new Device();
    device.around = { fences: [], regions: newYork };
    device.send(0);
    device.send(0);
    device.around = { fences: [], regions: toronto };
    const { events } = device.send(500_000);
    expect(events.map(({ type, region, duration }) => [type, region?.code, duration])).toEqual([
      ["user.exited_region_country", "US", 2],
      ["user.exited_region_state", "NY", 2],
      ["user.exited_region_dma", "501", 2],
      ["user.exited_region_postal_code", "11201", 2],
      ["user.entered_region_country", "CA", undefined],
      ["user.entered_region_state", "ON", undefined],
    ]);
    expect(Object.keys(device.state?.regions ?? {})).toEqual(["country", "state"]);
  });

  it("do not change under a device that sits on the border", () => {
    const device = new Device();
    for (let i = 0; i < 20; i++) {
      device.around = { fences: [], regions: i % 2 === 0 ? newYork : newJersey };
      device.send(i % 2, { accuracy: 20 });
    }
    // In, over the border once, and then rest.
    expect(device.log.filter((type) => type.endsWith("_state"))).toEqual([
      "entered_region_state",
      "exited_region_state",
      "entered_region_state",
    ]);
    device.around = { fences: [], regions: newYork };
    expect(device.send(500).events[0]).toMatchObject({ type: "user.exited_region_state", region: { code: "NJ" } });
  });

  it("that are switched off make no events and are forgotten", () => {
    const device = new Device();
    device.around = { fences: [], regions: newYork };
    device.settings = { ...device.settings, regions: { ...device.settings.regions, dma: false } };
    device.send(0);
    expect(device.log).not.toContain("entered_region_dma");
    device.settings = { ...device.settings, regions: { country: true, state: true, dma: false, postalCode: false } };
    expect(device.send(0).events).toEqual([]);
    expect(Object.keys(device.state?.regions ?? {})).toEqual(["country", "state"]);
  });

  it("stay as they are where nothing is known of them, and under a bad fix", () => {
    const device = new Device();
    device.around = { fences: [], regions: newYork };
    device.send(0);
    device.around = { fences: [] };
    device.send(500);
    device.around = { fences: [], regions: toronto };
    device.send(500_000, { accuracy: 17_000 });
    expect(device.state?.regions.state?.region.code).toBe("NY");
    expect(device.log).toHaveLength(4);
  });

  it("come before geofences in the list of events, places after", () => {
    const device = new Device();
    device.around = { fences: [home], regions: { country: newYork.country }, place: cafe };
    expect(typesOf(device.send(0, { stopped: true }))).toEqual([
      "entered_region_country",
      "entered_geofence",
      "entered_place",
    ]);
  });
});

const cafe: Place = {
  _id: "cafe",
  name: "Café",
  chain: { slug: "cafes", name: "Cafés" },
  categories: ["food-beverage"],
  location: at(0),
  footprint: 10,
};
const bank: Place = { _id: "bank", name: "Bank", categories: ["finance"], location: at(80) };

describe("places", () => {
  it("are entered only when stopped or in the foreground", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    expect(device.send(0).events).toEqual([]);
    expect(device.send(0, { stopped: false, foreground: false }).events).toEqual([]);
    expect(device.send(0, { foreground: true }).events).toMatchObject([
      { type: "user.entered_place", place: { name: "Café", chain: { slug: "cafes" } }, confidence: 3 },
    ]);
    expect(device.state?.place?.place).toEqual(cafe);
  });

  it.each([
    [0, 3],
    [40, 3],
    [80, 2],
    [84, 1],
  ])("are believed at %i m with %i, by the share of the circle within their reach", (metres, confidence) => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    expect(device.send(metres, { stopped: true, accuracy: 40 }).events).toMatchObject([{ confidence }]);
  });

  it("are left only clearly beyond their reach, stopped or not", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    device.send(0, { stopped: true });
    device.around = { fences: [], place: null };
    expect(device.send(90).events).toEqual([]);
    expect(device.send(94).events).toEqual([]);
    expect(device.send(96).events).toMatchObject([{ type: "user.exited_place", duration: 3, place: { _id: "cafe" } }]);
    expect(device.state?.place).toBeUndefined();
  });

  it("next to each other are not changed by noise, but by a move and a stop", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    device.send(20, { stopped: true });
    for (let i = 0; i < 10; i++) {
      device.around = { fences: [], place: i % 2 === 0 ? bank : cafe };
      device.send(i % 2 === 0 ? 42 : 38, { stopped: true });
    }
    expect(device.log).toEqual(["entered_place"]);
    device.around = { fences: [], place: bank };
    expect(typesOf(device.send(80, { stopped: false }))).toEqual([]);
    expect(typesOf(device.send(80, { stopped: true }))).toEqual(["entered_place", "exited_place"]);
    expect(device.state?.place?.place._id).toBe("bank");
  });

  it("stay where nothing is known near them and under a bad fix; switched off they are forgotten", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    device.send(0, { stopped: true });
    device.around = { fences: [] };
    device.send(50, { stopped: true });
    device.around = { fences: [], place: null };
    device.send(5000, { stopped: true, accuracy: 17_000 });
    expect(device.state?.place?.place._id).toBe("cafe");
    device.settings = { ...device.settings, places: false };
    expect(device.send(0, { stopped: true }).events).toEqual([]);
    expect(device.state?.place).toBeUndefined();
  });

  it("of a watched chain are announced once when they come near, and again after they were out of reach", () => {
    const device = new Device();
    device.around = { fences: [], nearbyChains: [cafe] };
    expect(device.send(300).events).toMatchObject([{ type: "user.nearby_place_chain", place: { _id: "cafe" } }]);
    device.send(200);
    device.around = { fences: [], nearbyChains: [] };
    device.send(301);
    device.send(400);
    device.around = { fences: [], nearbyChains: [{ ...cafe, _id: "cafe2" }] };
    expect(device.send(302).events).toMatchObject([{ place: { _id: "cafe2" } }]);
    expect(device.log).toEqual(["nearby_place_chain", "nearby_place_chain"]);
  });
});
