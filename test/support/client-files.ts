import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../src/server/base/wrangler.ts";
import { typesOf } from "./generated-clients.ts";

/** The files of src/client that are generated from /openapi.json. */

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is read as JSON
type Json = Record<string, any>;

const GENERATED = "Generated from /openapi.json: WRITE_CLIENT=1 npx vitest run test/client/sdk/client-files.test.ts";

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
        ([, operation]) => operation["x-key-level"] !== "member" && !["mcp", "docs"].includes(operation.operationId),
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
  const text = `// ${GENERATED}\n\n/** Method and path of each operation, query parameters next to a body, and how a list continues: parameter and field of the last item. */\nexport const OPERATIONS = {\n${rows.join("\n")}\n} as const;\n`;
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", "--stdin-file-path=src/client/operations.ts"], {
    input: text,
    encoding: "utf8",
    cwd: ROOT,
  });
}
