import { COMPUTING, LIMITED_ENDPOINTS, periodOf } from "../limits/table.ts";
import { CALL_CLASSES, type CallUsage, classOf } from "./call-classes.ts";
import { billOf, type PRICES, type Usage } from "./prices.ts";

/** Calls of a month, and what is stored. */
export interface Mix {
  /** Calls of the month by endpoint, with the names of `GET /v1/stats`. */
  calls: Readonly<Record<string, number>>;
  /** Users that are stored, and trackers. */
  users: number;
  /** Events of the month; they stay in R2. */
  events: number;
  /** Geodata in R2 [GB]. */
  geodataGB: number;
  /** Share of requests whose log line is kept: `head_sampling_rate` of wrangler.toml. */
  logShare: number;
  /** CPU of one call [ms], where yours differs from the table: other cities, other geofences. */
  cpu: Readonly<Record<string, number>>;
}

const HOUR_S = 3600;
const MONTH_S = 30 * 24 * HOUR_S;
/**
 * What runs without any call: the list of live builds that each isolate reads (10 s), the counters of usage (25 s), the hourly and minutely
 * scheduled runs, the two objects that never sleep.
 */
const ISOLATES = 10;
const [LIVE_LIST_S, USAGE_S, CRON_CPU_MS, OBJECT_GB] = [10, 25, 20, 0.128];
/** What a user takes on disk [GB]: its row with indexes, and its tracker; an event as Parquet. */
const [ROW_GB, TRACKER_GB, EVENT_GB] = [4e-6, 60e-6, 1e-7];
const HEADROOM_GB = 0.1;
/** An object stays in memory for ten seconds after a call [s]. */
const AWAKE_S = 10;

export const EMPTY_MIX: Mix = { calls: {}, users: 0, events: 0, geodataGB: 5, logShare: 0.2, cpu: {} };

/** What the platform counts of a month with this mix. */
export function usageOf({ calls, users, events, geodataGB, logShare, cpu }: Mix): Usage {
  const requests = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const usage: Usage = {
    plan: 1,
    requests,
    cpu: (MONTH_S / 60) * CRON_CPU_MS,
    logs: requests * logShare,
    objectRequests: MONTH_S / 60,
    // With few calls, they sleep between them.
    objectDuration: 2 * OBJECT_GB * Math.min(MONTH_S, requests * AWAKE_S),
    objectReads: 0,
    objectRows: 0,
    objectStorage: users * TRACKER_GB,
    databaseReads: (MONTH_S / 60) * 5,
    databaseRows: Math.min(requests, (MONTH_S / USAGE_S) * ISOLATES),
    databaseStorage: users * ROW_GB + HEADROOM_GB,
    bucketReads: Math.min(requests, (MONTH_S / LIVE_LIST_S) * ISOLATES),
    bucketWrites: (MONTH_S / HOUR_S) * 10,
    bucketStorage: geodataGB + events * EVENT_GB,
  };
  for (const [endpoint, count] of Object.entries(calls)) {
    const per: CallUsage = CALL_CLASSES[classOf(endpoint)];
    for (const [item, value] of Object.entries({ ...per, cpu: cpu[endpoint] ?? per.cpu }))
      usage[item as keyof Usage] += value * count;
  }
  return usage;
}

interface MonthlyCost {
  usage: Usage;
  /** [$] */
  total: number;
  items: Record<keyof typeof PRICES, number>;
}

export function costOf(mix: Mix): MonthlyCost {
  const usage = usageOf(mix);
  return { usage, ...billOf(usage) };
}

/** Endpoints that a mix may name. */
export const MIX_ENDPOINTS: readonly string[] = [
  ...new Set([...LIMITED_ENDPOINTS, "replayTrack", "ingestOverland", "ingestOwnTracks", "ingestTraccar", "ping"]),
]
  .filter((name) => name !== COMPUTING && periodOf(name) === "second")
  .sort();

/** Reads the file of `npm run cost -- --mix`. @throws Error with the field and its rule */
export function readMix(text: string): Mix {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON.");
  }
  if (!isRecord(value)) throw new Error('The file must be an object such as {"calls": {"track": 1000000}}.');
  const unknown = Object.keys(value).find((key) => !(key in EMPTY_MIX));
  if (unknown !== undefined)
    throw new Error(`${unknown}: Unknown field. Fields: ${Object.keys(EMPTY_MIX).join(", ")}.`);
  const number = (key: "users" | "events" | "geodataGB" | "logShare", max = Number.MAX_SAFE_INTEGER) => {
    const given = value[key] ?? EMPTY_MIX[key];
    if (!isCount(given) || given > max) throw new Error(`${key}: Must be a number from 0 to ${max}.`);
    return given;
  };
  return {
    calls: countsOf(value.calls ?? {}, "calls"),
    users: number("users"),
    events: number("events"),
    geodataGB: number("geodataGB"),
    logShare: number("logShare", 1),
    cpu: countsOf(value.cpu ?? {}, "cpu"),
  };
}

function countsOf(value: unknown, field: string): Record<string, number> {
  if (!isRecord(value)) throw new Error(`${field}: Must be an object of endpoints and numbers.`);
  for (const [endpoint, count] of Object.entries(value)) {
    if (!MIX_ENDPOINTS.includes(endpoint))
      throw new Error(`${field}.${endpoint}: Unknown endpoint. npm run cost -- --endpoints lists them.`);
    if (!isCount(count)) throw new Error(`${field}.${endpoint}: Must be a number of 0 or more.`);
  }
  return value as Record<string, number>;
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
