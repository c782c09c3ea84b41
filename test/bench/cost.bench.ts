import { billOf, PRICES, type Usage } from "../../src/core/costs/prices.ts";
import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { destination } from "../../src/core/geo/distance.ts";
import { searchRadius } from "../../src/core/tracking/match-fences.ts";
import { applyUpdate } from "../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../src/core/tracking/types/settings.ts";
import type { UserWrite } from "../../src/worker/db/customers/writes.ts";
import type { Sql } from "../../src/worker/objects/fences/fence-store.ts";
import {
  covers,
  isEnough,
  isWorthKeeping,
  type KeptNeighbourhood,
} from "../../src/worker/objects/fences/neighbourhood.ts";
import {
  ALARM_AFTER_MS,
  isFoundBySilence,
  POSITION_ALARM_AFTER_MS,
} from "../../src/worker/objects/tracker/safety-net.ts";
import { isOnlyWhereabouts, TrackerStore } from "../../src/worker/objects/tracker/tracker-store.ts";
import type { Report } from "./bench.ts";
import { randomPoint } from "./support/fences.ts";
import { type Database, startD1, storeTracked } from "./support/local-d1.ts";
import { type MonthUser, monthOf } from "./support/month.ts";
import { fencesOfAll, neighbourhoodOf } from "./support/neighbourhoods.ts";
import { seededRandom } from "./support/random.ts";
import { measureBeside } from "./support/slices.ts";
import { memorySql } from "./support/sqlite.ts";
import { startFloor, startPlatform } from "./worker.ts";

export const name = "cost";
export const summary =
  "What 100M tracks of 1M users cost in a month: rows, requests and CPU counted, times the price table.";

/** Users that are simulated, out of a million; every figure is multiplied. */
const USERS = Number(process.env.BENCH_USERS ?? 40);
const MILLION = 1_000_000;
const START = Date.UTC(2026, 10, 1);
const SCOPE = 2;

/**
 * Updates that share a batch of the database: the first, and those that come to the writer while it waits 150 ms,
 * at 39 updates a second.
 */
const JOINED = 7;
/**
 * How long a tracker is awake for an update [s]: until the database has it; for a position, which its caller hands over, until the row is
 * on disk; where it asks the index for geofences, and where a silent one hands over itself, until another object has answered. And the
 * memory that is billed [GB].
 */
const [AWAKE_S, POSITION_S, ANSWER_S, OBJECT_GB] = [0.3, 0.03, 0.1, 0.128];
/** As in src/worker/objects/writer/database-writers-stub.ts; each writes its figures every two minutes. Never asleep, as the index of the geofences. */
const [WRITERS, INDEXES] = [1, 1];
const FIGURES_MS = 120_000;
/** Isolates that count usage: a row every 25 seconds, and every ten minutes when the key was used last. */
const [ISOLATES, USAGE_S, KEY_USE_S] = [10, 25, 600];
/** How long a device is silent until the hourly round asks it, and is kept what it sent [days]. */
const KEPT_DAYS = 7;
/** How often some geofence of the project changes, so that trackers ask for those around them again [ms]. */
const CHANGED_MS = 24 * 3600_000;
const ACCURACY = 10;
/** One user in so many is new this month; the others were seen the day before it, and have been to home and work. */
const NEW = 10;
/**
 * Of the Worker's lines, and those of its isolates (wrangler.toml): one per request, of which the platform keeps this share; calls of
 * objects have none.
 */
const [LOG_LINES, LOG_SHARE] = [1, 0.2];
/** Each isolate looks for new builds so often [s]; and reads so many tiles of geodata in an hour, once its cache is warm. */
const [LIVE_LIST_S, TILES_AN_HOUR] = [10, 60];
/** The hourly runs write an archive part of two orders for a project, and some objects of learning. */
const BUCKET_WRITES_AN_HOUR = 10;
/** Events of a month, as Parquet, and the base of the world with some imports [GB]. */
const [EVENT_GB, GEODATA_GB] = [1e-7, 5];
/** What a user takes on disk [GB]: its row with indexes, and its tracker. */
const [ROW_GB, TRACKER_GB] = [4e-6, 60e-6];

