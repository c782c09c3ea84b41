import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { Collected, PlacedEntry } from "../../../../core/geocoding/index/collector.ts";
import type { Names } from "../../../../core/geocoding/index/entry-record.ts";
import { NamesTile } from "../../../../core/geocoding/index/names-tile.ts";
import { packTile } from "../../../../core/geocoding/index/pack.ts";
import { type Group, type KeyRange, tilesOf } from "../../../../core/geocoding/index/tile-groups.ts";
import { encodeTileWords, wordsOfTile } from "../../../../core/geocoding/index/tile-words.ts";
import { decodeCollected, readPlaced } from "../records/collected-bytes.ts";
import { type Known, type Meeting, meet, writeMeeting } from "../records/lending.ts";
import { withoutOverruled } from "../records/overruled-places.ts";
import { type Family, familyKey, familyOf, hash52, type SharedFamilies } from "../records/translations.ts";

const NO_NAMES: Names = [];

/** The tiles of one bucket. */
export interface PackedBucket {
  /** Of each tile: cell, weight, lengths of names, houses and words. */
  tiles: Float64Array;
  /** Names, houses, words of each tile, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Number of the tile in the bucket, hash and key of the family, meeting; each with its length in front. */
  meetings: Uint8Array<ArrayBuffer>;
}

/**
 * @param more entries that came to light later, one after the other
 * @param range of keys of cells that the bucket holds
 */
export function packBucket(
  bytes: Uint8Array,
  more: Uint8Array,
  range: KeyRange,
  families: SharedFamilies,
): PackedBucket {
  const reader = new ByteReader(more);
  const late: PlacedEntry[] = [];
  while (reader.at < more.length) late.push(readPlaced(reader));
  const collected = withoutOverruled(decodeCollected(bytes, late));
  const translated = new Translated(collected, families);
  const tiles: number[] = [];
  const meetings = new ByteWriter();
  const out = new ByteWriter(1 << 16);
  for (const [number, group] of tilesOf(collected, range).entries()) {
    translated.begin(group, number, meetings);
    const { names, houses } = packTile(collected, group, translated);
    const words = encodeTileWords(wordsOfTile(new NamesTile(names)));
    tiles.push(group.cell, group.weight, names.length, houses?.length ?? 0, words.length);
    out.bytes(names);
    if (houses) out.bytes(houses);
    out.bytes(words);
  }
  return { tiles: Float64Array.from(tiles), bytes: out.finish(), meetings: meetings.finish() };
}

/** Names of streets in other languages, tile by tile, each as if it were the first. */
class Translated {
  readonly #collected: Collected;
  readonly #families: SharedFamilies;
  readonly #known = new Map<string, { hash: number; family: Family } | undefined>();
  #tile = new Map<string, Known>();

  constructor(collected: Collected, families: SharedFamilies) {
    this.#collected = collected;
    this.#families = families;
  }

  begin(group: Group, number: number, meetings: ByteWriter): void {
    this.#tile = new Map();
    if (this.#families.hashes.length === 0) return;
    for (const [key, meeting] of this.#meetingsIn(group)) {
      const { hash, family } = this.#family(key)!;
      const known: Known = new Map(family);
      meet(known, meeting);
      this.#tile.set(key, known);
      const record = new ByteWriter(256);
      record.unsigned(number);
      record.unsigned(hash);
      record.text(key);
      writeMeeting(record, meeting);
      meetings.unsigned(record.length);
      meetings.bytes(record.view());
    }
  }

  get(street: number): Names {
    if (this.#tile.size === 0) return NO_NAMES;
    return this.#tile.get(this.#keyOf(street))?.get(this.#collected.streets[street].postalCode) ?? NO_NAMES;
  }

  /** Was done by `begin`. */
  set(): void {}

  #meetingsIn({ houses, pieces }: Group): Map<string, Meeting> {
    const { houses: columns, pieces: lines, streets } = this.#collected;
    const counts = new Map<number, number>();
    for (const i of houses) counts.set(columns.street[i], (counts.get(columns.street[i]) ?? 0) + 1);
    const out = new Map<string, { to: string | undefined; most: number; from: Set<string>; present: Set<string> }>();
    const of = (street: number) => {
      const key = this.#keyOf(street);
      if (!this.#family(key)) return undefined;
      let found = out.get(key);
      if (!found) {
        found = { to: undefined, most: 0, from: new Set(), present: new Set() };
        out.set(key, found);
      }
      return found;
    };
    for (const [street, count] of counts) {
      const family = of(street);
      if (!family) continue;
      family.present.add(streets[street].postalCode);
      if (count <= family.most) continue;
      family.most = count;
      family.to = streets[street].postalCode;
    }
    for (const i of pieces) {
      const family = of(lines[i].street);
      if (!family) continue;
      family.from.add(streets[lines[i].street].postalCode);
      if (family.to === undefined) family.present.add(streets[lines[i].street].postalCode);
    }
    return new Map(
      [...out].map(([key, { to, from, present }]) => [key, { to, from: [...from], present: [...present] }]),
    );
  }

  #family(key: string): { hash: number; family: Family } | undefined {
    if (!this.#known.has(key)) {
      const family = familyOf(this.#families, key);
      this.#known.set(key, family && { hash: hash52(key), family });
    }
    return this.#known.get(key);
  }

  #keyOf(street: number): string {
    const { name, context } = this.#collected.streets[street];
    return familyKey(name, this.#collected.contexts[context]);
  }
}
