import { createHash } from "node:crypto";
import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { distance } from "../../src/core/geo/distance.ts";
import type { Applied } from "../../src/core/tracking/history/entry.ts";
import { applyUpdate } from "../../src/core/tracking/steps/apply-update.ts";
import { changeTrip } from "../../src/core/tracking/trips.ts";
import type { TrackEvent } from "../../src/core/tracking/types/event.ts";
import type { Fence } from "../../src/core/tracking/types/fence.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../src/core/tracking/types/state.ts";
import type { BeaconLabel, Place, Region, Regions, Surroundings } from "../../src/core/tracking/types/surroundings.ts";
import type { Eta, Trip } from "../../src/core/tracking/types/trip.ts";
import { seededRandom } from "../bench/support/random.ts";
import { Account, hears, minutes } from "./account.ts";
import { type Day, dayOf, type Report } from "./journeys.ts";
import { addFence, buildTown, type DrawnFence, type Town } from "./town.ts";

export const MIDNIGHT = Date.UTC(2026, 5, 1, 6);
const DWELL_MINUTES = 25;
const THRESHOLD_MINUTES = 3;
const SETTINGS: TrackingSettings = { ...DEFAULT_SETTINGS, dwellThreshold: DWELL_MINUTES };
/** How far around it a tracker keeps geofences [m], as DeviceTracker does, and how many. */
const NEIGHBOURHOOD = 2000;
const MAX_COUNT = 200;

export interface DayReport {
  devices: number;
  updates: number;
  events: number;
  byType: Record<string, number>;
  /** What differs, each in a sentence. */
  differences: string[];
  /** Of all events in their words, device by device: the same day has the same. */
  digest: string;
}

/** What came of one device's day. */
export interface DeviceReport extends Omit<DayReport, "devices"> {
  device: number;
}

/**
 * A day of some devices on the demo world's roads: what the tracking room and its surroundings make of it, against the
 * plain account. The same seed gives the same day.
 * @param goesOn called behind each device with what has come of the day so far; false ends the day there
 * @param listener hears of each step that was made
 */
export async function simulateDay(
  devices: number,
  seed: number,
  goesOn: (soFar: DeviceReport[]) => boolean = () => true,
  listener?: DayListener,
): Promise<DayReport> {
  const town = await buildTown(seededRandom(seed));
  const days = await drawDays(
    town,
    seed,
    Array.from({ length: devices }, (_, device) => device),
  );
  for (const { fences } of days.values()) for (const fence of fences) addFence(town, fence);
  const reports: DeviceReport[] = [];
  for await (const report of simulateDevices(town, days, listener)) {
    reports.push(report);
    if (!goesOn(reports)) break;
  }
  return sumOf(reports);
}

/** The days of some devices. What others do makes no difference to them, so they may be drawn anywhere. */
export async function drawDays(town: Town, seed: number, devices: readonly number[]): Promise<Map<number, Day>> {
  const days = new Map<number, Day>();
  for (const device of devices)
    days.set(device, await dayOf(town, device, MIDNIGHT, seededRandom(seed * 1_000_003 + device)));
  return days;
}

/** Simulates the days of some devices in a town that has the geofences of all. */
export async function* simulateDevices(
  town: Town,
  days: ReadonlyMap<number, Day>,
  listener?: DayListener,
): AsyncGenerator<DeviceReport> {
  for (const [device, { reports }] of days) {
    yield await simulateDevice(town, device, reports, listener);
    // Lets a signal in: nothing above waits for anything outside.
    await new Promise((resume) => setImmediate(resume));
  }
}

/** A day, from what came of its devices in whatever order. */
export function sumOf(reports: readonly DeviceReport[]): DayReport {
  const digest = createHash("sha256");
  const sum = { devices: reports.length, updates: 0, events: 0, byType: {} as Record<string, number>, digest: "" };
  const differences: string[] = [];
  for (const one of [...reports].sort((a, b) => a.device - b.device)) {
    sum.updates += one.updates;
    sum.events += one.events;
    for (const [type, count] of Object.entries(one.byType)) sum.byType[type] = (sum.byType[type] ?? 0) + count;
    differences.push(...one.differences);
    digest.update(`${one.device} ${one.digest}\n`);
  }
  return { ...sum, differences, digest: digest.digest("hex") };
}

/** What the tracking room was given, and what came of it. */
export interface DayListener {
  applied(applied: Applied): void;
  /** The dispatcher has changed a user's trip. */
  changed(before: UserState, after: UserState): void;
}

