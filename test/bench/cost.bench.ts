import { billOf, PRICES, type Usage } from "../../src/core/costs/prices.ts";
import { destination } from "../../src/core/geo/distance.ts";
import type { Report } from "./bench.ts";
import { type Simulated, simulate } from "./scale/simulated-trackers.ts";
import { randomPoint } from "./support/fences.ts";
import { monthOf } from "./support/month.ts";
import { fencesOfAll } from "./support/neighbourhoods.ts";
import { seededRandom } from "./support/random.ts";
import { measureBeside } from "./support/slices.ts";
import { startFloor, startPlatform } from "./worker.ts";

export const name = "cost";
export const summary =
  "What 100M tracks of 1M users cost in a month: rows, requests and CPU counted, times the price table.";

/** Users that are simulated, out of a million; every figure is multiplied. */
const USERS = Number(process.env.BENCH_USERS ?? 40);
const MILLION = 1_000_000;
const START = Date.UTC(2026, 10, 1);

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

/** The real step, the real tables of trackers and the real statements, over the updates of a month in their order. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const counts = await simulate(usersOfMonth());
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

/** Users of a month, who are known already: at home and at work on the day before. */
function usersOfMonth(): Simulated {
  const random = seededRandom(21);
  const all = fencesOfAll(random);
  return {
    all,
    users: Array.from({ length: USERS }, (_, n) => monthOf(n, START, random)),
    joined: JOINED,
    before: ({ updates }, n) =>
      n % NEW === NEW - 1
        ? []
        : [updates[4], updates[0]].map(({ location }, i) => ({ at: START - (12 - i * 6) * 3600_000, location })),
    end: START + 30 * 24 * 3600_000,
  };
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