interface Counts {
  updates: number;
  events: number;
  databaseRows: number;
  databaseReads: number;
  /** Rows that trackers found; those that their statements looked at are not counted by this SQLite. */
  trackerReads: number;
  /** What is counted: each is a row in a minute in which it happened. */
  figures: Set<string>;
  /** D1 rows by statement. */
  statements: ReadonlyMap<string, number>;
  trackerRows: number;
  /** Of these: neighbourhoods that are kept. */
  kept: number;
  alarms: number;
  stores: number;
  /** Stores that the writer took over. */
  taken: number;
  /** Questions to the index of the geofences. */
  asked: number;
  /** Devices that the hourly round has asked, as they were silent. */
  silent: number;
}

/** The real step, the real tables of trackers and the real statements, over the updates of a month in their order. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const counts = await simulate();
  // `cpu=1.9`: what was measured before [ms], where only the rows are of interest.
  const given = words.find((word) => word.startsWith("cpu="))?.slice("cpu=".length);
  const cpuMs = given === undefined ? await cpuPerUpdate() : Number(given);
  const times = (100 * MILLION) / counts.updates;
  const [month, updates] = [30 * 24 * 3600, 100 * MILLION];
  const usageRows = (month / USAGE_S + month / KEY_USE_S) * ISOLATES;
  // At most, as not all of them happen in each minute.
  const figureRows = (month * 1000 * WRITERS * counts.figures.size) / FIGURES_MS;
  const awake =
    AWAKE_S * (counts.stores - counts.taken) +
    POSITION_S * (counts.taken - counts.silent) +
    ANSWER_S * (counts.asked + counts.silent);
  const usage: Usage = {
    plan: 1,
    requests: updates,
    cpu: updates * cpuMs,
    logs: updates * LOG_LINES * LOG_SHARE,
    objectReads: counts.trackerReads * times,
    databaseReads: counts.databaseReads * times,
    bucketReads: ISOLATES * (month / LIVE_LIST_S + (month / 3600) * TILES_AN_HOUR),
    bucketWrites: BUCKET_WRITES_AN_HOUR * (month / 3600),
    bucketStorage: GEODATA_GB + counts.events * times * EVENT_GB,
    objectRequests: updates + (counts.stores + counts.alarms + counts.asked + counts.silent) * times,
    objectDuration: OBJECT_GB * (awake * times + (WRITERS + INDEXES) * month),
    objectRows: counts.trackerRows * times,
    objectStorage: MILLION * TRACKER_GB,
    databaseRows: counts.databaseRows * times + usageRows + figureRows,
    databaseStorage: MILLION * ROW_GB,
  };
  const label = "per update";
  report({ case: label, metric: "D1 rows", value: usage.databaseRows / updates, unit: "", baseline: 1.2 });
  for (const [statement, rows] of [...counts.statements].sort((a, b) => b[1] - a[1]))
    if (rows > 0) report({ case: `  ${statement}`, metric: "D1 rows", value: rows / counts.updates, unit: "" });
  report({ case: "  usage", metric: "D1 rows", value: usageRows / updates, unit: "" });
  report({ case: "  figures, at most", metric: "D1 rows", value: figureRows / updates, unit: "" });
  report({ case: label, metric: "tracker rows", value: counts.trackerRows / counts.updates, unit: "", baseline: 1 });
  report({ case: "  neighbourhoods", metric: "tracker rows", value: counts.kept / counts.updates, unit: "" });
  report({
    case: "  alarms that are set, at least",
    metric: "tracker rows",
    value: counts.alarms / counts.updates,
    unit: "",
  });
  report({ case: label, metric: "alarms", value: counts.alarms / counts.updates, unit: "" });
  report({ case: label, metric: "geofences asked for", value: counts.asked / counts.updates, unit: "" });
  const perHour = (counts.silent * times) / (month / 3600);
  report({ case: "silent devices, asked by the round", metric: "an hour", value: perHour, unit: "", baseline: 3_000 });
  report({ case: label, metric: "events", value: counts.events / counts.updates, unit: "" });
  report({ case: label, metric: "D1 rows read", value: usage.databaseReads / updates, unit: "" });
  report({ case: label, metric: "tracker rows read, at least", value: usage.objectReads / updates, unit: "" });
  report({ case: label, metric: "CPU here", value: cpuMs, unit: "ms" });
  const { total, items } = billOf(usage);
  for (const [item, dollars] of Object.entries(items)) {
    const { unit } = PRICES[item as keyof typeof PRICES];
    report({
      case: `${Math.round(usage[item as keyof Usage]).toLocaleString("en-US")} ${unit}`,
      metric: item,
      value: dollars,
      unit: "$",
    });
  }
  report({ case: "100M tracks, 1M users", metric: "a month", value: total, unit: "$", baseline: 220 });
}

async function simulate(): Promise<Counts> {
  const random = seededRandom(21);
  const all = fencesOfAll(random);
  const users = Array.from({ length: USERS }, (_, n) => monthOf(n, START, random));
  const trackers = new Map<MonthUser, Tracker>(users.map((user) => [user, new Tracker(all)]));
  const updates = users
    .flatMap((user) => user.updates.map((update) => ({ user, ...update })))
    .sort((a, b) => a.at - b.at);
  const { db, written, read, statements, stop } = await startD1();
  const counts: Counts = {
    updates: 0,
    events: 0,
    databaseRows: 0,
    databaseReads: 0,
    trackerReads: 0,
    figures: new Set(),
    statements,
    trackerRows: 0,
    kept: 0,
    alarms: 0,
    stores: 0,
    taken: 0,
    asked: 0,
    silent: 0,
  };
  try {
    await beforeTheMonth(db, users, trackers);
    for (const tracker of trackers.values())
      tracker.rows = tracker.reads = tracker.kept = tracker.alarms = tracker.asked = tracker.silent = 0;
    written();
    read();
    statements.clear();
    for (let next = 0; next < updates.length; ) {
      const group = differentUsers(updates.slice(next, next + JOINED));
      next += group.length;
      const due = group.flatMap(({ user, at, location }) => {
        const tracker = trackers.get(user) as Tracker;
        tracker.beSilentUntil(at);
        counts.updates++;
        counts.events += tracker.send(user, at, location);
        const found = tracker.store.unstored(SCOPE, 200);
        return found ? [{ tracker, found }] : [];
      });
      counts.stores += due.length;
      const write: [UserWrite[], { scope: number; doc: string }[]] = [
        due.flatMap(({ found }) => found.users),
        due.flatMap(({ found }) => found.events),
      ];
      counts.taken += due.filter(({ found }) => isOnlyWhereabouts(found)).length;
      for (const { kind, name } of await storeTracked(db, ...write)) counts.figures.add(`${kind} ${name}`);
      counts.databaseRows += written();
      counts.databaseReads += read();
      for (const { tracker, found } of due) tracker.store.confirm(found.confirm);
    }
  } finally {
    await stop();
  }
  for (const tracker of trackers.values()) {
    tracker.beSilentUntil(START + 30 * 24 * 3600_000);
    counts.trackerRows += tracker.rows;
    counts.trackerReads += tracker.reads;
    counts.kept += tracker.kept;
    counts.alarms += tracker.alarms;
    counts.asked += tracker.asked;
    counts.silent += tracker.silent;
    // To the writer, which finds nothing new.
    counts.stores += tracker.silent;
    counts.taken += tracker.silent;
  }
  return counts;
}

/** Users who are known already: at home and at work on the day before. */
async function beforeTheMonth(
  db: Database,
  users: readonly MonthUser[],
  trackers: ReadonlyMap<MonthUser, Tracker>,
): Promise<void> {
  for (const [n, user] of users.entries()) {
    if (n % NEW === NEW - 1) continue;
    const tracker = trackers.get(user) as Tracker;
    for (const [i, { location }] of [user.updates[4], user.updates[0]].entries()) {
      tracker.send(user, START - (12 - i * 6) * 3600_000, location);
      const found = tracker.store.unstored(SCOPE, 200);
      if (!found) continue;
      await storeTracked(db, found.users, found.events);
      tracker.store.confirm(found.confirm);
    }
  }
}

