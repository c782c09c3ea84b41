/** What Cloudflare's documentation bounds on the paid plan, as its pages said when they were read. */
export interface PlatformLimit {
  /** What is bounded, with its unit. */
  what: string;
  value: number;
  /** Below https://developers.cloudflare.com/. */
  page: string;
  /** Date [ISO 8601]. */
  read: string;
}

const read = "2026-11-30";
const GB = 1e9;
const OBJECTS = { page: "durable-objects/platform/limits/", read };
const D1 = { page: "d1/platform/limits/", read };

export const PLATFORM_LIMITS = {
  objectCalls: { what: "calls per second of one object (soft)", value: 1_000, ...OBJECTS },
  objectBytes: { what: "bytes in one object", value: 10 * GB, ...OBJECTS },
  memory: { what: "bytes of memory of one object", value: 128e6, page: "workers/platform/limits/", read },
  databaseBytes: { what: "bytes in one D1 database", value: 10 * GB, ...D1 },
  /** "Inherently single-threaded": queries of 1 ms are 1,000 a second. */
  databaseTime: { what: "milliseconds per second of one D1 database", value: 1_000, ...D1 },
  accountBytes: { what: "bytes in all D1 databases (can be raised)", value: 1_000 * GB, ...D1 },
  keyWrites: { what: "writes per second of one R2 key", value: 1, page: "r2/platform/limits/", read },
  /** The stored copy of the page was of the beta; beyond it, one line in a hundred is kept. */
  logs: {
    what: "lines of Workers Logs a day",
    value: 5e9,
    page: "workers/observability/logs/workers-logs/#limits",
    read,
  },
} as const satisfies Record<string, PlatformLimit>;

/** An object without a timer or a call is removed from memory after so long [s]: durable-objects/concepts/durable-object-lifecycle/. */
export const HIBERNATES_S = 10;
