import { describe, expect, it } from "vitest";
import { z } from "zod";
import { acceptsGzip } from "../../../src/worker/http/serve/accepts-gzip.ts";
import { attributionHeader } from "../../../src/worker/http/serve/attribution.ts";
import { formFields, queryFields, readBody } from "../../../src/worker/http/serve/body.ts";
import { KeyUses } from "../../../src/worker/http/serve/callers/key-uses.ts";
import {
  BELIEVED_MS,
  BELIEVED_WITHOUT_DATABASE_MS,
  KnownKeys,
  UNKNOWN_MS,
} from "../../../src/worker/http/serve/callers/known-keys.ts";
import { digest, etagOf, notModified } from "../../../src/worker/http/serve/conditional.ts";
import { clientOf, hasValidHost, isHttps, publicOrigin } from "../../../src/worker/http/serve/connection.ts";
import { requestIdOf } from "../../../src/worker/http/serve/request-id.ts";
import { writeRow, writeRows } from "../../../src/worker/http/serve/rows.ts";
import { securityHeaders } from "../../../src/worker/http/serve/security-headers.ts";
import { describeError } from "../../../src/worker/platform/describe-error.ts";
import {
  ApiError,
  beforeBracket,
  errorBody,
  invalid,
  notFound,
  required,
} from "../../../src/worker/platform/errors.ts";
import { Unwritable } from "../../../src/worker/wire/date.ts";
import {
  coordinate,
  datetime,
  dictionary,
  FARTHEST,
  flag,
  inferType,
  json,
  list,
  listOf,
  metadataFilter,
  moment,
  number,
  oneOf,
  optionalList,
  optionalListOf,
  optionalPathText,
  optionalText,
  pageLimit,
  pathText,
  text,
  textToNumber,
} from "../../../src/worker/wire/input/fields.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";

/** What a field makes of a value: the value, or the message of the first broken rule. */
function outcome(schema: z.ZodType, value: unknown): unknown {
  const { success, data, error } = schema.safeParse(value);
  return success ? data : `! ${error.issues[0].message}`;
}
async function thrown(run: () => unknown): Promise<ApiError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("a number", () => {
  it.each<[schema: z.ZodType, value: unknown, expected: unknown]>([
    [number(), "-12.5", -12.5],
    [number(), " +1e3 ", 1000],
    [number(), ".5", 0.5],
    [number(), "5.", 5],
    [number(), 7, 7],
    [number(), "0x10", "! Must be a number."],
    [number(), "1 2", "! Must be a number."],
    [number(), "", "! Must be a number."],
    [number(), true, "! Must be a number."],
    [number({ integer: true }), 1.5, "! Must be an integer."],
    [number({ integer: true }), 2, 2],
    [number({ min: 1 }), 1, 1],
    [number({ min: 1 }), 0.9, "! Must be at least 1."],
    [number({ above: 0 }), 0, "! Must be greater than 0."],
    [number({ above: 0 }), 0.1, 0.1],
    [number({ min: 1, max: 5 }), 5, 5],
    [number({ min: 1, max: 5 }), 5.1, "! Valid range: [1, 5]."],
    [number({ min: 1, max: 5 }), 0.9, "! Valid range: [1, 5]."],
    [number({ above: 0, max: 5 }), 0, "! Valid range: (0, 5]."],
    [number({ min: 1, max: 5, integer: true }), 1.5, "! Valid range: [1, 5]. Integers only."],
    [number({ above: 0, integer: true }), 1.5, "! Must be greater than 0."],
    [number({ max: 5 }), 6, "! Must be a number."],
    [pageLimit(100), undefined, 100],
    [pageLimit(100), "1000", 1000],
    [pageLimit(100), 1, 1],
    [pageLimit(100), 1001, "! Valid range: [1, 1000]."],
    [pageLimit(100), 0, "! Valid range: [1, 1000]."],
  ])("%#", (schema, value, expected) => expect(outcome(schema, value)).toEqual(expected));

  it("reaches no farther than half around the Earth, and a little", () => {
    expect(FARTHEST).toBe(20_100_000);
    expect([textToNumber("x1"), textToNumber(null)]).toEqual(["x1", null]);
  });
});

