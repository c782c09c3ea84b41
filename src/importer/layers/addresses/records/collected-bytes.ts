import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { PackedCell } from "../../../../core/geo/cells/cells.ts";
import type { Context } from "../../../../core/geocoding/entry/entry.ts";
import type { AddressCollector, Collected, Houses, PlacedEntry } from "../../../../core/geocoding/index/collector.ts";
import { readContext, readEntry, writeContext, writeEntry } from "../../../../core/geocoding/index/entry-record.ts";
import { readLine, writeLine } from "./raw-record.ts";

/** Content of a bucket as bytes between two steps of an import, without the names of streets in other languages. */
export function encodeCollected({ contexts, streets, texts, houses, pieces, entries }: AddressCollector): Uint8Array {
  const out = new ByteWriter(1 << 16);
  out.unsigned(contexts.length);
  for (const context of contexts) writeContext(out, context);
  out.unsigned(streets.length);
  for (const { name, context, postalCode, isBlock } of streets) {
    out.text(name);
    out.unsigned(2 * context + (isBlock ? 1 : 0));
    out.text(postalCode);
  }
  out.unsigned(texts.length);
  for (const text of texts) out.text(text);
  out.unsigned(houses.count);
  const step = cellSteps(out);
  for (let i = 0; i < houses.count; i++) {
    step(houses.cell[i]);
    out.unsigned(houses.street[i]);
    out.unsigned(houses.number[i]);
    out.unsigned(houses.units[i]);
    out.unsigned(2 * houses.facts[i] + houses.computed[i]);
    out.unsigned(houses.origin[i]);
    out.signed(houses.latitude[i]);
    out.signed(houses.longitude[i]);
  }
  out.unsigned(pieces.length);
  const pieceStep = cellSteps(out);
  for (const { street, cell, line, isPath } of pieces) {
    pieceStep(cell);
    out.unsigned(2 * street + (isPath ? 1 : 0));
    writeLine(out, line);
  }
  out.unsigned(entries.length);
  for (const entry of entries) writePlaced(out, entry);
  return out.finish();
}

export function writePlaced(out: ByteWriter, entry: PlacedEntry): void {
  out.unsigned(entry.cell);
  writeEntry(out, entry);
}

export function readPlaced(reader: ByteReader): PlacedEntry {
  const cell = reader.unsigned();
  return { ...readEntry(reader), cell };
}

/** @param more entries that came to light later; by cell */
export function decodeCollected(bytes: Uint8Array, more: readonly PlacedEntry[]): Collected {
  const reader = new ByteReader(bytes);
  const list = <T>(read: () => T): T[] => Array.from({ length: reader.unsigned() }, read);
  const contexts: Context[] = list(() => readContext(reader));
  const streets = list(() => {
    const [name, head] = [reader.text(), reader.unsigned()];
    const [context, isBlock] = [Math.floor(head / 2), head % 2 === 1];
    return { name, context, postalCode: reader.text(), names: [], isBlock };
  });
  const texts = list(() => reader.text());
  const houses = readHouses(reader);
  const step = stepReader(reader);
  const pieces = list(() => {
    const [cell, head] = [step(), reader.unsigned()];
    return { cell, street: Math.floor(head / 2), line: readLine(reader), isPath: head % 2 === 1 };
  });
  const entries = list(() => readPlaced(reader));
  return { contexts, streets, texts, houses, pieces, entries: [...entries, ...more] };
}

function readHouses(reader: ByteReader): Houses {
  const count = reader.unsigned();
  const houses: Houses = {
    count,
    street: new Uint32Array(count),
    number: new Uint32Array(count),
    units: new Uint32Array(count),
    computed: new Uint8Array(count),
    facts: new Uint32Array(count),
    origin: new Uint32Array(count),
    latitude: new Int32Array(count),
    longitude: new Int32Array(count),
    cell: new Float64Array(count),
  };
  const step = stepReader(reader);
  for (let i = 0; i < count; i++) {
    houses.cell[i] = step();
    houses.street[i] = reader.unsigned();
    houses.number[i] = reader.unsigned();
    houses.units[i] = reader.unsigned();
    const facts = reader.unsigned();
    houses.facts[i] = Math.floor(facts / 2);
    houses.computed[i] = facts % 2;
    houses.origin[i] = reader.unsigned();
    houses.latitude[i] = reader.signed();
    houses.longitude[i] = reader.signed();
  }
  return houses;
}

/** Cells come in ascending order, so their differences are short. */
function cellSteps(out: ByteWriter): (cell: PackedCell) => void {
  let last = 0;
  return (cell) => {
    out.unsigned(cell - last);
    last = cell;
  };
}

function stepReader(reader: ByteReader): () => PackedCell {
  let last = 0;
  return () => {
    last += reader.unsigned();
    return last;
  };
}
