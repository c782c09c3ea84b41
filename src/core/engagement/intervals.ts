/** Statistics of A/B tests. */

/** 97.5 % quantile of the normal distribution, for 95 % intervals. */
const Z = 1.959963984540054;

export interface Proportion {
  /** Users that converted. */
  hits: number;
  users: number;
}

export type Interval = readonly [low: number, high: number];

/**
 * The 95 % score interval of a proportion (Wilson: Probable inference, the law of succession, and statistical
 * inference, JASA 22, 1927). Unlike the usual one, it is correct for few users, and for none or all converted.
 */
export function wilsonInterval({ hits, users }: Proportion): Interval {
  if (users === 0) return [0, 1];
  const share = hits / users;
  const z2 = (Z * Z) / users;
  const center = (share + z2 / 2) / (1 + z2);
  const reach = (Z * Math.sqrt((share * (1 - share)) / users + z2 / (4 * users))) / (1 + z2);
  return [hits === 0 ? 0 : Math.max(0, center - reach), hits === users ? 1 : Math.min(1, center + reach)];
}

/**
 * The 95 % interval of the difference of two independent proportions, `one` minus `other`, from their score intervals
 * (Newcombe: Interval estimation for the difference between independent proportions, Statistics in Medicine 17, 1998,
 * method 10). If it does not contain 0, the difference is significant.
 */
export function differenceInterval(one: Proportion, other: Proportion): Interval {
  if (one.users === 0 || other.users === 0) return [-1, 1];
  const [p1, p2] = [one.hits / one.users, other.hits / other.users];
  const [[low1, high1], [low2, high2]] = [wilsonInterval(one), wilsonInterval(other)];
  return [p1 - p2 - Math.hypot(p1 - low1, high2 - p2), p1 - p2 + Math.hypot(high1 - p1, p2 - low2)];
}
