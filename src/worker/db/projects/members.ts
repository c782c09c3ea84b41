import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Role } from "../../../core/auth/role.ts";
import { batch, open } from "../database.ts";
import { member, membership, project } from "../schema.ts";
import { closeWaysInto, WAYS_IN } from "./sessions.ts";

/** A member as seen by a project. */
export interface Member {
  id: string;
  email: string;
  role: Role;
  /** Creation time in this project [ms]. */
  createdAt: number;
}

const columns = { id: member.id, email: member.email, role: membership.role, createdAt: membership.createdAt };

export async function listMembers(db: D1Database, of: number): Promise<Member[]> {
  return open(db)
    .select(columns)
    .from(membership)
    .innerJoin(member, eq(member.id, membership.member))
    .where(eq(membership.project, of))
    .orderBy(asc(member.email))
    .all();
}

export async function findMember(db: D1Database, of: number, id: string): Promise<Member | undefined> {
  return open(db)
    .select(columns)
    .from(membership)
    .innerJoin(member, eq(member.id, membership.member))
    .where(and(eq(membership.project, of), eq(membership.member, id)))
    .get();
}

/**
 * Adds a member to a project; a member of another project keeps their identity.
 * @param newId the id of a new person
 * @returns undefined if they are already a member
 */
export async function addMember(
  db: D1Database,
  { project: of, email, role, newId, now }: { project: number; email: string; role: Role; newId: string; now: number },
): Promise<Member | undefined> {
  const [, made] = await batch<[never, { id: string }]>(db, [
    sql`INSERT INTO ${member} (id, email, created_at) VALUES (${newId}, ${email}, ${now}) ON CONFLICT (email) DO NOTHING`,
    sql`INSERT INTO ${membership} (project, member, role, created_at) SELECT ${of}, ${member.id}, ${role}, ${now}
        FROM ${member} WHERE ${member.email} = ${email} ON CONFLICT DO NOTHING RETURNING member AS id`,
  ]);
  const [row] = made.results;
  return row && { id: row.id, email, role, createdAt: now };
}

/** A project needs an owner: the last one can neither change their role nor leave. */
const isNotLast = (of: number, id: string): SQL =>
  sql`(role <> 'owner' OR EXISTS (SELECT 1 FROM ${membership} AS other
    WHERE other.project = ${of} AND other.role = 'owner' AND other.member <> ${id}))`;

const isMembership = (of: number, id: string) => and(eq(membership.project, of), eq(membership.member, id));

/**
 * Changes a role.
 * @param revoke revokes the credentials that the project's admins created for this member, which were meant for a lower
 * role
 * @returns false if it is the last owner's
 */
export async function changeRole(
  db: D1Database,
  of: number,
  id: string,
  role: Role,
  revoke: boolean,
): Promise<boolean> {
  const rule = role === "owner" ? undefined : isNotLast(of, id);
  const [changed] = await batch(db, [
    open(db)
      .update(membership)
      .set({ role })
      .where(and(isMembership(of, id), rule)),
    ...(revoke ? closeWaysInto(of, id) : []),
  ]);
  return changed.meta.changes > 0;
}

/**
 * Removes a member from a project, with the credentials for this project only. A person without any project is deleted.
 * @returns false if it is the last owner
 */
export async function removeMember(db: D1Database, of: number, id: string): Promise<boolean> {
  const hasNone = (where: SQL | undefined) => sql`NOT EXISTS (SELECT 1 FROM ${membership} WHERE ${where})`;
  const gone = hasNone(eq(membership.member, id));
  const [removed] = await batch(db, [
    sql`DELETE FROM ${membership} WHERE ${isMembership(of, id)} AND ${isNotLast(of, id)}`,
    ...closeWaysInto(of, id).map((query) => sql`${query} AND ${hasNone(isMembership(of, id))}`),
    ...WAYS_IN.map((table) => sql`DELETE FROM ${table} WHERE ${table.member} = ${id} AND ${gone}`),
    sql`DELETE FROM ${member} WHERE ${member.id} = ${id} AND ${gone}`,
  ]);
  return removed.meta.changes > 0;
}

/** A member's project, as listed in the project switcher. */
interface OwnProject {
  id: number;
  name: string;
  role: Role;
  disabled: boolean;
  monthlyQuota: number | null;
}

/** @param reach the only project that is open; null = all */
export async function projectsOf(db: D1Database, id: string, reach: number | null): Promise<OwnProject[]> {
  return open(db)
    .select({
      id: project.id,
      name: project.name,
      role: membership.role,
      disabled: project.disabled,
      monthlyQuota: project.monthlyQuota,
    })
    .from(membership)
    .innerJoin(project, eq(project.id, membership.project))
    .where(and(eq(membership.member, id), reach === null ? undefined : eq(membership.project, reach)))
    .orderBy(asc(project.id))
    .all();
}
