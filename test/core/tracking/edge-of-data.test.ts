import { describe, expect, it } from "vitest";
import type { BeaconLabel, Place, Region, RegionKind, Regions } from "../../../src/core/tracking/types/surroundings.ts";
import { at, Device, home, typesOf } from "./world.ts";

/**
 * What is held is left by going, whatever is known of the new point. Nothing is known beyond the edge of all imports, and
 * nothing where an import was taken away or rolled back while a device was inside.
 *
 *     HOME ····· known ·····│edge│····· nothing is known ····· at(400 km): far out at sea
 */
const SEA = 400_000;
const region = (type: RegionKind, code: string): Region => ({ _id: `${type}-${code}`, type, code, name: code });
const usa: Regions = {
  country: region("country", "US"),
  state: region("state", "NY"),
  dma: region("dma", "501"),
  postalCode: region("postalCode", "11201"),
};
const cafe: Place = { _id: "cafe", name: "Café", chain: { slug: "c", name: "C" }, categories: [], location: at(0) };

describe("a place", () => {
  it("is left when its visitor crosses the edge of all data", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    device.send(0, { stopped: true });
    device.around = { fences: [] };
    expect(typesOf(device.send(SEA))).toEqual(["exited_place"]);
    expect(device.state?.place).toBeUndefined();
  });

  it("whose data was taken away keeps a visitor who stays, and lets go of one who goes", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    device.send(0, { stopped: true });
    for (const place of [undefined, null]) {
      device.around = { fences: [], place };
      expect(device.send(10, { stopped: true }).events).toEqual([]);
    }
    device.around = { fences: [], place: undefined };
    const { events } = device.send(200);
    expect(events).toMatchObject([{ type: "user.exited_place", place: { _id: "cafe" }, duration: 3, confidence: 3 }]);
  });

  it("is not left by a fix worse than the limit, nor entered where nothing is known", () => {
    const device = new Device();
    device.around = { fences: [], place: cafe };
    device.send(0, { stopped: true });
    device.around = { fences: [] };
    expect(device.send(SEA, { accuracy: 17_000 }).events).toEqual([]);
    device.send(SEA);
    expect(device.send(0, { stopped: true }).events).toEqual([]);
  });
});

describe("regions", () => {
  it("are left one by one, the smallest first, by a device that goes on where nothing is known", () => {
    const device = new Device();
    device.around = { fences: [], regions: usa };
    device.send(0);
    device.around = { fences: [] };
    const left = (metres: number) => typesOf(device.send(metres));
    expect(left(1_000)).toEqual([]);
    expect(left(29_000)).toEqual([]);
    expect(left(31_000)).toEqual(["exited_region_postal_code"]);
    expect(left(301_000)).toEqual(["exited_region_dma"]);
    expect(left(501_000)).toEqual(["exited_region_state"]);
    expect(left(1_900_000)).toEqual([]);
    expect(left(2_001_000)).toEqual(["exited_region_country"]);
    expect(left(SEA)).toEqual([]);
    expect(device.state?.regions).toEqual({});
  });

  it("are held however far a device goes while the map cannot be read, and are caught up by the next update", () => {
    const device = new Device();
    device.around = { fences: [], regions: usa };
    device.send(0);
    device.around = { fences: [], unread: true };
    for (const metres of [1_000, 301_000, 2_001_000]) expect(device.send(metres).events).toEqual([]);
    expect(Object.keys(device.state?.regions ?? {})).toHaveLength(4);
    device.around = { fences: [], regions: { country: region("country", "IS") } };
    expect(typesOf(device.send(2_001_000))).toEqual([
      ...["exited_region_country", "exited_region_state", "exited_region_dma", "exited_region_postal_code"],
      "entered_region_country",
    ]);
  });

  it("are held by a device that stays when their data is taken away, and go on when it comes back", () => {
    const device = new Device();
    device.around = { fences: [], regions: usa };
    device.send(0);
    device.send(5_000); // moved since the entry
    for (const around of [
      {},
      { regions: { ...usa, postalCode: undefined }, unknownRegions: ["postalCode"] as const },
    ]) {
      device.around = { fences: [], ...around };
      for (const metres of [5_000, 5_010, 6_000]) expect(device.send(metres).events).toEqual([]);
    }
    device.around = { fences: [], regions: usa };
    expect(device.send(6_000).events).toEqual([]);
    // Where it was lost counts anew the next time.
    expect(device.state?.regions.postalCode).toEqual({ region: usa.postalCode, enteredAt: expect.any(Number) });
    device.around = { fences: [] };
    expect(device.send(35_000).events).toEqual([]);
    expect(typesOf(device.send(37_000))).toEqual(["exited_region_postal_code"]);
  });

  it("are left at once where the new point is known to lie in none", () => {
    const device = new Device();
    device.around = { fences: [], regions: usa };
    device.send(0);
    device.around = { fences: [], regions: {} };
    expect(typesOf(device.send(5_000))).toHaveLength(4);
  });

  it("change to others as soon as those are known", () => {
    const device = new Device();
    device.around = { fences: [], regions: usa };
    device.send(0);
    device.around = { fences: [] };
    device.send(SEA);
    device.around = { fences: [], regions: { country: region("country", "PT") } };
    expect(typesOf(device.send(5_000_000)).filter((type) => type.endsWith("country"))).toEqual([
      "exited_region_country",
      "entered_region_country",
    ]);
  });
});

