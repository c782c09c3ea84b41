import { type Except, listOf, notListed, scopesIn } from "../except.ts";
import { MOVABLE } from "./archive-moves.ts";

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

const SCOPES = scopesIn("?1");

/**
 * One index seek for each scope, and a row for each part.
 * @param before events before this should have been moved [ms]; undefined: none
 */
export async function archiveFigures(
  db: D1Database,
  before: number | undefined,
  except: Except,
): Promise<ArchiveFigures> {
  const list = listOf(except);
  const others = notListed("scope", "?1");
  const [parts, hot, waiting] = await db.batch<Record<string, number | null>>([
    db
      .prepare(
        `SELECT count(*) AS parts, sum(rows) AS events, coalesce(sum(bytes), 0)
           + (SELECT coalesce(sum(bytes), 0) FROM archive_month WHERE ${others}) AS bytes FROM archive_part WHERE ${others}`,
      )
      .bind(list),
    db
      .prepare(
        `SELECT min((SELECT created_at FROM event WHERE scope = one.scope ORDER BY created_at LIMIT 1)) AS time FROM ${SCOPES} AS one`,
      )
      .bind(list),
    db
      .prepare(
        `SELECT min((SELECT created_at FROM event WHERE scope = one.scope AND ${MOVABLE} ORDER BY created_at LIMIT 1)) AS time
         FROM ${SCOPES} AS one`,
      )
      .bind(list, before ?? -1),
  ]);
  const [row] = parts.results;
  return {
    parts: Number(row.parts),
    events: Number(row.events ?? 0),
    bytes: Number(row.bytes ?? 0),
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
