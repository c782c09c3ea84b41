import { digestOf } from "../../../core/archive/digest.ts";
import { readDirectory, writeDirectory } from "../../../core/archive/directory.ts";
import type { EventRow } from "../../../core/archive/event-row.ts";
import type { Order } from "../../../core/archive/orders.ts";
import { type MonthPart, monthKey, objectKey, type Part } from "../../../core/archive/part.ts";
import { rangeOf, readGroup } from "../../../core/archive/read-group.ts";
import { writeUserFilter } from "../../../core/archive/user-filter.ts";
import { writeObject } from "../../../core/archive/write-object.ts";
import type { NewMonth } from "../../db/archive/archive-months.ts";
import { type NewPart, noteObjects } from "../../db/archive/archive-moves.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";

/**
 * How long an unreferenced object is kept [ms]: longer than a move takes, and longer than a reader uses an object from
 * a list.
 */
export const KEPT_MS = 3600_000;

/**
 * Writes events into the bucket and reads them back. The number of events and the SHA-256 of each object must match
 * what was read from D1; only then is a part returned for recording.
 * @param seq of the archive when the events were read
 * @param isMerged whether its events by user are in objects of the month; the part then has only the object by type
 */
export async function storePart(
  env: Env,
  part: Part,
  seq: number,
  rows: readonly EventRow[],
  now: number,
  isMerged = false,
): Promise<NewPart> {
  const keyOf = (order: Order) => objectKey(part, order);
  const keys = isMerged ? [keyOf("types")] : [keyOf("types"), keyOf("users")];
  await noteObjects(env.DB, part.scope, keys, now + KEPT_MS);
  const digest = await digestOf(rows);
  const types = await store(env, keyOf("types"), "types", rows, digest);
  const users = isMerged ? { bytes: 0, groups: [] } : await store(env, keyOf("users"), "users", rows, digest);
  return {
    ...part,
    seq,
    digest,
    rows: rows.length,
    ...spanOf(rows),
    bytes: types.bytes + users.bytes,
    types: types.groups,
    users: users.groups,
    filter: writeUserFilter(rows.map(({ user }) => user)),
  };
}

/** Stores some users' events of a month in the same way. */
export async function storeMonth(
  env: Env,
  part: MonthPart,
  seq: number,
  rows: readonly EventRow[],
  now: number,
): Promise<NewMonth> {
  const key = monthKey(part);
  await noteObjects(env.DB, part.scope, [key], now + KEPT_MS);
  const digest = await digestOf(rows);
  const { bytes, groups } = await store(env, key, "users", rows, digest);
  return { ...part, seq, digest, bytes, rows: rows.length, ...spanOf(rows), users: groups };
}

function spanOf(rows: readonly EventRow[]): { from: number; to: number } {
  const times = rows.map(({ time }) => time);
  return { from: times.reduce((a, b) => Math.min(a, b)), to: times.reduce((a, b) => Math.max(a, b)) };
}

async function store(env: Env, key: string, order: Order, rows: readonly EventRow[], digest: string) {
  const { bytes, groups } = writeObject(rows, order);
  const bucket = projectBucket(env);
  await bucket.put(key, bytes, { httpMetadata: { contentType: "application/vnd.apache.parquet" } });
  const object = await bucket.get(key);
  if (!object) throw new Error(`${key} was written but is missing`);
  const back = new Uint8Array(await object.arrayBuffer());
  const read: EventRow[] = [];
  // Use the directory as it will be stored, because lists read it that way.
  for (const group of readDirectory(writeDirectory(groups))) {
    const { offset, length } = rangeOf(group);
    read.push(...(await readGroup(group, back.subarray(offset, offset + length))));
  }
  if (read.length !== rows.length || (await digestOf(read)) !== digest)
    throw new Error(`${key} differs from the written events: read ${read.length} of ${rows.length}`);
  return { bytes: bytes.length, groups };
}

/** Random, because two runs might write at the same time. */
export function newPartId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
