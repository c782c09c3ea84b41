import { ByteReader } from "../../../../core/geo/bytes/bytes.ts";
import { COVERAGE_KEY, encodeCoverage } from "../../../../core/geocoding/index/coverage.ts";
import { readEntry } from "../../../../core/geocoding/index/entry-record.ts";
import { housesKey, namesKey } from "../../../../core/geocoding/index/layout.ts";
import { NamesTile } from "../../../../core/geocoding/index/names-tile.ts";
import { packDirectories } from "../../../../core/geocoding/index/pack-directories.ts";
import { HeadBuilder } from "../../../../core/geocoding/index/pack-head.ts";
import { WordIndexBuilder } from "../../../../core/geocoding/index/pack-words.ts";
import { decodeTileWords, wordsOfTile } from "../../../../core/geocoding/index/tile-words.ts";
import type { Progress } from "../../../common/progress.ts";
import type { LayerInput, LayerOutput, LayerResources } from "../../../frame/layer.ts";
import { SpillFile, sortersIn } from "../../../frame/spill.ts";
import { recordsIn } from "../records/raw-record.ts";
import { encodeNumbers, tilesByNumber } from "../records/tile-numbers.ts";
import { correctionsOf, withNames } from "./corrections.ts";
import type { Joined } from "./join.ts";
import { type PackedRange, ROW } from "./pack.ts";
import type { ResolvedRange } from "./resolve.ts";

/** Results of earlier steps. */
interface Made {
  resolved: ResolvedRange;
  joined: Joined;
  packed: PackedRange;
}

type Put = (key: string, bytes: Uint8Array) => Promise<void>;

/** The objects of the layer: tiles in the order of their numbers, the word index over them, the head. */
export async function write(
  { resources }: LayerInput,
  made: Made,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  progress.expect(made.packed.tiles, "cells");
  const put = async (key: string, bytes: Uint8Array) => {
    out.count(`objects of ${key.split("/")[1]}`);
    await out.write(key, bytes);
  };
  const table = new TileTable(resources, made.packed);
  const words = new WordIndexBuilder(sortersIn(resources, 0.2));
  await writeTiles(resources, made, table, words, put, progress);
  const cells = Array.from({ length: table.count }, (_, number) => table.at(number).cell);
  resources.parts?.carry(encodeNumbers(cells));
  for (const { key, bytes } of packDirectories(cells)) await put(key, bytes);
  for (const { key, bytes } of words.finish()) await put(key, bytes);
  const coverage = new Map([...made.resolved.coverage].sort(([a], [b]) => (a < b ? -1 : 1)));
  await put(COVERAGE_KEY, encodeCoverage(coverage));
  const beyond = await writeHead(resources, made, put);
  if (beyond > 0) out.count("regions that begin like too many others to be found without a position", beyond);
}

async function writeTiles(
  resources: LayerResources,
  { packed }: Made,
  table: TileTable,
  words: WordIndexBuilder,
  put: Put,
  progress: Progress,
): Promise<void> {
  const corrections = correctionsOf(resources, packed, (tile) => table.numberOf(tile));
  const file = new SpillFile(resources.path("packed"), packed.ends.packed);
  try {
    for (let number = 0; number < table.count; number++) {
      const tile = table.at(number);
      const bytes = file.read(tile.start, tile.names + tile.houses + tile.words);
      const wrong = corrections.of(number);
      const own = bytes.subarray(0, tile.names);
      const names = wrong.length > 0 ? withNames(new NamesTile(own), wrong) : own;
      await put(namesKey(number), names);
      if (tile.houses > 0) await put(housesKey(number), bytes.subarray(tile.names, tile.names + tile.houses));
      const ownWords = () => decodeTileWords(bytes.subarray(tile.names + tile.houses));
      words.addTile(number, wrong.length > 0 ? wordsOfTile(new NamesTile(names)) : ownWords());
      progress.advance();
    }
  } finally {
    file.close();
  }
}

/** Number of regions that do not fit. */
async function writeHead(resources: LayerResources, { resolved, joined }: Made, put: Put): Promise<number> {
  const store = new SpillFile(resources.path("head"));
  const head = new HeadBuilder(sortersIn(resources, 0.3), store);
  const found = { regions: resolved.ends.regions, "late-regions": joined.ends.regions };
  for (const [name, end] of Object.entries(found)) {
    const file = new SpillFile(resources.path(name), end);
    for (const piece of file.pieces()) {
      for (const { start } of recordsIn(piece)) {
        const reader = new ByteReader(piece, start);
        const order = reader.unsigned();
        head.add(readEntry(reader), order);
      }
    }
    file.close();
  }
  for (const { key, bytes } of head.finish()) await put(key, bytes);
  store.close();
  return head.leftOut;
}

/** Where each tile is, by its number. */
class TileTable {
  readonly count: number;
  readonly #rows: Float64Array;
  readonly #order: Uint32Array;
  readonly #numbers: Uint32Array;

  constructor(resources: LayerResources, { tiles, ends }: PackedRange) {
    const file = new SpillFile(resources.path("table"), ends.table);
    const rows = new Float64Array(file.read(0, ends.table).buffer);
    file.close();
    this.count = tiles;
    this.#rows = rows;
    const weighed = Array.from({ length: tiles }, (_, tile) => ({
      cell: rows[ROW * tile],
      weight: rows[ROW * tile + 1],
    }));
    this.#order = tilesByNumber(weighed, resources.parts?.carried());
    this.#numbers = new Uint32Array(tiles);
    for (const [number, tile] of this.#order.entries()) this.#numbers[tile] = number;
  }

  /** @param tile in the order of packing */
  numberOf(tile: number): number {
    return this.#numbers[tile];
  }

  at(number: number): { cell: number; start: number; names: number; houses: number; words: number } {
    const at = ROW * this.#order[number];
    const [cell, , start, names, houses, words] = this.#rows.subarray(at, at + ROW);
    return { cell, start, names, houses, words };
  }
}
