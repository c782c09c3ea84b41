import { describe, expect, it } from "vitest";
import { destination } from "../../../../src/core/geo/distance.ts";
import { allowedKmh, speedOf, withPoint } from "../../../../src/core/tracking/driving.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../../../src/core/tracking/trace/decision.ts";
import type { RoadAround } from "../../../../src/core/tracking/types/driving.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../../src/core/tracking/types/update.ts";
import { normal, random } from "../journeys/simulated-day.ts";
import { fenceOf, HOME, NOON, typesOf } from "../world.ts";

const MAIN_STREET: RoadAround = { name: "Main Street", limitKmh: 50 };

/** A device whose updates have a speed [km/h], some seconds apart, on a road. */
class Driver {
  state: UserState | undefined;
  clock = NOON;
  metres = 0;
  road: RoadAround | undefined = MAIN_STREET;
  fences = [fenceOf("depot", HOME, 300, { tag: "depot" })];
  readonly settings: TrackingSettings;
  readonly log: string[] = [];
  readonly decisions: Decision[] = [];

  constructor(settings: Partial<TrackingSettings>) {
    this.settings = { ...DEFAULT_SETTINGS, ...settings };
  }

  send(seconds: number, kmh: number | undefined, more: Partial<LocationUpdate> = {}): string[] {
    this.clock += seconds * 1000;
    this.metres += ((kmh ?? 0) / 3.6) * seconds;
    const update = {
      ...{ deviceId: "van", accuracy: 8, replayed: false, receivedAt: this.clock },
      location: destination(HOME, 90, 5000 + this.metres),
      ...(kmh !== undefined && { speed: kmh / 3.6 }),
      ...more,
    };
    const around = { fences: this.fences, ...(this.road && { road: this.road }) };
    const identity = { _id: "00ff", live: false };
    const outcome = applyUpdate(this.state, update, around, this.settings, identity, (one) => this.decisions.push(one));
    this.state = outcome.state;
    const types = typesOf(outcome).filter((type) => /speed|idling/.test(type));
    this.log.push(...types);
    return types;
  }

  drive(count: number, seconds: number, kmh: number): string[] {
    return Array.from({ length: count }, () => this.send(seconds, kmh)).flat();
  }
}