describe("a text", () => {
  const rule = (max: number) => `! Must be a string of 1 to ${max} characters.`;
  it.each<[schema: z.ZodType, value: unknown, expected: unknown]>([
    [text(), "a", "a"],
    [text(), 12, "12"],
    [text(), Number.NaN, rule(256)],
    [text(), "", rule(256)],
    [text(), true, rule(256)],
    [text(), "a".repeat(256), "a".repeat(256)],
    [text(), "a".repeat(257), rule(256)],
    [text(3), "abcd", rule(3)],
    [optionalText(3), "", undefined],
    [optionalText(3), undefined, undefined],
    [optionalText(3), "abc", "abc"],
    [optionalText(3), "abcd", rule(3)],
    [pathText(), "..", '! Must be a string of 1 to 256 characters, neither "." nor "..".'],
    [pathText(), ".", '! Must be a string of 1 to 256 characters, neither "." nor "..".'],
    [pathText(), "...", "..."],
    [optionalPathText(), "", undefined],
    [optionalPathText(), ".", '! Must be a string of 1 to 256 characters, neither "." nor "..".'],
    [oneOf(["a", "b"]), "b", "b"],
    [oneOf(["a", "b"]), "c", "! Valid values: a, b."],
    [flag(), "true", true],
    [flag(), "1", true],
    [flag(), "false", false],
    [flag(), "0", false],
    [flag(), true, true],
    [flag(), "yes", "! Valid values: true, false."],
    [flag(), 1, "! Valid values: true, false."],
  ])("%#", (schema, value, expected) => expect(outcome(schema, value)).toEqual(expected));
});

describe("a list", () => {
  const rule = (max: number) => `! Must be a comma-separated list of at most ${max} values.`;
  it.each<[schema: z.ZodType, value: unknown, expected: unknown]>([
    [list(), " a , b,,c ", ["a", "b", "c"]],
    [list(), ["a", "b"], ["a", "b"]],
    [list(), ",", rule(100)],
    [list({ max: 2 }), "a,b", ["a", "b"]],
    [list({ max: 2 }), "a,b,c", rule(2)],
    [list(), [1], rule(100)],
    [list(), "a".repeat(256), ["a".repeat(256)]],
    [list(), "a".repeat(257), rule(100)],
    [list(), ",".repeat(20_000), rule(100)],
    [optionalList(), " , ", undefined],
    [optionalList(), undefined, undefined],
    [optionalList(), "a", ["a"]],
    [optionalList({ max: 1 }), "a,b", rule(1)],
    [listOf(["a", "b"]), "b,a", ["b", "a"]],
    [listOf(["a", "b"]), "c", "! Valid values: a, b."],
    [listOf(["a", "b"]), "", "! Valid values: a, b."],
    [optionalListOf(["a", "b"]), "", undefined],
    [optionalListOf(["a", "b"]), "a", ["a"]],
  ])("%#", (schema, value, expected) => {
    expect(outcome(schema, value)).toEqual(expected);
  });
});

describe("a place and a time", () => {
  const RULE = "! Expected an ISO 8601 datetime such as 2026-01-31T09:30:00.000Z.";
  const STORED = `${RULE} Not before 1970, nor more than a year from now.`;
  it.each<[schema: z.ZodType, value: unknown, expected: unknown]>([
    [coordinate(), "40.7,-73.9", { latitude: 40.7, longitude: -73.9 }],
    [
      coordinate(),
      "91,0",
      '! Expected "latitude,longitude" as decimal degrees with latitude in [-90, 90] and longitude in [-180, 180].',
    ],
    [
      coordinate(),
      5,
      '! Expected "latitude,longitude" as decimal degrees with latitude in [-90, 90] and longitude in [-180, 180].',
    ],
    [datetime(), "2026-01-31T09:30:00.000Z", Date.UTC(2026, 0, 31, 9, 30)],
    [datetime(), "2026-01-31", Date.UTC(2026, 0, 31)],
    [datetime(), "2026-01-31T09:30", Date.UTC(2026, 0, 31, 9, 30)],
    [datetime(), " 2026-01-31T09:30+02:00 ", Date.UTC(2026, 0, 31, 7, 30)],
    [datetime(), "2026-01-31T09:30-0200", Date.UTC(2026, 0, 31, 11, 30)],
    [datetime(), "2026-02-30", RULE],
    [datetime(), "2026-02-30T00:00Z", RULE],
    [datetime(), "2026-13-01", RULE],
    [datetime(), "31.01.2026", RULE],
    [datetime(), 5, RULE],
    [datetime(), "0000-01-01T00:00:00Z", -62_167_219_200_000],
    [datetime(), "9999-12-31T23:59:59.999Z", 253_402_300_799_999],
    [datetime(), "9999-12-31T23:59:59.999-01:00", RULE],
    [datetime(), "0000-01-01T00:00:00+01:00", RULE],
    [moment(), "1970-01-01T00:00:00Z", 0],
    [moment(), "1969-12-31T23:59:59.999Z", STORED],
    [moment(), "9999-01-01", STORED],
  ])("%#", (schema, value, expected) => expect(outcome(schema, value)).toEqual(expected));

  it("may be stored up to a year from now", () => {
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();
    expect(outcome(moment(), inDays(365))).toBeTypeOf("number");
    expect(outcome(moment(), inDays(367))).toBe(STORED);
  });
});

