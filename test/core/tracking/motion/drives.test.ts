import { describe, expect, it } from "vitest";
import { roadUnder } from "../../../../src/core/routing/match/road-under.ts";
import { allowedKmh, speedOf, withPoint } from "../../../../src/core/tracking/driving.ts";
import { shifted } from "../../../../src/core/tracking/journeys/fixes.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../../src/core/tracking/types/update.ts";
import { normal, random } from "../journeys/simulated-day.ts";
import { drive, MOTORWAY, randomWay, SERVICE, simulatedTown, TOWN_ORIGIN, type TruePoint } from "./simulated-town.ts";

const router = await simulatedTown();
const SETTINGS: TrackingSettings = { ...DEFAULT_SETTINGS, speedLimits: true, places: false };

/** `DRIVE_SEED=9000 DRIVES=4` takes other drives, so many times as many, and prints the figures. */
const [FIRST_SEED, TIMES] = [Number(process.env.DRIVE_SEED ?? 0), Number(process.env.DRIVES ?? 1)];
const seedsOf = (drives: number) => Array.from({ length: drives * TIMES }, (_, i) => FIRST_SEED + i + 1);
const note = (...figures: unknown[]) => process.env.DRIVE_SEED && console.log(...figures);

interface Drive {
  /** Times of events [s]. */
  exceeded: number[];
  kept: number[];
}

interface Device {
  interval: number;
  sigma: number;
  /** The receiver reports its speed. */
  reports: boolean;
  seed: number;
  /** Correlation time of its errors [s]; absent = white noise. */
  memory?: number;
}

/** The events of a drive whose position is known each second, as the tracker computes them. */
async function watch(
  way: readonly TruePoint[],
  { interval, sigma, reports, seed, memory = 0 }: Device,
): Promise<Drive> {
  const gauss = normal(random(seed));
  const keep = memory > 0 ? Math.exp(-interval / memory) : 0;
  let [ex, ey] = [gauss(), gauss()];
  const found: Drive = { exceeded: [], kept: [] };
  let state: UserState | undefined;
  for (let second = 0; second < way.length; second += interval) {
    const { x, y, speed } = way[second];
    [ex, ey] = [ex, ey].map((error) => keep * error + Math.sqrt(1 - keep * keep) * gauss());
    const update: LocationUpdate = {
      ...{ deviceId: "van", replayed: false, receivedAt: second * 1000, accuracy: sigma * 1.51 },
      location: shifted(TOWN_ORIGIN, x + sigma * ex, y + sigma * ey),
      ...(reports && { speed: Math.max(0, speed + 0.5 * gauss()) }),
    };
    const window = withPoint(state?.driving?.window ?? [], update, second * 1000);
    const measured = speedOf(window);
    const allows = (limit: number) =>
      measured !== undefined && measured.kmh <= allowedKmh(limit, measured.error, SETTINGS);
    const points = window.map(({ at, ...point }) => ({ ...point, time: at / 1000 }));
    const road =
      measured && measured.kmh >= 15 && points.length >= 4 ? await roadUnder(router, points, allows) : undefined;
    const around = { fences: [], ...(road && { road }) };
    const outcome = applyUpdate(state, update, around, SETTINGS, { _id: "00ff", live: false });
    state = outcome.state;
    for (const { type } of outcome.events) {
      if (type === "user.exceeded_speed_limit") found.exceeded.push(second);
      if (type === "user.kept_to_speed_limit") found.kept.push(second);
    }
  }
  return found;
}

/** Spans of a drive in which the speed is clearly over the limit for at least 20 s. */
function excesses(way: readonly TruePoint[], over: (point: TruePoint) => boolean): [from: number, to: number][] {
  const spans: [number, number][] = [];
  way.forEach((point, second) => {
    if (!over(point)) return;
    const last = spans[spans.length - 1];
    if (last && last[1] === second - 1) last[1] = second;
    else spans.push([second, second]);
  });
  return spans.filter(([from, to]) => to - from >= 20);
}

const isTooFast = ({ speed, limit }: TruePoint) => speed * 3.6 > limit + Math.max(10, limit / 10) + 5;
const lengthOf = (way: readonly TruePoint[]) => way.reduce((sum, { speed }) => sum + Math.max(speed, 0.5), 0) / 1000;

