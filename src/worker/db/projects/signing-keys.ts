import { asc, gt, sql } from "drizzle-orm";
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
  await open(db).run(
    sql`INSERT INTO ${signingKey} (id, created_at, private_key) SELECT ${row.id}, ${row.createdAt}, ${row.privateKey}
        WHERE NOT EXISTS (SELECT 1 FROM ${signingKey} WHERE ${gt(signingKey.createdAt, unless)})`,
  );
}
