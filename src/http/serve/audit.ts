import { commonDatabase } from "../../db/databases.ts";
import { insertAuditEntry } from "../../db/projects/audit.ts";
import { newId } from "../../objects/tracker/id.ts";
import { roleOf } from "./callers/session.ts";
import type { AuditNote, Call, Endpoint } from "./endpoint.ts";
import { describeError } from "./log.ts";

const MAX_LENGTH = 500;

/** Does the endpoint change something, as far as the audit log is concerned? */
export function isAudited(endpoint: Endpoint): boolean {
  return endpoint.audited ?? (endpoint.method !== "GET" && roleOf(endpoint) !== "read");
}

/**
 * Writes that a member has changed something. Before the answer, so that whoever was answered finds it; when it cannot be
 * written, the change stands all the same and the log of the Worker has the line.
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
    summary: (note.summary ?? summaryOf(endpoint, body)).slice(0, MAX_LENGTH),
  };
  try {
    await insertAuditEntry(commonDatabase(env), row);
  } catch (error) {
    console.error(JSON.stringify({ what: "audit entry lost", ...row, error: describeError(error) }));
  }
}

/** "Changes what is named (url, enabled)": names only, as values may be secret, and large. */
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