describe("speed limits", () => {
  const driver = (more: Partial<TrackingSettings> = {}) => new Driver({ speedLimits: true, ...more });

  it("an excess has one event after ten seconds, and one when the driver keeps to the limit again", () => {
    const van = driver();
    expect(van.drive(20, 2, 55)).toEqual([]);
    expect(van.drive(5, 2, 72)).toEqual([]);
    expect(van.drive(1, 2, 72)).toEqual(["exceeded_speed_limit"]);
    expect(van.drive(20, 2, 80)).toEqual([]);
    expect(van.drive(5, 2, 50)).toEqual([]);
    expect(van.drive(1, 2, 50)).toEqual(["kept_to_speed_limit"]);
  });

  it("the events have speed, limit and road, and the last the highest speed and the duration", () => {
    const van = driver();
    van.drive(6, 2, 75);
    const exceeded = van.state?.last;
    expect(exceeded).toBeUndefined();
    van.drive(10, 2, 90);
    expect(van.state?.driving?.excess).toMatchObject({
      topKmh: expect.closeTo(90, 5),
      limitKmh: 50,
      road: "Main Street",
    });
    expect(van.decisions.find(({ rule, passed }) => rule === "speedLimits" && passed)?.sentence).toBe(
      "The speed is 75 km/h, the limit of Main Street 50 km/h: more than the 60 km/h allowed.",
    );
  });

  it("an excess at the very start of a drive counts from the first position on the road", () => {
    const van = driver();
    van.road = undefined;
    van.drive(3, 5, 80);
    van.road = { ...MAIN_STREET, since: NOON };
    expect(van.drive(1, 5, 80)).toEqual(["exceeded_speed_limit"]);
    const slow = driver();
    slow.road = undefined;
    slow.drive(3, 5, 50);
    slow.road = { ...MAIN_STREET, since: NOON };
    expect(slow.drive(2, 5, 80)).toEqual([]);
  });

  it("a geofence with a limit of its own replaces that of the road, with or without roads", () => {
    const van = driver();
    van.fences = [
      fenceOf("yard", HOME, 9000, { description: "Yard", speedLimit: 20 }),
      fenceOf("town", HOME, 9000, { speedLimit: 30 }),
    ];
    expect(van.drive(8, 2, 35)).toEqual(["exceeded_speed_limit"]);
    expect(van.state?.driving?.excess).toMatchObject({ limitKmh: 20, road: "Yard", geofence: "yard" });
    van.fences = [];
    expect(van.drive(1, 2, 35)).toEqual(["kept_to_speed_limit"]);
    van.fences = [fenceOf("track", HOME, 90_000, { speedLimit: 200 })];
    expect(van.drive(20, 2, 120)).toEqual([]);
    van.road = undefined;
    van.fences = [fenceOf("yard", HOME, 90_000, { speedLimit: 20 })];
    expect(van.drive(8, 2, 35)).toEqual(["exceeded_speed_limit"]);
  });

  it.each([1, 2, 5, 10, 14, 16, 20, 30, 40])("in such a geofence, updates every %d s suffice", (seconds) => {
    const van = driver();
    van.road = undefined;
    van.fences = [fenceOf("yard", HOME, 900_000, { speedLimit: 20 })];
    expect(van.drive(Math.max(4, 14 / seconds), seconds, 35)).toEqual(["exceeded_speed_limit"]);
    van.drive(1, seconds, 35);
    expect(van.drive(Math.max(3, 14 / seconds), seconds, 18)).toEqual(["kept_to_speed_limit"]);
    // Fewer than three never do, nor three of which the second is not too fast.
    const slow = driver();
    Object.assign(slow, { road: undefined, fences: van.fences });
    expect([slow.drive(2, seconds, 35), slow.drive(1, seconds, 10), slow.drive(2, seconds, 35)].flat()).toEqual([]);
  });

  it.each<[string, number, number, string[]]>([
    ["within the tolerance of 10 km/h", 50, 59, []],
    ["above it", 50, 61, ["exceeded_speed_limit"]],
    ["within the tolerance of 10 %", 130, 142, []],
    ["above that", 130, 144, ["exceeded_speed_limit"]],
  ])("%s: at a limit of %d, a speed of %d", (_, limitKmh, kmh, events) => {
    const van = driver();
    van.road = { limitKmh };
    expect(van.drive(20, 2, kmh)).toEqual(events);
  });

  it.each([-1, 151, 5000, 100_000])("a reported speed of %d m/s is measured from the positions instead", (speed) => {
    const van = driver();
    const send = (count: number, kmh: number) =>
      Array.from({ length: count }, () => van.send(2, kmh, { speed })).flat();
    expect(send(30, 50)).toEqual([]);
    expect(send(30, 90)).toEqual(["exceeded_speed_limit"]);
    expect(van.state?.driving?.excess?.topKmh).toBeLessThan(100);
  });

  it("never from one noisy update, two, or a burst within a second", () => {
    const van = driver();
    van.drive(5, 5, 50);
    expect([van.send(5, 150), van.send(5, 50), van.send(5, 150), van.send(5, 150), van.send(5, 50)].flat()).toEqual([]);
    expect(van.drive(8, 0.2, 150)).toEqual([]);
    const rare = driver();
    expect([rare.send(12, 90), rare.send(12, 90), rare.send(12, 90)]).toEqual([[], [], ["exceeded_speed_limit"]]);
    expect(driver({ speedSeconds: 60 }).drive(20, 2, 90)).toEqual([]);
  });

  it("never from one position that jumped, without a reported speed", () => {
    for (const seconds of [1, 2, 3, 5, 7, 8, 10, 20, 40])
      for (const metres of [100, 300, 800, 1500, 5000, 20_000]) {
        const van = driver();
        const at = (k: number) => destination(HOME, 90, 5000 + (k === 30 ? metres : 0));
        for (let k = 0; k < 60; k++) van.send(seconds, undefined, { location: at(k) });
        expect([seconds, metres, ...van.log]).toEqual([seconds, metres]);
      }
  });

  it("a road that allows the speed and is nearly as likely makes no event", () => {
    const van = driver();
    van.road = { ...MAIN_STREET, sureness: 5 };
    expect(van.drive(30, 2, 90)).toEqual([]);
    expect(van.decisions.at(-1)?.sentence).toContain("nearly as likely");
    // 40 km/h too fast is rare: it needs more.
    van.road = { ...MAIN_STREET, sureness: 9 };
    expect(van.drive(30, 2, 90)).toEqual([]);
    van.road = { ...MAIN_STREET, sureness: 10 };
    expect(van.drive(8, 2, 90)).toEqual(["exceeded_speed_limit"]);
  });

  it("a turn without a known road does not interrupt an excess, a long one does", () => {
    const van = driver();
    van.drive(4, 2, 80);
    van.road = undefined;
    van.send(2, 80);
    van.road = MAIN_STREET;
    expect(van.send(2, 80)).toEqual(["exceeded_speed_limit"]);
    const other = driver();
    other.drive(4, 2, 80);
    other.road = undefined;
    other.drive(10, 2, 80);
    other.road = MAIN_STREET;
    expect(other.send(2, 80)).toEqual([]);
  });

  it("an excess ends on a faster road, on one without a known limit, and at a stand", () => {
    for (const [road, kmh] of [
      [{ limitKmh: 100 }, 80],
      [{}, 80],
      [undefined, 3],
    ] as const) {
      const van = driver();
      van.drive(6, 2, 80);
      van.road = road;
      expect([road, van.send(2, kmh)]).toEqual([road, ["kept_to_speed_limit"]]);
    }
  });

  it.each([5, 10, 20, 39, 45, 60, 600])(
    "an excess ends at a stand of which a position comes every %d s, without a speed",
    (seconds) => {
      const van = driver();
      van.drive(8, 2, 80);
      expect(van.log).toEqual(["exceeded_speed_limit"]);
      const still = { location: destination(HOME, 90, 5000 + van.metres) };
      for (let k = 0; k < Math.max(4, 60 / seconds); k++) van.send(seconds, undefined, still);
      expect(van.log).toEqual(["exceeded_speed_limit", "kept_to_speed_limit"]);
    },
  );

  it("an excess that goes on under another limit names that one, and its top speed is the highest", () => {
    const van = driver();
    van.drive(8, 2, 80);
    van.road = { name: "School Street", limitKmh: 30 };
    van.drive(4, 2, 70);
    expect(van.state?.driving?.excess).toMatchObject({ limitKmh: 30, road: "School Street", topKmh: 80 });
  });

  it("late, repeated and inaccurate updates change nothing", () => {
    const van = driver();
    van.drive(8, 2, 80);
    const { driving } = van.state as UserState;
    const replayed = { replayed: true, updatedAt: NOON - 60_000 };
    expect(van.send(0, 20, replayed)).toEqual([]);
    expect(van.send(1, 20, { accuracy: 500 })).toEqual([]);
    expect(van.state?.driving).toEqual(driving);
  });

  it("without the setting, nothing is stored", () => {
    const van = new Driver({});
    van.drive(20, 2, 150);
    expect([van.state?.driving, van.state?.idling, van.log]).toEqual([undefined, undefined, []]);
  });

  it("a speed that is not reported is measured over half means, also across the 180th meridian", () => {
    const gauss = normal(random(1));
    for (const longitude of [9, 179.9999]) {
      let window = withPoint([], { location: { latitude: 47, longitude }, accuracy: 5 }, 0);
      for (let second = 2; second <= 40; second += 2) {
        const location = destination({ latitude: 47, longitude }, 90, 15 * second + gauss());
        window = withPoint(window, { location, accuracy: 5 }, second * 1000);
      }
      expect(window.length).toBeLessThanOrEqual(16);
      const speed = speedOf(window);
      expect(Math.abs((speed?.kmh ?? 0) - 54)).toBeLessThan(3);
      expect(speed?.error).toBeLessThan(2);
    }
    expect(speedOf(withPoint([], { location: HOME, accuracy: 5 }, 0))).toBeUndefined();
  });
});

