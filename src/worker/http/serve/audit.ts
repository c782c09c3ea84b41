import { commonDatabase } from "../../db/databases.ts";
import { insertAuditEntry } from "../../db/projects/audit.ts";
import { newId } from "../../objects/tracker/id.ts";
import { describeError } from "../../platform/describe-error.ts";
import { roleOf } from "./callers/session.ts";
import type { AuditNote, Call, Endpoint } from "./endpoint.ts";

const MAX_LENGTH = 500;

/** Whether the audit log records calls of the endpoint. */
export function isAudited(endpoint: Endpoint): boolean {
  return endpoint.audited ?? (endpoint.method !== "GET" && roleOf(endpoint) !== "read");
}

/**
 * Logs a member's change. Written before the response, so that it is visible afterward; if the write fails,
 * the change remains and the Worker's log has the entry.
 */
export async function writeAudit(endpoint: Endpoint, call: Call, note: AuditNote): Promise<void> {
  const { caller, env, now, params, body } = call;
  const { member, project, live } = caller;
  if (!member) return;
  const row = {
    project,
    id: newId(now),
    createdAt: now,
    member: member.id,
    email: member.email,
    live: endpoint.level === "member" ? null : live,
    action: endpoint.name,
    target: (note.target ?? Object.values(params).join("/")).slice(0, MAX_LENGTH),
    summary:
      `${note.summary ?? summaryOf(endpoint, body)}${member.through ? ` (through ${member.through})` : ""}`.slice(
        0,
        MAX_LENGTH,
      ),
  };
  try {
    await insertAuditEntry(commonDatabase(env), row);
  } catch (error) {
    console.error(JSON.stringify({ what: "audit entry lost", ...row, error: describeError(error) }));
  }
}

/** "Updates the specified fields (url, enabled)": only names, because values can be secret or large. */
function summaryOf({ summary }: Endpoint, body: unknown): string {
  const [sentence] = summary.split(/[:.;]/);
  const fields = typeof body === "object" && body !== null ? sentFields(body) : [];
  return fields.length > 0 ? `${sentence} (${fields.join(", ")})` : sentence;
}

function sentFields(body: object): string[] {
  return Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
