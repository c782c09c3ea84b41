import { commonDatabase } from "../../db/databases.ts";
import { insertAuditEntry } from "../../db/projects/audit.ts";
import { newId } from "../../objects/tracker/id.ts";
import { describeError } from "../../platform/describe-error.ts";
import { roleOf } from "./callers/session.ts";
import { type AuditNote, type Call, type Endpoint, MediaReply, type Reply, WrittenReply } from "./endpoint.ts";

/** Of a target, and of a summary [characters]. */
const MAX_TARGET = 500;
const MAX_SUMMARY = 1000;
/** Of a value before or after [characters]. */
const MAX_VALUE = 80;

/** A record as its endpoint returns it. */
export type AuditRecord = Readonly<Record<string, unknown>>;

/** Fields that change by themselves, or with every change. */
const OWN = new Set([
  "_id",
  "createdAt",
  "updatedAt",
  "epoch",
  "stats",
  "size",
  "computing",
  "geometry",
  "missingImages",
]);
/** Fields whose values nobody else should read. */
const SECRET = /secret|token|password|key$|credential|settings\.|^url$/i;

/** Whether the audit log records calls of the endpoint. */
export function isAudited(endpoint: Endpoint): boolean {
  return endpoint.audited ?? (endpoint.method !== "GET" && roleOf(endpoint) !== "read");
}

/**
 * Logs a member's change. Written before the response, so that it is visible afterward; if the write fails,
 * the change remains and the Worker's log has the entry.
 */
export async function writeAudit(
  endpoint: Endpoint,
  call: Call,
  { note, before, reply }: { note: AuditNote; before: AuditRecord | undefined; reply: Reply },
): Promise<void> {
  const { caller, env, now, params, body } = call;
  const { member, project, live } = caller;
  if (!member) return;
  const after = recordOf(reply);
  const row = {
    project,
    id: newId(now),
    createdAt: now,
    member: member.id,
    email: member.email,
    live: endpoint.level === "member" ? null : live,
    action: endpoint.name,
    target: (note.target ?? targetOf(note.summary === undefined ? (before ?? after) : undefined, params)).slice(
      0,
      MAX_TARGET,
    ),
    summary:
      `${note.summary ?? changeOf(endpoint, before, after) ?? summaryOf(endpoint, body)}${member.through ? ` (through ${member.through})` : ""}`.slice(
        0,
        MAX_SUMMARY,
      ),
  };
  try {
    await insertAuditEntry(commonDatabase(env), row);
  } catch (error) {
    console.error(JSON.stringify({ what: "audit entry lost", ...row, error: describeError(error) }));
  }
}

/**
 * The record before a change, by the endpoint that reads it at the same path. Undefined: there is none, or it cannot be read; the change
 * itself then tells why.
 */
export async function recordBefore(reader: Endpoint | undefined, call: Call): Promise<AuditRecord | undefined> {
  if (!reader) return undefined;
  try {
    const query = reader.query?.safeParse({});
    if (query?.success === false) return undefined;
    return recordOf(await reader.handle(call.with({ query: query?.data ?? {}, body: {} })));
  } catch {
    return undefined;
  }
}

/** The only record of a reply: that of `{geofence: {…}}`. */
function recordOf(reply: Reply): AuditRecord | undefined {
  if (reply instanceof WrittenReply || reply instanceof MediaReply || reply instanceof Response) return undefined;
  const records = Object.entries(reply).filter(
    ([name, value]) => name !== "meta" && typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return records.length === 1 ? (records[0][1] as AuditRecord) : undefined;
}

/** 'Downtown (zone / downtown)': what people call a record, and its ids. */
function targetOf(record: AuditRecord | undefined, params: Readonly<Record<string, string>>): string {
  const path = Object.values(params).join("/");
  const text = (name: string) => (typeof record?.[name] === "string" ? (record[name] as string) : undefined);
  const name = text("description") ?? text("name") ?? text("externalId");
  const id = path || text("_id");
  return name === undefined || name === id ? (id ?? "") : id ? `${name} (${id})` : name;
}

/** What was done to a record: 'Updates a geofence: radius 100 → 250'. Undefined where no record is known. */
function changeOf({ method, summary }: Endpoint, before?: AuditRecord, after?: AuditRecord): string | undefined {
  const [sentence] = summary.split(/[:.;]/);
  if (method === "DELETE") return before && sentence;
  if (!before || !after) return undefined;
  const changes = differences(before, after);
  return changes.length > 0 ? `${sentence}: ${changes.join("; ")}` : `${sentence}: no change`;
}

function differences(before: AuditRecord, after: AuditRecord, prefix = ""): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const path = prefix + name;
    if (OWN.has(name) || JSON.stringify(was) === JSON.stringify(is)) return [];
    if (isRecord(was) && isRecord(is)) return differences(was, is, `${path}.`);
    return [SECRET.test(path) ? `${path} changed` : `${path} ${valueText(was)} → ${valueText(is)}`];
  });
}

const isRecord = (value: unknown): value is AuditRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
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
