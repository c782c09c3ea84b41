import type { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { Names } from "../../../../core/geocoding/index/entry-record.ts";
import type { Family } from "./translations.ts";

/**
 * How the streets of one family (translations.ts) meet in one tile. Tiles are gone through in the order of their numbers, which is
 * known only when all are packed: a street that was lent names in one tile has them in all that follow. So a tile is
 * packed as if it were the first, and packed again where that was wrong.
 */
export interface Meeting {
  /** The postal code of the street that lines are added to; undefined if they are not added to a street. */
  to: string | undefined;
  /** The postal codes of the lines, in order. */
  from: readonly string[];
  /** The postal codes of all that are in the tile. */
  present: readonly string[];
}

/** Names of the streets of a family in other languages, from the tiles that were read so far. */
export type Known = Map<string, Names>;

/** Goes on to the next tile. */
export function meet(known: Known, { to, from }: Meeting): void {
  if (to === undefined || known.has(to)) return;
  const lender = from.find((postalCode) => known.has(postalCode));
  if (lender !== undefined) known.set(to, known.get(lender)!);
}

/** Names by postal code with which a tile must be packed again. */
export function correctionsIn(
  family: Family,
  meetings: readonly { tile: number; meeting: Meeting }[],
): { tile: number; names: Map<string, Names> }[] {
  const known: Known = new Map(family);
  const out: { tile: number; names: Map<string, Names> }[] = [];
  for (const { tile, meeting } of [...meetings].sort((a, b) => a.tile - b.tile)) {
    meet(known, meeting);
    const alone: Known = new Map(family);
    meet(alone, meeting);
    const names = new Map<string, Names>();
    for (const postalCode of meeting.present) {
      const right = known.get(postalCode);
      if (right && right !== alone.get(postalCode)) names.set(postalCode, right);
    }
    if (names.size > 0) out.push({ tile, names });
  }
  return out;
}

export function writeMeeting(out: ByteWriter, { to, from, present }: Meeting): void {
  out.byte(to === undefined ? 0 : 1);
  if (to !== undefined) out.text(to);
  for (const list of [from, present]) {
    out.unsigned(list.length);
    for (const text of list) out.text(text);
  }
}

export function readMeeting(reader: ByteReader): Meeting {
  const to = reader.byte() === 1 ? reader.text() : undefined;
  const list = () => Array.from({ length: reader.unsigned() }, () => reader.text());
  return { to, from: list(), present: list() };
}
