import { DatabaseSync } from "node:sqlite";
import { readDirectory } from "../../src/core/archive/directory.ts";
import { ORDERS } from "../../src/core/archive/orders.ts";
import { type MonthPart, monthKey, objectKey, type Part } from "../../src/core/archive/part.ts";
import { rangeOf, readGroup } from "../../src/core/archive/read-group.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { databaseConfig } from "../../src/server/base/wrangler.ts";
import { localDatabasePath } from "../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../src/server/geodata/geodata-bucket.ts";

/** What the archive itself says to the list of events. Every list is empty when all is well. */
export interface ArchiveAudit {
  /** Events that are listed and are in no object, of those by types or of those by users. */
  missing: string[];
  /** Events that are in objects of one kind more than once. */
  twice: string[];
  /** Events in an object that are not listed. */
  invented: string[];
}

function open(state: string): DatabaseSync {
  return new DatabaseSync(localDatabasePath(state, databaseConfig().id), { readOnly: true, timeout: 10_000 });
}

/** Events that are still in the database. */
export function hotEvents(state: string): number {
  const database = open(state);
  try {
    return Number(database.prepare("SELECT count(*) AS n FROM event").get()?.n);
  } finally {
    database.close();
  }
}

/** Reads every object that a part names, as lists read them. @param listed the _ids of all events that are listed */
export async function auditArchive(
  state: string,
  listed: ReadonlySet<string>,
): Promise<ArchiveAudit & { parts: number }> {
  const database = open(state);
  const parts = database.prepare("SELECT scope, id, day, types, users FROM archive_part").all();
  const months = database
    .prepare("SELECT scope, id, month, users FROM archive_month WHERE merge NOT IN (SELECT id FROM archive_merge)")
    .all();
  database.close();
  const bucket = openLocalBucket(state, geodataBucketName());
  const found: ArchiveAudit = { missing: [], twice: [], invented: [] };
  try {
    for (const order of ORDERS) {
      const seen = new Set<string>();
      const objects = [
        ...parts.map((part) => ({ part, key: objectKey(part as unknown as Part, order) })),
        ...(order === "users" ? months.map((part) => ({ part, key: monthKey(part as unknown as MonthPart) })) : []),
      ];
      for (const { part, key } of objects) {
        const stored = await bucket.get(key);
        if (!stored) continue;
        // Not a Buffer, whose slices are of a larger memory.
        const object = new Uint8Array(stored.bytes);
        for (const group of readDirectory(String(part[order]))) {
          const { offset, length } = rangeOf(group);
          for (const { id } of await readGroup(group, object.slice(offset, offset + length))) {
            if (seen.has(id)) found.twice.push(id);
            seen.add(id);
            if (!listed.has(id)) found.invented.push(id);
          }
        }
      }
      for (const id of listed) if (!seen.has(id)) found.missing.push(id);
    }
  } finally {
    bucket.close();
  }
  return { ...found, parts: parts.length };
}
