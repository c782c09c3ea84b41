import type { z } from "zod";
import { ApiError, invalid, required } from "../../platform/errors.ts";
import { REQUIRED } from "./fields.ts";
import { sparse } from "./sparse.ts";

/**
 * Checks parameters against a schema; the first violated rule becomes a 400 with the parameter's name.
 * @param prefix of the names, if the input is part of a body
 */
export function validate<T extends z.ZodType>(schema: T, given: Record<string, unknown>, prefix = ""): z.output<T> {
  const input = standIns.get(schema)?.(given) ?? given;
  const result = sparse(schema, input).safeParse(input);
  if (result.success) return result.data as z.output<T>;
  const issue = result.error.issues[0];
  const param = dottedSchemas.has(schema) ? prefix + dottedName(issue.path) : paramName(issue.path, input);
  if (param === "") throw new ApiError(400, issue.message);
  if (valueAt(input, issue.path) === undefined || issue.message === REQUIRED) throw required(param);
  throw invalid(param, deepestMessage(issue));
}

type Fields = Record<string, unknown>;
const standIns = new WeakMap<z.ZodType, (input: Fields) => Fields>();

/** Marks a schema in which one field stands in for an absent other one. */
export function standingIn<T extends z.ZodType>(schema: T, name: string, other: string): T {
  const isAbsent = (value: unknown) => (value ?? "") === "";
  standIns.set(schema, (input) =>
    isAbsent(input[other]) && !isAbsent(input[name]) ? { ...input, [other]: input[name] } : input,
  );
  return schema;
}

const dottedSchemas = new WeakSet<z.ZodType>();

/** Marks the schema of a JSON body: its errors name fields as `content.title`, not `content[title]`. */
export function dotted<T extends z.ZodType>(schema: T): T {
  dottedSchemas.add(schema);
  return schema;
}

/** ["variants", 0, "content", "title"] → "variants[0].content.title". */
function dottedName(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .slice(1);
}

/**
 * ["metadata", "color"] → "metadata[color]": as a caller writes it in a query or form. A parameter sent as one
 * string, such as a comma-separated list, is not split.
 */
function paramName(path: readonly PropertyKey[], input: Record<string, unknown>): string {
  if (path.length > 0 && typeof input[String(path[0])] === "string") return String(path[0]);
  return path.map((part, i) => (i === 0 ? String(part) : `[${String(part)}]`)).join("");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return value;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value ?? undefined;
}

/** Replaces zod's own messages: our schemas have the message for the caller. */
function deepestMessage(issue: z.core.$ZodIssue): string {
  return /^Invalid (input|option|key|union)/.test(issue.message) ? "" : issue.message;
}
