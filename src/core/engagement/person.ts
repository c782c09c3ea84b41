import { HOLDOUT } from "./assign-variant.ts";
import type { Campaign } from "./campaign.ts";
import { type Entry, type Ledger, limitProblem, withMessage } from "./ledger.ts";

/**
 * A person is a userId, on any number of devices. What it has got of each campaign is counted once for all of them by the index of
 * the scope's campaigns, which grants messages; the ledger of a device has a copy as of its last grant. Users without a userId are
 * one device each: their ledger is exact.
 */

/** A device asks to count one more message. */
export interface Ask {
  campaign: Pick<Campaign, "_id" | "limits" | "goal">;
  /** Absent: only the total is asked for. */
  userId?: string | undefined;
  variant: number;
  /** What the device's ledger has. */
  known?: Entry | undefined;
  /** Server time [ms]. */
  now: number;
  /** The phone has shown it already: it is counted, whatever the limits. */
  isShown?: boolean;
}

/** `entry`: what the person has got now, with this message if it is granted; absent for users without a userId. */
export type Grant =
  | { refused: string; entry?: Entry | undefined }
  | { entry?: Entry; isFirst?: boolean; isOfTotal?: boolean };

/** Grants by campaign, in the order of their use. */
export type Grants = Map<string, Grant[]>;

/** Must a message be granted before a device sends it? `entry`: what the device's ledger has. */
export function needsGrant(
  { limits, goal }: Ask["campaign"],
  userId: string | undefined,
  entry: Entry | undefined,
  variant: number,
): boolean {
  if (limits?.total !== undefined && variant !== HOLDOUT) return true;
  if (userId === undefined) return false;
  const isLimited = limits?.perUser !== undefined || limits?.cooldownMinutes !== undefined;
  return isLimited || goal !== undefined || !entry || entry.n === 0;
}

/** Grants one more message to a person, or not. `counted`: what it has got on all devices. */
export function grantOne({ campaign, variant, known, now, isShown }: Ask, counted: Entry | undefined): Grant {
  const { limits } = campaign;
  // A device may have messages of releases that counted each device by itself.
  const before = latest(counted, known);
  const problem = isShown || !limits ? undefined : limitProblem(limits, before, now);
  if (problem) return { refused: `limits.${problem}`, entry: before };
  return { entry: withMessage(campaign, before, variant, now), isFirst: !before || before.n === 0 };
}

/** Without a message that was granted and then not sent; undefined: there was no other. */
export function withoutMessage(entry: Entry): Entry | undefined {
  return entry.n > 1 ? { ...entry, n: entry.n - 1, at: entry.at.slice(0, -1) } : undefined;
}

/** A device's ledger with what its user has got on all devices; refusals stay with the device. */
export function joinedLedger(ledger: Ledger, counted: Ledger["by"]): Ledger {
  const ids = Object.keys(counted);
  if (ids.length === 0) return ledger;
  const joined = ids.map((id) => {
    const known = ledger.by[id];
    return [id, { ...latest(counted[id], known), ...(known?.refused && { refused: known.refused }) }];
  });
  return { ...ledger, by: { ...ledger.by, ...Object.fromEntries(joined) } };
}

/** The one with more messages. */
function latest(one: Entry | undefined, other: Entry | undefined): Entry | undefined {
  if (!one || !other) return one ?? other;
  return other.n > one.n ? other : one;
}
