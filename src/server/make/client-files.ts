import { existsSync, globSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { Pace } from "../../core/geo/pace.ts";
import { ROOT } from "../base/wrangler.ts";

/**
 * `npm run generate`: writes the files of src/client that follow from the endpoints, unless nothing has changed since. `npm ci` runs it for
 * editors, and `npm test`, `npm run check` and `npm run client` before they read the files.
 */

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is read as JSON
type Json = Record<string, any>;

const GENERATED = "Generated from src/worker/http/endpoints.ts: npm run generate";

/** Fields from which the next page of a list follows, by the parameter. */
const PAGE_FIELDS = [
  ["cursor", "nextCursor"],
  ["createdBefore", "createdAt"],
] as const;
/** Lists in another order than that of creation. */
const OTHER_ORDER: Record<string, readonly [string, string]> = { listUsers: ["updatedBefore", "updatedAt"] };

function operationsOf(document: Json): { path: string; method: string; operation: Json }[] {
  return Object.entries(document.paths as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json)
      .filter(
        ([, operation]) =>
          operation["x-key-level"] !== "member" &&
          operation["x-peer"] === undefined &&
          !["mcp", "docs"].includes(operation.operationId),
      )
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The document of the operations that a client calls with a key, without what types do not need. */
function reduced(document: Json): Json {
  const paths: Json = {};
  for (const { path, method, operation } of operationsOf(document)) {
    const { responses, requestBody, ...rest } = operation;
    const success = Object.entries(responses as Json).filter(([code]) => code.startsWith("2"));
    const json = requestBody?.content?.["application/json"];
    paths[path] = {
      ...paths[path],
      [method]: {
        ...rest,
        ...(requestBody && { requestBody: { ...requestBody, content: { "application/json": json } } }),
        responses: Object.fromEntries(success),
      },
    };
  }
  const { responses, ...others } = document.components;
  const { NoContent } = responses;
  const components = { ...others, responses: { NoContent } };
  return withoutExamples({ ...document, servers: [], webhooks: {}, paths, components }) as Json;
}

/** @param isNames the keys are names of fields, of which one may be `example` */
function withoutExamples(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutExamples(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || key !== "example")
      .map(([key, one]) => [key, withoutExamples(one, key === "properties" && !isNames)]),
  );
}

/**
 * openapi-typescript (MIT, 0.9 MB) and @hey-api/openapi-ts (MIT, 6.5 MB with its own packages) write with the JavaScript API of TypeScript 5 or 6,
 * which TypeScript 7 does not have. A second `typescript` would claim the command `tsc`, so they get the copy of 5.9 that @ts-morph/common (MIT,
 * 12 MB) contains.
 */
export async function withCompiler<T>(generate: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(name === "typescript" ? "@ts-morph/common/dist/typescript.js" : name, context),
  });
  try {
    return await generate();
  } finally {
    hooks.deregister();
  }
}

/** The module of types that openapi-typescript writes. Its own default requires fields with a default, also in requests. */
export const typesOf = (document: unknown, options: { defaultNonNullable?: boolean } = {}): Promise<string> =>
  withCompiler(async () => {
    const { default: write, astToString } = await import("openapi-typescript");
    return astToString(await write(document as Parameters<typeof write>[0], options));
  });

/** The text of src/client/api.d.ts. */
export async function clientTypes(document: Json): Promise<string> {
  const text = await typesOf(reduced(document), { defaultNonNullable: false });
  const from = text.indexOf("export interface paths");
  const to = text.indexOf("export type webhooks");
  // The same as `operations`, which the client uses.
  const own = text.slice(0, from) + text.slice(to);
  return `/* ${GENERATED} */\n${own.replace(/\/\*\*\n \* This file was auto-generated[\s\S]*?\*\/\n/, "").replace(/^export type (webhooks|\$defs) .*\n/gm, "")}`;
}

/** The text of src/client/operations.ts. */
export function clientOperations(document: Json): string {
  const rows = operationsOf(document).map(({ path, method, operation }) => {
    const names = ((operation.parameters ?? []) as Json[]).filter((one) => one.in === "query").map(({ name }) => name);
    const isRead = method === "get" || method === "delete";
    const isList = method === "get" && operation.responses[200]?.content?.["application/json"] !== undefined;
    const page = isList
      ? (OTHER_ORDER[operation.operationId] ?? PAGE_FIELDS.find(([parameter]) => names.includes(parameter)))
      : undefined;
    const more = {
      ...(!isRead && names.length > 0 && { query: names }),
      ...(page && { page }),
    };
    const row = [method.toUpperCase(), path, ...(Object.keys(more).length > 0 ? [more] : [])];
    return `  ${operation.operationId}: ${JSON.stringify(row)},`;
  });
  return `// ${GENERATED}\n\n/** Method and path of each operation, query parameters next to a body, and how a list continues: parameter and field of the last item. */\nexport const OPERATIONS = {\n${rows.join("\n")}\n} as const;\n`;
}

/** What the Worker's bundler turns into modules, and Node cannot load; no description of an endpoint needs it. */
const BINARY = /\.(wasm|bin)(\?.*)?$/;

/** The document of this source, as `/openapi.json` returns it. */
async function documentOfSource(): Promise<Json> {
  registerHooks({
    resolve: (name, context, next) =>
      BINARY.test(name) ? { url: "data:text/javascript,export default {}", shortCircuit: true } : next(name, context),
  });
  // By computed paths, as the types of the Worker's platform are not in this program.
  const load = (path: string) => import(join(ROOT, "src/worker/http", path));
  const [{ listEndpoints }, { openApiDocument }] = await Promise.all(
    ["endpoints.ts", "reference/openapi.ts"].map(load),
  );
  const endpoints = listEndpoints(() => Promise.reject(new Error("No requests are answered here.")));
  return openApiDocument(endpoints, "", new Pace(() => Promise.resolve()), { answers: {}, errors: {}, events: {} });
}

/** What the files follow from. A folder is newer after a file in it was deleted. */
const SOURCES = ["src/{core,worker}/**", "src/server/make/client-files.ts", "package-lock.json"];
const FILES = ["src/client/operations.ts", "src/client/api.d.ts"];

/** Whether all files exist and no source changed after they were written. */
export function isWritten(root: string, files = FILES, sources = SOURCES): boolean {
  const changedAt = (path: string) => statSync(join(root, path)).mtimeMs;
  if (!files.every((file) => existsSync(join(root, file)))) return false;
  const written = Math.min(...files.map(changedAt));
  return globSync(sources, { cwd: root }).every((path) => changedAt(path) <= written);
}

export async function writeClientFiles(): Promise<void> {
  if (isWritten(ROOT)) return;
  // What changes while this runs is read the next time.
  const now = new Date();
  const document = await documentOfSource();
  const texts = [clientOperations(document), await clientTypes(document)];
  for (const [index, file] of FILES.entries()) {
    const path = join(ROOT, file);
    // Others may be reading the file, or writing it.
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, texts[index]);
    utimesSync(temporary, now, now);
    renameSync(temporary, path);
  }
}
