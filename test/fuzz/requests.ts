import fc from "fast-check";
import { boundaryValues, hostileValues, type Schema, validValues } from "./values.ts";

export interface Operation {
  operationId: string;
  method: string;
  /** "/v1/geofences/{tag}/{externalId}" */
  path: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>;
  "x-key-level": "open" | "publishable" | "secret" | "member";
  /** The service whose form it has. */
  "x-peer"?: string;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

/** Which key a request carries: the one that is asked for, mostly. */
export type KeyChoice = "fitting" | "publishable" | "live" | "unknown" | "none";

/** A request as it is drawn; `{known: n}` among its path's parts stands for an id that an earlier answer told. */
export interface Drawn {
  parts: Record<string, string | { known: number }>;
  query: [name: string, value: string][];
  body: string | undefined;
  contentType: string;
  key: KeyChoice;
}

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

export function requestsOf(operation: Operation): fc.Arbitrary<Drawn> {
  const parameters = operation.parameters ?? [];
  const parts = Object.fromEntries(
    parameters
      .filter((one) => one.in === "path")
      .map(({ name, schema }) => [name, operation["x-peer"] ? peerPart(name, schema) : pathPart(name, schema)]),
  );
  const query = parameters
    .filter((one) => one.in === "query")
    .map(({ name, required, schema }) =>
      field(name, schema, required === true).map((value) => (value === ABSENT ? [] : inQuery(name, value))),
    );
  return fc.record({
    parts: fc.record(parts),
    query: fc
      .tuple(
        fc.tuple(...query),
        mostly(
          [],
          fc.constantFrom(
            [["nobody", "asked"]],
            [
              ["limit", "1"],
              ["limit", "2"],
            ],
            [["limit[]", "x"]],
          ),
        ),
      )
      .map(([fields, more]) => [...fields.flat(), ...more] as [string, string][]),
    body: bodies(operation),
    contentType: mostly(
      "application/json",
      fc.constantFrom("application/x-www-form-urlencoded", "text/plain", "image/png"),
    ),
    key: mostly<KeyChoice>("fitting", fc.constantFrom<KeyChoice>("publishable", "live", "unknown", "none")),
  });
}

const ABSENT = Symbol("absent");

/** One value of a parameter or field: mostly as it should be. */
function field(name: string, schema: Schema | boolean, required: boolean): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: required ? 20 : 5, arbitrary: validValues(schema, name) },
    { weight: required ? 1 : 10, arbitrary: fc.constant(ABSENT) },
    { weight: 1, arbitrary: boundaryValues(schema) },
    { weight: 1, arbitrary: hostileValues },
  );
}

function mostly<T>(usual: T, other: fc.Arbitrary<unknown>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other as fc.Arbitrary<T> });
}

/** What the paths of other services have: mostly a question that is understood. */
const PEER_PARTS: Readonly<Record<string, readonly string[]>> = {
  owner: ["mapbox"],
  profile: ["driving", "walking", "cycling"],
  coordinates: [
    "-111.23,48.985;-111.17,49.015",
    "-111.23,48.985;-111.2,48.99;-111.17,49.015",
    "-111.2,48.99",
    "polyline(gdejHbktfT)",
    "10,10;11,11",
    "-111.23,48.985;-111.23,48.985",
    "180,90;-180,-90",
  ],
};

function peerPart(name: string, schema: Schema): fc.Arbitrary<string | { known: number }> {
  const known = PEER_PARTS[name] ?? ["driving"];
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: pathPart(name, schema) },
  );
}

function pathPart(name: string, schema: Schema): fc.Arbitrary<string | { known: number }> {
  const text = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined"));
  // An empty part, "." and ".." are another path.
  const sendable = (value: string) => !/^\.{0,2}$/.test(value) && value.length < 4000 && value.isWellFormed();
  return fc.oneof(
    { weight: 6, arbitrary: validValues(schema, name).map(text).filter(sendable) },
    { weight: 6, arbitrary: fc.nat(20).map((known) => ({ known })) },
    { weight: 2, arbitrary: hostileValues.map(text).filter(sendable) },
  );
}

/** "tags=a,b", "metadata[vip]=true", "limit=5". */
function inQuery(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value) && value.every((entry) => typeof entry !== "object")) return [[name, value.join(",")]];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([key, entry]) => [
      `${name}[${key}]`,
      typeof entry === "string" ? entry : JSON.stringify(entry),
    ]);
  }
  return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
}

const BROKEN_BODIES = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  "1",
  '{"a":',
  "\u0000",
  "a=1&a=2&b[c]=d",
  "[".repeat(2000),
  `{"a":"${"x".repeat(600_000)}"}`,
];

function bodies({ method, requestBody }: Operation): fc.Arbitrary<string | undefined> {
  if (method === "GET") return fc.constant(undefined);
  const broken = fc.oneof(
    fc.constantFrom(...BROKEN_BODIES),
    hostileValues.map((value) => JSON.stringify(value)),
  );
  const schema = requestBody?.content["application/json"].schema;
  if (!schema) return mostly(undefined as string | undefined, broken);
  const fields = Object.entries(schema.properties ?? {}).map(([name, of]) =>
    field(name, of, schema.required?.includes(name) === true).map((value) => [name, value] as const),
  );
  const whole = fc
    .tuple(...fields)
    .map((entries) => JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== ABSENT))));
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 8, arbitrary: validValues(schema).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: broken },
  );
}
