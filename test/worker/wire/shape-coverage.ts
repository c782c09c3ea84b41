import { z } from "zod";

/** Compares values with a schema of the reference in both directions. */
export interface Coverage {
  /** Paths of values that the schema does not have, or does not accept. */
  unknown: string[];
  /** Paths of fields, and of values of enumerations, that no value has. */
  unseen: string[];
}

/** What a schema has and none of the values shows, and the other way round. */
export function coverageOf(schema: z.ZodType, values: readonly unknown[]): Coverage {
  const seen = new Set<string>();
  const unknown = new Set<string>();
  for (const value of values) visit(schema, value, "", seen, unknown);
  return { unknown: [...unknown].sort(), unseen: pathsOf(schema, "").filter((path) => !seen.has(path)) };
}

function visit(schema: z.ZodType, value: unknown, path: string, seen: Set<string>, unknown: Set<string>): void {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject && typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      const own = (inner.shape as Record<string, z.ZodType>)[name];
      if (!own) unknown.add(`${path}.${name}`);
      else {
        seen.add(`${path}.${name}`);
        visit(own, field, `${path}.${name}`, seen, unknown);
      }
    }
    if (!schema.safeParse(value).success) unknown.add(path);
  } else if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const one of value) visit(inner.element as z.ZodType, one, `${path}[]`, seen, unknown);
  } else if (inner instanceof z.ZodUnion) {
    const at = (inner.options as z.ZodType[]).findIndex((option) => strictly(option, value));
    if (at < 0) unknown.add(path);
    else {
      seen.add(`${path}|${at}`);
      visit(inner.options[at] as z.ZodType, value, `${path}|${at}`, seen, unknown);
    }
  } else if (!schema.safeParse(value).success) unknown.add(path);
  else if (inner instanceof z.ZodEnum) seen.add(`${path}=${value}`);
}

const strictly = (schema: z.ZodType, value: unknown) =>
  (schema instanceof z.ZodObject ? schema.strict() : schema).safeParse(value).success;

function pathsOf(schema: z.ZodType, path: string): string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([name, field]) => [
      `${path}.${name}`,
      ...pathsOf(field as z.ZodType, `${path}.${name}`),
    ]);
  if (inner instanceof z.ZodArray) return pathsOf(inner.element as z.ZodType, `${path}[]`);
  if (inner instanceof z.ZodUnion)
    return (inner.options as z.ZodType[]).flatMap((option, at) => [
      `${path}|${at}`,
      ...pathsOf(option, `${path}|${at}`),
    ]);
  return inner instanceof z.ZodEnum ? inner.options.map((option) => `${path}=${option}`) : [];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;
}
