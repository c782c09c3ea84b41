import { ByteReader, ByteWriter } from "../../../../geo/bytes/bytes.ts";
import { TextCache } from "../../../../geo/bytes/text-cache.ts";
import { ancestorOf, cellAt, type PackedCell } from "../../../../geo/cells/cells.ts";
import type { Coordinate } from "../../../../geo/coordinate.ts";
import { cutByCell } from "../../../../geocoding/index/collector.ts";
import { FINEST_TILE } from "../../../../geocoding/index/layout.ts";
import { entryBytes } from "../../../../geocoding/index/tile-groups.ts";
import { splitHouseNumbers } from "../../../../geocoding/words/house-number.ts";
import { DENSITY } from "./density.ts";
import { type Found, type Raw, readOutline, recordsIn, renumberSource, writeRaw } from "./raw-record.ts";

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
    this.#put(cellAt(at, FINEST_TILE), isHouse ? housesOf(kind, text) : 0, isHouse ? 0 : entryBytes(text));
  }

  #put(cell: PackedCell, houses: number, entries: number): void {
    this.#cells.push(cell);
    this.#ends.push(this.#out.length);
    const coarse = ancestorOf(cell, DENSITY);
    const known = this.#density.get(coarse);
    if (!known) return void this.#density.set(coarse, { houses, entries });
    known.houses += houses;
    known.entries += entries;
  }
}

const TEXTS = new TextCache();

/**
 * Records with their lengths in front, none of them a line.
 * @param sources numbers of the sources that rows number from 0
 */
export function placeRecords(bytes: Uint8Array, sources?: readonly number[]): PlacedRecords {
  const placer = new Placer(bytes.length);
  for (const { start, end } of recordsIn(bytes)) {
    if (sources) renumberSource(bytes, start, sources);
    placer.copy(bytes, start, end);
  }
  return placer.finish();
}

/** How many houses a record surely stands for: what is trimmed from a number with blanks is known only later. */
function housesOf(kind: Raw["kind"], number: string): number {
  if (kind === "between") return 1;
  return /^\d\S*$/.test(number) ? splitHouseNumbers(number).length : 0;
}
