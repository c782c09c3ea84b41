/** What the platform charges for a month on the paid plan, as its price pages said on 2026-11-22 [$]. */
export interface Price {
  /** What is counted, in `unit`. */
  unit: string;
  /** Of so many is the price. */
  per: number;
  dollars: number;
  /** Free each month. */
  included: number;
}

const MILLION = 1e6;

export const PRICES = {
  plan: { unit: "month", per: 1, dollars: 5, included: 0 },
  requests: { unit: "requests of the Worker", per: MILLION, dollars: 0.3, included: 10 * MILLION },
  cpu: { unit: "ms of CPU of the Worker and its objects", per: MILLION, dollars: 0.02, included: 30 * MILLION },
  objectRequests: { unit: "requests of Durable Objects, alarms too", per: MILLION, dollars: 0.15, included: MILLION },
  objectDuration: { unit: "GB s that Durable Objects are awake", per: MILLION, dollars: 12.5, included: 400_000 },
  objectRows: { unit: "rows written in Durable Objects", per: MILLION, dollars: 1, included: 50 * MILLION },
  objectStorage: { unit: "GB in Durable Objects", per: 1, dollars: 0.2, included: 5 },
  databaseRows: { unit: "rows written in D1", per: MILLION, dollars: 1, included: 50 * MILLION },
  databaseStorage: { unit: "GB in D1", per: 1, dollars: 0.75, included: 5 },
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
