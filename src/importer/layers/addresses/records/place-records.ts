import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { TextCache } from "../../../../core/geo/bytes/text-cache.ts";
import { CellFinder } from "../../../../core/geo/cells/cell-finder.ts";
import { ancestorOf, type PackedCell } from "../../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { cutByCell } from "../../../../core/geocoding/index/collector.ts";
import { FINEST_TILE } from "../../../../core/geocoding/index/layout.ts";
import { entryBytes } from "../../../../core/geocoding/index/tile-groups.ts";
import { splitHouseNumbers } from "../../../../core/geocoding/words/house-number.ts";
import { DENSITY } from "./density.ts";
import {
  type Found,
  type Raw,
  type Row,
  readOutline,
  recordsIn,
  renumberSource,
  writeRaw,
  writeRow,
} from "./raw-record.ts";

/** Records with the cell that each is in; a line is cut where it leaves a cell. Their numbers begin at 0. */
export interface PlacedRecords {
  /** How many numbers they have: pieces of a line share theirs. */
  count: number;
  cells: Float64Array;
  /** Where each record ends in `bytes`. */
  ends: Uint32Array;
  bytes: Uint8Array<ArrayBuffer>;
  /** Cell, houses and points, bytes of entries, one after the other (density.ts). */
  density: Float64Array;
}

/** Numbers records, and finds the cell of each. */
export class Placer {
  count = 0;
  readonly #out: ByteWriter;
  readonly #cells: number[] = [];
  readonly #ends: number[] = [];
  readonly #density = new Map<PackedCell, { houses: number; entries: number }>();
  #last: { cell: PackedCell; sum: { houses: number; entries: number } } | undefined;

  /** @param size bytes that will about be written */
  constructor(size: number) {
    this.#out = new ByteWriter(size);
  }

  add(found: Found): void {
    const order = this.count++;
    if (found.kind === "line") {
      cutByCell(found.line, (cell, line) => {
        writeRaw(this.#out, { ...found, line }, order);
        this.#put(cell, line.length, 0);
      });
      return;
    }
    writeRaw(this.#out, found, order);
    const text = "name" in found ? found.name : (found.tags["addr:housenumber"] ?? "");
    this.#putAt(found.kind, found.at, text);
  }

  /** @param houses how many its number stands for (`housesOfRow`) */
  row(row: Row, houses: number): void {
    writeRow(this.#out, row, this.count++);
    this.#put(FINDER.at(row.latitude, row.longitude), houses, 0);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#out.length;
  }

  /** Of what already is bytes, numbered there. */
  copy(bytes: Uint8Array, start: number, end: number): void {
    const { kind, at, text } = readOutline(new ByteReader(bytes, start), TEXTS);
    this.count++;
    this.#out.part(bytes, start, end);
    this.#putAt(kind, at, text);
  }

  finish(): PlacedRecords {
    return {
      count: this.count,
      cells: Float64Array.from(this.#cells),
      ends: Uint32Array.from(this.#ends),
      bytes: this.#out.finish(),
      density: Float64Array.from([...this.#density].flatMap(([cell, { houses, entries }]) => [cell, houses, entries])),
    };
  }

  #putAt(kind: Raw["kind"], at: Coordinate, text: string): void {
    const isHouse = kind === "house" || kind === "row" || kind === "between";
    this.#put(FINDER.at(at.latitude, at.longitude), isHouse ? housesOf(kind, text) : 0, isHouse ? 0 : entryBytes(text));
  }

  #put(cell: PackedCell, houses: number, entries: number): void {
    this.#cells.push(cell);
    this.#ends.push(this.#out.length);
    if (this.#last?.cell !== cell) this.#last = { cell, sum: this.#sumOf(ancestorOf(cell, DENSITY)) };
    const { sum } = this.#last;
    sum.houses += houses;
    sum.entries += entries;
  }

  #sumOf(coarse: PackedCell): { houses: number; entries: number } {
    let sum = this.#density.get(coarse);
    if (!sum) {
      sum = { houses: 0, entries: 0 };
      this.#density.set(coarse, sum);
    }
    return sum;
  }
}

const FINDER = new CellFinder(FINEST_TILE);
const TEXTS = new TextCache();

/** Records with their lengths in front, none of them a line. */
export function placeRecords(bytes: Uint8Array): PlacedRecords {
  const placer = new Placer(bytes.length);
  for (const { start, end } of recordsIn(bytes)) placer.copy(bytes, start, end);
  return placer.finish();
}

/** Rows with the numbers of their sources in the import, instead of those in their file. */
export function withSources(placed: PlacedRecords, numbers: readonly number[]): PlacedRecords {
  const { bytes, ends } = placed;
  for (let i = 0; i < ends.length; i++) renumberSource(bytes, i === 0 ? 0 : ends[i - 1], numbers);
  return placed;
}

/** Bytes of numbers before them. */
const HEAD = 16;

/** As bytes: counts of numbers, cells and densities (u32), cells, densities, ends, records. */
export function encodePlaced({ count, cells, ends, bytes, density }: PlacedRecords): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(HEAD + 8 * cells.length + 8 * density.length + 4 * ends.length + bytes.length);
  new Uint32Array(out.buffer, 0, 3).set([count, cells.length, density.length]);
  let at = HEAD;
  for (const part of [cells, density, ends, bytes]) {
    out.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return out;
}

/** @param chunk in memory of its own */
export function decodePlaced({ buffer }: Uint8Array<ArrayBuffer>): PlacedRecords {
  const [count, places, sums] = new Uint32Array(buffer, 0, 3);
  const density = HEAD + 8 * places;
  const ends = density + 8 * sums;
  return {
    count,
    cells: new Float64Array(buffer, HEAD, places),
    density: new Float64Array(buffer, density, sums),
    ends: new Uint32Array(buffer, ends, places),
    bytes: new Uint8Array(buffer, ends + 4 * places),
  };
}

export const housesOfRow = (number: string): number => housesOf("row", number);

/** How many houses a record surely stands for: what is trimmed from a number with blanks is known only later. */
function housesOf(kind: Raw["kind"], number: string): number {
  if (kind === "between") return 1;
  return /^\d\S*$/.test(number) ? splitHouseNumbers(number).length : 0;
}