async function simulateDevice(
  town: Town,
  index: number,
  day: readonly Report[],
  listener: DayListener | undefined,
): Promise<DeviceReport> {
  const report: DeviceReport = { device: index, updates: 0, events: 0, byType: {}, differences: [], digest: "" };
  const digest = createHash("sha256");
  const accuracy = [5, 10, 25, 60][index % 4];
  const account = new Account(town, accuracy, DWELL_MINUTES);
  const surroundings = new SurroundingsOf(town, accuracy);
  const deviceId = `device-${index}`;
  let state: UserState | undefined;
  const ids = new Set<string>();
  const compare = (got: readonly TrackEvent[], expected: readonly string[], at: number) => {
    const told = got.map(spoken).sort();
    digest.update(`${at} ${told.join(", ")}\n`);
    for (const event of got) {
      if (ids.has(event._id)) report.differences.push(`${deviceId}: event ${event._id} twice`);
      ids.add(event._id);
    }
    report.events += got.length;
    for (const { type } of got) report.byType[type] = (report.byType[type] ?? 0) + 1;
    if (told.join("\n") !== expected.join("\n")) {
      const when = new Date(at).toISOString();
      report.differences.push(`${deviceId} ${when}: ${told.join(", ")} instead of ${expected.join(", ")}`);
    }
  };
  for (const one of day) {
    report.updates++;
    if (one.begins && state?.trip) {
      // The dispatcher has closed the last trip.
      const done = changeTrip(state, state.trip, { status: "completed" }, SETTINGS, one.at - 1);
      listener?.changed(state, done.state);
      state = done.state;
      compare(done.events, account.finish(), one.at);
    }
    const goal = one.begins ?? (state?.trip && town.fences.find(({ id }) => id === state?.trip?.destination?.fence));
    const eta = goal && (await etaTo(town, one.location, goal.center));
    const update = {
      deviceId,
      location: one.location,
      accuracy,
      stopped: !one.moving,
      foreground: false,
      replayed: false,
      updatedAt: one.at,
      receivedAt: one.at + 200,
    };
    const around = await surroundings.at(one, state, eta);
    const identity = { _id: index.toString(16).padStart(24, "0"), live: false };
    const outcome = applyUpdate(state, update, around, SETTINGS, identity);
    listener?.applied({ before: state, update, surroundings: around, settings: SETTINGS, outcome });
    state = outcome.state;
    compare(outcome.events, account.report(one, eta?.duration, THRESHOLD_MINUTES), one.at);
    const inside = Object.keys(state.geofences).sort();
    if (inside.join() !== account.inside().join()) report.differences.push(`${deviceId}: inside ${inside}`);
  }
  report.digest = digest.digest("hex");
  return report;
}

async function etaTo(town: Town, from: Coordinate, to: Coordinate): Promise<Eta> {
  const found = await town.router.distance(from, to, { mode: "car" }).catch(() => undefined);
  return found
    ? { duration: found.duration / 60, distance: found.distance }
    : { duration: 1000, distance: distance(from, to) };
}

/** What the objects would hand to the tracking room: from indexes and tiles, geofences from a neighbourhood that is kept. */
class SurroundingsOf {
  private readonly town: Town;
  private readonly accuracy: number;
  private kept: { center: Coordinate; radius: number; fences: Fence[] } | undefined;

  constructor(town: Town, accuracy: number) {
    this.town = town;
    this.accuracy = accuracy;
  }

  async at(report: Report, state: UserState | undefined, eta: Eta | undefined): Promise<Surroundings> {
    const { location, begins, at } = report;
    const found = await this.town.placeIndex.at(location);
    const adopted = begins && tripTo(begins, at);
    const trip = adopted ?? state?.trip;
    return {
      fences: this.fences(location),
      regions: this.regions(location),
      place: found ? placeOf(found) : null,
      beacons: { ranged: hears(this.town, location).map(beaconOf), disabled: [] },
      beaconsExist: true,
      trip: { adopted, eta: trip && eta && { trip: trip._id, eta } },
    };
  }

  private fences(location: Coordinate): Fence[] {
    const { kept, accuracy, town } = this;
    if (kept && distance(kept.center, location) + accuracy <= kept.radius) return kept.fences;
    const near = town.fenceIndex.near(location, { radius: NEIGHBOURHOOD, limit: MAX_COUNT + 1 });
    const radius = near.length > MAX_COUNT ? near[MAX_COUNT].distance : NEIGHBOURHOOD;
    const fences = near.slice(0, MAX_COUNT).map(({ fence }) => fence);
    if (radius < accuracy) throw new Error("the town is denser than a neighbourhood can hold");
    this.kept = { center: location, radius, fences };
    return fences;
  }

  private regions(location: Coordinate): Regions {
    const regions: { country?: Region; postalCode?: Region } = {};
    for (const { kind, code } of this.town.regionsByTiles(location)) {
      if (kind !== "country" && kind !== "postalCode") continue;
      regions[kind] = { _id: `${kind}-${code}`, type: kind, code, name: code };
    }
    return regions;
  }
}

function tripTo(goal: DrawnFence, at: number): Trip {
  return {
    _id: `trip-${goal.id}-${at}`,
    live: false,
    externalId: `${goal.id}-${at}`,
    mode: "car",
    status: "pending",
    destination: { fence: goal.id, tag: goal.tag, externalId: goal.id, location: goal.center },
    approachingThreshold: THRESHOLD_MINUTES,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
}

function placeOf({ id, name, categories, location, footprint }: Town["places"][number]): Place {
  return { _id: id, name, categories, location, footprint };
}

const labels = new Map<string, BeaconLabel>();

function beaconOf(id: string): BeaconLabel {
  const label = labels.get(id) ?? { _id: id, type: "eddystone", description: id, enabled: true };
  labels.set(id, label);
  return label;
}

/** An event in the words of the account. */
function spoken({ type, geofence, region, place, beacon, trip, duration }: TrackEvent): string {
  const subject = geofence?._id ?? region?.code ?? place?._id ?? beacon?._id ?? trip?.destination?.fence;
  const length = duration === undefined ? "" : ` ${minutes(duration * 60_000)}`;
  return `${type.replace("user.", "")} ${subject}${length}`;
}