describe("simulated drives", () => {
  const devices: [string, Omit<Device, "seed">, number][] = [
    ["each second", { interval: 1, sigma: 15, reports: true }, 12],
    ["every 2 seconds", { interval: 2, sigma: 15, reports: true }, 30],
    ["every 5 seconds", { interval: 5, sigma: 15, reports: true }, 60],
    ["every 2 seconds, without its speed", { interval: 2, sigma: 15, reports: false }, 30],
  ];
  it.each(devices)("at the limit, a position %s: no excess", async (name, device, drives) => {
    let [metres, wrong] = [0, 0];
    for (const seed of seedsOf(drives)) {
      const way = drive(randomWay(random(seed), 80), (__, limit) => limit);
      metres += lengthOf(way);
      const { exceeded } = await watch(way, { ...device, seed });
      // A car that enters a slower street brakes at once here, so no excess is real.
      wrong += exceeded.length;
    }
    note(`at the limit, ${name}: ${wrong} false in ${Math.round(metres)} km`);
    expect([wrong <= metres / 1000, metres > 150]).toEqual([true, true]);
  });

  it.each(devices.slice(0, 3))("too fast, a position %s: found within 20 s", async (name, device, drives) => {
    let [real, found, wrong] = [0, 0, 0];
    for (const seed of seedsOf(drives)) {
      // For half a minute out of two, 25 to 40 km/h too fast.
      const more = 25 + (seed % 16);
      const way = drive(randomWay(random(seed), 80), (metres, limit) =>
        (metres + 900) % 1500 < 500 ? limit + more : limit,
      );
      const { exceeded } = await watch(way, { ...device, seed });
      const spans = excesses(way, isTooFast);
      real += spans.length;
      found += spans.filter(([from]) => exceeded.some((at) => at >= from - 2 && at <= from + 20)).length;
      wrong += exceeded.filter((at) => !way.slice(Math.max(0, at - 15), at + 1).some(isTooFast)).length;
    }
    note(`too fast, ${name}: ${found} of ${real} found, ${wrong} false`);
    expect(real).toBeGreaterThan(50);
    expect([found / real, wrong]).toEqual([expect.toSatisfy((share: number) => share >= 0.97), 0]);
  });

  it("the motorway is not its service road, nor the other way round", async () => {
    const along = (y: number, limit: number): [number, number, number][] => [
      [0, y, limit],
      [MOTORWAY.length, y, limit],
    ];
    let [wrong, found] = [0, 0];
    for (const seed of seedsOf(40)) {
      const device = { interval: 1 + (seed % 3), sigma: 15, reports: true, seed };
      wrong += (
        await watch(
          drive(along(MOTORWAY.y, 130), () => 120),
          device,
        )
      ).exceeded.length;
      wrong += (
        await watch(
          drive(along(SERVICE.y, 30), () => 30),
          device,
        )
      ).exceeded.length;
      // With errors of 15 m, a road at 25 m may be either.
      const fast = await watch(
        drive(along(SERVICE.y, 30), () => 65),
        { ...device, sigma: 5 },
      );
      if (fast.exceeded.length > 0) found++;
    }
    note(`motorway and service road: ${wrong} false, ${found} found`);
    expect(wrong).toBe(0);
    expect(found).toBeGreaterThanOrEqual(39 * TIMES);
  });

  it("a device whose errors last half a minute is not on the service road either", async () => {
    let wrong = 0;
    for (const seed of seedsOf(60)) {
      const way: [number, number, number][] = [
        [0, MOTORWAY.y, 130],
        [MOTORWAY.length, MOTORWAY.y, 130],
      ];
      const device = { interval: 2, sigma: 15, reports: true, seed, memory: 30 };
      wrong += (
        await watch(
          drive(way, () => 120),
          device,
        )
      ).exceeded.length;
    }
    note(`errors of half a minute: ${wrong} false`);
    expect(wrong).toBeLessThanOrEqual(TIMES);
  });

  it("an excess has one event, and one when it ends, with its duration", async () => {
    const street: [number, number, number][] = [
      [0, 800, 50],
      [3200, 800, 50],
    ];
    const way = drive(street, (metres) => (metres > 600 && metres < 1900 ? 85 : 50));
    const { exceeded, kept } = await watch(way, { interval: 1, sigma: 5, reports: true, seed: 1 });
    expect([exceeded.length, kept.length]).toEqual([1, 1]);
    expect(kept[0] - exceeded[0]).toBeGreaterThan(30);
  });
});
