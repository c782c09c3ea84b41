import type { Campaign, Limits } from "./campaign.ts";

/** What a user has got of each campaign. It belongs to the tracker of the user's device. */
export interface Ledger {
  /** Number of campaign events generated so far. */
  seq: number;
  by: Readonly<Record<string, Entry>>;
  /** The messages of the last update that triggered any: it gets them again if it is sent again. */
  last: readonly Sent[];
  /** Keys of the latest notifications that the phone reported as shown. */
  reported?: readonly string[];
}

/** A message for an event. */
export interface Sent {
  campaign: string;
  variant: number;
  /** _id of the event. */
  event: string;
}

export interface Entry {
  /** Messages so far. */
  n: number;
  /** Times of the latest ones [ms], the newest last. */
  at: readonly number[];
  variant: number;
  /** Conversions with the campaign's goal count until then [ms]. */
  goalUntil?: number;
  converted?: boolean;
  /** The last time an event matched without a message: why. */
  refused?: Refusal;
}

export interface Refusal {
  at: number;
  event: string;
  reason: string;
}

export const EMPTY_LEDGER: Ledger = { seq: 0, by: {}, last: [] };

/** Maximum of `perUser`: so many times are stored. */
export const MAX_PER_USER = 100;
const DAY_MS = 24 * 3600_000;

export type LimitProblem = "perUser" | "cooldown";

/** The limit of a campaign that a user has reached; undefined: none. */
export function limitProblem(limits: Limits, entry: Entry | undefined, now: number): LimitProblem | undefined {
  if (!entry || entry.n === 0) return undefined;
  const { perUser, days, cooldownMinutes } = limits;
  if (perUser !== undefined) {
    const counted = days === undefined ? entry.n : entry.at.filter((at) => at > now - days * DAY_MS).length;
    if (counted >= perUser) return "perUser";
  }
  const last = entry.at[entry.at.length - 1];
  if (cooldownMinutes !== undefined && last !== undefined && now - last < cooldownMinutes * 60_000) return "cooldown";
  return undefined;
}

/** The entry after one more message. */
export function withMessage(
  { limits, goal }: Pick<Campaign, "limits" | "goal">,
  entry: Entry | undefined,
  variant: number,
  now: number,
): Entry {
  const most = limits?.days === undefined ? 1 : Math.min(limits.perUser ?? 1, MAX_PER_USER);
  const { refused: _, ...before } = entry ?? { n: 0, at: [] };
  return {
    ...before,
    n: before.n + 1,
    at: [...before.at, now].slice(-most),
    variant,
    ...(goal && { goalUntil: now + goal.days * DAY_MS }),
  };
}

/** Without the entries of deleted campaigns. */
export function pruned(by: Ledger["by"], known: ReadonlyMap<string, Campaign>): Ledger["by"] {
  const ids = Object.keys(by);
  if (ids.every((id) => known.has(id))) return by;
  return Object.fromEntries(ids.filter((id) => known.has(id)).map((id) => [id, by[id]]));
}
