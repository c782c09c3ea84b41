import { z } from "zod";

/** Schemas with fewer fields are used unchanged. */
const MANY_FIELDS = 6;
/** Maximum cached field sets of all schemas, about 10 KB each; and of recorded sets that were seen once. */
const MAX_SETS = 200;
const MAX_SEEN = 2_000;

type Parser = Pick<z.ZodType, "safeParse">;

/** A value that a field has if absent; undefined for none. */
type Default = { value: unknown } | undefined;

interface Fields {
  /** In the schema's order, so that the first violated rule stays the first. */
  names: readonly string[];
  /** Fields that need no check if absent: they have no effect then, or always the same value. Known when a set arrives a second time. */
  absent?: ReadonlyMap<string, Default>;
  /** Cached schemas with some of them, by their names. */
  sets: Map<string, Parser>;
  since: number;
}

const fieldsOf = new WeakMap<z.ZodType, Fields | undefined>();
const seen = new Set<string>();
let sets = 0;
let emptied = 0;

/**
 * Reduces a schema for an input by the optional fields that the input does not have, and those with a default. The result is the same, but
 * faster: zod checks every field of every input, and a device update has six of thirty. Apps keep sending the same few sets;
 * a schema is created when a set arrives a second time.
 */
export function sparse(schema: z.ZodType, input: Record<string, unknown>): Parser {
  const fields = fieldsOf.has(schema) ? fieldsOf.get(schema) : readFields(schema);
  if (!fields) return schema;
  if (fields.since !== emptied) Object.assign(fields, { sets: new Map(), since: emptied });
  let sent = "";
  for (const name of fields.names) if (name in input) sent += `${name} `;
  return fields.sets.get(sent) ?? remember(schema as z.ZodObject, fields, sent);
}

function remember(schema: z.ZodObject, fields: Fields, sent: string): Parser {
  if (!seen.has(sent)) {
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.add(sent);
    return schema;
  }
  if (sets >= MAX_SETS) {
    sets = 0;
    emptied++;
    return schema;
  }
  fields.absent ??= absentIn(schema, fields.names);
  const one = new SentFields(schema, fields.names, fields.absent, new Set(sent.split(" ").slice(0, -1)));
  fields.sets.set(sent, one);
  sets++;
  return one;
}

const maskOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true])) as never;

/** Undefined (cached) for anything except a plain object with many fields: rules across fields need all of them. */
function readFields(schema: z.ZodType): Fields | undefined {
  const isLarge = schema instanceof z.ZodObject && isPlain(schema);
  const fields = isLarge ? { names: Object.keys(schema.shape), sets: new Map(), since: emptied } : undefined;
  fieldsOf.set(schema, fields);
  return fields;
}

function isPlain({ def, shape }: z.ZodObject): boolean {
  return !def.checks?.length && def.catchall === undefined && Object.keys(shape).length >= MANY_FIELDS;
}

function absentIn(schema: z.ZodObject, names: readonly string[]): Map<string, Default> {
  const absent = new Map<string, Default>();
  for (const name of names) {
    const { success, data } = schema.pick(maskOf([name])).safeParse({});
    if (!success) continue;
    if (!(name in data)) absent.set(name, undefined);
    else if (isConstant(data[name])) absent.set(name, { value: data[name] });
  }
  return absent;
}

const isPrimitive = (value: unknown) => typeof value !== "object" || value === null;
/** No default depends on the time or another field; objects stay with zod, which copies them. */
const isConstant = (value: unknown) => (Array.isArray(value) ? value.every(isPrimitive) : isPrimitive(value));

/** The fields of a schema that an input has, or must have; the others have their defaults. */
export class SentFields {
  readonly schema: z.ZodObject;
  /** All in the order of the schema. */
  readonly #results: readonly [name: string, byDefault: Default][];

  constructor(
    schema: z.ZodObject,
    names: readonly string[],
    absent: ReadonlyMap<string, Default>,
    sent: ReadonlySet<string>,
  ) {
    const checked = names.filter((name) => sent.has(name) || !absent.has(name));
    this.schema = schema.pick(maskOf(checked));
    this.#results = names
      .map((name): [string, Default] => [name, checked.includes(name) ? undefined : absent.get(name)])
      .filter(([name, byDefault]) => byDefault !== undefined || checked.includes(name));
  }

  safeParse(input: unknown): z.ZodSafeParseResult<Record<string, unknown>> {
    const result = this.schema.safeParse(input);
    if (!result.success) return result;
    const data: Record<string, unknown> = {};
    for (const [name, byDefault] of this.#results) {
      if (byDefault) data[name] = Array.isArray(byDefault.value) ? byDefault.value.slice() : byDefault.value;
      else if (name in result.data) data[name] = result.data[name];
    }
    return { success: true, data };
  }
}
