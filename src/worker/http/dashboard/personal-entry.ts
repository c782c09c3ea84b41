import { commonDatabase } from "../../db/databases.ts";
import { insertPersonalEntry } from "../../db/projects/audit.ts";
import { newId } from "../../objects/tracker/id.ts";
import { describeError } from "../../platform/describe-error.ts";
import type { Call } from "../serve/endpoint.ts";

/** Logs a member's personal action, such as signing in, in the audit log of every project they can access. */
export async function notePersonal(
  { env, now }: Pick<Call, "env" | "now">,
  member: string,
  reach: number | null,
  action: string,
  summary: string,
): Promise<void> {
  try {
    await insertPersonalEntry(commonDatabase(env), member, reach, { id: newId(now), createdAt: now, action, summary });
  } catch (error) {
    console.error(JSON.stringify({ what: "audit entry lost", member, action, error: describeError(error) }));
  }
}
