import { and, desc, eq, lt, sql } from "drizzle-orm";
import { open } from "../database.ts";
import { pageOf } from "../page.ts";
import { auditEntry, member, membership } from "../schema.ts";

export type AuditRow = typeof auditEntry.$inferSelect;

export async function insertAuditEntry(db: D1Database, row: AuditRow): Promise<void> {
  await open(db).insert(auditEntry).values(row);
}

/** The changes of a project, newest first. */
export async function listAuditEntries(
  db: D1Database,
  project: number,
  { limit, createdBefore }: { limit: number; createdBefore?: number },
) {
  return pageOf(limit, auditEntry.createdAt, (also, most) =>
    open(db)
      .select({ time: auditEntry.createdAt, row: auditEntry })
      .from(auditEntry)
      .where(
        and(
          eq(auditEntry.project, project),
          createdBefore === undefined ? undefined : lt(auditEntry.createdAt, createdBefore),
          also,
        ),
      )
      .orderBy(desc(auditEntry.createdAt), desc(auditEntry.id))
      .limit(most)
      .all(),
  );
}

/**
 * Records a member's personal action, such as signing in, in every project that is open to them.
 * @param reach the only project that is open; null = all
 */
export async function insertPersonalEntry(
  db: D1Database,
  of: string,
  reach: number | null,
  { id, createdAt, action, summary }: Pick<AuditRow, "id" | "createdAt" | "action" | "summary">,
): Promise<void> {
  await open(db).run(
    sql`INSERT INTO ${auditEntry} (project, id, created_at, member, email, live, action, target, summary)
        SELECT ${membership.project}, ${id}, ${createdAt}, ${member.id}, ${member.email}, NULL, ${action}, '', ${summary}
        FROM ${membership} JOIN ${member} ON ${member.id} = ${membership.member}
        WHERE ${membership.member} = ${of} AND coalesce(${reach}, ${membership.project}) = ${membership.project}`,
  );
}
