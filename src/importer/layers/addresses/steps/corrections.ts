import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { byKey, type Sorter } from "../../../../core/geo/bytes/sorter.ts";
import { type Names, readNames, writeNames } from "../../../../core/geocoding/index/entry-record.ts";
import { encodeNames, type NamesTile, type NewEntry, wordsOf } from "../../../../core/geocoding/index/names-tile.ts";
import type { LayerResources } from "../../../frame/layer.ts";
import { SpillFile, sortersIn } from "../../../frame/spill.ts";
import { correctionsIn, type Meeting, readMeeting } from "../records/lending.ts";
import { recordsIn } from "../records/raw-record.ts";
import { familyKey, familyOf } from "../records/translations.ts";
import { readFamilies } from "./join.ts";
import type { PackedRange } from "./pack.ts";

/** Of one tile: what streets of a family and postal code are called in other languages. */
interface Correction {
  family: string;
  postalCode: string;
  names: Names;
}

/** Corrections of tiles, by ascending number; each can be read once, in that order. */
class Corrections {
  readonly #sorted: Iterator<{ tile: number; list: Correction[] }>;
  #next: { tile: number; list: Correction[] } | undefined;

  constructor(sorter: Sorter) {
    this.#sorted = byTile(sorter);
    this.#next = this.#sorted.next().value;
  }

  of(tile: number): readonly Correction[] {
    if (this.#next?.tile !== tile) return [];
    const { list } = this.#next;
    this.#next = this.#sorted.next().value;
    return list;
  }
}

function* byTile(sorter: Sorter): Generator<{ tile: number; list: Correction[] }, undefined> {
  let list: Correction[] = [];
  const tiles = byKey(sorter, ({ bytes, start }) => {
    const reader = new ByteReader(bytes, start);
    list.push({ family: reader.text(), postalCode: reader.text(), names: readNames(reader) });
  });
  for (const tile of tiles) {
    yield { tile, list };
    list = [];
  }
  sorter.close();
  return undefined;
}

/** Goes through the families that meet in several tiles, now that the order of tiles is known. */
export function correctionsOf(
  resources: LayerResources,
  { ends }: PackedRange,
  numberOf: (tile: number) => number,
): Corrections {
  const families = readFamilies(resources);
  const meetings = new SpillFile(resources.path("meetings"), ends.meetings);
  const byFamily = sortersIn(resources, 0.15)("meetings");
  const record = new ByteWriter(512);
  let base: number | undefined;
  for (const piece of meetings.pieces()) {
    if (base === undefined) {
      [base] = new Float64Array(piece.buffer);
      continue;
    }
    for (const { start, end } of recordsIn(piece)) {
      const reader = new ByteReader(piece, start);
      const tile = numberOf(base + reader.unsigned());
      const hash = reader.unsigned();
      record.length = 0;
      record.unsigned(tile);
      record.part(piece, reader.at, end);
      byFamily.add(hash, record.view());
    }
    base = undefined;
  }
  meetings.close();
  const sorter = sortersIn(resources, 0.15)("corrections");
  let met = new Map<string, { tile: number; meeting: Meeting }[]>();
  const hashes = byKey(byFamily, ({ bytes, start }) => {
    const reader = new ByteReader(bytes, start);
    const [tile, key] = [reader.unsigned(), reader.text()];
    const known = met.get(key);
    if (known) known.push({ tile, meeting: readMeeting(reader) });
    else met.set(key, [{ tile, meeting: readMeeting(reader) }]);
  });
  for (const _ of hashes) {
    for (const [key, list] of met) {
      const family = list.length > 1 ? familyOf(families, key) : undefined;
      for (const { tile, names } of family ? correctionsIn(family, list) : []) {
        for (const [postalCode, right] of names) {
          record.length = 0;
          record.text(key);
          record.text(postalCode);
          writeNames(record, right);
          sorter.add(tile, record.view());
        }
      }
    }
    met = new Map();
  }
  byFamily.close();
  return new Corrections(sorter);
}

/** The tile as it is with other names of some streets. */
export function withNames(tile: NamesTile, corrections: readonly Correction[]): Uint8Array {
  const right = new Map(corrections.map(({ family, postalCode, names }) => [`${family}\n${postalCode}`, names]));
  const words = wordsByEntry(tile);
  const entries = Array.from({ length: tile.count }, (_, i): NewEntry => {
    const [kind, name, context, postalCode] = [tile.kind(i), tile.name(i), tile.context(i), tile.postalCode(i)];
    const names = kind === "street" ? right.get(`${familyKey(name, context)}\n${postalCode}`) : undefined;
    const entry: NewEntry = {
      kind,
      name,
      context,
      postalCode,
      latitude: tile.latitudes[i] / 1e5,
      longitude: tile.longitudes[i] / 1e5,
      importance: tile.importances[i],
      ...(tile.isBlock(i) && { isBlock: true }),
      names: names ?? tile.namesOf(i),
    };
    if (names) words[i] = wordsOf(entry);
    return entry;
  });
  const lengths = entries.map((_, i) => tile.details[i + 1] - tile.details[i]);
  return encodeNames(entries, lengths, (i) => words[i]);
}

/** An entry with very many names has words of names that the tile skips. */
function wordsByEntry({ count, words }: NamesTile): Set<string>[] {
  const out = Array.from({ length: count }, () => new Set<string>());
  for (const [i, word] of words.words.entries()) words.each(i, (entry) => out[entry].add(word));
  return out;
}
