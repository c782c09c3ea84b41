import { BoundedMap } from "../../geo/bounded-map.ts";
import type { ColumnReader, ColumnWriter } from "./columns.ts";
import { AVOID_BITS, type EdgeProfile, type Passage, type Travel } from "./modes.ts";

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
export function readProfiles(columns: ColumnReader, count: number): EdgeProfile[] {
  const speed = columns.u16(count * 4);
  const hand = columns.u8(count);
  const preference = columns.u8(count * 4);
  const kind = columns.u8(count * 4);
  return Array.from({ length: count }, (_, i) => {
    const numbers: number[] = [hand[i]];
    for (let at = i * 4; at < i * 4 + 4; at++) numbers.push(speed[at], preference[at], kind[at]);
    return shared(numbers);
  });
}

export function writeProfiles(columns: ColumnWriter, profiles: readonly EdgeProfile[]): void {
  const passages = profiles.flatMap((profile) => profile.passages);
  columns.u16(passages.map(({ speed }) => speed));
  columns.u8(profiles.map(({ leftHand, boarding = 0 }) => (leftHand ? 1 : 0) + 2 * boarding));
  columns.u8(passages.map(({ preference }) => preference));
  columns.u8(
    passages.map(
      ({ travel, restricted, avoid, private: drive }) =>
        travel | (restricted ? 4 : 0) | (avoid << 3) | (drive ? 128 : 0),
    ),
  );
}

const MAX_PROFILES = 10_000;
/** Profiles of all tiles, each once: there are some hundred kinds of roads. */
const profilesByKey = new BoundedMap<string, EdgeProfile>(MAX_PROFILES);

function shared(numbers: readonly number[]): EdgeProfile {
  const key = numbers.join();
  let profile = profilesByKey.get(key);
  if (!profile) {
    const passages = [1, 4, 7, 10].map((at) => passageOf(numbers[at], numbers[at + 1], numbers[at + 2]));
    profile = { passages, leftHand: (numbers[0] & 1) === 1, boarding: numbers[0] >> 1 || undefined };
    profilesByKey.set(key, profile);
  }
  return profile;
}

function passageOf(speed: number, preference: number, kind: number): Passage {
  return {
    speed,
    preference,
    travel: (kind & 3) as Travel,
    restricted: (kind & 4) !== 0,
    private: (kind & 128) !== 0,
    avoid: (kind >> 3) & ALL_AVOID,
  };
}

const ALL_AVOID = Object.values(AVOID_BITS).reduce((sum, bit) => sum | bit, 0);
