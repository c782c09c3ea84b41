import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { searchRadius } from "../../../src/core/tracking/match-fences.ts";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import type { UserWrite } from "../../../src/worker/db/customers/writes.ts";
import type { Sql } from "../../../src/worker/objects/fences/fence-store.ts";
import {
  covers,
  isEnough,
  isWorthKeeping,
  type KeptNeighbourhood,
} from "../../../src/worker/objects/fences/neighbourhood.ts";
import {
  ALARM_AFTER_MS,
  isFoundBySilence,
  POSITION_ALARM_AFTER_MS,
} from "../../../src/worker/objects/tracker/safety-net.ts";
import { isOnlyWhereabouts, TrackerStore, type Unstored } from "../../../src/worker/objects/tracker/tracker-store.ts";
import { type Database, startD1, storeTracked } from "../support/local-d1.ts";
import type { MonthUser } from "../support/month.ts";
import { neighbourhoodOf } from "../support/neighbourhoods.ts";
import { memorySql } from "../support/sqlite.ts";

const SCOPE = 2;
/** How long a device is silent until the hourly round asks it, and is kept what it sent [days]. */
const KEPT_DAYS = 7;
/** How often some geofence of the project changes, so that trackers ask for those around them again [ms]. */
const CHANGED_MS = 24 * 3600_000;
const ACCURACY = 10;
/** An idle object without timers is removed from memory after so long (durable-objects/concepts/durable-object-lifecycle/) [ms]. */
const HIBERNATES_MS = 10_000;

export interface Counts {
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

/** Users of a project over some time. */
export interface Simulated {
  users: readonly MonthUser[];
  /** Where all geofences are that trackers ask for. */
  all: Float64Array;
  /** Updates that share a batch of the database. */
  joined: number;
  /** What users have sent before: not counted. */
  before(user: MonthUser, n: number): readonly { at: number; location: Coordinate }[];
  /** Until when the hourly round asks silent devices [ms]. */
  end: number;
}

/** The real step, the real tables of trackers and the real statements, over the updates in their order. */
export async function simulate({ users, all, joined, before, end }: Simulated): Promise<Counts> {
  const trackers = new Map<MonthUser, Tracker>(users.map((user) => [user, new Tracker(all)]));
  const updates = users
    .flatMap((user) => user.updates.map((update) => ({ user, ...update })))
    .sort((a, b) => a.at - b.at);
  const { db, written, read, statements, stop } = await startD1();
  const counts: Counts = { ...NOTHING, figures: new Set(), statements };
  try {
    for (const [n, user] of users.entries()) await sendBefore(db, user, trackers.get(user) as Tracker, before(user, n));
    for (const tracker of trackers.values())
      tracker.rows = tracker.reads = tracker.kept = tracker.alarms = tracker.asked = tracker.silent = 0;
    written();
    read();
    statements.clear();
    for (let next = 0; next < updates.length; ) {
      const group = differentUsers(updates.slice(next, next + joined));
      next += group.length;
      const due = group.flatMap(({ user, at, location }) => {
        const tracker = trackers.get(user) as Tracker;
        tracker.beSilentUntil(at);
        counts.updates++;
        counts.events += tracker.send(user, at, location);
        const found = tracker.store.unstored(SCOPE, 200);
        return found ? [{ tracker, found }] : [];
      });
      await storeAll(db, due, counts);
      counts.databaseRows += written();
      counts.databaseReads += read();
      for (const { tracker, found } of due) tracker.store.confirm(found.confirm);
    }
  } finally {
    await stop();
  }
  for (const tracker of trackers.values()) {
    tracker.beSilentUntil(end);
    addTracker(counts, tracker);
  }
  return counts;
}

const NOTHING = {
  ...{ updates: 0, events: 0, databaseRows: 0, databaseReads: 0, trackerReads: 0, trackerRows: 0, kept: 0, alarms: 0 },
  ...{ stores: 0, taken: 0, asked: 0, silent: 0 },
};

async function storeAll(db: Database, due: readonly { found: Unstored }[], counts: Counts): Promise<void> {
  counts.stores += due.length;
  const write: [UserWrite[], { scope: number; doc: string }[]] = [
    due.flatMap(({ found }) => found.users),
    due.flatMap(({ found }) => found.events),
  ];
  counts.taken += due.filter(({ found }) => isOnlyWhereabouts(found)).length;
  for (const { kind, name } of await storeTracked(db, ...write)) counts.figures.add(`${kind} ${name}`);
}

function addTracker(counts: Counts, tracker: Tracker): void {
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

async function sendBefore(db: Database, user: MonthUser, tracker: Tracker, sent: ReturnType<Simulated["before"]>) {
  for (const { at, location } of sent) {
    tracker.send(user, at, location);
    const found = tracker.store.unstored(SCOPE, 200);
    if (!found) continue;
    await storeTracked(db, found.users, found.events);
    tracker.store.confirm(found.confirm);
  }
}

/** The first updates of a list up to the second one of the same user: of a million users, none is twice in a batch. */
function differentUsers<T extends { user: MonthUser }>(updates: readonly T[]): T[] {
  const again = updates.findIndex(({ user }, i) => updates.findIndex((one) => one.user === user) < i);
  return updates.slice(0, again < 0 ? updates.length : again);
}

/** A tracker, which is woken for each update that comes later than the platform keeps it in memory. */
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
    if (at - this.#lastAt > HIBERNATES_MS) {
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
