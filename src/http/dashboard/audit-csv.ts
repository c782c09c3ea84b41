import { type AuditRow, listAuditEntries } from "../../db/audit.ts";
import { wireDate } from "../../wire/date.ts";

const AT_ONCE = 1000;
const COLUMNS = ["time", "member", "environment", "action", "target", "summary"];

/** The whole audit log as CSV (RFC 4180), newest first; read and sent page by page, so its length costs no memory. */
export function auditCsv(db: D1Database, project: number, createdBefore: number | undefined): Response {
  const encoder = new TextEncoder();
  let before = createdBefore;
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { rows, hasMore } = await listAuditEntries(db, project, { limit: AT_ONCE, createdBefore: before });
      const head = isFirst ? [COLUMNS.join(",")] : [];
      isFirst = false;
      const lines = [...head, ...rows.map(({ row }) => lineOf(row))];
      if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.join("\r\n")}\r\n`));
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
  return [wireDate(createdAt), email, environment, action, target, summary].map(cell).join(",");
}

/** A cell that no spreadsheet takes for a formula, in quotes where it must be (OWASP, "CSV Injection"). */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
