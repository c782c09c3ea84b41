import { ACCESS_MS, REFRESH_MS } from "../../../core/auth/oauth/token.ts";
import { type Role, reaches } from "../../../core/auth/role.ts";
import { commonDatabase, type Databases, FIRST, movingOf } from "../databases.ts";
import { furtherState, type KeyRecord } from "./keys.ts";
import { parseSettings } from "./projects.ts";

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
  row: { hash: string; grant: string; request: CodeRequest; expiresAt: number },
): Promise<void> {
  await db
    .prepare("INSERT INTO oauth_code (hash, grant_id, request, expires_at) VALUES (?1, ?2, ?3, ?4)")
    .bind(row.hash, row.grant, JSON.stringify(row.request), row.expiresAt)
    .run();
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
  const used = await db
    .prepare(
      `UPDATE oauth_code SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL AND expires_at > ?2
       RETURNING grant_id, request`,
    )
    .bind(hash, now)
    .first<{ grant_id: string; request: string }>();
  if (used) return { grant: used.grant_id, request: JSON.parse(used.request) as CodeRequest };
  const row = await db
    .prepare("DELETE FROM oauth_code WHERE hash = ?1 AND used_at IS NOT NULL RETURNING grant_id")
    .bind(hash)
    .first<{ grant_id: string }>();
  return row ? { grant: row.grant_id } : undefined;
}

/** Hashes of a pair of tokens. */
export interface TokenHashes {
  access: string;
  refresh: string;
}

const INSERT_TOKENS = `INSERT INTO oauth_token (hash, grant_id, kind, expires_at)`;

/** Creates a grant with its first tokens. @returns false if the member has left the project, or its code came a second time meanwhile */
export async function insertGrant(
  db: D1Database,
  id: string,
  approval: Approval,
  { access, refresh }: TokenHashes,
  now: number,
): Promise<boolean> {
  const { project, live, member, role, client, clientName } = approval;
  const [made] = await db.batch([
    db
      .prepare(
        `INSERT INTO oauth_grant (id, project, live, member, role, client, client_name, created_at, last_used_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
         WHERE EXISTS (SELECT 1 FROM membership WHERE member = ?4 AND project = ?2)
           AND EXISTS (SELECT 1 FROM oauth_code WHERE grant_id = ?1)`,
      )
      .bind(id, project, live ? 1 : 0, member, role, client, clientName, now),
    db
      .prepare(
        `${INSERT_TOKENS} SELECT ?2, id, 'access', ?4 FROM oauth_grant WHERE id = ?1
         UNION ALL SELECT ?3, id, 'refresh', ?5 FROM oauth_grant WHERE id = ?1`,
      )
      .bind(id, access, refresh, now + ACCESS_MS, now + REFRESH_MS),
  ]);
  return made.meta.changes > 0;
}

/** A grant as its project lists it. */
export interface Grant extends Approval {
  id: string;
  email: string;
  createdAt: number;
  lastUsedAt: number;
}

/** The grant of a token, and whether the token was already replaced by another. */
export async function findGrantOf(
  db: D1Database,
  hash: string,
  now: number,
): Promise<(Approval & { id: string; email: string; kind: string; isReplaced: boolean }) | undefined> {
  const row = await db
    .prepare(
      `SELECT ${GRANT_COLUMNS}, oauth_token.kind, oauth_token.next FROM oauth_token
       JOIN oauth_grant ON oauth_grant.id = oauth_token.grant_id
       JOIN member ON member.id = oauth_grant.member
       JOIN membership ON membership.member = oauth_grant.member AND membership.project = oauth_grant.project
       WHERE oauth_token.hash = ?1 AND oauth_token.expires_at > ?2`,
    )
    .bind(hash, now)
    .first<GrantRow & { kind: string; next: string | null }>();
  return row ? { ...grantOf(row), kind: row.kind, isReplaced: row.next !== null } : undefined;
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
  const isOurs = "FROM oauth_token WHERE hash = ?1 AND next = ?3";
  const [replaced] = await db.batch([
    db
      .prepare(
        "UPDATE oauth_token SET next = ?2 WHERE hash = ?1 AND kind = 'refresh' AND next IS NULL AND expires_at > ?3",
      )
      .bind(hash, refresh, now),
    db
      .prepare(
        `${INSERT_TOKENS} SELECT ?2, grant_id, 'access', ?4 ${isOurs} UNION ALL SELECT ?3, grant_id, 'refresh', ?5 ${isOurs}`,
      )
      .bind(hash, access, refresh, now + ACCESS_MS, now + REFRESH_MS),
    db
      .prepare(`UPDATE oauth_grant SET last_used_at = ?2 WHERE id = (SELECT grant_id ${isOurs})`)
      .bind(hash, now, refresh),
  ]);
  return replaced.meta.changes > 0;
}

