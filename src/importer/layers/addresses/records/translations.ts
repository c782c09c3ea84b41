import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { byKey, type Sorter } from "../../../../core/geo/bytes/sorter.ts";
import type { Context } from "../../../../core/geocoding/entry/entry.ts";
import { type Names, readContext, readNames, writeNames } from "../../../../core/geocoding/index/entry-record.ts";
import { recordsIn } from "./raw-record.ts";

/**
 * Streets of one name in one place, by postal code: "" for a line, as lines have no code. Lines have names in
 * other languages, and lend them to the houses next to them.
 */
export type Family = Map<string, Names>;

/** The key of a family: a line does not know which part of a town its houses name. */
export const familyKey = (name: string, { city, county, stateCode, state, countryCode }: Context): string =>
  [name, city, county, stateCode, state, countryCode].join("\n");

/** 52 bits of a text: two FNV-1a streams with different starts, finished as in MurmurHash3. */
export function hash52(text: string): number {
  let [a, b] = [0x811c9dc5, 0x01234567];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x01000193);
  }
  return (mixed(a) >>> 6) * 0x4000000 + (mixed(b) >>> 6);
}

function mixed(h: number): number {
  const once = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** Families with names in other languages, in memory that all threads see: by ascending hash. */
export interface SharedFamilies {
  hashes: Float64Array;
  starts: Float64Array;
  bytes: Uint8Array;
}

/** Takes what buckets found (resolve-bucket.ts) into a sorter. */
export function addTranslations(sorter: Sorter, records: Uint8Array): void {
  for (const { start, end } of recordsIn(records)) {
    const reader = new ByteReader(records, start);
    reader.unsigned();
    const name = reader.text();
    sorter.add(hash52(familyKey(name, readContext(reader))), records.subarray(start, end));
  }
}

/** Of two lines of one street the first one's names count. */
export function familiesIn(sorter: Sorter): { hashes: number[]; starts: number[]; bytes: Uint8Array } {
  const out = new ByteWriter();
  const hashes: number[] = [];
  const starts: number[] = [];
  let families = new Map<string, Map<string, { order: number; names: Names }>>();
  const found = byKey(sorter, ({ bytes, start }) => {
    const reader = new ByteReader(bytes, start);
    const order = reader.unsigned();
    const name = reader.text();
    const key = familyKey(name, readContext(reader));
    const postalCode = reader.text();
    const names = readNames(reader);
    let family = families.get(key);
    if (!family) {
      family = new Map();
      families.set(key, family);
    }
    const known = family.get(postalCode);
    if (!known || order < known.order) family.set(postalCode, { order, names });
  });
  for (const hash of found) {
    for (const [key, family] of families) {
      hashes.push(hash);
      starts.push(out.length);
      out.text(key);
      out.unsigned(family.size);
      for (const [postalCode, { names }] of family) {
        out.text(postalCode);
        writeNames(out, names);
      }
    }
    families = new Map();
  }
  sorter.close();
  return { hashes, starts, bytes: out.finish() };
}

/** The family, or undefined where none of its streets has names in other languages. */
export function familyOf({ hashes, starts, bytes }: SharedFamilies, key: string): Family | undefined {
  if (hashes.length === 0) return undefined;
  const hash = hash52(key);
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hashes[middle] < hash) low = middle + 1;
    else high = middle;
  }
  for (let i = low; hashes[i] === hash; i++) {
    const end = i + 1 < starts.length ? starts[i + 1] : bytes.length;
    // A copy: texts are not decoded from shared memory everywhere.
    const reader = new ByteReader(new Uint8Array(bytes.subarray(starts[i], end)));
    if (reader.text() !== key) continue;
    return new Map(Array.from({ length: reader.unsigned() }, () => [reader.text(), readNames(reader)] as const));
  }
  return undefined;
}