describe("a dictionary", () => {
  const KEYS = "! Keys must have 1 to 256 characters.";
  it.each<[schema: z.ZodType, value: unknown, expected: unknown]>([
    [dictionary(2), { a: "x", b: 1 }, { a: "x", b: 1 }],
    [dictionary(2), '{"a":true}', { a: true }],
    [dictionary(2), { a: 1, b: null, c: 2 }, { a: 1, c: 2 }],
    [
      dictionary(2),
      { a: 1, b: 2, c: 3 },
      "! Must be a dictionary of up to 2 keys with string, boolean or number values.",
    ],
    [dictionary(2), "x", "! Must be a dictionary of up to 2 keys with string, boolean or number values."],
    [dictionary(2), { a: {} }, "! Values must be strings, booleans or numbers."],
    [dictionary(2), { a: "x".repeat(4096) }, { a: "x".repeat(4096) }],
    [dictionary(2), { a: "x".repeat(4097) }, "! Strings may have up to 4096 characters."],
    [dictionary(2), { "": 1 }, KEYS],
    [dictionary(2), { ["k".repeat(256)]: 1 }, { ["k".repeat(256)]: 1 }],
    [dictionary(2), { ["k".repeat(257)]: 1 }, KEYS],
    [dictionary(2), '{"__proto__":1}', "! A key cannot be __proto__."],
    [dictionary(2), { constructor: 1, toString: "x" }, { constructor: 1, toString: "x" }],
    [dictionary(2), { prototype: 1 }, { prototype: 1 }],
    [json(z.array(z.number())), "[1,2]", [1, 2]],
    [json(z.array(z.number())), [1], [1]],
    [json(z.string()), "[1", "[1"],
    [json(z.string()), "[".repeat(40) + "]".repeat(40), "[".repeat(40) + "]".repeat(40)],
    [metadataFilter(), { a: "1", b: "x" }, { a: 1, b: "x" }],
    [metadataFilter(), "[object Object]", undefined],
    [metadataFilter(), ["a"], undefined],
    [metadataFilter(), {}, undefined],
    [metadataFilter(), { constructor: "1" }, { constructor: 1 }],
    [metadataFilter(), JSON.parse('{"__proto__":"1"}'), "! A key cannot be __proto__."],
    [metadataFilter(), undefined, undefined],
  ])("%#", (schema, value, expected) => expect(outcome(schema, value)).toEqual(expected));

  it.each([
    ["true", true],
    ["false", false],
    ["12", 12],
    ["-12.50", -12.5],
    ["5.0", 5],
    ["007", "007"],
    ["1e3", "1e3"],
    ["-0", "-0"],
    ["12345678901234567890", "12345678901234567890"],
    [`0.${"0".repeat(62)}`, 0],
    [`0.${"0".repeat(63)}`, `0.${"0".repeat(63)}`],
    ["", ""],
  ])("infers the type of %j", (value, inferred) => expect(inferType(value)).toBe(inferred));

  it("is described in the reference", () => {
    expect(z.toJSONSchema(dictionary(16), { io: "input", unrepresentable: "any" })).toMatchObject({
      type: "object",
      maxProperties: 16,
      additionalProperties: { type: ["string", "number", "boolean"] },
    });
    expect(z.toJSONSchema(coordinate(), { io: "input", unrepresentable: "any" })).toMatchObject({
      type: "string",
      format: "latitude,longitude",
    });
    expect(z.toJSONSchema(moment(), { io: "input", unrepresentable: "any" })).toMatchObject({ format: "date-time" });
  });
});