/** The grant with this id, if it has not ended. */
export async function findGrant(db: D1Database, id: string): Promise<Grant | undefined> {
  const row = await db
    .prepare(
      `SELECT ${GRANT_COLUMNS} FROM oauth_grant JOIN member ON member.id = oauth_grant.member WHERE oauth_grant.id = ?1`,
    )
    .bind(id)
    .first<GrantRow>();
  return row ? grantOf(row) : undefined;
}

/** Ends a grant and all of its tokens. @returns false if it has already ended */
export async function deleteGrant(db: D1Database, id: string): Promise<boolean> {
  const [gone] = await db.batch([
    db.prepare("DELETE FROM oauth_grant WHERE id = ?1").bind(id),
    db.prepare("DELETE FROM oauth_token WHERE grant_id = ?1").bind(id),
  ]);
  return gone.meta.changes > 0;
}

const GRANT_COLUMNS = `oauth_grant.id, oauth_grant.project, oauth_grant.live, oauth_grant.member, oauth_grant.role, oauth_grant.client,
  oauth_grant.client_name, oauth_grant.created_at, oauth_grant.last_used_at, member.email`;

interface GrantRow {
  id: string;
  project: number;
  live: number;
  member: string;
  role: Role;
  client: string;
  client_name: string;
  created_at: number;
  last_used_at: number;
  email: string;
}

const grantOf = (row: GrantRow): Grant => ({
  id: row.id,
  project: row.project,
  live: row.live === 1,
  member: row.member,
  role: row.role,
  client: row.client,
  clientName: row.client_name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  email: row.email,
});

/** The newest grants of a project; `member`: only theirs. */
export async function listGrants(db: D1Database, project: number, member: string | undefined): Promise<Grant[]> {
  const { results } = await db
    .prepare(
      `SELECT ${GRANT_COLUMNS} FROM oauth_grant JOIN member ON member.id = oauth_grant.member
       WHERE oauth_grant.project = ?1 AND (?2 IS NULL OR oauth_grant.member = ?2)
       ORDER BY oauth_grant.created_at DESC, oauth_grant.id LIMIT 500`,
    )
    .bind(project, member ?? null)
    .all<GrantRow>();
  return results.map(grantOf);
}

/** The number of a member's grants for a project. */
export async function countGrants(db: D1Database, project: number, member: string): Promise<number> {
  const row = await db
    .prepare("SELECT count(*) AS count FROM oauth_grant WHERE member = ?1 AND project = ?2")
    .bind(member, project)
    .first<{ count: number }>();
  return row?.count ?? 0;
}

/** The project's data for requests with an access token, and who allowed what. */
export interface GrantRecord extends KeyRecord {
  expiresAt: number;
  member: { id: string; email: string; role: Role; through: string };
}

