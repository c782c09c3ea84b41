import { describe, expect, it } from "vitest";
import { settled } from "../../../src/core/tracking/legs.ts";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../../src/core/tracking/trace/decision.ts";
import { fraudRule } from "../../../src/core/tracking/trace/update-rules.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import type { Place, Region, Surroundings } from "../../../src/core/tracking/types/surroundings.ts";
import type { Trip, TripLeg } from "../../../src/core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { at, Device, fenceOf, HOME, home, MINUTE, NOON, typesOf } from "./world.ts";

/** A device whose decisions are noted: "subject rule", with "!" where it is not met. */
class Explained extends Device {
  decide(metres: number, more: Partial<LocationUpdate> = {}): string[] {
    this.clock += MINUTE;
    const told: Decision[] = [];
    const update = this.update({ location: at(metres), ...more });
    const identity = { _id: "ff", live: false };
    const outcome = applyUpdate(this.state, update, this.around, this.settings, identity, (one) => told.push(one));
    this.state = outcome.state;
    return told.flatMap(({ about, rule, passed }) =>
      about && rule !== "eventTypes" ? [`${about.kind} ${rule}${passed ? "" : "!"}`] : [],
    );
  }
}

const around = (more: Partial<Surroundings>): Surroundings => ({ fences: [], ...more });