describe("names in brackets", () => {
  it.each<[pairs: [string, string][], query: object, form?: object]>([
    [[["a", "1"]], { a: "1" }],
    [[["a[b]", "1"]], { a: { b: "1" } }, { a: { b: 1 } }],
    [[["a[b][c]", "x"]], { a: { b: { c: "x" } } }],
    [[["a[b][c][d]", "x"]], { a: { b: { c: { d: "x" } } } }],
    [[["a[b][c][d][e]", "x"]], {}],
    [
      [
        ["a[]", "x"],
        ["a[]", "y"],
      ],
      { a: ["x", "y"] },
    ],
    [
      [
        ["a[0]", "x"],
        ["a[1]", "y"],
      ],
      { a: ["x", "y"] },
    ],
    [[["a[1]", "x"]], { a: { "1": "x" } }],
    [
      [
        ["a[0][b]", "x"],
        ["a[1][b]", "y"],
      ],
      { a: [{ b: "x" }, { b: "y" }] },
    ],
    [[["a[b][0]", "x"]], { a: { b: ["x"] } }],
    [
      [
        ["a", "1"],
        ["a[b]", "x"],
      ],
      { a: { b: "x" } },
    ],
    [
      [
        ["a", "1"],
        ["a", "2"],
      ],
      { a: "2" },
    ],
    [[["[a]", "1"]], { "[a]": "1" }],
    [[["a[b", "1"]], { "a[b": "1" }],
    [
      [
        ["__proto__", "1"],
        ["constructor", "1"],
        ["prototype", "1"],
        ["b", "1"],
      ],
      { constructor: "1", prototype: "1", b: "1" },
    ],
    [
      [
        ["a[__proto__]", "1"],
        ["constructor[x]", "1"],
        ["a[x][prototype]", "1"],
      ],
      { constructor: { x: "1" }, a: { x: { prototype: "1" } } },
      { constructor: { x: 1 }, a: { x: { prototype: 1 } } },
    ],
    [
      [
        ["a", "null"],
        ["b[c]", "null"],
        ["b[]", "null"],
        ["d", "1"],
        ["d", "null"],
        ["query", "null"],
        ["e", "NULL"],
        ["f", "undefined"],
      ],
      { d: "1", query: "null", e: "NULL", f: "undefined" },
    ],
    [[["a[toString][x]", "1"]], { a: { toString: { x: "1" } } }, { a: { toString: { x: 1 } } }],
    [
      [
        ["a[x]", "1"],
        ["a[x]", "2"],
        ["a[]", "3"],
      ],
      { a: { x: "2", "1": "3" } },
      { a: { x: 2, "1": 3 } },
    ],
  ])("%j", (pairs, query, form = query) => {
    expect(queryFields(pairs)).toEqual(query);
    expect(formFields(pairs)).toEqual(form);
  });
});

