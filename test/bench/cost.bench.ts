import type { UserWrite } from "../../src/db/writes.ts";
import { destination } from "../../src/geo/distance.ts";
import type { Sql } from "../../src/objects/fence-store.ts";
import { TrackerStore } from "../../src/objects/tracker-store.ts";
import { applyUpdate } from "../../src/tracking/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../src/tracking/types/settings.ts";
import type { Report } from "./bench.ts";
import { randomPoint } from "./fences.ts";
import { startD1, storeTracked } from "./local-d1.ts";
import { type MonthUser, monthOf } from "./month.ts";
import { billOf, PRICES, type Usage } from "./prices.ts";
import { seededRandom } from "./random.ts";
import { measureBeside } from "./slices.ts";
import { memorySql } from "./sqlite.ts";
import { startFloor, startPlatform } from "./worker.ts";

export const name = "cost";
export const summary =
  "What 100M tracks of 1M users cost in a month: rows, requests and CPU counted, times the price table.";

/** Users that are simulated, out of a million; every figure is multiplied. */
const USERS = Number(process.env.BENCH_USERS ?? 40);
const MILLION = 1_000_000;
const START = Date.UTC(2026, 10, 1);
const SCOPE = 2;

/** As in src/objects/device-tracker.ts. */
const [ALARM_MS, POSITION_ALARM_MS] = [10_000, 6 * 3600_000];
/**
 * Updates that share a batch of the database: the first, and those that come to one of four writers while it waits 150 ms,
 * at 39 updates a second.
 */
const JOINED = [2, 2, 3];
/** How long a tracker stays awake for an update [s]: until the database has it. And the memory that is billed [GB]. */
const [AWAKE_S, OBJECT_GB] = [0.3, 0.128];
const WRITERS = 4;
/** Isolates that count usage, each every two seconds: two rows. */
const ISOLATES = 10;
/** What a user takes on disk [GB]: its row with indexes, and its tracker. */
const [ROW_GB, TRACKER_GB] = [4e-6, 60e-6];

interface Counts {
  updates: number;
  events: number;
  databaseRows: number;
  trackerRows: number;
  alarms: number;
  stores: number;
}

/** The real step, the real tables of trackers and the real statements, over the updates of a month in their order. */
export async function run(report: Report): Promise<void> {
  const counts = await simulate();
  const cpuMs = await cpuPerUpdate();
  const times = (100 * MILLION) / counts.updates;
  const [month, updates] = [30 * 24 * 3600, 100 * MILLION];
  const usageRows = (month / 2) * 2 * ISOLATES;
  const usage: Usage = {
    plan: 1,
    requests: updates,
    cpu: updates * cpuMs,
    objectRequests: updates + (counts.stores + counts.alarms) * times,
    objectDuration: OBJECT_GB * (AWAKE_S * counts.stores * times + WRITERS * month),
    objectRows: (counts.trackerRows + counts.alarms) * times,
    objectStorage: MILLION * TRACKER_GB,
    databaseRows: counts.databaseRows * times + usageRows,
    databaseStorage: MILLION * ROW_GB,
  };
  const label = "per update";
  report({ case: label, metric: "D1 rows", value: usage.databaseRows / updates, unit: "", baseline: 1.2 });
  report({ case: label, metric: "tracker rows", value: counts.trackerRows / counts.updates, unit: "", baseline: 1 });
  report({ case: label, metric: "alarms", value: counts.alarms / counts.updates, unit: "" });
  report({ case: label, metric: "events", value: counts.events / counts.updates, unit: "" });
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
  const users = Array.from({ length: USERS }, (_, n) => monthOf(n, START, random));
  const trackers = new Map<MonthUser, Tracker>(users.map((user) => [user, new Tracker()]));
  const updates = users
    .flatMap((user) => user.updates.map((update) => ({ user, ...update })))
    .sort((a, b) => a.at - b.at);
  const { db, written, stop } = await startD1();
  const counts: Counts = { updates: 0, events: 0, databaseRows: 0, trackerRows: 0, alarms: 0, stores: 0 };
  try {
    for (let next = 0, batch = 0; next < updates.length; batch++) {
      const group = updates.slice(next, next + JOINED[batch % JOINED.length]);
      next += group.length;
      const due = group.flatMap(({ user, at, location }) => {
        const tracker = trackers.get(user) as Tracker;
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
      await storeTracked(db, ...write);
      counts.databaseRows += written();
      for (const { tracker, found } of due) tracker.store.confirm(found.confirm);
    }
  } finally {
    await stop();
  }
  for (const { rows, alarms } of trackers.values()) {
    counts.trackerRows += rows;
    counts.alarms += alarms;
  }
  return counts;
}

/** A tracker, which is woken for each update that comes minutes after the last, as the platform does. */
class Tracker {
  readonly #sql = memorySql();
  rows = 0;
  alarms = 0;
  #alarmAt: number | undefined;
  #lastAt = 0;
  readonly #counted: Sql = {
    exec: (query, ...bindings) => {
      const answer = this.#sql.exec(query, ...bindings);
      if (/^\s*(INSERT|UPDATE|DELETE)/.test(query))
        this.rows += Number(this.#sql.exec("SELECT changes() AS n").toArray()[0].n);
      return answer;
    },
  };
  store = new TrackerStore(this.#counted);

  /** Returns how many events it made. */
  send({ deviceId, fences }: MonthUser, at: number, location: MonthUser["updates"][number]["location"]): number {
    if (this.#alarmAt !== undefined && this.#alarmAt <= at) {
      this.alarms++;
      this.#alarmAt = undefined;
    }
    // An idle object is forgotten within minutes.
    if (at - this.#lastAt > 120_000) this.store = new TrackerStore(this.#counted);
    this.#lastAt = at;
    const before = this.store.find(undefined);
    const update = {
      deviceId,
      location,
      accuracy: 10,
      foreground: false,
      stopped: false,
      replayed: false,
      receivedAt: at,
    };
    const identity = before ?? { _id: deviceId.padStart(24, "0"), live: false };
    const surroundings = { fences };
    const outcome = applyUpdate(before, update, surroundings, DEFAULT_SETTINGS, identity);
    const applied = { before, update, surroundings, settings: DEFAULT_SETTINGS, outcome };
    this.store.save(outcome.state, outcome.events, outcome.trips, { applied, days: 7 });
    const alarmAt = at + (this.store.hasUrgent() ? ALARM_MS : POSITION_ALARM_MS);
    if (this.#alarmAt === undefined || this.#alarmAt > alarmAt) {
      this.#alarmAt = alarmAt;
      // Setting an alarm is billed as a row.
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