describe("a chain that was near", () => {
  it("is out of reach far away, although no places are known there, and is told again when it comes near again", () => {
    const device = new Device();
    const near = { fences: [], nearbyChains: [cafe] };
    device.around = near;
    expect(typesOf(device.send(0))).toEqual(["nearby_place_chain"]);
    device.around = { fences: [] };
    device.send(500);
    device.around = near;
    expect(device.send(0).events).toEqual([]);
    device.around = { fences: [] };
    device.send(SEA);
    expect(device.state?.nearbyChains).toEqual({});
    device.around = near;
    expect(typesOf(device.send(0))).toEqual(["nearby_place_chain"]);
  });
});

describe("a beacon", () => {
  const door: BeaconLabel = { _id: "door", type: "ibeacon", description: "Door", enabled: true };

  it("is left far away by a device that does not listen any more, and not by one that stays near", () => {
    const device = new Device();
    device.around = { fences: [], beaconsExist: true, beacons: { ranged: [door], disabled: [] } };
    device.send(0);
    device.around = { fences: [], beaconsExist: true };
    expect(device.send(500).events).toEqual([]);
    expect(device.send(SEA, { accuracy: 17_000 }).events).toEqual([]);
    expect(device.send(SEA).events).toMatchObject([{ type: "user.exited_beacon", duration: 3 }]);
    expect(device.state?.beacons).toEqual({});
  });

  it("that rides along is not left", () => {
    const device = new Device();
    for (const metres of [0, 3_000, 6_000]) {
      device.around = { fences: [], beaconsExist: true, beacons: { ranged: [door], disabled: [] } };
      device.send(metres);
      device.around = { fences: [], beaconsExist: true };
      device.send(metres + 500);
    }
    expect(device.log).toEqual(["entered_beacon"]);
  });
});

describe("a geofence and a trip", () => {
  it("need no data of ours: the fence is left, and the trip goes on by its ETA", () => {
    const device = new Device();
    device.around = { fences: [home] };
    device.send(0);
    const trip = {
      _id: "t",
      live: false,
      externalId: "t",
      mode: "car",
      status: "pending" as const,
      version: 1,
      createdAt: device.clock,
      updatedAt: device.clock,
      destination: { fence: home.id, tag: "house", externalId: "1", location: at(0) },
    };
    const eta = { trip: "t", eta: { duration: 600, distance: SEA } };
    device.around = { fences: [], trip: { adopted: trip, eta } };
    expect(typesOf(device.send(SEA))).toEqual(["exited_geofence", "started_trip"]);
    device.around = { fences: [home], trip: { eta: { trip: "t", eta: { duration: 0, distance: 0 } } } };
    expect(typesOf(device.send(0))).toEqual(["entered_geofence", "arrived_at_trip_destination"]);
  });
});
