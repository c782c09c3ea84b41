import { asc, gt } from "drizzle-orm";
import { open } from "../database.ts";
import { signingKey } from "../schema.ts";

export type SigningKeyRow = typeof signingKey.$inferSelect;

/** The keys created after a time [ms], the oldest first. */
export async function signingKeysSince(db: D1Database, since: number): Promise<SigningKeyRow[]> {
  return open(db)
    .select()
    .from(signingKey)
    .where(gt(signingKey.createdAt, since))
    .orderBy(asc(signingKey.createdAt), asc(signingKey.id))
    .all();
}

/**
 * Adds a key, unless another was created after `unless` [ms]: two machines that find none at the same time create only
 * one.
 */
export async function insertSigningKey(db: D1Database, row: SigningKeyRow, unless: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO signing_key (id, created_at, private_key)
       SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM signing_key WHERE created_at > ?4)`,
    )
    .bind(row.id, row.createdAt, row.privateKey, unless)
    .run();
}
