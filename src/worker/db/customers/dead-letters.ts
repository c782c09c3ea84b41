import { and, asc, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { DeadLetter } from "../../../core/webhooks/types.ts";
import { open } from "../database.ts";
import { pageOf } from "../page.ts";
import { deadLetter } from "../schema.ts";

/** Maximum length of a string bound to one statement [characters]; D1 accepts 2 MB. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Stores failed messages. Safe to repeat: the latest version of a message stays. */
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
    if (length + row.length > MAX_TEXT_LENGTH) flush();
    rows.push(row);
    length += row.length + 1;
  }
  flush();
  if (statements.length > 0) await db.batch(statements);
}

interface DeadLetterFilter {
  limit: number;
  createdBefore?: number;
  createdAfter?: number;
}

/** Dead letters of a webhook, newest first. */
export async function listDeadLetters(
  db: D1Database,
  scope: number,
  webhook: string,
  filter: DeadLetterFilter,
): Promise<{ letters: DeadLetter[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(filter.limit, deadLetter.createdAt, (also, most) =>
    open(db)
      .select({ row: deadLetter, time: deadLetter.createdAt })
      .from(deadLetter)
      .where(and(within(scope, webhook, filter), also))
      .orderBy(desc(deadLetter.createdAt), desc(deadLetter.id))
      .limit(most)
      .all(),
  );
  return { letters: rows.map(({ row }) => fromRow(row)), hasMore };
}

/** Dead letters of a webhook, oldest first: for a reader that deletes them before it reads the next ones. */
export async function oldestDeadLetters(
  db: D1Database,
  scope: number,
  webhook: string,
  filter: DeadLetterFilter,
): Promise<{ letters: DeadLetter[]; hasMore: boolean }> {
  const rows = await open(db)
    .select()
    .from(deadLetter)
    .where(within(scope, webhook, filter))
    .orderBy(asc(deadLetter.createdAt), asc(deadLetter.id))
    .limit(filter.limit + 1)
    .all();
  return { letters: rows.slice(0, filter.limit).map(fromRow), hasMore: rows.length > filter.limit };
}

export async function findDeadLetter(
  db: D1Database,
  scope: number,
  webhook: string,
  id: string,
): Promise<DeadLetter | undefined> {
  const row = await open(db)
    .select()
    .from(deadLetter)
    .where(and(eq(deadLetter.scope, scope), eq(deadLetter.webhook, webhook), eq(deadLetter.id, id)))
    .get();
  return row && fromRow(row);
}

function within(
  scope: number,
  webhook: string,
  { createdBefore, createdAfter }: Omit<DeadLetterFilter, "limit">,
): SQL | undefined {
  return and(
    eq(deadLetter.scope, scope),
    eq(deadLetter.webhook, webhook),
    createdBefore === undefined ? undefined : lt(deadLetter.createdAt, createdBefore),
    createdAfter === undefined ? undefined : gt(deadLetter.createdAt, createdAfter),
  );
}

function fromRow({ scope: _, webhook: __, user, events, ...row }: typeof deadLetter.$inferSelect): DeadLetter {
  return { ...row, user: user ?? undefined, events: JSON.parse(events) as DeadLetter["events"] };
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

/** Deletes the dead letters about some users, of all webhooks. */
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
