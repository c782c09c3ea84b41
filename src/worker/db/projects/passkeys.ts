import { and, asc, eq, isNull } from "drizzle-orm";
import { open } from "../database.ts";
import { passkey, passkeyChallenge } from "../schema.ts";

export type PasskeyRow = typeof passkey.$inferSelect;

/** @param reach the only project that is open to the requesting session; null = all, and all passkeys */
export async function listPasskeys(db: D1Database, member: string, reach: number | null): Promise<PasskeyRow[]> {
  return open(db)
    .select()
    .from(passkey)
    .where(and(eq(passkey.member, member), reach === null ? undefined : eq(passkey.project, reach)))
    .orderBy(asc(passkey.createdAt))
    .all();
}

export async function findPasskey(db: D1Database, id: string): Promise<PasskeyRow | undefined> {
  return open(db).select().from(passkey).where(eq(passkey.id, id)).get();
}

/** @returns false if the credential is already registered */
export async function insertPasskey(db: D1Database, row: PasskeyRow): Promise<boolean> {
  const made = await open(db).insert(passkey).values(row).onConflictDoNothing().returning({ id: passkey.id });
  return made.length > 0;
}

/**
 * Records a use. The counter never decreases, so if two copies of a passkey sign in simultaneously, the second is
 * rejected.
 */
export async function notePasskeyUse(
  db: D1Database,
  { id, counter }: Pick<PasskeyRow, "id" | "counter">,
  newCounter: number,
  now: number,
): Promise<boolean> {
  const used = await open(db)
    .update(passkey)
    .set({ counter: newCounter, lastUsedAt: now })
    .where(and(eq(passkey.id, id), eq(passkey.counter, counter)))
    .returning({ id: passkey.id });
  return used.length > 0;
}

export async function deletePasskey(
  db: D1Database,
  member: string,
  reach: number | null,
  id: string,
): Promise<boolean> {
  const gone = await open(db)
    .delete(passkey)
    .where(and(eq(passkey.id, id), eq(passkey.member, member), reach === null ? undefined : eq(passkey.project, reach)))
    .returning({ id: passkey.id });
  return gone.length > 0;
}

/** @param member the member that registers a passkey; null for a sign-in */
export async function insertChallenge(
  db: D1Database,
  challenge: string,
  member: string | null,
  expiresAt: number,
): Promise<void> {
  await open(db).insert(passkeyChallenge).values({ challenge, member, expiresAt });
}

/**
 * Uses up a challenge.
 * @returns whether it was issued for this and has not expired
 */
export async function useChallenge(
  db: D1Database,
  challenge: string,
  member: string | null,
  now: number,
): Promise<boolean> {
  const issuedFor = member === null ? isNull(passkeyChallenge.member) : eq(passkeyChallenge.member, member);
  const row = await open(db)
    .delete(passkeyChallenge)
    .where(and(eq(passkeyChallenge.challenge, challenge), issuedFor))
    .returning({ expiresAt: passkeyChallenge.expiresAt })
    .get();
  return row !== undefined && row.expiresAt > now;
}
