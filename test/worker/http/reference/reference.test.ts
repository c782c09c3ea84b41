import { get as httpGet, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, inject, it } from "vitest";
import { untilLimited } from "../../../support/world.ts";

/** As it comes over the wire, without a client that unpacks. */
function raw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    httpGet(`${inject("baseUrl")}${path}`, { headers }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) });
    }).on("error", reject);
  });
}

describe.each([
  ["/openapi.json", "application/json; charset=utf-8", '"openapi":"3.1.0"'],
  ["/docs", "text/html; charset=utf-8", "<title>Graticule API reference</title>"],
])("%s", (path, type, text) => {
  it("comes packed to who can unpack it, and plain to others; both are the same", async () => {
    const packed = await raw(path, { "accept-encoding": "deflate, gzip" });
    const plain = await raw(path, { "accept-encoding": "identity" });
    expect([packed.status, packed.headers["content-encoding"]]).toEqual([200, "gzip"]);
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
    for (const { headers } of [packed, plain]) {
      expect(headers["content-type"]).toBe(type);
      expect(headers["cache-control"]).toMatch(/^public, max-age=\d+$/);
      expect(headers.vary).toBe("Accept-Encoding");
    }
    expect(packed.bytes.length).toBeLessThan(130_000);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(plain.bytes.toString()).toContain(text);
  });

  it("is not sent again to who has it", async () => {
    const { headers } = await raw(path);
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await raw(path, { "if-none-match": known });
      expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, etag, 0]);
    }
    expect((await raw(path, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("is given to one address twenty times a second", async () => {
    const { headers } = await raw(path);
    const known = { "if-none-match": String(headers.etag), "x-forwarded-for": `203.0.113.${path.length}` };
    const answers = await untilLimited(() => Promise.all(Array.from({ length: 150 }, () => raw(path, known))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([304, 429]));
  });
});

type Schema = {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  [rule: string]: unknown;
};

interface Operation {
  operationId: string;
  parameters?: { name: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** A schema in place of a reference to a component. */
type Named = (schema: Schema) => Schema;

/** Fields with bounds, and those in them, as [path, schema]. */
function* bounded(path: string, written: Schema, named: Named): Generator<[string, Schema]> {
  const schema = named(written);
  const rules = ["minimum", "exclusiveMinimum", "maximum", "maxItems"];
  if (rules.some((rule) => Math.abs(Number(schema[rule])) < 1e15)) yield [path, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* bounded(`${path}.${name}`, inner, named);
  for (const inner of schema.anyOf ?? []) yield* bounded(path, inner, named);
  if (schema.items) yield* bounded(`${path}[]`, schema.items, named);
}

describe("the text of a parameter", () => {
  it("states the bounds of its schema", async () => {
    const { paths, components } = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
    const named: Named = ({ $ref, ...rest }) =>
      $ref === undefined ? rest : { ...named(components.schemas[$ref.replace("#/components/schemas/", "")]), ...rest };
    const found: [string, Schema][] = [];
    for (const operations of Object.values<Record<string, Schema>>(paths)) {
      for (const operation of Object.values(operations)) {
        const { operationId, parameters = [], requestBody } = operation as unknown as Operation;
        for (const { name, description, schema } of parameters)
          found.push(...bounded(`${operationId}.${name}`, { description, ...schema }, named));
        for (const { schema } of Object.values<{ schema: Schema }>(requestBody?.content ?? {}))
          found.push(...bounded(operationId, schema, named));
      }
    }
    const silent = found.flatMap(([path, { description = "", ...schema }]) => {
      const digits = description.replaceAll(/(\d),(?=\d{3}\b)/g, "$1");
      return ["minimum", "exclusiveMinimum", "maximum", "maxItems"]
        .map((rule) => schema[rule])
        .filter((bound) => typeof bound === "number" && Math.abs(bound) < 1e15)
        .filter((bound) => !new RegExp(`(^|[^\\d.-])${bound}(?![\\d])`).test(digits))
        .map((bound) => `${path}: ${bound} is not in "${description}"`);
    });
    expect(silent).toEqual([]);
    expect(found.map(([path]) => path)).toEqual(
      expect.arrayContaining(["searchUsers.radius", "searchUsers.limit", "searchGeofences.limit", "track.accuracy"]),
    );
    expect(found.length).toBeGreaterThan(60);
  });

  it("states the bounds that depend on another parameter", async () => {
    const { paths } = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
    const textOf = (path: string, name: string): string =>
      paths[path].get.parameters.find((parameter: { name: string }) => parameter.name === name).description;
    expect(textOf("/v1/search/users", "radius")).toMatch(/100 to 10000 .*1000.*minutes, 1 to 60/);
    expect(textOf("/v1/search/geofences", "limit")).toMatch(/1 to 1000; more than 100 need includeGeometry=false/);
    expect(textOf("/v1/geocode/forward", "layers")).toContain("address and coarse");
  });
});
