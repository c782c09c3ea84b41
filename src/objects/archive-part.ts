import { digestOf } from "../archive/digest.ts";
import { readDirectory, writeDirectory } from "../archive/directory.ts";
import type { EventRow } from "../archive/event-row.ts";
import type { Order } from "../archive/orders.ts";
import { objectKey, type Part } from "../archive/part.ts";
import { rangeOf, readGroup } from "../archive/read-group.ts";
import { writeUserFilter } from "../archive/user-filter.ts";
import { writeObject } from "../archive/write-object.ts";
import { type NewPart, noteObjects } from "../db/archive-moves.ts";
import type { Env } from "../env.ts";

/** How long an object lies that nothing names [ms]: longer than a move takes, and than somebody reads what a list named. */
export const KEPT_MS = 3600_000;

/**
 * Writes events into the bucket and reads them back. What comes back must be what was read from D1, by number and by SHA-256, in both
 * objects: only then is there a part to be noted. @param seq of the archive when the events were read
 */
export async function storePart(
  env: Env,
  part: Part,
  seq: number,
  rows: readonly EventRow[],
  now: number,
): Promise<NewPart> {
  await noteObjects(env.DB, part, now + KEPT_MS);
  const digest = await digestOf(rows);
  const stored = {
    types: await store(env, part, "types", rows, digest),
    users: await store(env, part, "users", rows, digest),
  };
  const times = rows.map(({ time }) => time);
  return {
    ...{ ...part, seq, digest, rows: rows.length },
    from: times.reduce((a, b) => Math.min(a, b)),
    to: times.reduce((a, b) => Math.max(a, b)),
    bytes: stored.types.bytes + stored.users.bytes,
    ...{
      types: stored.types.groups,
      users: stored.users.groups,
      filter: writeUserFilter(rows.map(({ user }) => user)),
    },
  };
}

async function store({ GEODATA }: Env, part: Part, order: Order, rows: readonly EventRow[], digest: string) {
  const { bytes, groups } = writeObject(rows, order);
  const key = objectKey(part, order);
  await GEODATA.put(key, bytes, { httpMetadata: { contentType: "application/vnd.apache.parquet" } });
  const object = await GEODATA.get(key);
  if (!object) throw new Error(`${key} was written and is not there`);
  const back = new Uint8Array(await object.arrayBuffer());
  const read: EventRow[] = [];
  // By the directory as it will be stored, as that is how lists will read it.
  for (const group of readDirectory(writeDirectory(groups))) {
    const { offset, length } = rangeOf(group);
    read.push(...(await readGroup(group, back.subarray(offset, offset + length))));
  }
  if (read.length !== rows.length || (await digestOf(read)) !== digest)
    throw new Error(`${key} does not give back what was written: ${read.length} of ${rows.length} events`);
  return { bytes: bytes.length, groups };
}

/** Random, as two rounds might write at a time. */
export function newPartId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
