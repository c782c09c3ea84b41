import { z } from "zod";
import { commonDatabase } from "../../db/databases.ts";
import { type AuditRow, listAuditEntries } from "../../db/projects/audit.ts";
import { wireDate } from "../../wire/date.ts";
import { datetime, number, oneOf } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { auditCsv } from "./audit-csv.ts";
import { CHAPTER } from "./shapes.ts";

const entryShape = z.object({
  _id: z.string(),
  createdAt: z.string(),
  member: z.object({ _id: z.string(), email: z.string() }),
  live: z.boolean().optional().meta({ description: "absent: the project itself was changed" }),
  action: z.string().meta({ description: "name of the endpoint (operationId)" }),
  target: z.string(),
  summary: z.string(),
});

export const getAudit = endpoint({
  name: "listAuditEntries",
  method: "GET",
  path: "/dashboard/api/audit",
  level: "member",
  role: "admin",
  chapter: CHAPTER,
  summary: "Lists the changes that members made in the dashboard, newest first. `format=csv`: all changes, as a file.",
  query: z.object({
    limit: number({ min: 1, max: 1000, integer: true }).default(100),
    createdBefore: datetime().optional(),
    format: oneOf(["json", "csv"]).default("json"),
  }),
  orMedia: ["text/csv"],
  response: z.object({ entries: z.array(entryShape) }),
  async handle({ query, caller, env }) {
    if (query.format === "csv") return auditCsv(commonDatabase(env), caller.project, query.createdBefore);
    const { rows, hasMore } = await listAuditEntries(commonDatabase(env), caller.project, query);
    return { meta: { hasMore }, entries: rows.map(({ row }) => wireEntry(row)) };
  },
});

function wireEntry({ id, createdAt, member, email, live, action, target, summary }: AuditRow) {
  return {
    _id: id,
    createdAt: wireDate(createdAt),
    member: { _id: member, email },
    ...(live !== null && { live }),
    action,
    target,
    summary,
  };
}
