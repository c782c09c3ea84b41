import type { operations } from "./api.d.ts";
import { GraticuleError, retryAfterOf } from "./error.ts";
import { OPERATIONS } from "./operations.ts";

/**
 * The client: a method per operation of the API, typed by its OpenAPI document. Runs wherever `fetch` and Web Crypto do: Node 20,
 * Workers, browsers, Deno, Bun.
 */

export type Operation = keyof typeof OPERATIONS;

/** A part of an operation's parameters; empty if it has none. */
type Part<O, In extends string> = O extends { parameters: { [name in In]?: infer P } }
  ? [NonNullable<P>] extends [never]
    ? unknown
    : NonNullable<P>
  : unknown;
type Body<O> = O extends { requestBody?: { content: { "application/json": infer B } } }
  ? B extends Record<string, never>
    ? unknown
    : B
  : unknown;
/** Parameters of path, query and body in one object: no operation has the same name twice with two meanings. */
export type Input<N extends Operation> = Part<operations[N], "path"> &
  Part<operations[N], "query"> &
  Body<operations[N]>;
/** The JSON of a success; of a file, the Response. */
export type Output<N extends Operation> = operations[N] extends { responses: infer R }
  ? R extends { 200: { content: infer C } }
    ? C extends { "application/json": infer J }
      ? J
      : Response
    : undefined
  : never;
type Arguments<N extends Operation> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: RequestOptions]
    : [input: Input<N>, options?: RequestOptions];

/** The elements of a list operation: those of the only list of its response. */
export type Item<N extends Operation> =
  Output<N> extends infer O
    ? { [K in keyof O]-?: NonNullable<O[K]> extends readonly (infer I)[] ? I : never }[keyof O]
    : never;

export interface RequestOptions {
  /** Time for one attempt [ms]. */
  timeoutMs?: number;
  maxRetries?: number;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

export interface GraticuleOptions extends Omit<RequestOptions, "signal"> {
  /** The URL of the server, such as "https://maps.example.com". */
  host: string;
  /** A key (prj_…), or a signed token of a user. */
  key?: string;
  /** Instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 2;
/** A longer Retry-After is the caller's decision [ms]. */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 250;

type Values = Record<string, unknown>;
/** What a request sends besides JSON: a file. */
export interface Upload {
  data: BodyInit;
  contentType: string;
}

class Core {
  readonly #options: GraticuleOptions;
  readonly #host: string;

  constructor(options: GraticuleOptions) {
    if (!options.host) throw new TypeError('host: Set the URL of the server, such as "https://maps.example.com".');
    this.#options = options;
    this.#host = options.host.replace(/\/$/, "");
  }

  /** Calls an operation by its name, and returns the JSON of its response, or the Response if it is a file. */
  async call<N extends Operation>(name: N, ...[input, options]: Arguments<N>): Promise<Output<N>> {
    return (await read(await this.raw(name, input as Input<N>, options))) as Output<N>;
  }

  /** The same, but always returns the Response. @throws GraticuleError unless it is a success */
  async raw<N extends Operation>(name: N, input?: Input<N>, options: RequestOptions = {}): Promise<Response> {
    return this.#send(name, (input ?? {}) as Values, options);
  }

