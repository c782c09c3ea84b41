import fc from "fast-check";
import type { FuzzPlatform } from "../fuzz/platform.ts";
import type { Operation } from "../fuzz/requests.ts";
import { type Schema, validValues } from "../fuzz/values.ts";
import { type Amount, amountsIn, polygonsOfQuery } from "./amounts.ts";
import { CSV, GEOJSON, GPX, HOSTILE, type Hostile, JSON_BODIES, OVERLAYS, PARAMETERS, SVG } from "./hostile.ts";

/** A place in a request that takes a text. */
export interface Field {
  operation: Operation;
  /** "query near", "body metadata", "header cookie". */
  name: string;
  texts: readonly Hostile[];
  /** Values whose number of parts grows. */
  amounts?: readonly Amount[];
  /** The longest text that the document allows; absent: it names none. */
  maxLength?: number;
  request(value: unknown): Request;
}

/** Headers that the server reads of any request. */
const HEADERS = [
  ...["authorization", "cookie", "accept", "accept-language", "accept-encoding", "accept-charset", "if-none-match"],
  ...["if-match", "if-modified-since", "range", "origin", "referer", "user-agent", "traceparent", "tracestate"],
  ...[
    "forwarded",
    "x-forwarded-proto",
    "x-forwarded-host",
    "x-real-ip",
    "via",
    "sec-fetch-site",
    "x-radar-device-type",
  ],
  ...["content-type", "content-encoding", "idempotency-key", "x-radar-publishable-key", "x-request-id"],
  ...["x-graticule-project", "x-forwarded-for", "cf-connecting-ip", "cf-access-jwt-assertion"],
];
/** Characters of a picture. */
const MAX_IMAGE = 100_000;
/** What a header cannot hold. */
const NOT_IN_HEADERS = /[^\x20-\x7e]/;