/** The first updates of a list up to the second one of the same user: of a million users, none is twice in a batch. */
function differentUsers<T extends { user: MonthUser }>(updates: readonly T[]): T[] {
  const again = updates.findIndex(({ user }, i) => updates.findIndex((one) => one.user === user) < i);
  return updates.slice(0, again < 0 ? updates.length : again);
}

/** A tracker, which is woken for each update that comes minutes after the last, as the platform does. */
class Tracker {
  readonly #sql = memorySql();
  readonly #all: Float64Array;
  rows = 0;
  reads = 0;
  alarms = 0;
  asked = 0;
  kept = 0;
  silent = 0;
  #known: KeptNeighbourhood | undefined;
  #kept: KeptNeighbourhood | undefined;
  #alarmAt: number | undefined;
  #lastAt = 0;
  readonly #counted: Sql = {
    exec: (query, ...bindings) => {
      const answer = this.#sql.exec(query, ...bindings);
      if (/^\s*(INSERT|UPDATE|DELETE)/.test(query))
        this.rows += Number(this.#sql.exec("SELECT changes() AS n").toArray()[0].n);
      else this.reads += answer.toArray().length;
      return answer;
    },
  };
  store = new TrackerStore(this.#counted);

  /** @param all the geofences of everybody */
  constructor(all: Float64Array) {
    this.#all = all;
  }

  /** The hourly round, if the device is silent for long enough until then. */
  beSilentUntil(at: number): void {
    const asked = this.#lastAt + KEPT_DAYS * 24 * 3600_000;
    if (this.#lastAt === 0 || at < asked) return;
    this.silent++;
    this.store.forgetUpdates(asked);
  }

  /** As src/worker/objects/tracker/device-fences.ts. */
  #lookAround(point: Coordinate, from: Coordinate | undefined, at: number): void {
    const [epoch, need] = [Math.floor(at / CHANGED_MS), searchRadius(ACCURACY, DEFAULT_SETTINGS)];
    if (isEnough(this.#known, epoch, point, need)) return;
    this.asked++;
    if (this.#kept && covers(this.#kept, point, need)) {
      // The geofence that changed is elsewhere: the epoch is written with the state.
      this.#kept.epoch = epoch;
      this.#known = this.#kept;
      return;
    }
    this.#known = { ...neighbourhoodOf(this.#all, point), epoch };
    if (!isWorthKeeping(this.#kept, from, point, need, at)) return;
    this.#kept = { ...this.#known, keptAt: at };
    this.rows++;
    this.kept++;
  }

  /** Returns how many events it made. */
  send({ deviceId, fences }: MonthUser, at: number, location: MonthUser["updates"][number]["location"]): number {
    if (this.#alarmAt !== undefined && this.#alarmAt <= at) {
      this.alarms++;
      this.#alarmAt = undefined;
      this.store.noteArrived();
    }
    // An idle object is forgotten within minutes.
    if (at - this.#lastAt > 120_000) {
      this.store = new TrackerStore(this.#counted);
      this.#known = this.#kept;
    }
    this.#lastAt = at;
    const before = this.store.find(undefined);
    this.#lookAround(location, before?.location, at);
    const update = {
      deviceId,
      location,
      accuracy: ACCURACY,
      foreground: false,
      stopped: false,
      replayed: false,
      receivedAt: at,
    };
    const identity = before ?? { _id: deviceId.padStart(24, "0"), live: false };
    const surroundings = { fences };
    const outcome = applyUpdate(before, update, surroundings, DEFAULT_SETTINGS, identity);
    const applied = { before, update, surroundings, settings: DEFAULT_SETTINGS, outcome };
    const stored = before && this.store.isStored(before._id) ? before.updatedAt : undefined;
    this.store.save(outcome.state, outcome.events, outcome.trips, { applied, days: KEPT_DAYS });
    const isUrgent = this.store.hasUrgent();
    const alarmAt = at + (isUrgent ? ALARM_AFTER_MS : POSITION_ALARM_AFTER_MS);
    if (!isUrgent && isFoundBySilence(stored, at, KEPT_DAYS)) return outcome.events.length;
    if (this.#alarmAt === undefined || this.#alarmAt > alarmAt) {
      this.#alarmAt = alarmAt;
      // Setting an alarm is billed as a row, its ringing as a request (the platform's price page, note 3 on storage).
      this.rows++;
    }
    return outcome.events.length;
  }
}

/** CPU of a track with all that follows from it [ms], in the Worker as it runs here. */
async function cpuPerUpdate(): Promise<number> {
  const random = seededRandom(3);
  const [floor, platform] = [await startFloor(), await startPlatform({ unlimited: ["track"] })];
  try {
    const homes = Array.from({ length: 200 }, () => randomPoint(random));
    const headers = { Authorization: platform.keys.testPublishable };
    const make = (n: number) => {
      const at = destination(homes[n % homes.length], random() * 360, random() * 20);
      const body = { deviceId: `d${n % homes.length}`, ...at, accuracy: 5, foreground: true };
      return { method: "POST" as const, path: "/v1/track", headers, body };
    };
    const { work } = await measureBeside(
      { worker: floor, make },
      { worker: platform, make },
      { slices: 3, warmUp: 600 },
    );
    return work.cpu / 1000;
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
