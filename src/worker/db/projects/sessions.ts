import { eq, lte } from "drizzle-orm";
import type { Role } from "../../../core/auth/role.ts";
import { open } from "../database.ts";
import { commonDatabase, type Databases, FIRST, movingOf } from "../databases.ts";
import { passkeyChallenge, session, signInLink } from "../schema.ts";
import { furtherState, type KeyRecord } from "./keys.ts";
import { parseSettings } from "./projects.ts";

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

interface Row {
  id: string;
  email: string;
  hash: string | null;
  reach: number | null;
  operator: number;
  role: Role | null;
  disabled: number | null;
  settings: string | null;
  database: string;
  moving: string | null;
  fence_epoch: number | null;
  beacon_epoch: number | null;
  campaign_epoch: number | null;
  has_trips: number;
}

/**
 * Finds a signed-in person, with their role in a project and the project's state, in one query.
 * @param project 0: none
 */
export async function findSession(
  env: Databases,
  proof: Proof,
  project: number,
  live: boolean,
  now: number,
): Promise<SessionRecord | undefined> {
  const scope = project * 2 + (live ? 1 : 0);
  const bySession = "session" in proof;
  const row = await commonDatabase(env)
    .prepare(
      `SELECT member.id, member.email, membership.role, project.disabled, project.settings, project."database", project.moving,
         ${bySession ? "session.hash, session.project AS reach," : "NULL AS hash, NULL AS reach,"}
         (SELECT epoch FROM fence_epoch WHERE scope = ?3) AS fence_epoch,
         (SELECT epoch FROM beacon_epoch WHERE scope = ?3) AS beacon_epoch,
         (SELECT epoch FROM campaign_epoch WHERE scope = ?3) AS campaign_epoch,
         EXISTS (SELECT 1 FROM trip WHERE scope = ?3) AS has_trips,
         EXISTS (SELECT 1 FROM operator WHERE operator.member = member.id) AS operator
       FROM member
       ${bySession ? "JOIN session ON session.member = member.id AND session.hash = ?1 AND session.expires_at > ?4" : ""}
       LEFT JOIN membership ON membership.member = member.id AND membership.project = ?2
         ${bySession ? "AND coalesce(session.project, ?2) = ?2" : ""}
       LEFT JOIN project ON project.id = membership.project
       WHERE ${bySession ? "true" : "member.email = ?1 AND ?4 > 0"}`,
    )
    .bind(bySession ? proof.session : proof.email, project, scope, now)
    .first<Row>();
  if (!row) return undefined;
  const member: SignedIn = {
    id: row.id,
    email: row.email,
    reach: row.reach,
    isOperator: row.operator === 1 && row.reach === null,
    ...(row.hash && { session: row.hash }),
  };
  if (row.role === null || row.settings === null) return { member, project };
  const record: KeyRecord = {
    project,
    live,
    secret: true,
    scope,
    disabled: row.disabled === 1,
    overQuota: false,
    hasQuota: false,
    settings: parseSettings(row.settings),
    fenceEpoch: row.fence_epoch ?? 0,
    beaconEpoch: row.beacon_epoch ?? 0,
    campaignEpoch: row.campaign_epoch ?? 0,
    hasTrips: row.has_trips === 1,
    database: row.database,
    ...movingOf(row.moving),
  };
  if (row.database !== FIRST) Object.assign(record, await furtherState(env, record, now));
  return { member, project, role: row.role, record, ...(record.moving && { moving: true }) };
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
export async function deleteAllSessions(db: D1Database, member: string, reach: number | null): Promise<number> {
  const which = "member = ?1 AND (?2 IS NULL OR project IS ?2)";
  const [ended] = await db.batch<{ hash: string }>([
    db.prepare(`DELETE FROM session WHERE ${which} RETURNING hash`).bind(member, reach),
    db.prepare(`DELETE FROM sign_in_link WHERE ${which} AND used_at IS NULL`).bind(member, reach),
  ]);
  return ended.results.length;
}

/** Creates a link; earlier links of the member with the same reach are no longer valid. */
export async function replaceLink(db: D1Database, row: typeof signInLink.$inferInsert): Promise<void> {
  const reach = row.project ?? null;
  await db.batch([
    db
      .prepare("DELETE FROM sign_in_link WHERE member = ?1 AND project IS ?2 AND used_at IS NULL")
      .bind(row.member, reach),
    db
      .prepare("INSERT INTO sign_in_link (hash, member, project, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)")
      .bind(row.hash, row.member, reach, row.createdAt, row.expiresAt),
  ]);
}

type LinkUse = { member: string; project: number | null } | "used" | "expired" | "unknown";

/** Uses up a link: if two people use it simultaneously, only one gets in. */
export async function useLink(db: D1Database, hash: string, now: number): Promise<LinkUse> {
  const used = await db
    .prepare(
      `UPDATE sign_in_link SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL AND expires_at > ?2
       RETURNING member, project`,
    )
    .bind(hash, now)
    .first<{ member: string; project: number | null }>();
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
export const WAYS_IN = ["session", "sign_in_link", "passkey", "oauth_grant"] as const;

/**
 * Revokes the member's credentials for one project only, created by its admins.
 * @returns statements for a batch
 */
export function closeWaysInto(db: D1Database, project: number, member: string) {
  return WAYS_IN.map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE member = ?1 AND project = ?2`).bind(member, project),
  );
}