describe("each decision is reported where it is made", () => {
  it("about geofences", () => {
    const device = new Explained();
    expect(device.decide(300)).toEqual(["geofence before", "geofence accuracyLimit", "geofence bufferedEntries!"]);
    device.around = { fences: [{ ...home, stopDetection: true, operatingHours: { Wed: [["08:00", "20:00"]] } }] };
    const checks = ["before", "accuracyLimit", "bufferedEntries", "enabled"].map((rule) => `geofence ${rule}`);
    expect(device.decide(0)).toEqual([...checks, "geofence stopDetection!"]);
    expect(device.decide(0, { stopped: true })).toEqual([
      ...[...checks, "geofence stopDetection", "geofence operatingHours", "geofence confidence"],
    ]);
    const inside = ["before", "enabled", "accuracyLimit", "bufferedEntries"].map((rule) => `geofence ${rule}`);
    expect(device.decide(0)).toEqual([...inside, "geofence dwellThreshold!"]);
    device.around = { fences: [home] };
    const out = [...inside.slice(0, 3), "geofence bufferedEntries!"];
    expect(device.decide(115)).toEqual([...out, "geofence confidence"]);
    // Back inside without a move: by the bare position.
    expect(device.decide(95)).toEqual([...checks, "geofence flapping", "geofence confidence"]);
    expect(device.decide(112)).toEqual([...out, "geofence flapping!", "geofence dwellThreshold!"]);
    device.around = { fences: [] };
    expect(device.decide(95, { accuracy: 5000 })).toEqual(["geofence nearby!"]);
    expect(device.decide(95)).toEqual(["geofence nearby", "geofence confidence"]);
  });

  it("with the side of the edge on which the accuracy circle lies", () => {
    const device = new Device();
    const told: string[] = [];
    for (const far of [0, 500]) {
      device.clock += MINUTE;
      const update = device.update({ location: at(far) });
      const identity = { _id: "ff", live: false };
      device.state = applyUpdate(
        device.state,
        update,
        device.around,
        device.settings,
        identity,
        ({ rule, sentence }) => {
          if (rule === "confidence") told.push(sentence);
        },
      ).state;
    }
    expect(told).toEqual([expect.stringMatching(/is inside\.$/), expect.stringMatching(/is outside\.$/)]);
  });

  it("about places and chains", () => {
    const shop: Place = { _id: "p1", name: "Shop", categories: [], location: HOME, chain: { slug: "c", name: "C" } };
    const device = new Explained();
    device.around = around({ place: shop, nearbyChains: [shop] });
    expect(device.decide(0)).toEqual(["place stopped!", "chain nearbyChains"]);
    expect(device.decide(0, { stopped: true })).toEqual(["place stopped"]);
    device.around = around({ place: null });
    expect(device.decide(10)).toEqual(["place reach!"]);
    expect(device.decide(500)).toEqual(["place reach"]);
  });

  it("about regions and beacons", () => {
    const state: Region = { _id: "r1", type: "state", code: "NY", name: "New York" };
    const device = new Explained();
    device.around = around({ regions: { state } });
    expect(device.decide(0)).toEqual(["region state"]);
    expect(device.decide(0)).toEqual([]);
    device.around = around({ regions: {} });
    expect(device.decide(0)).toEqual(["region state!"]);
    device.around = around({ regions: {}, unknownRegions: ["state"] });
    expect(device.decide(0)).toEqual(["region state!"]);
    const door = { _id: "b1", type: "ibeacon", description: "Door", enabled: true } as const;
    device.around = around({ beacons: { ranged: [door], disabled: [] } });
    expect(device.decide(0)).toEqual(["region state!", "beacon ranged"]);
    device.around = around({ regions: { state } });
    expect(device.decide(0)).toEqual(["beacon range!"]);
    device.around = around({ regions: { state }, beacons: { ranged: [], disabled: [] } });
    expect(device.decide(0)).toEqual(["beacon ranged!"]);
  });

  const SHOP = fenceOf("shop", HOME, 100, { tag: "stop", externalId: "shop" });
  const OTHER = fenceOf("other", at(1_000), 100, { tag: "stop", externalId: "other" });
  const destination = { fence: "shop", tag: "stop", externalId: "shop", location: HOME };
  const trip: Trip = {
    _id: "t",
    live: false,
    externalId: "order",
    mode: "car",
    status: "pending",
    destination,
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    approachingThreshold: 5,
  };
  const ofTrip = (decisions: string[]) => decisions.filter((one) => one.startsWith("trip"));

  it("about a trip", () => {
    const device = new Explained();
    device.around = { fences: [SHOP, OTHER], trip: { adopted: trip } };
    expect(ofTrip(device.decide(5_000))).toEqual([
      ...["trip adopted", "trip accuracyLimit", "trip destination!", "trip approachingThreshold!"],
    ]);
    expect(ofTrip(device.decide(1_000))).toEqual([
      ...[
        "trip expires",
        "trip accuracyLimit",
        "trip destination!",
        "trip approachingThreshold!",
        "trip wrongDestination",
      ],
    ]);
    expect(ofTrip(device.decide(1_000, { accuracy: 5_000 }))).toEqual(["trip expires", "trip accuracyLimit!"]);
    expect(ofTrip(device.decide(0))).toEqual(["trip expires", "trip accuracyLimit", "trip destination"]);
    device.clock += 25 * 3600_000;
    expect(ofTrip(device.decide(0))).toEqual(["trip expires!"]);
  });

  it("about legs", () => {
    const leg = (id: string, far: number): TripLeg => ({
      _id: id,
      status: "pending",
      createdAt: NOON,
      updatedAt: NOON,
      destination: { type: "geofence", fence: id, tag: "stop", externalId: id, location: at(far) },
    });
    const device = new Explained();
    const round = { ...trip, legs: [leg("shop", 0), leg("cafe", 9_000)] };
    device.around = { fences: [SHOP, OTHER], trip: { adopted: round } };
    expect(ofTrip(device.decide(5_000)).slice(2)).toEqual(["trip destination!", "trip approachingThreshold!"]);
    expect(ofTrip(device.decide(1_000)).slice(2)).toEqual([
      ...["trip destination!", "trip approachingThreshold!", "trip wrongDestination"],
    ]);
    expect(ofTrip(device.decide(0)).slice(2)).toEqual(["trip destination"]);
    expect(ofTrip(device.decide(0)).slice(2)).toEqual(["trip leg!"]);
    expect(ofTrip(device.decide(3_000)).slice(2)).toEqual([
      "trip leg",
      "trip destination!",
      "trip approachingThreshold!",
    ]);
  });

  it("about a whole update, and fraud", () => {
    const device = new Device();
    const told: Decision[] = [];
    device.settings = { ...DEFAULT_SETTINGS, fraud: true };
    const apply = (more: Partial<LocationUpdate> = {}) =>
      applyUpdate(
        device.state,
        device.update(more),
        { fences: [] },
        device.settings,
        { _id: "ff", live: false },
        (one) => told.push(one),
      ).state;
    device.state = apply({ claims: { mocked: true } });
    expect(told.map(({ rule }) => rule)).toEqual(["updatedAt", "fraud", "eventTypes"]);
    told.length = 0;
    device.state = { ...device.state, fraudFlags: { blocked: true } };
    apply();
    expect(told.map(({ rule, passed }) => [rule, passed])).toEqual([["blocked", false]]);
  });

  it("names all checks that fail, with commas between", () => {
    const state = { failed: ["mocked", "proxy"], verified: false, lastFailed: {} } as const;
    for (const [before, bypassed] of [
      [[], false],
      [["proxy", "mocked"], false],
      [[], true],
    ] as const) {
      const { sentence, figures } = fraudRule(state, before, bypassed);
      expect(sentence).toContain("mocked, proxy fail");
      expect(figures).toEqual({ failed: "mocked, proxy", failedBefore: before.join(", "), bypassed });
    }
  });
});

