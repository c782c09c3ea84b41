/** How long things are kept [days]. */
export interface Retention {
  /** Since a user's last update. */
  users: number;
  events: number;
  trips: number;
  /** Where trips went. */
  locations: number;
}

export const DEFAULT_RETENTION: Retention = { users: 365, events: 365, trips: 90, locations: 7 };

/** Dead letters are kept so long, whatever a project sets [days]. */
export const DEAD_LETTER_DAYS = 30;

const DAY_MS = 24 * 3600 * 1000;
/** Rows of one DELETE. */
const ROWS_AT_ONCE = 1000;

/** A scope in which something has outlived its time. */
export interface Outlived {
  scope: number;
  /** What is older goes [ms]. */
  before: number;
}

const SUBJECTS = {
  users: { table: "user", time: "updated_at" },
  events: { table: "event", time: "created_at" },
} as const;
type Subject = keyof typeof SUBJECTS;

/**
 * The scopes that have something older than their project keeps it: one look into an index per scope, so an hour in which
 * nothing is due costs little.
 */
export async function scopesWithOutlived(
  db: D1Database,
  subject: Subject,
  now: number,
  limit: number,
): Promise<Outlived[]> {
  const { table, time } = SUBJECTS[subject];
  const before = `?1 - coalesce(project.settings ->> '$.retention.${subject}', ${DEFAULT_RETENTION[subject]}) * ${DAY_MS}`;
  const { results } = await db
    .prepare(
      `SELECT project.id * 2 + half.live AS scope, ${before} AS before
       FROM project, (SELECT 0 AS live UNION ALL SELECT 1) AS half
       WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${table}.scope = project.id * 2 + half.live AND ${table}.${time} < ${before})
       LIMIT ?2`,
    )
    .bind(now, limit)
    .all<Outlived>();
  return results;
}

/** Deletes the oldest events of a scope, at most `most`, in small statements; tells how many. */
export async function deleteOldEvents(db: D1Database, { scope, before }: Outlived, most: number): Promise<number> {
  return inPieces(most, (limit) =>
    db
      .prepare(
        `DELETE FROM event WHERE scope = ?1 AND id IN
           (SELECT id FROM event WHERE scope = ?1 AND created_at < ?2 ORDER BY created_at LIMIT ?3)`,
      )
      .bind(scope, before, limit),
  );
}

/** The users of a scope that were not heard of for longest. */
export async function oldUsers(
  db: D1Database,
  { scope, before }: Outlived,
  limit: number,
): Promise<{ id: string; deviceId: string }[]> {
  const { results } = await db
    .prepare(
      "SELECT id, device_id AS deviceId FROM user WHERE scope = ?1 AND updated_at < ?2 ORDER BY updated_at LIMIT ?3",
    )
    .bind(scope, before, limit)
    .all<{ id: string; deviceId: string }>();
  return results;
}

/** Deletes what nobody has replayed. */
export async function deleteOldDeadLetters(db: D1Database, now: number, most: number): Promise<number> {
  return inPieces(most, (limit) =>
    db
      .prepare(
        `DELETE FROM dead_letter WHERE (scope, webhook, id) IN
           (SELECT scope, webhook, id FROM dead_letter WHERE died_at < ?1 ORDER BY died_at LIMIT ?2)`,
      )
      .bind(now - DEAD_LETTER_DAYS * DAY_MS, limit),
  );
}

async function inPieces(most: number, piece: (limit: number) => D1PreparedStatement): Promise<number> {
  let deleted = 0;
  while (deleted < most) {
    const limit = Math.min(ROWS_AT_ONCE, most - deleted);
    const { meta } = await piece(limit).run();
    deleted += meta.changes;
    if (meta.changes < limit) break;
  }
  return deleted;
}
