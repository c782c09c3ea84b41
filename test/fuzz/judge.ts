import { z } from "zod";
import { breachesOf } from "../support/wire-rules.ts";
import type { ApiDocument, Operation } from "./requests.ts";

/** What the reference promises of an answer. */
export interface Seen {
  status: number;
  contentType: string;
  text: string;
  /** CPU that the Worker's process took for it [s]. */
  cpu: number;
}

/** The most CPU that one request may take [s]. */
export const MAX_CPU = 1;

/** Looks at answers with the schemas of the document, which are read once. */
export function judgeOf(document: ApiDocument): (operation: Operation, seen: Seen) => string[] {
  const checks = new Map<string, z.ZodType>();
  const errorSchema = z.fromJSONSchema(document.components.schemas.Error as never);
  const checkOf = (operation: Operation, status: number): z.ZodType | undefined => {
    const schema = operation.responses[status]?.content?.["application/json"]?.schema;
    if (!schema) return undefined;
    // Errors of peers have the form of another service; test/worker/http/peers looks at them.
    if (status >= 400) return operation["x-peer"] ? undefined : errorSchema;
    const key = `${operation.operationId} ${status}`;
    let check = checks.get(key);
    if (!check) {
      check = z.fromJSONSchema(schema as never);
      checks.set(key, check);
    }
    return check;
  };

  return (operation, { status, contentType, text, cpu }) => {
    const faults: string[] = [];
    if (status >= 500) faults.push(`status ${status}`);
    if (cpu > MAX_CPU) faults.push(`more than ${MAX_CPU} s of CPU`);
    const promised = operation.responses[status];
    if (!promised) return [...faults, ...(status < 500 ? [`status ${status}, which the reference does not name`] : [])];
    const types = Object.keys(promised.content ?? {});
    if (types.length === 0) return text === "" ? faults : [...faults, `a body where the reference has none`];
    if (!types.some((type) => contentType.startsWith(type)))
      return [...faults, `content type ${contentType || "none"}`];
    if (!contentType.startsWith("application/json")) return faults;
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return [...faults, "no JSON"];
    }
    const issues = checkOf(operation, status)?.safeParse(body).error?.issues ?? [];
    for (const { path, message } of issues.slice(0, 3)) faults.push(`schema: ${pathText(path)}: ${message}`);
    const breaches = operation["x-peer"] ? [] : breachesOf(body, status);
    for (const breach of breaches.slice(0, 3)) faults.push(`wire: ${breach.replace(/\d+/g, "n")}`);
    return faults;
  };
}

/** "users.[].location": the same fault in another row is the same fault. */
function pathText(path: PropertyKey[]): string {
  return path.map((part) => (typeof part === "number" ? "[]" : String(part))).join(".") || "the answer";
}
