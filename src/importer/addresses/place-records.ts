import { ByteReader, ByteWriter } from "../../geo/bytes.ts";
import { ancestorOf, cellAt, type PackedCell } from "../../geo/cells.ts";
import { TextCache } from "../../geo/text-cache.ts";
import { cutByCell } from "../../geocoding/collector.ts";
import { splitHouseNumbers } from "../../geocoding/house-number.ts";
import { FINEST_TILE } from "../../geocoding/layout.ts";
import { entryBytes } from "../../geocoding/tile-groups.ts";
import { DENSITY } from "./density.ts";
import { type Raw, readOutline, readRaw, recordsIn, writeRaw } from "./raw-record.ts";

const TEXTS = new TextCache();

/** Records with the cell that each lies in; a line is cut where it leaves a cell. */
export interface PlacedRecords {
  cells: Float64Array;
  /** Where each record ends in `bytes`. */
  ends: Uint32Array;
  bytes: Uint8Array<ArrayBuffer>;
  /** Cell, houses and points, bytes of entries, one after the other (density.ts). */
  density: Float64Array;
}

export function placeRecords(bytes: Uint8Array): PlacedRecords {
  const out = new ByteWriter(bytes.length + 1024);
  const cells: number[] = [];
  const ends: number[] = [];
  const density = new Map<PackedCell, { houses: number; entries: number }>();
  const put = (cell: PackedCell, houses: number, entries: number) => {
    cells.push(cell);
    ends.push(out.length);
    const coarse = ancestorOf(cell, DENSITY);
    const known = density.get(coarse);
    if (!known) return void density.set(coarse, { houses, entries });
    known.houses += houses;
    known.entries += entries;
  };
  for (const { start, end } of recordsIn(bytes)) {
    const { kind, at, text } = readOutline(new ByteReader(bytes, start), TEXTS);
    if (kind === "line") {
      const raw = readRaw(new ByteReader(bytes, start), TEXTS) as Raw & { kind: "line" };
      cutByCell(raw.line, (cell, line) => {
        writeRaw(out, { ...raw, line });
        put(cell, line.length, 0);
      });
      continue;
    }
    out.bytes(bytes.subarray(start, end));
    const isHouse = kind === "house" || kind === "row" || kind === "between";
    put(cellAt(at, FINEST_TILE), isHouse ? housesOf(kind, text) : 0, isHouse ? 0 : entryBytes(text));
  }
  return {
    cells: Float64Array.from(cells),
    ends: Uint32Array.from(ends),
    bytes: out.finish(),
    density: Float64Array.from([...density].flatMap(([cell, { houses, entries }]) => [cell, houses, entries])),
  };
}

/** How many houses a record surely stands for: what is trimmed from a number with blanks is known only later. */
function housesOf(kind: Raw["kind"], number: string): number {
  if (kind === "between") return 1;
  return /^\d\S*$/.test(number) ? splitHouseNumbers(number).length : 0;
}
