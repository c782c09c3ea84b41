import { z } from "zod";
import {
  findImport,
  type Imported,
  type ImportedRow,
  type KeptImport,
  keepImport,
  listImports,
} from "../../db/customers/imports.ts";
import { newId } from "../../objects/tracker/id.ts";
import { notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { number } from "../../wire/input/fields.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";

/** Shared parts of all imports: the report of a file, and the history of files. */

const KEPT_FAILURES = 100;

/** The result of a row of any import. */
export const rowShape = z.object({
  line: z.number(),
  status: z.enum(["created", "updated", "unchanged", "failed"]),
  _id: z.string().optional(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  param: z.string().optional(),
  message: z.string().optional(),
});

/** The counts of a file; `row` is the shape of its rows. */
export function importShapeOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    _id: z.string(),
    createdAt: z.string(),
    live: z.boolean(),
    filename: z.string().optional(),
    total: z.number(),
    created: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    failed: z.number(),
    failures: z.array(row).meta({ description: `the first ${KEPT_FAILURES}` }),
  });
}

/**
 * The response of an import. The history stores imports, but not dry runs.
 * @param more additional fields of this kind of import
 */
export async function reportImport(
  { caller, env, now }: Call,
  of: Imported,
  rows: readonly ImportedRow[],
  { dryRun, ...more }: { dryRun: boolean } & Pick<KeptImport, "filename" | "format" | "ignored">,
) {
  const count = (status: ImportedRow["status"]) => rows.filter((row) => row.status === status).length;
  const done: KeptImport = {
    _id: newId(now),
    createdAt: now,
    live: caller.live,
    ...more,
    total: rows.length,
    created: count("created"),
    updated: count("updated"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    failures: rows.filter(({ status }) => status === "failed").slice(0, KEPT_FAILURES),
  };
  if (!dryRun) await keepImport(env.DB, of, caller.scope, done);
  return { import: { ...wireImport(done), dryRun }, rows };
}

function wireImport({ createdAt, ...rest }: KeptImport) {
  return { ...rest, createdAt: wireDate(createdAt) };
}

/** The two history endpoints: all files, and one file with its failed rows. */
export function historyOf<Shape extends z.ZodType>(
  of: Imported,
  { chapter, list, get, shape }: { chapter: string; list: string; get: string; shape: Shape },
) {
  const path = `/v1/imports/${of}`;
  return {
    list: endpoint({
      name: list,
      method: "GET",
      path,
      level: "secret",
      chapter,
      summary: `Lists the imports of ${of}, newest first. Dry runs are not stored.`,
      query: z.object({ limit: number({ min: 1, max: 1000, integer: true }).default(100) }),
      response: z.object({ imports: z.array(shape) }),
      async handle({ query, caller, env }) {
        const { imports, hasMore } = await listImports(env.DB, of, caller.scope, query.limit);
        return { meta: { hasMore }, imports: imports.map(wireImport) };
      },
    }),
    get: endpoint({
      name: get,
      method: "GET",
      path: `${path}/:id`,
      level: "secret",
      chapter,
      summary: `Returns an import of ${of}, with the failed rows.`,
      response: z.object({ import: shape }),
      errors: [404],
      async handle({ params, caller, env }) {
        const found = await findImport(env.DB, of, caller.scope, params.id);
        if (!found) throw notFound("Import");
        return { import: wireImport(found) };
      },
    }),
  };
}
