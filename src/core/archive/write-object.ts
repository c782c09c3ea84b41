import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { COLUMN_NAMES, type ColumnName, SCHEMA } from "./columns.ts";
import type { Group } from "./directory.ts";
import { byUser, type DocColumns, docColumns, type EventRow, newestFirst } from "./event-row.ts";
import type { Order } from "./orders.ts";

/*
 * hyparquet-writer 0.17.0 and hyparquet 1.31.5: MIT, one maintainer (Hyperparam), 440 and 520 KB on disk with their types, plain
 * JavaScript without dependencies, last released 2026-10. They run in a Worker; parquet-wasm 0.8 takes 15 MB.
 */

/**
 * Maximum rows of a row group, which is what is read to show one event. A list by user needs few events of each of many
 * objects, so groups by user are small (18 KB as stored, 0.6 ms to read); a list by type needs consecutive events.
 */
export const GROUP_ROWS: Readonly<Record<Order, number>> = { types: 512, users: 128 };

/** Columns with minimum and maximum values for other readers, which use them to skip groups. */
const WITH_STATISTICS: readonly ColumnName[] = ["type", "user", "created_at"];

/** A dictionary would not help for these. */
const ALL_DIFFERENT: readonly ColumnName[] = ["id", "doc"];

interface WrittenObject {
  bytes: Uint8Array<ArrayBuffer>;
  groups: Group[];
}

export function writeObject(rows: readonly EventRow[], order: Order): WrittenObject {
  const sorted = rows.toSorted(order === "types" ? byType : byUser);
  const lengths = order === "types" ? lengthsByType(sorted) : lengthsOf(sorted.length, GROUP_ROWS.users);
  const writer = new ByteWriter(1 << 20);
  const parquet = new ParquetWriter({ writer, schema: SCHEMA, codec: "SNAPPY", createdBy: "graticule archive 1" });
  void parquet.write({ columnData: columnsOf(sorted), rowGroupSize: lengths });
  let first = 0;
  const groups = parquet.row_groups.map(({ columns }, i): Group => {
    const mine = sorted.slice(first, first + lengths[i]);
    first += mine.length;
    const times = mine.map(({ time }) => time);
    const meta = columns.map(({ meta_data }) => {
      if (!meta_data) throw new Error("a column chunk without its description");
      return meta_data;
    });
    return {
      rows: mine.length,
      offset: Number(meta[0].dictionary_page_offset ?? meta[0].data_page_offset),
      sizes: meta.map(({ total_compressed_size }) => Number(total_compressed_size)),
      // Within a user, times decrease; a group has many users.
      from: least(times),
      to: -least(times.map((time) => -time)),
      ...(order === "types" ? { type: mine[0].type } : { users: [mine[0].user, mine[mine.length - 1].user] as const }),
    };
  });
  void parquet.finish();
  return { bytes: writer.getBytes().slice(), groups };
}

const byType = (a: EventRow, b: EventRow) => (a.type < b.type ? -1 : a.type > b.type ? 1 : newestFirst(a, b));

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function lengthsOf(rows: number, most: number): number[] {
  const lengths: number[] = [];
  for (let left = rows; left > 0; left -= most) lengths.push(Math.min(left, most));
  return lengths;
}

/** A group ends where its type ends. */
function lengthsByType(sorted: readonly EventRow[]): number[] {
  const lengths: number[] = [];
  let first = 0;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && sorted[i].type === sorted[first].type) continue;
    lengths.push(...lengthsOf(i - first, GROUP_ROWS.types));
    first = i;
  }
  return lengths;
}

function columnsOf(rows: readonly EventRow[]): ColumnSource[] {
  const details = rows.map(({ doc }) => docColumns(doc));
  const of = (name: keyof DocColumns) => details.map((detail) => detail[name]);
  const data: Record<ColumnName, unknown[]> = {
    id: rows.map(({ id }) => id),
    type: rows.map(({ type }) => type),
    user: rows.map(({ user }) => user),
    created_at: rows.map(({ time }) => new Date(time)),
    doc: rows.map(({ doc }) => doc),
    confidence: of("confidence"),
    user_id: of("userId"),
    device_id: of("deviceId"),
    latitude: of("latitude"),
    longitude: of("longitude"),
    geofence_tag: of("geofenceTag"),
    geofence_external_id: of("geofenceExternalId"),
  };
  // Groups are small and have a separate directory: page indexes would not be used.
  return COLUMN_NAMES.map((name) => ({
    name,
    data: data[name],
    offsetIndex: false,
    statistics: WITH_STATISTICS.includes(name),
    ...(ALL_DIFFERENT.includes(name) && { encoding: "PLAIN" as const }),
  }));
}
