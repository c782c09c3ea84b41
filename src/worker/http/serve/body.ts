import { ApiError, invalid } from "../../platform/errors.ts";
import { inferType, PROTOTYPE, PROTOTYPE_RULE } from "../../wire/input/fields.ts";
import { isWithinLimits, tooComplex } from "../../wire/input/input-limits.ts";
import { type Parameter, readParameters } from "./query-string.ts";

export type Fields = Record<string, unknown>;

/** Default limit of a request body [bytes]; a polygon of 2,000 points is about 80 KB. */
const BODY_LIMIT = 512 * 1024;

/** Maximum nesting of bracketed names; deeper ones are ignored. */
const MAX_BRACKETS = 4;

/** Texts that people type: "null" is a word there. */
const TYPED = new Set(["query", "q"]);

/**
 * Reads a JSON or form body as one set of fields; a CSV file becomes the field `csv`. null is the same as absent. An empty
 * body has no fields.
 * @param once refuses a form that has a parameter twice
 */
export async function readBody(request: Request, limit = BODY_LIMIT, once = false): Promise<Fields> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding && encoding !== "identity")
    throw new ApiError(400, "Unsupported Content-Encoding. Send the body uncompressed.");
  const text = await readText(request, limit);
  if (text.trim() === "") return {};
  const type = (request.headers.get("content-type") ?? "").toLowerCase();
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const parameters = readParameters(text);
    if (once && new Set(parameters.map(([name]) => name)).size < parameters.length)
      throw new ApiError(400, "The form has a parameter more than once.");
    return formFields(parameters);
  }
  if (type.startsWith("text/csv")) return { csv: text };
  if (type.startsWith("multipart/")) {
    throw new ApiError(400, "Unsupported Content-Type. Send application/json or application/x-www-form-urlencoded.");
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiError(400, "The request body is not valid JSON.");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new ApiError(400, "The request body must be a JSON object.");
  }
  if (!isWithinLimits(parsed)) throw tooComplex();
  return withoutNulls(parsed as Fields);
}

/** So much of a body is read though nothing in it is wanted [bytes]. */
const READ_ANYWAY = 32 * 1024 * 1024;

/**
 * A response, once the rest of the request's body has arrived: a server that closes a connection on which a caller still sends takes the response
 * from most callers.
 */
export async function afterBody(request: Request, response: Response | Promise<Response>): Promise<Response> {
  const answered = await response;
  if (!request.bodyUsed && request.body) await discard(request.body.getReader(), READ_ANYWAY);
  return answered;
}

/** Reads up to `limit` bytes. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<void> {
  try {
    for (let size = 0; size < limit; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The caller has gone.
  }
}

/** The body as a string. @throws ApiError 413 as soon as it is longer than `limit` bytes, 400 if it is incomplete */
export async function readText(request: Request, limit: number): Promise<string> {
  try {
    return await textOf(request, limit);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(
      400,
      "The request body could not be read: it is incomplete, or its transfer encoding is invalid.",
    );
  }
}

async function textOf(request: Request, limit: number): Promise<string> {
  const tooLarge = () => new ApiError(413, `The request body is larger than ${limit} bytes.`);
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge();
    return request.text();
  }
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      await discard(reader, READ_ANYWAY);
      throw tooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}

function withoutNulls(fields: Fields): Fields {
  for (const key in fields) if (fields[key] === null) delete fields[key];
  return fields;
}

/**
 * A query string's fields: `metadata[key]=v` → {metadata: {key: "v"}}; the last of repeated plain keys wins. The text `null` is an absent
 * value, except of `query`.
 */
export function queryFields(params: readonly Parameter[]): Fields {
  return bracketFields(params, (value) => value);
}

/** A form's fields: like a query's, but the types of values in brackets are inferred, as in JSON. */
export function formFields(params: readonly Parameter[]): Fields {
  return bracketFields(params, inferType);
}

function bracketFields(params: readonly Parameter[], inside: (value: string) => unknown): Fields {
  const fields: Fields = {};
  let nested: Nested | undefined;
  for (const [name, value] of params) {
    // Clients write an absent value as "null": Android's SDK `limit=null`, radar-sdk-js 3.7 `near=null`.
    if (value === "null" && !TYPED.has(name)) continue;
    const bracket = name.indexOf("[");
    if (bracket <= 0 || !name.endsWith("]")) {
      if (name !== PROTOTYPE) fields[name] = value;
      continue;
    }
    const path = [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split("][")];
    const prototype = path.indexOf(PROTOTYPE);
    if (prototype > 0 && path[prototype - 1] === "metadata") throw invalid(name, PROTOTYPE_RULE);
    if (path.length > MAX_BRACKETS || prototype >= 0) continue;
    nested ??= new Nested(fields);
    nested.put(path, inside(value));
  }
  return nested ? asArrays(fields) : fields;
}

/** Writes values with bracketed names. */
class Nested {
  readonly #fields: Fields;
  /** Key counts of the objects: recounting for each `name[]` would take quadratic time. */
  readonly #sizes = new Map<Fields, number>();

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  put(path: readonly string[], value: unknown): void {
    let at = this.#fields;
    for (const name of path.slice(0, -1)) {
      const next = Object.hasOwn(at, name) ? at[name] : undefined;
      if (typeof next === "object" && next !== null && !Array.isArray(next)) at = next as Fields;
      else {
        const made: Fields = {};
        this.#set(at, name, made);
        at = made;
      }
    }
    const last = path[path.length - 1];
    // `name[]=a&name[]=b`: empty brackets get the next free number.
    this.#set(at, last === "" ? String(this.#sizes.get(at) ?? 0) : last, value);
  }

  #set(at: Fields, name: string, value: unknown): void {
    if (!Object.hasOwn(at, name)) this.#sizes.set(at, (this.#sizes.get(at) ?? 0) + 1);
    at[name] = value;
  }
}

/** {0: a, 1: b} → [a, b]: the meaning of numbers in brackets. */
function asArrays(fields: Fields): Fields {
  for (const key in fields) fields[key] = asArray(fields[key]);
  return fields;
}

function asArray(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  const inner = value as Fields;
  if (keys.length > 0 && keys.every((key, i) => key === String(i))) return keys.map((key) => asArray(inner[key]));
  for (const key of keys) inner[key] = asArray(inner[key]);
  return inner;
}