/** Finds the caller of an access token, in one query. `now` [ms] determines the month for the quota. */
export async function findGrantCaller(env: Databases, hash: string, now: number): Promise<GrantRecord | undefined> {
  const row = await commonDatabase(env)
    .prepare(
      `SELECT ${GRANT_COLUMNS}, oauth_token.expires_at, membership.role AS member_role, project.disabled, project.settings,
         project."database", project.moving, project.monthly_quota,
         (SELECT epoch FROM fence_epoch WHERE scope = project.id * 2 + oauth_grant.live) AS fence_epoch,
         (SELECT epoch FROM beacon_epoch WHERE scope = project.id * 2 + oauth_grant.live) AS beacon_epoch,
         (SELECT epoch FROM campaign_epoch WHERE scope = project.id * 2 + oauth_grant.live) AS campaign_epoch,
         EXISTS (SELECT 1 FROM trip WHERE scope = project.id * 2 + oauth_grant.live) AS has_trips,
         CASE WHEN project.monthly_quota IS NULL THEN 0
           ELSE (SELECT coalesce(sum(calls), 0) FROM usage WHERE project = oauth_grant.project AND month = ?3) END AS used
       FROM oauth_token
       JOIN oauth_grant ON oauth_grant.id = oauth_token.grant_id
       JOIN member ON member.id = oauth_grant.member
       JOIN membership ON membership.member = oauth_grant.member AND membership.project = oauth_grant.project
       JOIN project ON project.id = oauth_grant.project
       WHERE oauth_token.hash = ?1 AND oauth_token.kind = 'access' AND oauth_token.expires_at > ?2`,
    )
    .bind(hash, now, new Date(now).toISOString().slice(0, 7))
    .first<
      GrantRow & {
        expires_at: number;
        member_role: Role;
        disabled: number;
        settings: string;
        database: string;
        moving: string | null;
        monthly_quota: number | null;
        fence_epoch: number | null;
        beacon_epoch: number | null;
        campaign_epoch: number | null;
        has_trips: number;
        used: number;
      }
    >();
  if (!row) return undefined;
  const { id, email, ...grant } = grantOf(row);
  const record: GrantRecord = {
    project: grant.project,
    live: grant.live,
    secret: true,
    scope: grant.project * 2 + (grant.live ? 1 : 0),
    disabled: row.disabled === 1,
    overQuota: row.monthly_quota !== null && row.used >= row.monthly_quota,
    hasQuota: row.monthly_quota !== null,
    settings: parseSettings(row.settings),
    fenceEpoch: row.fence_epoch ?? 0,
    beaconEpoch: row.beacon_epoch ?? 0,
    campaignEpoch: row.campaign_epoch ?? 0,
    hasTrips: row.has_trips === 1,
    database: row.database,
    ...movingOf(row.moving),
    expiresAt: row.expires_at,
    member: {
      id: grant.member,
      email,
      // The lower of both: a grant does not rise with its member.
      role: reaches(row.member_role, grant.role) ? grant.role : row.member_role,
      through: grant.clientName,
    },
  };
  if (row.database !== FIRST) Object.assign(record, await furtherState(env, record, now));
  return record;
}

/** How long a used or expired code is remembered, to notice a second use [ms]. */
const CODE_MEMORY_MS = 24 * 3600_000;

/** Runs hourly: deletes expired codes and tokens, and grants that no token can renew. */
export async function deleteEndedGrants(db: D1Database, now: number): Promise<void> {
  await db.batch([
    db.prepare("DELETE FROM oauth_code WHERE expires_at <= ?1").bind(now - CODE_MEMORY_MS),
    db.prepare("DELETE FROM oauth_token WHERE expires_at <= ?1").bind(now),
    db.prepare(
      "DELETE FROM oauth_grant WHERE NOT EXISTS (SELECT 1 FROM oauth_token WHERE grant_id = oauth_grant.id AND next IS NULL)",
    ),
    db.prepare("DELETE FROM oauth_token WHERE NOT EXISTS (SELECT 1 FROM oauth_grant WHERE id = grant_id)"),
  ]);
}
