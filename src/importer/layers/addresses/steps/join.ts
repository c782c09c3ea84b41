import { readFileSync } from "node:fs";
import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { cellAt } from "../../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { haversine } from "../../../../core/geo/distance.ts";
import { readEntry, writeEntry } from "../../../../core/geocoding/index/entry-record.ts";
import { FINEST_TILE } from "../../../../core/geocoding/index/layout.ts";
import type { NewEntry } from "../../../../core/geocoding/index/names-tile.ts";
import { fold } from "../../../../core/geocoding/words/normalise.ts";
import type { LayerInput, LayerOutput, LayerResources } from "../../../frame/layer.ts";
import { SpillFile, sortersIn } from "../../../frame/spill.ts";
import { shared } from "../jobs/surroundings.ts";
import { bucketOf } from "../records/buckets.ts";
import { writePlaced } from "../records/collected-bytes.ts";
import { recordsIn } from "../records/raw-record.ts";
import { addTranslations, familiesIn, type SharedFamilies } from "../records/translations.ts";
import { AreaMiddles } from "./area-middles.ts";
import type { ResolvedRange } from "./resolve.ts";

/** Results that need all buckets. */
export interface Joined {
  /** Where the entries that came to light late are, by bucket. */
  late: { start: number; length: number }[];
  /** Bytes of `late` and `late-regions`. */
  ends: { late: number; regions: number };
}

/** The middles of postal codes and districts that only houses have, and what streets are called in other languages. */
export function join(input: LayerInput, resolved: ResolvedRange, records: number, out: LayerOutput): Joined {
  const { resources } = input;
  saveFamilies(resources, resolved.ends.translations);
  return savePostalCodes(resources, resolved, records, out);
}

function savePostalCodes(
  resources: LayerResources,
  { buckets, ends }: ResolvedRange,
  records: number,
  out: LayerOutput,
): Joined {
  const file = new SpillFile(resources.path("codes"), ends.codes);
  const middles = new AreaMiddles(sortersIn(resources, 0.3)("codes"), records);
  let codes: Uint8Array | undefined;
  for (const piece of file.pieces()) {
    if (!codes) codes = piece;
    else {
      middles.add(codes, new Float64Array(piece.buffer));
      codes = undefined;
    }
  }
  file.close();
  const regions = new SpillFile(resources.path("late-regions"));
  const byCell = sortersIn(resources, 0.3)("late");
  const known = new KnownTowns(resources, ends.regions);
  const [record, framed] = [new ByteWriter(512), new ByteWriter(512)];
  for (const [i, entry] of middles.entries().entries()) {
    if (entry.kind === "locality" && known.has(entry)) continue;
    record.length = 0;
    const cell = cellAt(entry, FINEST_TILE);
    writePlaced(record, { ...entry, cell });
    byCell.add(cell, record.view());
    record.length = 0;
    record.unsigned(records + i);
    writeEntry(record, entry);
    framed.length = 0;
    framed.unsigned(record.length);
    framed.bytes(record.view());
    regions.appendPiece(framed.view());
    out.count(entry.kind === "locality" ? "districts of houses" : "regions: postalCode");
  }
  const late = new SpillFile(resources.path("late"));
  const places = buckets.map(() => ({ start: 0, length: 0 }));
  for (const { key, bytes, start, end } of byCell.sorted()) {
    const place = places[bucketOf(buckets, key)];
    const at = late.append(bytes.subarray(start, end));
    if (place.length === 0) place.start = at;
    place.length += end - start;
  }
  byCell.close();
  const made = { late: late.length, regions: regions.length };
  late.close();
  regions.close();
  return { late: places, ends: made };
}

/** Farther apart, two places of one name are two [m]. */
const SAME_TOWN = 10_000;

/** Towns, districts and their parts that the extracts have as places or regions; read when the first is asked for. */
class KnownTowns {
  readonly #resources: LayerResources;
  readonly #length: number;
  #places: Map<string, Coordinate[]> | undefined;

  constructor(resources: LayerResources, length: number) {
    this.#resources = resources;
    this.#length = length;
  }

  has({ name, latitude, longitude }: NewEntry): boolean {
    this.#places ??= this.#read();
    const places = this.#places.get(fold(name)) ?? [];
    return places.some((one) => haversine(latitude, longitude, one.latitude, one.longitude) < SAME_TOWN);
  }

  #read(): Map<string, Coordinate[]> {
    const out = new Map<string, Coordinate[]>();
    const file = new SpillFile(this.#resources.path("regions"), this.#length);
    for (const piece of file.pieces()) {
      for (const { start } of recordsIn(piece)) {
        const reader = new ByteReader(piece, start);
        reader.unsigned();
        const { kind, name, latitude, longitude } = readEntry(reader);
        if (kind === "locality") out.set(fold(name), [...(out.get(fold(name)) ?? []), { latitude, longitude }]);
      }
    }
    file.close();
    return out;
  }
}

function saveFamilies(resources: LayerResources, length: number): void {
  const file = new SpillFile(resources.path("translations"), length);
  const sorter = sortersIn(resources, 0.3)("translations");
  for (const piece of file.pieces()) addTranslations(sorter, piece);
  file.close();
  const { hashes, starts, bytes } = familiesIn(sorter);
  const families = new SpillFile(resources.path("families"));
  families.append(new Uint8Array(Float64Array.from([hashes.length, ...hashes, ...starts]).buffer));
  families.append(bytes);
  families.close();
}

export function readFamilies(resources: LayerResources): SharedFamilies {
  const { buffer } = shared(readFileSync(resources.path("families")));
  const [count] = new Float64Array(buffer, 0, 1);
  return {
    hashes: new Float64Array(buffer, 8, count),
    starts: new Float64Array(buffer, 8 + 8 * count, count),
    bytes: new Uint8Array(buffer, 8 + 16 * count),
  };
}