describe("a geofence that was left because it was disabled", () => {
  it("is entered as if for the first time once it is enabled again", () => {
    const device = new Device();
    device.send(105);
    device.around = { fences: [{ ...home, enabled: false, revision: 2 }] };
    expect(typesOf(device.send(105))).toEqual(["exited_geofence"]);
    expect(device.state?.left).toEqual({});
    device.around = { fences: [{ ...home, revision: 3 }] };
    expect(typesOf(device.send(105))).toEqual(["entered_geofence"]);
  });

  it("or left by the bare position: no exit is kept then", () => {
    const device = new Device();
    device.settings = { ...DEFAULT_SETTINGS, bufferedEntries: false };
    device.send(95);
    device.send(105);
    expect(device.state?.left).toEqual({});
    device.settings = DEFAULT_SETTINGS;
    device.send(95);
    device.send(115);
    expect(device.state?.left).toEqual({ f1: { location: at(115), accuracy: 10 } });
    device.send(500);
    expect(device.state?.left).toEqual({});
  });
});

describe("an update that comes again", () => {
  it("counts once among the last five, and as a new one of now beyond them", () => {
    const device = new Device();
    const times = [0, 1, 2, 3, 4, 5].map((n) => NOON + n * 1000);
    for (const updatedAt of times) device.report({ location: at(0), updatedAt });
    const again = times.map((updatedAt) => {
      const update = device.update({ location: at(0), updatedAt, receivedAt: NOON + 99 * MINUTE });
      return applyUpdate(device.state, update, device.around, device.settings, { _id: "ff", live: false }).repeated;
    });
    expect(again).toEqual([false, true, true, true, true, true]);
  });
});

describe("a trip of several legs", () => {
  it("is approaching and arrived only with its last leg", () => {
    const leg = (id: string, more: Partial<TripLeg>): TripLeg => ({
      _id: id,
      status: "pending",
      createdAt: NOON,
      updatedAt: NOON,
      destination: { type: "coordinates", location: HOME },
      ...more,
    });
    const trip = (legs: TripLeg[]): Trip => ({
      _id: "t",
      live: false,
      externalId: "order",
      mode: "car",
      status: "started",
      legs,
      createdAt: NOON,
      updatedAt: NOON,
      version: 1,
    });
    const near = { status: "approaching", approachingAt: 5 } as const;
    const there = { status: "arrived", approachingAt: 5, arrivedAt: 6 } as const;
    const shown = (...legs: TripLeg[]) => {
      const { status, approachingAt, arrivedAt } = settled(trip(legs), NOON);
      return [status, approachingAt, arrivedAt];
    };
    expect(shown(leg("1", near), leg("2", {}))).toEqual(["started", undefined, undefined]);
    expect(shown(leg("1", there), leg("2", {}))).toEqual(["started", undefined, undefined]);
    expect(shown(leg("1", { status: "completed" }), leg("2", near))).toEqual(["approaching", 5, undefined]);
    expect(shown(leg("1", { status: "canceled" }), leg("2", there))).toEqual(["arrived", 5, 6]);
    expect(shown(leg("1", { status: "started", approachingAt: 5 }))).toEqual(["started", undefined, undefined]);
  });
});
