import { type SQL, sql } from "drizzle-orm";
import { batch } from "../database.ts";
import { type Except, outside, scopesOfProjects } from "../except.ts";
import { archiveMonth, archivePart, event } from "../schema.ts";
import { movable } from "./archive-moves.ts";

/** Statistics of a database's events and its archive. */
export interface ArchiveFigures {
  parts: number;
  /** Archived events, including deleted ones until their part is rewritten. */
  events: number;
  /** Total size of all objects. */
  bytes: number;
  /** Time of the oldest event still in the database [ms]. */
  oldestHot: number | undefined;
  /** Time of the oldest event that should have been moved [ms]; undefined: none. */
  waiting: number | undefined;
}

/**
 * One index seek for each scope, and a row for each part.
 * @param before events before this should have been moved [ms]; undefined: none
 */
export async function archiveFigures(
  db: D1Database,
  before: number | undefined,
  except: Except,
): Promise<ArchiveFigures> {
  const others = outside(sql`scope`, except);
  const oldest = (which?: SQL) =>
    sql`SELECT min((SELECT created_at FROM ${event} WHERE ${event.scope} = one.scope ${which} ORDER BY created_at LIMIT 1)) AS time
        FROM ${scopesOfProjects(except)} AS one`;
  type Time = { time: number | null };
  const [parts, hot, waiting] = await batch<[Pick<ArchiveFigures, "parts" | "events" | "bytes">, Time, Time]>(db, [
    sql`SELECT count(*) AS parts, coalesce(sum("rows"), 0) AS events, coalesce(sum(bytes), 0)
          + (SELECT coalesce(sum(bytes), 0) FROM ${archiveMonth} WHERE ${others}) AS bytes FROM ${archivePart} WHERE ${others}`,
    oldest(),
    oldest(sql`AND ${movable(before ?? -1)}`),
  ]);
  return {
    ...parts.results[0],
    oldestHot: hot.results[0]?.time ?? undefined,
    waiting: waiting.results[0]?.time ?? undefined,
  };
}

/** Adds the statistics of two databases. */
export function addFigures(a: ArchiveFigures, b: ArchiveFigures): ArchiveFigures {
  const earlier = (one?: number, other?: number) =>
    one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
  return {
    parts: a.parts + b.parts,
    events: a.events + b.events,
    bytes: a.bytes + b.bytes,
    oldestHot: earlier(a.oldestHot, b.oldestHot),
    waiting: earlier(a.waiting, b.waiting),
  };
}
