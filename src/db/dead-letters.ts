import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { DeadLetter } from "../webhooks/types.ts";
import { open } from "./database.ts";
import { deadLetter } from "./schema.ts";

/** Longest text bound to one statement [characters]; D1 takes 2 MB. */
const LONGEST_TEXT = 1_000_000;

/** Keeps messages that are not tried any more. Safe to repeat: the last account of a message stays. */
export async function storeDeadLetters(
  db: D1Database,
  scope: number,
  webhook: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  const statements: D1PreparedStatement[] = [];
  let rows: string[] = [];
  let length = 0;
  const flush = () => {
    if (rows.length === 0) return;
    statements.push(
      db
        .prepare(
          `INSERT OR REPLACE INTO dead_letter (scope, webhook, id, user, events, body, attempts, reason, created_at, died_at)
           SELECT ?1, ?2, value->>'id', value->>'user', value->'events', value->>'body', value->>'attempts', value->>'reason',
             value->>'createdAt', value->>'diedAt' FROM json_each(?3)`,
        )
        .bind(scope, webhook, `[${rows.join()}]`),
    );
    rows = [];
    length = 0;
  };
  for (const letter of letters) {
    const row = JSON.stringify(letter);
    if (length + row.length > LONGEST_TEXT) flush();
    rows.push(row);
    length += row.length + 1;
  }
  flush();
  if (statements.length > 0) await db.batch(statements);
}

export interface DeadLetterFilter {
  limit: number;
  id?: string;
  createdBefore?: number;
  createdAfter?: number;
  oldestFirst?: boolean;
}

/** Dead letters of a webhook, newest first unless asked otherwise. */
export async function listDeadLetters(
  db: D1Database,
  scope: number,
  webhook: string,
  { limit, id, createdBefore, createdAfter, oldestFirst = false }: DeadLetterFilter,
): Promise<{ letters: DeadLetter[]; hasMore: boolean }> {
  const order = oldestFirst ? asc : desc;
  const rows = await open(db)
    .select()
    .from(deadLetter)
    .where(
      and(
        eq(deadLetter.scope, scope),
        eq(deadLetter.webhook, webhook),
        id === undefined ? undefined : eq(deadLetter.id, id),
        createdBefore === undefined ? undefined : lt(deadLetter.createdAt, createdBefore),
        createdAfter === undefined ? undefined : gt(deadLetter.createdAt, createdAfter),
      ),
    )
    .orderBy(order(deadLetter.createdAt), order(deadLetter.id))
    .limit(limit + 1)
    .all();
  const letters = rows.slice(0, limit).map(({ scope: _, webhook: __, user, events, ...row }) => ({
    ...row,
    user: user ?? undefined,
    events: JSON.parse(events) as DeadLetter["events"],
  }));
  return { letters, hasMore: rows.length > limit };
}

export async function deleteDeadLetters(
  db: D1Database,
  scope: number,
  webhook: string,
  ids: readonly string[],
): Promise<void> {
  await open(db)
    .delete(deadLetter)
    .where(
      and(
        eq(deadLetter.scope, scope),
        eq(deadLetter.webhook, webhook),
        sql`${deadLetter.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
}

/** Deletes all that is about some users, for whichever webhook. */
export async function deleteDeadLettersOf(db: D1Database, scope: number, users: readonly string[]): Promise<void> {
  await open(db)
    .delete(deadLetter)
    .where(
      and(
        eq(deadLetter.scope, scope),
        sql`${deadLetter.user} IN (SELECT value FROM json_each(${JSON.stringify(users)}))`,
      ),
    );
}
