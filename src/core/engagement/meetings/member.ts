import { distance } from "../../geo/distance.ts";
import type { MeetingLabel } from "../../tracking/types/meeting.ts";
import type { SidedRule } from "../meeting.ts";
import type { Fix, Together } from "./judge-pair.ts";
import { SAFE_METRES } from "./messages.ts";

/** A device in a cell, as it is stored. */
export interface StoredMember extends Fix {
  _id: string;
  deviceId: string;
  userId?: string;
  sides: Readonly<Record<string, number>>;
  /** It may be as far from the position: its tracker reports no update within this distance [m]. */
  safe: number;
  /** When its tracker was last heard [ms]. */
  heardAt: number;
}

/** A device in a cell, with what is stored of it: small integers, as a cell has 150,000. */
export interface Member extends StoredMember {
  /** [1e-5 degrees] */
  north: number;
  east: number;
  /** Since 1970; 0: not stored yet. */
  hour: number;
  groups: StoredMember["sides"] | undefined;
}

/** Two persons that are near each other, by one rule. */
export interface Pair extends Together {
  rule: MeetingLabel;
  persons: readonly [string, string];
  /** The records that have the events. */
  speakers?: readonly [string, string];
}

/** A pair by its key, as another cell takes it. */
export type HandedPair = [key: string, pair: Pair];

/** A user with several devices is one person; it never meets itself. */
export const personOf = ({ userId, _id }: Pick<StoredMember, "userId" | "_id">) =>
  userId === undefined ? `_${_id}` : `u${userId}`;
export const sidesOf = (rules: readonly SidedRule[]) => Object.fromEntries(rules.map(({ _id, sides }) => [_id, sides]));
export const pairKey = (rule: string, a: string, b: string) => JSON.stringify([rule, ...(a < b ? [a, b] : [b, a])]);

/**
 * What is stored of a member: it is somewhere in the widest circle around a position. A cell that restarts asks for the positions that it
 * needs, so not each move is stored.
 */
export function stored({ north: _, east: __, hour: ___, groups: ____, ...member }: Member): StoredMember {
  return { ...member, safe: SAFE_METRES };
}

const HOUR_MS = 3600_000;
const PER_DEGREE = 1e5;
/** Greatest error of the integers, in both directions [m]. */
const ROUNDED_METRES = 1;

/** Whether the member must be stored: what is stored does not hold any more, or is of an earlier hour. Then that is noted. */
export function write(member: Member): boolean {
  const hour = Math.floor(member.heardAt / HOUR_MS);
  const at = { latitude: member.north / PER_DEGREE, longitude: member.east / PER_DEGREE };
  const holds = member.hour === hour && member.groups === member.sides;
  if (holds && distance(at, member) + ROUNDED_METRES + member.safe <= SAFE_METRES) return false;
  member.north = Math.round(member.latitude * PER_DEGREE);
  member.east = Math.round(member.longitude * PER_DEGREE);
  member.hour = hour;
  member.groups = member.sides;
  return true;
}
