import { type AuditRow, listAuditEntries } from "../../db/projects/audit.ts";
import { wireDate } from "../../wire/date.ts";
import { csvRow } from "../../wire/tables/write-csv.ts";

const AT_ONCE = 1000;
const COLUMNS = ["time", "member", "environment", "action", "target", "summary"];

/** The complete audit log as CSV (RFC 4180), newest first; streamed page by page, so memory use does not depend on its length. */
export function auditCsv(db: D1Database, project: number, createdBefore: number | undefined): Response {
  const encoder = new TextEncoder();
  let before = createdBefore;
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { rows, hasMore } = await listAuditEntries(db, project, { limit: AT_ONCE, createdBefore: before });
      const head = isFirst ? [csvRow(COLUMNS)] : [];
      isFirst = false;
      const lines = [...head, ...rows.map(({ row }) => lineOf(row))];
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (hasMore) before = rows[rows.length - 1].time;
      else controller.close();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="audit-log.csv"',
      "cache-control": "no-store",
    },
  });
}

function lineOf({ createdAt, email, live, action, target, summary }: AuditRow): string {
  const environment = live === null ? "" : live ? "live" : "test";
  return csvRow([wireDate(createdAt), email, environment, action, target, summary]);
}