describe("a body", () => {
  const post = (body: BodyInit | undefined, headers: Record<string, string> = {}) =>
    new Request("http://h/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  const jsonType = { "content-type": "application/json" };

  it.each<[body: string, headers: Record<string, string>, fields: object]>([
    ['{"a":1,"b":null}', jsonType, { a: 1 }],
    ['{"a":1}', { "content-type": "text/plain" }, { a: 1 }],
    ["  ", jsonType, {}],
    ["a=1&b[c]=2", { "content-type": "Application/X-WWW-Form-Urlencoded; charset=utf-8" }, { a: "1", b: { c: 2 } }],
    ["x,y\n1,2", { "content-type": "text/csv" }, { csv: "x,y\n1,2" }],
    ['{"a":1}', { ...jsonType, "content-encoding": " Identity " }, { a: 1 }],
  ])("%j as %j is read", async (body, headers, fields) => {
    expect(await readBody(post(body, headers))).toEqual(fields);
  });

  it.each<[body: string, headers: Record<string, string>, message: RegExp]>([
    ["{", jsonType, /not valid JSON/],
    ["[1]", jsonType, /must be a JSON object/],
    ["null", jsonType, /must be a JSON object/],
    ["5", jsonType, /must be a JSON object/],
    ["x", { "content-type": "multipart/form-data" }, /Unsupported Content-Type/],
    ["x", { ...jsonType, "content-encoding": "gzip" }, /Unsupported Content-Encoding/],
    [`{"a":${"[".repeat(40)}${"]".repeat(40)}}`, jsonType, /too complex/],
  ])("%j as %j is rejected", async (body, headers, message) => {
    const error = await thrown(() => readBody(post(body, headers)));
    expect([error.status, error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it("larger than its limit is rejected, whether it says so or not", async () => {
    const fields = { a: "é".repeat(20) };
    const body = JSON.stringify(fields);
    const bytes = new TextEncoder().encode(body);
    const stream = () =>
      new ReadableStream({
        start(controller) {
          // Cut within a character.
          for (const part of [bytes.slice(0, 8), bytes.slice(8)]) controller.enqueue(part);
          controller.close();
        },
      });
    const declared = { ...jsonType, "content-length": String(bytes.length) };
    expect(await readBody(post(body, declared), bytes.length)).toEqual(fields);
    expect(await readBody(post(stream(), jsonType), bytes.length)).toEqual(fields);
    for (const request of [post(body, declared), post(stream(), jsonType)]) {
      const error = await thrown(() => readBody(request, bytes.length - 1));
      expect([error.status, error.message]).toEqual([
        413,
        `The request body is larger than ${bytes.length - 1} bytes.`,
      ]);
    }
  });

  it("that breaks off is a wrong request, and one without any has no fields", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect((await thrown(() => readBody(post(broken, jsonType)))).status).toBe(400);
    expect(await readBody(post(undefined))).toEqual({});
  });
});

describe("an error", () => {
  it("names its parameter and its rule", () => {
    expect(errorBody(invalid("limit", "Valid range: [1, 100]."))).toEqual({
      meta: { code: 400, param: "limit", message: "limit: Invalid limit. Valid range: [1, 100]." },
    });
    expect(invalid("metadata[color]", "").message).toBe("metadata[color]: Invalid metadata.");
    expect(errorBody(required("near"))).toEqual({ meta: { code: 400, param: "near", message: "near: Required." } });
    expect(required("near", "Why.").message).toBe("near: Required. Why.");
    expect(errorBody(notFound("Geofence"))).toEqual({ meta: { code: 404, message: "Geofence not found." } });
    const limited = new ApiError(429, "Slow.", { type: "second", headers: { "Retry-After": "1" } });
    expect([errorBody(limited), limited.headers]).toEqual([
      { meta: { code: 429, type: "second", message: "Slow." } },
      { "Retry-After": "1" },
    ]);
    expect(new ApiError(500, "x").headers).toEqual({});
    expect(["metadata[key]", "limit", "[x]"].map(beforeBracket)).toEqual(["metadata", "limit", ""]);
  });

  const schema = z.object({
    limit: number({ min: 1, max: 9 }).optional(),
    near: coordinate(),
    tags: list({ max: 2 }).optional(),
    nested: json(z.object({ a: text(), list: z.array(flag()) })).optional(),
    inner: z.union([z.number(), z.boolean()]).optional(),
  });
  it.each<[input: Record<string, unknown>, param: string | undefined, message: string]>([
    [{}, "near", "near: Required."],
    [{ near: null }, "near", "near: Required."],
    [{ near: "1,2", limit: 10 }, "limit", "limit: Invalid limit. Valid range: [1, 9]."],
    [{ near: "1,2", tags: "a,b,c" }, "tags", "tags: Invalid tags. Must be a comma-separated list of at most 2 values."],
    [{ near: "1,2", nested: { list: [] } }, "nested[a]", "nested[a]: Required."],
    [
      { near: "1,2", nested: { a: "x", list: [5] } },
      "nested[list][0]",
      "nested[list][0]: Invalid nested. Valid values: true, false.",
    ],
    [{ near: "1,2", nested: '{"a":""}' }, "nested", "nested: Invalid nested. Must be a string of 1 to 256 characters."],
    [{ near: "1,2", inner: "x" }, "inner", "inner: Invalid inner."],
  ])("of %j names %s", async (input, param, message) => {
    const error = await thrown(() => validate(schema, input));
    expect([error.status, error.param, error.message]).toEqual([400, param, message]);
  });

  it("of a rule over several parameters names none", async () => {
    const either = z.object({ a: z.string().optional() }).refine(() => false, { error: "a or b" });
    const error = await thrown(() => validate(either, {}));
    expect([error.status, error.param, error.message]).toEqual([400, undefined, "a or b"]);
    expect(validate(schema, { near: "1,2" })).toEqual({ near: { latitude: 1, longitude: 2 } });
  });

  it("in the log has no data of a customer", () => {
    const query = Object.assign(new Error("Failed query: SELECT ?\nparams: secret"), { query: "SELECT ?" });
    expect(describeError(query)).toMatch(/^Error: Failed query: SELECT \?\n\s+at /);
    expect(describeError(query)).not.toContain("secret");
    let parse: unknown;
    try {
      JSON.parse("secret");
    } catch (error) {
      parse = error;
    }
    expect(describeError(parse)).toMatch(/^SyntaxError: invalid JSON\n/);
    expect(describeError(new SyntaxError("other"))).toMatch(/^SyntaxError: other\n/);
    expect(describeError(new Error("JSON"))).toMatch(/^Error: JSON\n/);
    expect(describeError("secret")).toBe("thrown: string");
    expect(describeError(new Error("outer", { cause: new TypeError("inner") }))).toMatch(
      /^Error: outer\n(.*\n)*caused by TypeError: inner\n\s+at /,
    );
  });
});

describe("a request", () => {
  it("keeps its own id where that is well formed, and no key", () => {
    const id = (text?: string) => requestIdOf(new Headers(text === undefined ? {} : { "x-request-id": text }));
    for (const own of ["12345678", "trace.id:a-b_c", "x".repeat(128)]) expect(id(own)).toBe(own);
    for (const other of [undefined, "1234567", "x".repeat(129), "a b c d e", "prj_live_sk_1234", "PRJ_TEST_pk_1234"])
      expect(id(other)).toMatch(/^[0-9a-f-]{36}$/);
  });

  const from = (headers: Record<string, string>, cf?: object, url = "http://host:8787/v1/x") =>
    Object.assign(new Request(url, { headers }), { cf }) as Request;

  it("comes from the address that the edge writes, or on a machine of one's own from the socket", () => {
    const claimed = { "cf-connecting-ip": "192.0.2.1", "x-forwarded-for": "192.0.2.2" };
    const peer = { clientIp: "10.0.0.1" };
    expect(clientOf(from(claimed, peer), {}).ip).toBe("192.0.2.1");
    expect(clientOf(from({}, peer), {}).ip).toBeUndefined();
    expect(clientOf(from(claimed, peer), { TRUSTED_PROXIES: "" }).ip).toBe("10.0.0.1");
    expect(clientOf(from(claimed, peer), { TRUSTED_PROXIES: "10.0.0.0/8" }).ip).toBe("192.0.2.2");
    expect(clientOf(from(claimed, peer), { TRUSTED_PROXIES: "172.16.0.0/12" }).ip).toBe("10.0.0.1");
    expect(clientOf(from(claimed), { TRUSTED_PROXIES: "10.0.0.0/8" }).ip).toBeUndefined();
    const client = clientOf(from(claimed, peer), {});
    expect([client.ip, client.ip]).toEqual(["192.0.2.1", "192.0.2.1"]);
  });

  it("reached the server under the origin that people know", () => {
    const https = { "x-forwarded-proto": "http, https" };
    const peer = { clientIp: "10.0.0.1" };
    const trusted = { TRUSTED_PROXIES: "10.0.0.0/8" };
    expect(publicOrigin(from(https, peer), { PUBLIC_URL: "https://maps.example.com" })).toBe(
      "https://maps.example.com",
    );
    expect(publicOrigin(from(https, peer), {})).toBe("http://host:8787");
    expect(publicOrigin(from(https, peer), trusted)).toBe("https://host:8787");
    expect(publicOrigin(from(https, { clientIp: "192.0.2.1" }), trusted)).toBe("http://host:8787");
    expect(publicOrigin(from({}, peer), trusted)).toBe("http://host:8787");
    expect(publicOrigin(from({ "x-forwarded-proto": "https, http" }, peer), trusted)).toBe("http://host:8787");
    expect(publicOrigin(from({ "x-forwarded-proto": "http" }, peer, "https://host/"), trusted)).toBe("https://host");
    expect(publicOrigin(from(https), trusted)).toBe("http://host:8787");
    expect([isHttps(from(https, peer), trusted), isHttps(from({}, peer), trusted)]).toEqual([true, false]);
  });

  it.each([
    ["http://host/", true],
    ["http://host:8787/x", true],
    ["http://host", true],
    ["http://[::1]:8787/", true],
    ["http://a b/", false],
    ["http://host:99999/", false],
    ["http://[::1/", false],
    ["http://a,b/", false],
    ["http://host?/", false],
  ])("to %s has a valid host: %s", (url, valid) => expect(hasValidHost(url)).toBe(valid));

  it("to a host that begins like the last valid one is checked", () => {
    for (const last of ["http://host/", "http://host:80/", "http://host"]) {
      expect(hasValidHost(last)).toBe(true);
      for (const other of ["http://host,b/", "http://host:99999/", "http://host b", "http://host:80:1/"])
        expect([last, other, hasValidHost(other)]).toEqual([last, other, false]);
    }
  });

  it("accepts gzip as its client says, behind a proxy too", () => {
    expect(acceptsGzip(from({ "accept-encoding": "gzip, br" }))).toBe(true);
    expect(acceptsGzip(from({ "accept-encoding": "br" }))).toBe(false);
    expect(acceptsGzip(from({ "accept-encoding": "gzip;q=0" }))).toBe(false);
    expect(acceptsGzip(from({ "accept-encoding": "br, GZIP; q=0.5" }))).toBe(true);
    expect(acceptsGzip(from({ "accept-encoding": "gzip; q=0, *" }))).toBe(false);
    expect(acceptsGzip(from({ "accept-encoding": "*" }))).toBe(true);
    expect(acceptsGzip(from({}))).toBe(false);
    expect(acceptsGzip(from({ "accept-encoding": "gzip" }, { colo: "FRA", clientAcceptEncoding: "br" }))).toBe(false);
    expect(acceptsGzip(from({ "accept-encoding": "br" }, { colo: "FRA", clientAcceptEncoding: "gzip" }))).toBe(true);
    expect(acceptsGzip(from({ "accept-encoding": "gzip" }, { colo: "FRA" }))).toBe(false);
    expect(acceptsGzip(from({ "accept-encoding": "gzip" }, { clientIp: "10.0.0.1" }))).toBe(true);
  });

  it("that has an answer already is told so", async () => {
    const etag = await etagOf("a", 1);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(etag).toBe(`"${await digest("a\n1")}"`);
    // SHA-256 of "abc", FIPS 180-4.
    expect(await digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223");
    const answer = (known?: string) =>
      notModified(from(known === undefined ? {} : { "if-none-match": known }), etag, { "cache-control": "public" });
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, headers } = answer(known)!;
      expect([status, headers]).toEqual([304, { etag, "cache-control": "public" }]);
    }
    for (const other of [undefined, '"x"', etag.slice(1)]) expect(answer(other)).toBeUndefined();
  });

  it("gets headers that keep browsers from guessing, and on https from going back", () => {
    const nosniff = { "x-content-type-options": "nosniff" };
    expect(securityHeaders({})).toEqual(nosniff);
    expect(securityHeaders({ PUBLIC_URL: "http://host" })).toEqual(nosniff);
    expect(securityHeaders({ PUBLIC_URL: "https://host" })).toEqual({
      ...nosniff,
      "strict-transport-security": "max-age=31536000",
    });
  });
});

describe("attributions", () => {
  const source = (attribution?: string) => ({ name: "x", url: "", licence: "", attribution });
  const header = (...words: (string | undefined)[]) => attributionHeader(words.map(source));

  it("are each said once, in order, in ASCII", () => {
    expect(header("© OpenStreetMap contributors", "GeoNames", "GeoNames")).toBe(
      "(c) OpenStreetMap contributors; GeoNames",
    );
    expect(header("Österreich")).toBe("%C3%96sterreich");
    expect([header(), header(undefined, "")]).toEqual([undefined, undefined]);
    expect(header("GeoNames")).toBe(header("GeoNames"));
  });

  it("stay below a thousand characters", () => {
    const words = Array.from({ length: 50 }, (_, i) => `${100 + i}`.padEnd(48, "x"));
    const text = header(...words)!;
    expect(text.endsWith("x; ...")).toBe(true);
    expect(text.split("; ")).toHaveLength(21);
  });
});

describe("uses of keys", () => {
  it("are written at most every ten minutes for each key", () => {
    const uses = new KeyUses();
    const start = 10_000_000;
    uses.note("a", start);
    uses.note("a", start + 5);
    expect(uses.take()).toEqual([{ hash: "a", at: start + 5 }]);
    expect(uses.take()).toEqual([]);
    uses.note("a", start + 5 + 599_999);
    expect(uses.take()).toEqual([]);
    uses.note("a", start + 5 + 600_000);
    uses.note("b", start);
    expect(uses.take()).toEqual([
      { hash: "a", at: start + 5 + 600_000 },
      { hash: "b", at: start },
    ]);
    // A clock that was set back a long way.
    uses.note("a", start - 600_000);
    expect(uses.take()).toEqual([{ hash: "a", at: start - 600_000 }]);
  });
});

describe("keys that are known", () => {
  const away = () => Promise.reject(Object.assign(new Error("D1_ERROR: storage is away"), {}));
  const caller = { project: 1 };

  it("are believed for eight seconds, unknown ones refused for five", async () => {
    const keys = new KnownKeys<{ project: number; moving?: boolean }>();
    const now = 1_000_000;
    let asked = 0;
    const find = (found: typeof caller | undefined) => async () => {
      asked++;
      return found;
    };
    expect(await keys.lookUp("a", now, false, find(caller))).toBe(caller);
    expect(await keys.lookUp("a", now + BELIEVED_MS - 1, false, find(undefined))).toBe(caller);
    expect([asked, keys.believed("a", now + BELIEVED_MS), keys.believed("a", now - BELIEVED_MS)]).toEqual([
      ...[1, undefined, undefined],
    ]);
    expect(await keys.lookUp("a", now + BELIEVED_MS, false, find(undefined))).toBeUndefined();
    expect(asked).toBe(2);
    const unknown = now + BELIEVED_MS;
    expect(await keys.lookUp("a", unknown + UNKNOWN_MS - 1, false, find(caller))).toBeUndefined();
    expect(asked).toBe(2);
    expect(await keys.lookUp("a", unknown + UNKNOWN_MS, false, find(caller))).toBe(caller);
    expect([BELIEVED_MS, BELIEVED_WITHOUT_DATABASE_MS, UNKNOWN_MS]).toEqual([8_000, 600_000, 5_000]);
  });

  it("are forgotten with their project", async () => {
    const keys = new KnownKeys<{ project: number }>();
    for (const project of [1, 2]) await keys.lookUp(`k${project}`, 5, false, async () => ({ project }));
    keys.forget(1);
    expect([keys.believed("k1", 5), keys.believed("k2", 5)]).toEqual([undefined, { project: 2 }]);
  });

  it("that fail to be found are not believed for anything but geodata", async () => {
    const keys = new KnownKeys<{ project: number }>();
    await keys.lookUp("a", 0, true, async () => caller);
    await expect(keys.lookUp("a", BELIEVED_MS, false, away)).rejects.toThrow("away");
    await expect(keys.lookUp("b", BELIEVED_MS, true, away)).rejects.toThrow("away");
    await expect(keys.lookUp("a", BELIEVED_WITHOUT_DATABASE_MS, true, away)).rejects.toThrow("away");
  });
});

describe("rows of a list", () => {
  it("that cannot be written are left out, and said to be", async () => {
    const left: string[] = [];
    const teller = { leftOut: (what: string) => void left.push(what), requestId: "r" };
    const write = (row: number) => {
      if (row === 2) throw new Unwritable("no");
      if (row === 3) throw new RangeError("ours");
      return row * 10;
    };
    const error = console.error;
    const lines: string[] = [];
    console.error = (line: string) => void lines.push(line);
    try {
      expect(writeRows(teller, "users", [1, 2, 4], write)).toEqual([10, 40]);
      expect([left, JSON.parse(lines[0])]).toMatchObject([
        ["users"],
        { what: "unreadable row", of: "users", requestId: "r" },
      ]);
      expect(() => writeRows(teller, "users", [3], write)).toThrow("ours");
      expect((await thrown(() => writeRow(teller, "users", 2, write))).status).toBe(404);
      expect(writeRow(teller, "users", 1, write)).toBe(10);
    } finally {
      console.error = error;
    }
  });
});
