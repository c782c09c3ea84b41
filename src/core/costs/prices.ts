/** What the platform charges for a month on the paid plan, as `page` said on `read` [$]. */
export interface Price {
  /** What is counted, in `unit`. */
  unit: string;
  /** Of so many is the price. */
  per: number;
  dollars: number;
  /** Free each month. */
  included: number;
  /** Below https://developers.cloudflare.com/. */
  page: string;
  /** Date [ISO 8601]. */
  read: string;
}

const MILLION = 1e6;
const BILLION = 1e9;

const WORKERS = { page: "workers/platform/pricing/", read: "2026-11-26" };
const OBJECTS = { page: "durable-objects/platform/pricing/", read: "2026-11-26" };
const D1 = { page: "d1/platform/pricing/", read: "2026-11-26" };
const R2 = { page: "r2/pricing/", read: "2026-11-26" };
const LOGS = { page: "workers/observability/logs/workers-logs/#pricing", read: "2026-11-26" };

export const PRICES = {
  plan: { unit: "month", per: 1, dollars: 5, included: 0, ...WORKERS },
  requests: { unit: "requests of the Worker", per: MILLION, dollars: 0.3, included: 10 * MILLION, ...WORKERS },
  cpu: {
    ...{ unit: "ms of CPU of the Worker and its objects", per: MILLION, dollars: 0.02, included: 30 * MILLION },
    ...WORKERS,
  },
  logs: { unit: "lines in Workers Logs", per: MILLION, dollars: 0.6, included: 20 * MILLION, ...LOGS },
  objectRequests: {
    ...{ unit: "requests of Durable Objects, alarms too", per: MILLION, dollars: 0.15, included: MILLION },
    ...OBJECTS,
  },
  objectDuration: {
    ...{ unit: "GB-seconds of awake Durable Objects", per: MILLION, dollars: 12.5, included: 400_000 },
    ...OBJECTS,
  },
  objectReads: {
    ...{ unit: "rows read in Durable Objects", per: MILLION, dollars: 0.001, included: 25 * BILLION },
    ...OBJECTS,
  },
  objectRows: { unit: "rows written in Durable Objects", per: MILLION, dollars: 1, included: 50 * MILLION, ...OBJECTS },
  objectStorage: { unit: "GB in Durable Objects", per: 1, dollars: 0.2, included: 5, ...OBJECTS },
  databaseReads: { unit: "rows read in D1", per: MILLION, dollars: 0.001, included: 25 * BILLION, ...D1 },
  databaseRows: { unit: "rows written in D1", per: MILLION, dollars: 1, included: 50 * MILLION, ...D1 },
  databaseStorage: { unit: "GB in D1", per: 1, dollars: 0.75, included: 5, ...D1 },
  bucketReads: { unit: "class B operations of R2", per: MILLION, dollars: 0.36, included: 10 * MILLION, ...R2 },
  bucketWrites: { unit: "class A operations of R2", per: MILLION, dollars: 4.5, included: MILLION, ...R2 },
  bucketStorage: { unit: "GB in R2", per: 1, dollars: 0.015, included: 10, ...R2 },
} satisfies Record<string, Price>;

export type Usage = Record<keyof typeof PRICES, number>;

/** What some usage costs in a month [$], in all and item by item. */
export function billOf(usage: Usage): { total: number; items: Record<keyof typeof PRICES, number> } {
  const items = {} as Record<keyof typeof PRICES, number>;
  let total = 0;
  for (const [name, { per, dollars, included }] of Object.entries(PRICES)) {
    const item = name as keyof typeof PRICES;
    items[item] = (Math.max(0, usage[item] - included) / per) * dollars;
    total += items[item];
  }
  return { total, items };
}
