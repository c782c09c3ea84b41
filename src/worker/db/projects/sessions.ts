import { and, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Role } from "../../../core/auth/role.ts";
import { open } from "../database.ts";
import { commonDatabase, type Databases } from "../databases.ts";
import {
  member,
  membership,
  oauthGrant,
  operator,
  passkey,
  passkeyChallenge,
  project,
  session,
  signInLink,
} from "../schema.ts";
import { type KeyRecord, PROJECT_COLUMNS, recordOf, scopeColumns } from "./keys.ts";

/** A person who is signed in. */
export interface SignedIn {
  id: string;
  email: string;
  /** Hash of the session; absent if Cloudflare Access authenticates each request. */
  session?: string;
  /** The only project that the session opens; null = all of the member's. */
  reach: number | null;
  /** May change settings of the complete deployment. Never with a session for a single project. */
  isOperator: boolean;
}

/** A proof of identity: the hash of a session, or an email address authenticated by Cloudflare Access. */
export type Proof = { session: string } | { email: string };

/** A signed-in person and their role in the requested project; no `role`: none. */
export interface SessionRecord {
  member: SignedIn;
  /** The requested project, 0 for none. */
  project: number;
  role?: Role;
  record?: KeyRecord;
  /** The project is being moved to another database. */
  moving?: boolean;
}

/**
 * Finds a signed-in person, with their role in a project and the project's state, in one query.
 * @param project 0: none
 */
export async function findSession(
  env: Databases,
  proof: Proof,
  of: number,
  live: boolean,
  now: number,
): Promise<SessionRecord | undefined> {
  const bySession = "session" in proof;
  const row = await open(commonDatabase(env))
    .select({
      ...{ id: member.id, email: member.email, hash: session.hash, reach: session.project, role: membership.role },
      isOperator: sql`EXISTS (SELECT 1 FROM ${operator} WHERE ${operator.member} = ${member.id})`.mapWith(Boolean),
      ...PROJECT_COLUMNS,
      ...scopeColumns(sql`${of * 2 + (live ? 1 : 0)}`),
    })
    .from(member)
    .leftJoin(session, bySession ? eq(session.member, member.id) : sql`false`)
    .leftJoin(
      membership,
      sql`${membership.member} = ${member.id} AND ${membership.project} = ${of} AND coalesce(${session.project}, ${of}) = ${of}`,
    )
    .leftJoin(project, eq(project.id, membership.project))
    .where(bySession ? and(eq(session.hash, proof.session), gt(session.expiresAt, now)) : eq(member.email, proof.email))
    .get();
  if (!row) return undefined;
  const { id, email, hash, reach, role, isOperator, disabled, settings, database, ...state } = row;
  const who = { id, email, reach, isOperator: isOperator && reach === null, ...(hash && { session: hash }) };
  if (role === null || disabled === null || settings === null || database === null) return { member: who, project: of };
  const found = { ...state, disabled, settings, database, project: of, live, quota: null, used: 0 };
  const record = await recordOf(env, { ...found, secret: true }, now);
  return { member: who, project: of, role, record, ...(record.moving && { moving: true }) };
}

export async function insertSession(db: D1Database, row: typeof session.$inferInsert): Promise<void> {
  await open(db).insert(session).values(row);
}

export async function deleteSession(db: D1Database, hash: string): Promise<void> {
  await open(db).delete(session).where(eq(session.hash, hash));
}

/**
 * Ends all sessions of a member, and their sign-in links. Passkeys stay: they are the member's own.
 * @param reach of the requesting session: one for a single project ends only those of that project
 * @returns number of ended sessions
 */
export async function deleteAllSessions(db: D1Database, of: string, reach: number | null): Promise<number> {
  const theirs = (table: typeof session | typeof signInLink) =>
    and(eq(table.member, of), reach === null ? undefined : eq(table.project, reach));
  const d1 = open(db);
  const [ended] = await d1.batch([
    d1.delete(session).where(theirs(session)).returning({ hash: session.hash }),
    d1.delete(signInLink).where(and(theirs(signInLink), isNull(signInLink.usedAt))),
  ]);
  return ended.length;
}

/** Creates a link; earlier links of the member with the same reach are no longer valid. */
export async function replaceLink(db: D1Database, row: typeof signInLink.$inferInsert): Promise<void> {
  const d1 = open(db);
  const reach = row.project ?? null;
  const sameReach = reach === null ? isNull(signInLink.project) : eq(signInLink.project, reach);
  await d1.batch([
    d1.delete(signInLink).where(and(eq(signInLink.member, row.member), sameReach, isNull(signInLink.usedAt))),
    d1.insert(signInLink).values(row),
  ]);
}

type LinkUse = { member: string; project: number | null } | "used" | "expired" | "unknown";

/** Uses up a link: if two people use it simultaneously, only one gets in. */
export async function useLink(db: D1Database, hash: string, now: number): Promise<LinkUse> {
  const used = await open(db)
    .update(signInLink)
    .set({ usedAt: now })
    .where(and(eq(signInLink.hash, hash), isNull(signInLink.usedAt), gt(signInLink.expiresAt, now)))
    .returning({ member: signInLink.member, project: signInLink.project })
    .get();
  if (used) return used;
  const row = await open(db)
    .select({ usedAt: signInLink.usedAt })
    .from(signInLink)
    .where(eq(signInLink.hash, hash))
    .get();
  if (!row) return "unknown";
  return row.usedAt === null ? "expired" : "used";
}

/** How long an expired or used link is remembered, to explain why it doesn't open [ms]. */
const LINK_MEMORY_MS = 30 * 24 * 3600 * 1000;

/** Runs hourly: deletes ended sessions, links and challenges. */
export async function deleteEndedSessions(db: D1Database, now: number): Promise<void> {
  const d1 = open(db);
  await d1.batch([
    d1.delete(session).where(lte(session.expiresAt, now)),
    d1.delete(signInLink).where(lte(signInLink.expiresAt, now - LINK_MEMORY_MS)),
    d1.delete(passkeyChallenge).where(lte(passkeyChallenge.expiresAt, now)),
  ]);
}

/** The tables of credentials that open the dashboard, or the tools for agents, to a member. */
export const WAYS_IN = [session, signInLink, passkey, oauthGrant];

/**
 * Revokes the member's credentials for one project only, created by its admins.
 * @returns queries for a batch
 */
export function closeWaysInto(of: number, id: string): SQL[] {
  return WAYS_IN.map((table) => sql`DELETE FROM ${table} WHERE ${table.member} = ${id} AND ${table.project} = ${of}`);
}
