import { and, desc, eq, lt } from "drizzle-orm";
import { open } from "./database.ts";
import { pageOf } from "./page.ts";
import { auditEntry } from "./schema.ts";

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