/** Tokens as the server reads them: three parts, long ones, and many of them. */
const TOKENS: readonly Hostile[] = [
  { name: "a token of points", begin: "Bearer eyJhbGciOiJFUzI1NiJ9", unit: ".", end: "" },
  { name: "a long token", begin: "Bearer eyJhbGciOiJFUzI1NiJ9.", unit: "QUJD", end: ".QUJD" },
  { name: "spaces after Bearer", begin: "Bearer", unit: " ", end: "x" },
  { name: "cookies", begin: "", unit: "graticule=a; ", end: "" },
  { name: "distinct cookies", begin: "", unit: "c#=a; ", end: "" },
  { name: "entity tags", begin: "", unit: 'W/"a#", ', end: '"' },
  { name: "media types", begin: "", unit: "text/a#;q=0.1, ", end: "*/*" },
  { name: "hops", begin: "", unit: 'for="[2001:db8::#]:1";proto=https, ', end: "" },
  { name: "addresses", begin: "", unit: "192.0.2.1, ", end: "192.0.2.2" },
  { name: "trace members", begin: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", unit: "-01", end: "" },
  { name: "ranges", begin: "bytes=0-1", unit: ",#-", end: "" },
];

const MULTIPART: readonly Hostile[] = [{ name: "parts", begin: "--a\r\n", unit: "--a\r\n\r\n", end: "--a--" }];

/** The texts of a field by its name: some are files. */
function textsFor(name: string): readonly Hostile[] {
  if (name === "gpx") return [...HOSTILE, ...GPX];
  if (name === "csv") return [...HOSTILE, ...CSV];
  if (name === "geojson") return [...HOSTILE, ...GEOJSON];
  // icons come as text, or as the base64 of other pictures
  if (name === "image") return [...HOSTILE, ...SVG];
  if (name === "path" || name === "markers") return [...HOSTILE, ...OVERLAYS];
  return HOSTILE;
}

interface Change {
  parts?: object;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Every place of an operation that takes a text, or values of any number. */
export function fieldsOf(platform: FuzzPlatform, operation: Operation): Field[] {
  const { url, keys } = platform;
  const key = operation["x-key-level"] === "publishable" ? keys.testPublishable : keys.testSecret;
  const parameters = operation.parameters ?? [];
  const parts = Object.fromEntries(
    parameters.filter((one) => one.in === "path").map(({ name, schema }) => [name, plainPart(drawnFor(schema, name))]),
  );
  const query = parameters
    .filter((one) => one.in === "query" && one.required)
    .map(({ name, schema }): [string, string] => [name, inQuery(drawnFor(schema, name))]);
  const schema = requestSchema(operation);
  const body = Object.fromEntries(
    Object.entries(schema?.properties ?? {})
      .filter(([name]) => schema?.required?.includes(name))
      .map(([name, of]) => [name, drawnFor(of, name)]),
  );
  const hasBody = operation.method !== "GET";
  const make = (change: Change) => {
    const named = { ...parts, ...change.parts } as Record<string, string>;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(named[name]));
    const search = change.query ?? new URLSearchParams(query).toString();
    const sent = hasBody ? (change.body ?? JSON.stringify(body)) : undefined;
    const headers = { authorization: key, "content-type": "application/json", ...headersOf(platform, operation) };
    return new Request(`${url}${path}${search && `?${search}`}`, {
      method: operation.method,
      headers: { ...headers, ...change.headers },
      ...(sent !== undefined && { body: sent }),
    });
  };
  const fields: Field[] = [];
  const add = (
    name: string,
    { texts = HOSTILE, schema }: { texts?: readonly Hostile[]; schema?: Schema | boolean },
    change: (text: string) => Change,
  ) => {
    const documented = typeof schema === "object" ? schema.maxLength : undefined;
    // larger pictures are rejected before they are read
    const maxLength = name === "body image" ? MAX_IMAGE : documented;
    const request = (text: unknown) => make(change(String(text)));
    fields.push({ operation, name, texts, request, ...(maxLength !== undefined && { maxLength }) });
  };

  for (const { name, schema } of parameters.filter((one) => one.in === "path"))
    add(`path ${name}`, { schema }, (text) => ({ parts: { [name]: text } }));
  for (const { name, schema } of parameters.filter((one) => one.in === "query"))
    add(`query ${name}`, { texts: textsFor(name), schema }, (text) => ({
      query: new URLSearchParams([...query.filter(([other]) => other !== name), [name, text]]).toString(),
    }));
  if (hasBody) {
    for (const [name, of] of Object.entries(schema?.properties ?? {}))
      for (const [inner, wrap] of placesIn(name, of))
        add(`body ${inner}`, { texts: textsFor(name), ...(inner === name && { schema: of }) }, (text) => ({
          body: JSON.stringify({ ...body, [name]: wrap(text) }),
        }));
    for (const [name, of] of Object.entries(schema?.properties ?? {}))
      for (const { name: inner, amounts, wrap, beside } of amountsIn(name, of)) {
        const request = (value: unknown) => make({ body: JSON.stringify({ ...body, [name]: wrap(value), ...beside }) });
        fields.push({ operation, name: `body ${inner}`, texts: [], amounts, request });
      }
  }
  for (const { name } of parameters.filter((one) => one.in === "query")) {
    const amounts = polygonsOfQuery(name);
    if (amounts.length === 0) continue;
    const others = query.filter(([other]) => other !== name);
    const request = (value: unknown) =>
      make({ query: new URLSearchParams([...others, [name, JSON.stringify(value)]]).toString() });
    fields.push({ operation, name: `query ${name}`, texts: [], amounts, request });
  }
  return fields;
}

/** Places that every operation shares; one operation of each kind is enough for them. */
export function sharedFieldsOf(platform: FuzzPlatform, operation: Operation): Field[] {
  const [first] = fieldsOf(platform, operation);
  const base = (init: RequestInit, search = "") => {
    const request = first?.request("a") ?? new Request(platform.url + operation.path, { method: operation.method });
    const address = new URL(request.url);
    address.search = "";
    const headers = new Headers(request.headers);
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    return new Request(`${address}${search && `?${search}`}`, { method: request.method, ...init, headers });
  };
  const at = (name: string, texts: readonly Hostile[], request: (text: string) => Request): Field => ({
    operation,
    name,
    texts,
    request: (value) => request(String(value)),
  });
  const headers = HEADERS.map((name) =>
    at(
      `header ${name}`,
      [...HOSTILE.filter(({ begin, unit, end }) => !NOT_IN_HEADERS.test(begin + unit + end)), ...TOKENS],
      (text) => base({ headers: { [name]: text } }),
    ),
  );
  const query = at("query string", PARAMETERS, (text) => base({}, text));
  if (operation.method === "GET") return [query, ...headers];
  const typed = (type: string) => (text: string) => base({ body: text, headers: { "content-type": type } });
  return [
    query,
    ...headers,
    at("form", PARAMETERS, typed("application/x-www-form-urlencoded")),
    at("JSON body", JSON_BODIES, typed("application/json")),
    at("CSV body", CSV, typed("text/csv")),
    at("multipart body", MULTIPART, typed("multipart/form-data; boundary=a")),
    at("any body", HOSTILE, typed("application/json")),
  ];
}

function headersOf({ member, settingsKeys }: FuzzPlatform, operation: Operation): Record<string, string> {
  if (operation.operationId === "patchSettings") return { authorization: settingsKeys.testSecret };
  if (operation["x-key-level"] !== "member") return {};
  return {
    cookie: member.cookie,
    "x-graticule-project": String(member.project),
    "x-graticule-environment": "test",
    "sec-fetch-site": "same-origin",
  };
}

function requestSchema({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content["application/json"]?.schema;
}

function drawnFor(schema: Schema | boolean, name: string): unknown {
  return fc.sample(validValues(schema, name), { numRuns: 1, seed: 7 })[0];
}

/** A part of a path that every endpoint accepts: some ids have letters and digits only, which their schemas do not say. */
function plainPart(value: unknown): string {
  const text = String(value);
  return /^[a-z\d][\w-]{0,63}$/i.test(text) ? text : "one";
}

function inQuery(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A field itself as text; of objects also a member and a key, of arrays an item. */
function placesIn(name: string, schema: Schema | boolean): [string, (text: string) => unknown][] {
  const places: [string, (text: string) => unknown][] = [[name, (text) => text]];
  if (typeof schema === "boolean") return places;
  const types = [schema.type].flat();
  if (types.includes("array")) {
    places.push([`${name}[]`, (text) => [text]], [`${name} of many`, (text) => [...text]]);
    const { items } = schema;
    if (typeof items === "object" && items.properties)
      for (const inner of Object.keys(items.properties))
        places.push([`${name}[].${inner}`, (text) => [{ [inner]: text }]]);
  }
  if (types.includes("object")) {
    places.push([`${name}.a`, (text) => ({ a: text })], [`key of ${name}`, (text) => ({ [text]: 1 })]);
    for (const inner of Object.keys(schema.properties ?? {}))
      places.push([`${name}.${inner}`, (text) => ({ [inner]: text })]);
  }
  return places;
}