  /**
   * Sends a file as the body: `upload("importGeofences", { filename: "a.csv" }, { data, contentType: "text/csv" })`. The input is
   * sent in path and query.
   */
  async upload<N extends Operation>(
    name: N,
    input: Partial<Input<N>>,
    file: Upload,
    options: RequestOptions = {},
  ): Promise<Output<N>> {
    return (await read(await this.#send(name, input as Values, options, file))) as Output<N>;
  }

  /** All items of a list, page after page: `for await (const user of graticule.pages("listUsers"))`. */
  async *pages<N extends Operation>(name: N, ...[input, options]: Arguments<N>): AsyncGenerator<Item<N>, void> {
    const [, , { page } = {}] = OPERATIONS[name] as Row;
    if (!page) throw new TypeError(`${name} is not a list with pages.`);
    const [parameter, field] = page;
    let values = { ...(input as Values | undefined) };
    for (;;) {
      const body = (await read(await this.#send(name, values, options ?? {}))) as Values;
      const items = Object.values(body).find(Array.isArray) ?? [];
      yield* items;
      const last = items.at(-1) as Values | undefined;
      const hasMore = (body.meta as { hasMore?: boolean } | undefined)?.hasMore === true;
      const next = parameter === "cursor" ? body[field] : hasMore ? last?.[field] : undefined;
      if (next === undefined || next === values[parameter]) return;
      values = { ...values, [parameter]: next };
    }
  }

  async #send(name: Operation, values: Values, options: RequestOptions, file?: Upload): Promise<Response> {
    const { method, path, body } = requestOf(name, values, file);
    const { key } = this.#options;
    const { timeoutMs, maxRetries, headers } = { ...this.#options, ...definedOf(options) };
    const init: RequestInit = {
      method,
      headers: {
        ...(key && { authorization: key.startsWith("prj_") ? key : `Bearer ${key}` }),
        ...(file ? { "content-type": file.contentType } : body !== undefined && { "content-type": "application/json" }),
        ...this.#options.headers,
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(file?.data instanceof ReadableStream && ({ duplex: "half" } as object)),
    };
    // A stream can only be sent once.
    const attempts = file?.data instanceof ReadableStream ? 0 : (maxRetries ?? DEFAULT_MAX_RETRIES);
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= attempts;
      const outcome = await this.#attempt(path, init, timeoutMs ?? DEFAULT_TIMEOUT_MS, options.signal);
      if (outcome instanceof Response && outcome.ok) return outcome;
      const wait = isLast ? undefined : waitOf(outcome, method, attempt);
      if (wait === undefined) throw outcome instanceof Response ? await GraticuleError.of(outcome) : outcome;
      if (outcome instanceof Response) outcome.body?.cancel().catch(() => {});
      await sleep(wait, options.signal);
    }
  }

  /** The response, or why there is none. @throws the reason of the caller's own signal */
  async #attempt(path: string, init: RequestInit, timeoutMs: number, own?: AbortSignal): Promise<Response | Error> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = own ? AbortSignal.any([own, timeout]) : timeout;
    try {
      return await (this.#options.fetch ?? fetch)(this.#host + path, { ...init, signal });
    } catch (error) {
      own?.throwIfAborted();
      const reason = timeout.aborted ? `No response within ${timeoutMs} ms.` : "The server could not be reached.";
      return new GraticuleError(`${reason} ${this.#host}`, { status: 0, cause: error });
    }
  }
}

type Row = readonly [
  method: string,
  path: string,
  more?: { query?: readonly string[]; page?: readonly [string, string] },
];

/** Method, path with its query, and body of an operation. */
function requestOf(name: Operation, values: Values, file?: Upload) {
  const [method, template, { query: named } = {}] = OPERATIONS[name] as Row;
  const used = new Set<string>();
  const path = template.replace(/\{(\w+)\}/g, (_, part: string) => {
    if (values[part] === undefined) throw new TypeError(`${name}: ${part} is required.`);
    used.add(part);
    return encodeURIComponent(String(values[part]));
  });
  const isRead = method === "GET" || method === "DELETE";
  const query = new URLSearchParams();
  const body: Values = {};
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || used.has(key)) continue;
    if (isRead || file || named?.includes(key)) addTo(query, key, value);
    else body[key] = value;
  }
  const text = query.size > 0 ? `${path}?${query}` : path;
  return { method, path: text, body: file ? file.data : isRead ? undefined : JSON.stringify(body) };
}

/** Lists are separated by commas, dictionaries written as name[key]=value. */
function addTo(query: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) query.set(name, value.join(","));
  else if (value instanceof Date) query.set(name, value.toISOString());
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) query.set(`${name}[${key}]`, String(one));
  else query.set(name, String(value));
}

/** How long to wait before the next attempt [ms]; undefined: do not retry. */
function waitOf(outcome: Response | Error, method: string, attempt: number): number | undefined {
  const own = FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  // Whether a POST without a response was executed is unknown.
  if (!(outcome instanceof Response)) return method === "POST" ? undefined : own;
  if (outcome.status !== 429 && outcome.status !== 503) return undefined;
  const seconds = retryAfterOf(outcome);
  if (seconds === undefined) return own;
  return seconds * 1000 <= MAX_WAIT_MS ? seconds * 1000 : undefined;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  return response.headers.get("content-type")?.startsWith("application/json") ? response.json() : response;
}

const definedOf = (options: RequestOptions) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as RequestOptions;

/** A method per operation. */
type Methods = { [N in Operation]: (...args: Arguments<N>) => Promise<Output<N>> };

export type Graticule = Core & Methods;

/** The client of a server: `new Graticule({ host, key })`. */
export const Graticule = Core as unknown as new (options: GraticuleOptions) => Graticule;

for (const name of Object.keys(OPERATIONS) as Operation[])
  Object.defineProperty(Core.prototype, name, {
    value(this: Core, ...input: Arguments<Operation>) {
      return this.call(name, ...input);
    },
  });
