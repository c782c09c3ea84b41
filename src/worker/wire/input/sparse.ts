import { z } from "zod";

/** Schemas with fewer fields are used unchanged. */
const MANY_FIELDS = 6;
/** Maximum cached field sets of all schemas, about 10 KB each; and of recorded sets that were seen once. */
const MAX_SETS = 200;
const MAX_SEEN = 2_000;

interface Fields {
  /** In the schema's order, so that the first violated rule stays the first. */
  names: readonly string[];
  /** Optional fields without an effect if absent. */
  optional: ReadonlySet<string>;
  /** Cached schemas with some of them, by their names. */
  sets: Map<string, z.ZodType>;
  since: number;
}

const fieldsOf = new WeakMap<z.ZodType, Fields | undefined>();
const seen = new Set<string>();
let sets = 0;
let emptied = 0;

/**
 * Reduces a schema for an input by the optional fields that the input does not have. The result is the same, but faster: zod
 * checks every field of every input, and a device update has six of thirty. Apps keep sending the same few sets;
 * a schema is created when a set arrives a second time.
 */
export function sparse(schema: z.ZodType, input: Record<string, unknown>): z.ZodType {
  const fields = fieldsOf.has(schema) ? fieldsOf.get(schema) : readFields(schema);
  if (!fields) return schema;
  const { names, optional } = fields;
  if (fields.since !== emptied) Object.assign(fields, { sets: new Map(), since: emptied });
  let sent = "";
  for (const name of names) if (name in input || !optional.has(name)) sent += `${name} `;
  return fields.sets.get(sent) ?? remember(schema as z.ZodObject, fields, sent);
}

function remember(schema: z.ZodObject, fields: Fields, sent: string): z.ZodType {
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
  const one = schema.pick(maskOf(sent.split(" ").slice(0, -1)));
  fields.sets.set(sent, one);
  sets++;
  return one;
}

const maskOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true])) as never;

/** Undefined (cached) for anything except a plain object with many fields: rules across fields need all of them. */
function readFields(schema: z.ZodType): Fields | undefined {
  const fields = schema instanceof z.ZodObject && isPlain(schema) ? fieldsIn(schema) : undefined;
  fieldsOf.set(schema, fields);
  return fields;
}

function isPlain({ def, shape }: z.ZodObject): boolean {
  return !def.checks?.length && def.catchall === undefined && Object.keys(shape).length >= MANY_FIELDS;
}

function fieldsIn(schema: z.ZodObject): Fields {
  const names = Object.keys(schema.shape);
  const optional = names.filter((name) => {
    const { success, data } = schema.pick(maskOf([name])).safeParse({});
    return success && !(name in data);
  });
  return { names, optional: new Set(optional), sets: new Map(), since: emptied };
}
