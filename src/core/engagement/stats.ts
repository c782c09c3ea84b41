import { HOLDOUT } from "./assign-variant.ts";
import { differenceInterval, type Interval, type Proportion, wilsonInterval } from "./intervals.ts";
import { COUNTED, type Counted } from "./send.ts";

/** A count of a campaign on one day (days since 1970, UTC), by the name of `countName`. */
export interface DayCount {
  day: number;
  name: string;
  count: number;
}

const SHOWN = ["sent", "displayed", "clicked", "dismissed", "opened", "conversions", "users"] as const;
export type Counts = Record<(typeof SHOWN)[number], number>;

export interface VariantStats extends Counts {
  variant: number;
  converted: number;
  rate: number;
  interval: Interval;
  difference?: number;
  differenceInterval?: Interval;
}

const noCounts = () => Object.fromEntries(COUNTED.map((what) => [what, 0])) as Record<Counted, number>;
const shown = (counts: Record<Counted, number>) =>
  Object.fromEntries(SHOWN.map((what) => [what, counts[what]])) as Counts;

function read(name: string): { campaign: string; variant: number; what: Counted } {
  const [campaign, variant, what] = name.split(" ");
  return { campaign, variant: Number(variant), what: what as Counted };
}

/** The totals of each campaign. */
export function totals(counts: readonly DayCount[]): Map<string, Counts> {
  const all = new Map<string, Record<Counted, number>>();
  for (const { name, count } of counts) {
    const { campaign, what } = read(name);
    const own = all.get(campaign) ?? noCounts();
    own[what] += count;
    all.set(campaign, own);
  }
  return new Map([...all].map(([campaign, own]) => [campaign, shown(own)]));
}

export const NO_COUNTS: Counts = shown(noCounts());

/** One campaign's counts by day, from a day on. */
export function byDay(counts: readonly DayCount[], from: number): { day: number; counts: Counts }[] {
  const days = new Map<number, Record<Counted, number>>();
  for (const { day, name, count } of counts) {
    if (day < from) continue;
    const own = days.get(day) ?? noCounts();
    own[read(name).what] += count;
    days.set(day, own);
  }
  return [...days].sort(([a], [b]) => a - b).map(([day, own]) => ({ day, counts: shown(own) }));
}

/** One campaign's counts by variant, with conversion rates, compared with the holdout, or else with the first variant. */
export function byVariant(counts: readonly DayCount[], variants: number, hasHoldout: boolean): VariantStats[] {
  const numbers = [...Array(Math.max(1, variants)).keys(), ...(hasHoldout ? [HOLDOUT] : [])];
  const all = new Map(numbers.map((variant) => [variant, noCounts()]));
  for (const { name, count } of counts) {
    const { variant, what } = read(name);
    const own = all.get(variant);
    if (own) own[what] += count;
  }
  const proportionOf = (variant: number): Proportion => {
    const own = all.get(variant) ?? noCounts();
    return { hits: own.converted, users: variant === HOLDOUT ? own.heldUsers : own.users };
  };
  const base = hasHoldout ? HOLDOUT : 0;
  return numbers.map((variant) => {
    const own = all.get(variant) as Record<Counted, number>;
    const proportion = proportionOf(variant);
    const rateOf = ({ hits, users }: Proportion) => (users === 0 ? 0 : hits / users);
    const stats = {
      ...shown(own),
      users: proportion.users,
      variant,
      converted: own.converted,
      rate: rateOf(proportion),
      interval: wilsonInterval(proportion),
    };
    if (variant === base) return stats;
    const other = proportionOf(base);
    return {
      ...stats,
      difference: stats.rate - rateOf(other),
      differenceInterval: differenceInterval(proportion, other),
    };
  });
}
