import { and, asc, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { DeadLetter } from "../../../core/webhooks/types.ts";
import { batch, oneOf, open } from "../database.ts";
import { jsonTexts } from "../json-texts.ts";
import { pageOf } from "../page.ts";
import { deadLetter } from "../schema.ts";

/** Stores failed messages. Safe to repeat: the latest version of a message stays. */
export async function storeDeadLetters(
  db: D1Database,
  scope: number,
  webhook: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  const statements = jsonTexts(letters.map((letter) => JSON.stringify(letter))).map(
    (text) =>
      sql`INSERT OR REPLACE INTO ${deadLetter} (scope, webhook, id, user, events, body, attempts, reason, created_at, died_at)
          SELECT ${scope}, ${webhook}, value->>'id', value->>'user', value->'events', value->>'body', value->>'attempts',
            value->>'reason', value->>'createdAt', value->>'diedAt' FROM json_each(${text})`,
  );
  if (statements.length > 0) await batch(db, statements);
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
    .where(and(eq(deadLetter.scope, scope), eq(deadLetter.webhook, webhook), oneOf(deadLetter.id, ids)));
}

/** Deletes the dead letters about some users, of all webhooks. */
export async function deleteDeadLettersOf(db: D1Database, scope: number, users: readonly string[]): Promise<void> {
  await open(db)
    .delete(deadLetter)
    .where(and(eq(deadLetter.scope, scope), oneOf(deadLetter.user, users)));
}
