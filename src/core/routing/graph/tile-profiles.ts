import { BoundedMap } from "../../geo/bounded-map.ts";
import type { ColumnReader, ColumnWriter } from "./columns.ts";
import { AVOID_BITS, type EdgeProfile, type Limited, type Passage, type Travel } from "./modes.ts";
import { TRAFFIC_MODES } from "./traffic.ts";

/**
 * The profiles of a tile, each of four passages (car, truck, foot, bike):
 *
 *     speed       u16 × 4   [0.1 km/h]
 *     hand        u8        1 = traffic on the left, + 2 × time to board a ferry [min]
 *     preference  u8 × 4    [%]
 *     kind        u8 × 4    travel + 4 restricted + 8 × avoid bits + 128 private
 *
 * Column by column: the speeds of all profiles, then all hands …
 */
export function readProfiles(columns: ColumnReader, count: number, hasLimits: boolean): EdgeProfile[] {
  const speed = columns.u16(count * 4);
  const hand = columns.u8(count);
  const preference = columns.u8(count * 4);
  const kind = columns.u8(count * 4);
  const limited = hasLimits ? readLimited(columns, count) : [];
  return Array.from({ length: count }, (_, i) => {
    const numbers: number[] = [hand[i]];
    for (let at = i * 4; at < i * 4 + 4; at++) numbers.push(speed[at], preference[at], kind[at]);
    return shared(numbers, limited[i]);
  });
}

/**
 * Where vehicles differ, by profile:
 *
 *     counts      u16 × 2   passages, limits
 *     passage     u16       profiles, for each of TRAFFIC_MODES: its number + 1, 0 = no limits; one column each
 *     speed       u16       passages: for a vehicle that exceeds no limit; then first limit, passages + 1
 *     value       u16       limits; then speed
 *     preference  u8        passages; then kind, as above
 *     kind        u8        limits
 */
function readLimited(columns: ColumnReader, count: number): EdgeProfile["limited"][] {
  const [passages, limits] = columns.u16(2);
  const numbers = TRAFFIC_MODES.map(() => columns.u16(count));
  const speed = columns.u16(passages);
  const first = columns.u16(passages + 1);
  const value = columns.u16(limits);
  const slow = columns.u16(limits);
  const preference = columns.u8(passages);
  const passageKind = columns.u8(passages);
  const kind = columns.u8(limits);
  const all = Array.from(
    speed,
    (own, i): Limited => ({
      open: passageOf(own, preference[i], passageKind[i]),
      limits: Array.from({ length: first[i + 1] - first[i] }, (_, k) => {
        const at = first[i] + k;
        return { kind: kind[at], value: value[at], speed: slow[at] };
      }),
    }),
  );
  return Array.from({ length: count }, (_, i) =>
    numbers.some((column) => column[i] > 0)
      ? numbers.map((column) => (column[i] > 0 ? all[column[i] - 1] : undefined))
      : undefined,
  );
}

/** Returns whether there is anything to write for `readLimited`. */
export const hasLimits = (profiles: readonly EdgeProfile[]): boolean =>
  profiles.some(({ limited }) => limited !== undefined);

function writeLimited(columns: ColumnWriter, profiles: readonly EdgeProfile[]): void {
  const all: Limited[] = [];
  const numbers = TRAFFIC_MODES.map((mode) =>
    profiles.map(({ limited }) => {
      const one = limited?.[mode];
      return one ? all.push(one) : 0;
    }),
  );
  // Those of some hours are written with the hours (`writeHours`).
  const own = all.map((one) => one.limits.filter(({ hours }) => !hours));
  const limits = own.flat();
  const first = [0];
  for (const some of own) first.push(first[first.length - 1] + some.length);
  columns.u16([all.length, limits.length]);
  for (const column of numbers) columns.u16(column);
  columns.u16(all.map(({ open }) => open.speed));
  columns.u16(first);
  columns.u16(limits.map(({ value }) => value));
  columns.u16(limits.map(({ speed }) => speed));
  columns.u8(all.map(({ open }) => open.preference));
  columns.u8(all.map(({ open }) => kindOf(open)));
  columns.u8(limits.map(({ kind }) => kind));
}

export function writeProfiles(columns: ColumnWriter, profiles: readonly EdgeProfile[]): void {
  const passages = profiles.flatMap((profile) => profile.passages);
  columns.u16(passages.map(({ speed }) => speed));
  columns.u8(profiles.map(({ leftHand, boarding = 0 }) => (leftHand ? 1 : 0) + 2 * boarding));
  columns.u8(passages.map(({ preference }) => preference));
  columns.u8(passages.map(kindOf));
  if (hasLimits(profiles)) writeLimited(columns, profiles);
}

const kindOf = ({ travel, restricted, avoid, private: drive }: Passage): number =>
  travel | (restricted ? 4 : 0) | (avoid << 3) | (drive ? 128 : 0);

const MAX_PROFILES = 10_000;
/** Profiles of all tiles, each once: there are some hundred kinds of roads. */
const profilesByKey = new BoundedMap<string, EdgeProfile>(MAX_PROFILES);

function shared(numbers: readonly number[], limited: EdgeProfile["limited"]): EdgeProfile {
  const key = limited ? numbers.join() + JSON.stringify(limited) : numbers.join();
  let profile = profilesByKey.get(key);
  if (!profile) {
    const passages = [1, 4, 7, 10].map((at) => passageOf(numbers[at], numbers[at + 1], numbers[at + 2]));
    profile = { passages, leftHand: (numbers[0] & 1) === 1, boarding: numbers[0] >> 1 || undefined, limited };
    profilesByKey.set(key, profile);
  }
  return profile;
}

/** Passages of all profiles, each once: profiles of hills differ only in those of walkers and bikes. */
const passages = new BoundedMap<number, Passage>(MAX_PROFILES);

function passageOf(speed: number, preference: number, kind: number): Passage {
  const key = (speed * 256 + preference) * 256 + kind;
  let passage = passages.get(key);
  if (!passage) {
    passage = {
      speed,
      preference,
      travel: (kind & 3) as Travel,
      restricted: (kind & 4) !== 0,
      private: (kind & 128) !== 0,
      avoid: (kind >> 3) & ALL_AVOID,
    };
    passages.set(key, passage);
  }
  return passage;
}

const ALL_AVOID = Object.values(AVOID_BITS).reduce((sum, bit) => sum | bit, 0);
