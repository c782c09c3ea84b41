import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { PackedCell } from "../../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { Bounds } from "../../../frame/layer.ts";
import { isLine, recordsIn } from "../records/raw-record.ts";
import type { Resolved } from "./resolve-bucket.ts";

/** A bucket whose records are numbered within it. */
export interface Numbered {
  /** By number in the bucket: that in the import, ascending. */
  orders: Float64Array;
  /** Around the places of its records [degrees]. */
  box: Bounds;
}

/** Where a record has its number, and its place after that (raw-record.ts). */
const NUMBER = 1;
const PLACE = 6;

/** A record of a bucket: where it is, and its cell there; a piece of a line has its own cell, not that of the line's middle. */
export interface RecordPlace {
  at: Coordinate;
  cell?: PackedCell;
}

/** Where each record of a bucket is, in their order. */
export function* placesIn(bytes: Uint8Array): Generator<RecordPlace> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const reader = new ByteReader(bytes);
  let cell = 0;
  while (reader.at < bytes.length) {
    cell += reader.unsigned();
    const length = reader.unsigned();
    const start = reader.at + PLACE;
    const at = { latitude: view.getFloat64(start, true), longitude: view.getFloat64(start + 8, true) };
    yield isLine(bytes, reader.at) ? { at } : { at, cell };
    reader.skip(length);
  }
}

/**
 * Numbers the records of a bucket from 0 on, in their order, where they are; records of equal number keep that. An element
 * that is put in elsewhere raises the numbers of all that come after it, but not these: so the bucket is known again.
 */
export function numberWithin(bytes: Uint8Array): Numbered {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts: number[] = [];
  const reader = new ByteReader(bytes);
  const box: [number, number, number, number] = [180, 90, -180, -90];
  while (reader.at < bytes.length) {
    reader.unsigned();
    const length = reader.unsigned();
    const start = reader.at;
    starts.push(start);
    reader.skip(length);
    const latitude = view.getFloat64(start + PLACE, true);
    const longitude = view.getFloat64(start + PLACE + 8, true);
    if (longitude < box[0]) box[0] = longitude;
    if (latitude < box[1]) box[1] = latitude;
    if (longitude > box[2]) box[2] = longitude;
    if (latitude > box[3]) box[3] = latitude;
  }
  const orderAt = (start: number) => view.getUint32(start + NUMBER, true) + bytes[start + NUMBER + 4] * 2 ** 32;
  const orders = Float64Array.from(starts, orderAt).sort();
  let count = 0;
  for (let i = 0; i < orders.length; i++) if (i === 0 || orders[i] !== orders[i - 1]) orders[count++] = orders[i];
  const different = orders.slice(0, count);
  for (const start of starts) {
    view.setUint32(start + NUMBER, rankOf(different, orderAt(start)), true);
    bytes[start + NUMBER + 4] = 0;
  }
  return { orders: different, box };
}

function rankOf(ascending: Float64Array, number: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The result of a bucket, with the numbers of the import. */
export function withOrders(resolved: Resolved, orders: Float64Array): Resolved {
  const coded = resolved.coded.slice();
  for (let i = 1; i < coded.length; i += 4) coded[i] = orders[coded[i]];
  const raised = (records: Uint8Array) => {
    const out = new ByteWriter(2 * records.length + 16);
    const record = new ByteWriter(512);
    for (const { start, end } of recordsIn(records)) {
      const reader = new ByteReader(records, start);
      record.length = 0;
      record.unsigned(orders[reader.unsigned()]);
      record.part(records, reader.at, end);
      out.unsigned(record.length);
      out.bytes(record.view());
    }
    return out.finish();
  };
  return { ...resolved, coded, regions: raised(resolved.regions), translations: raised(resolved.translations) };
}
