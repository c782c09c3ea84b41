import { and, asc, count, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { ACCESS_MS, REFRESH_MS } from "../../../core/auth/oauth/token.ts";
import { type Role, reaches } from "../../../core/auth/role.ts";
import { batch, open } from "../database.ts";
import { commonDatabase, type Databases } from "../databases.ts";
import { member, membership, oauthCode, oauthGrant, oauthToken, project } from "../schema.ts";
import { type KeyRecord, monthOf, PROJECT_COLUMNS, recordOf, scopeColumns } from "./keys.ts";
import { callsIn } from "./usage.ts";

/** What members let agents do: grants, and the codes and tokens that clients hold for them, by their hashes. */

/** What a member has approved. */
export interface Approval {
  project: number;
  live: boolean;
  member: string;
  role: Role;
  client: string;
  clientName: string;
}

/** What a code was issued for, besides: the exchange must repeat it. */
export interface CodeRequest extends Approval {
  redirectUri: string;
  challenge: string;
}

export async function insertCode(
  db: D1Database,
  { hash, grant, request, expiresAt }: { hash: string; grant: string; request: CodeRequest; expiresAt: number },
): Promise<void> {
  await open(db)
    .insert(oauthCode)
    .values({ hash, grantId: grant, request: JSON.stringify(request), expiresAt });
}

/**
 * Uses up a code: of two that send it, one gets the request. The other deletes the code, so that no grant is created for it any more.
 * @returns the grant that an earlier use created, if there was one; undefined for an unknown or expired code
 */
export async function useCode(
  db: D1Database,
  hash: string,
  now: number,
): Promise<{ grant: string; request?: CodeRequest } | undefined> {
  const used = await open(db)
    .update(oauthCode)
    .set({ usedAt: now })
    .where(and(eq(oauthCode.hash, hash), isNull(oauthCode.usedAt), gt(oauthCode.expiresAt, now)))
    .returning({ grant: oauthCode.grantId, request: oauthCode.request })
    .get();
  if (used) return { grant: used.grant, request: JSON.parse(used.request) as CodeRequest };
  return open(db)
    .delete(oauthCode)
    .where(and(eq(oauthCode.hash, hash), isNotNull(oauthCode.usedAt)))
    .returning({ grant: oauthCode.grantId })
    .get();
}

/** Hashes of a pair of tokens. */
export interface TokenHashes {
  access: string;
  refresh: string;
}

const INSERT_TOKENS = sql`INSERT INTO ${oauthToken} (hash, grant_id, kind, expires_at)`;

/** Creates a grant with its first tokens. @returns false if the member has left the project, or its code came a second time meanwhile */
export async function insertGrant(
  db: D1Database,
  id: string,
  approval: Approval,
  { access, refresh }: TokenHashes,
  now: number,
): Promise<boolean> {
  const { project: of, live, member: who, role, client, clientName } = approval;
  const made = sql`FROM ${oauthGrant} WHERE ${eq(oauthGrant.id, id)}`;
  const [created] = await batch(db, [
    sql`INSERT INTO ${oauthGrant} (id, project, live, member, role, client, client_name, created_at, last_used_at)
        SELECT ${id}, ${of}, ${live ? 1 : 0}, ${who}, ${role}, ${client}, ${clientName}, ${now}, ${now}
        WHERE EXISTS (SELECT 1 FROM ${membership} WHERE ${membership.member} = ${who} AND ${membership.project} = ${of})
          AND EXISTS (SELECT 1 FROM ${oauthCode} WHERE ${oauthCode.grantId} = ${id})`,
    sql`${INSERT_TOKENS} SELECT ${access}, id, 'access', ${now + ACCESS_MS} ${made}
        UNION ALL SELECT ${refresh}, id, 'refresh', ${now + REFRESH_MS} ${made}`,
  ]);
  return created.meta.changes > 0;
}

/** A grant as its project lists it. */
export interface Grant extends Approval {
  id: string;
  email: string;
  createdAt: number;
  lastUsedAt: number;
}

const GRANT = { ...getTableColumns(oauthGrant), email: member.email };
/** The member is still one of the project. */
const IS_THEIRS = and(eq(membership.member, oauthGrant.member), eq(membership.project, oauthGrant.project));

/** The grant of a token, and whether the token was already replaced by another. */
export async function findGrantOf(
  db: D1Database,
  hash: string,
  now: number,
): Promise<(Grant & { kind: string; isReplaced: boolean }) | undefined> {
  const row = await open(db)
    .select({ ...GRANT, kind: oauthToken.kind, next: oauthToken.next })
    .from(oauthToken)
    .innerJoin(oauthGrant, eq(oauthGrant.id, oauthToken.grantId))
    .innerJoin(member, eq(member.id, oauthGrant.member))
    .innerJoin(membership, IS_THEIRS)
    .where(and(eq(oauthToken.hash, hash), gt(oauthToken.expiresAt, now)))
    .get();
  if (!row) return undefined;
  const { next, ...grant } = row;
  return { ...grant, isReplaced: next !== null };
}

/**
 * Replaces a refresh token by new tokens, in one step.
 * @returns false if it was already replaced: a copy of it is in use
 */
export async function replaceRefreshToken(
  db: D1Database,
  hash: string,
  { access, refresh }: TokenHashes,
  now: number,
): Promise<boolean> {
  const isOurs = sql`FROM ${oauthToken} WHERE ${eq(oauthToken.hash, hash)} AND ${eq(oauthToken.next, refresh)}`;
  const isValid = and(eq(oauthToken.kind, "refresh"), isNull(oauthToken.next), gt(oauthToken.expiresAt, now));
  const [replaced] = await batch(db, [
    open(db)
      .update(oauthToken)
      .set({ next: refresh })
      .where(and(eq(oauthToken.hash, hash), isValid)),
    sql`${INSERT_TOKENS} SELECT ${access}, grant_id, 'access', ${now + ACCESS_MS} ${isOurs}
        UNION ALL SELECT ${refresh}, grant_id, 'refresh', ${now + REFRESH_MS} ${isOurs}`,
    sql`UPDATE ${oauthGrant} SET last_used_at = ${now} WHERE ${oauthGrant.id} = (SELECT grant_id ${isOurs})`,
  ]);
  return replaced.meta.changes > 0;
}

/** The grant with this id, if it has not ended. */
export async function findGrant(db: D1Database, id: string): Promise<Grant | undefined> {
  return open(db)
    .select(GRANT)
    .from(oauthGrant)
    .innerJoin(member, eq(member.id, oauthGrant.member))
    .where(eq(oauthGrant.id, id))
    .get();
}

/** Ends a grant and all of its tokens. @returns false if it has already ended */
export async function deleteGrant(db: D1Database, id: string): Promise<boolean> {
  const d1 = open(db);
  const [gone] = await d1.batch([
    d1.delete(oauthGrant).where(eq(oauthGrant.id, id)),
    d1.delete(oauthToken).where(eq(oauthToken.grantId, id)),
  ]);
  return gone.meta.changes > 0;
}

/** The newest grants of a project; `who`: only theirs. */
export async function listGrants(db: D1Database, of: number, who: string | undefined): Promise<Grant[]> {
  return open(db)
    .select(GRANT)
    .from(oauthGrant)
    .innerJoin(member, eq(member.id, oauthGrant.member))
    .where(and(eq(oauthGrant.project, of), who === undefined ? undefined : eq(oauthGrant.member, who)))
    .orderBy(desc(oauthGrant.createdAt), asc(oauthGrant.id))
    .limit(500)
    .all();
}

/** The number of a member's grants for a project. */
export async function countGrants(db: D1Database, of: number, who: string): Promise<number> {
  const theirs = and(eq(oauthGrant.member, who), eq(oauthGrant.project, of));
  return (await open(db).select({ count: count() }).from(oauthGrant).where(theirs).get())?.count ?? 0;
}

/** The project's data for requests with an access token, and who allowed what. */
export interface GrantRecord extends KeyRecord {
  expiresAt: number;
  member: { id: string; email: string; role: Role; through: string };
}

/** Finds the caller of an access token, in one query. `now` [ms] determines the month for the quota. */
export async function findGrantCaller(env: Databases, hash: string, now: number): Promise<GrantRecord | undefined> {
  const { live, role, clientName } = oauthGrant;
  const row = await open(commonDatabase(env))
    .select({
      project: project.id,
      ...{ live, quota: project.monthlyQuota, used: callsIn(monthOf(now)) },
      ...PROJECT_COLUMNS,
      ...scopeColumns(sql`${project.id} * 2 + ${live}`),
      grant: { expiresAt: oauthToken.expiresAt, id: member.id, email: member.email, role, clientName },
      memberRole: membership.role,
    })
    .from(oauthToken)
    .innerJoin(oauthGrant, eq(oauthGrant.id, oauthToken.grantId))
    .innerJoin(member, eq(member.id, oauthGrant.member))
    .innerJoin(membership, IS_THEIRS)
    .innerJoin(project, eq(project.id, oauthGrant.project))
    .where(and(eq(oauthToken.hash, hash), eq(oauthToken.kind, "access"), gt(oauthToken.expiresAt, now)))
    .get();
  if (!row) return undefined;
  const { grant, memberRole, ...found } = row;
  // The lower of both: a grant does not rise with its member.
  const lower = reaches(memberRole, grant.role) ? grant.role : memberRole;
  return {
    ...(await recordOf(env, { ...found, secret: true }, now)),
    expiresAt: grant.expiresAt,
    member: { id: grant.id, email: grant.email, role: lower, through: grant.clientName },
  };
}

/** How long a used or expired code is remembered, to notice a second use [ms]. */
const CODE_MEMORY_MS = 24 * 3600_000;

/** Runs hourly: deletes expired codes and tokens, and grants that no token can renew. */
export async function deleteEndedGrants(db: D1Database, now: number): Promise<void> {
  const d1 = open(db);
  const { grantId, next } = oauthToken;
  await d1.batch([
    d1.delete(oauthCode).where(lte(oauthCode.expiresAt, now - CODE_MEMORY_MS)),
    d1.delete(oauthToken).where(lte(oauthToken.expiresAt, now)),
    d1
      .delete(oauthGrant)
      .where(sql`NOT EXISTS (SELECT 1 FROM ${oauthToken} WHERE ${grantId} = ${oauthGrant.id} AND ${next} IS NULL)`),
    d1.delete(oauthToken).where(sql`NOT EXISTS (SELECT 1 FROM ${oauthGrant} WHERE ${oauthGrant.id} = ${grantId})`),
  ]);
}
