import { commonDatabase } from "../../db/databases.ts";
import { insertAuditEntry } from "../../db/projects/audit.ts";
import { newId } from "../../objects/tracker/id.ts";
import { describeError } from "../../platform/describe-error.ts";
import type { Call } from "../serve/endpoint.ts";

/** Logs what happened to a grant outside of the dashboard's own changes, in the audit log of its project. */
export async function noteGrant(
  { env, now }: Pick<Call, "env" | "now">,
  grant: { project: number; live: boolean; member: string; email: string; clientName: string },
  action: string,
  summary: string,
): Promise<void> {
  const { project, live, member, email, clientName } = grant;
  const entry = { project, live, member, email, id: newId(now), createdAt: now, action, target: clientName, summary };
  try {
    await insertAuditEntry(commonDatabase(env), entry);
  } catch (error) {
    console.error(JSON.stringify({ what: "audit entry lost", ...entry, error: describeError(error) }));
  }
}