it("the error of a speed that was measured is tolerated, if it is more than the tolerance", () => {
  const tolerance = { ...DEFAULT_SETTINGS, speedTolerance: 0, speedTolerancePercent: 0 };
  expect([
    allowedKmh(50, 5, tolerance),
    allowedKmh(50, 1, DEFAULT_SETTINGS),
    allowedKmh(50, 5, DEFAULT_SETTINGS),
  ]).toEqual([70, 60, 70]);
});

describe("idling", () => {
  const still = { location: destination(HOME, 90, 5000) };

  it("begins after the minutes of the setting at one place, and ends when the user leaves", () => {
    const van = new Driver({ idling: 5 });
    expect(Array.from({ length: 5 }, () => van.send(60, 0, still)).flat()).toEqual([]);
    expect(van.send(60, 0, still)).toEqual(["started_idling"]);
    expect(van.send(600, 0, still)).toEqual([]);
    expect(van.send(60, 30, { location: destination(HOME, 90, 5400) })).toEqual(["stopped_idling"]);
    expect(van.send(60, 0, { location: destination(HOME, 90, 5900) })).toEqual([]);
  });

  it.each([10, 20, 60])("does not end by one position that jumped, with an update every %i s", (seconds) => {
    const van = new Driver({ idling: 5 });
    const location = (metres: number) => ({ location: destination(HOME, 90, 5000 + metres) });
    for (let k = 0; k < 60; k++) van.send(seconds, undefined, location(k === 40 || k === 50 ? 300 * (k - 39) : 0));
    expect(van.log).toEqual(["started_idling"]);
    expect(van.send(seconds, undefined, location(400))).toEqual([]);
    expect(van.send(seconds, undefined, location(800))).toEqual(["stopped_idling"]);
    expect(van.send(seconds, undefined, location(1200))).toEqual([]);
  });

  it("not in a geofence with an exempt tag, and in others it does", () => {
    for (const [tags, events] of [
      [["depot"], []],
      [["other"], ["started_idling"]],
    ] as const) {
      const van = new Driver({ idling: 5, idlingExemptTags: tags });
      expect(Array.from({ length: 10 }, () => van.send(60, 0, { location: HOME })).flat()).toEqual(events);
    }
  });

  it("noise of 15 m neither ends it nor is a slow walk one", () => {
    const gauss = normal(random(2));
    const noisy = (east: number) => destination(destination(HOME, 90, east + 15 * gauss()), 0, 15 * gauss());
    const van = new Driver({ idling: 5 });
    for (let k = 0; k < 500; k++) van.send(20, undefined, { location: noisy(5000), accuracy: 23 });
    expect(van.log).toEqual(["started_idling"]);
    const walker = new Driver({ idling: 5 });
    for (let k = 0; k < 500; k++) walker.send(20, undefined, { location: noisy(5000 + k * 20), accuracy: 23 });
    expect(walker.log).toEqual([]);
  });
});
