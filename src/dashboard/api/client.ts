import type { TypedEndpoint } from "../../worker/http/serve/endpoint.ts";
import type { Environment } from "../base/router.tsx";
import type { Problem, QueryValues } from "./problem.ts";
import { sendFile } from "./send-file.ts";

export type { Problem, QueryValues } from "./problem.ts";

/**
 * Calls the Worker's endpoints with the session cookie. Failures are values, not exceptions, so that callers handle
 * them and no input is lost.
 */

/** The parts of an endpoint's contract, from its own schemas: `Answer<typeof listAllUsers>`. */
export type Answer<E> = E extends TypedEndpoint<infer _Q, infer _B, infer R> ? R["_zod"]["output"] : never;
export type Body<E> = E extends TypedEndpoint<infer _Q, infer B, infer _R> ? B["_zod"]["input"] : never;

export interface Meta {
  code: number;
  hasMore?: boolean;
  [name: string]: unknown;
}

export type Result<T> = { ok: true; data: T; meta: Meta } | { ok: false; problem: Problem };

interface Scope {
  project: string;
  environment: Environment;
}

interface RequestOptions {
  query?: QueryValues;
  /** An object becomes JSON; a text or a file is sent as it is, with `type`. */
  body?: unknown;
  type?: string;
  signal?: AbortSignal;
  /** Told how many bytes of the body are sent. */
  onSent?: (bytes: number) => void;
}

/** Retries after a 503 or a 429. */
const MORE_TRIES = 2;
const MAX_WAIT_MS = 10_000;

/** Called when any response contains news about the viewer. */
interface SessionListeners {
  /** The session has ended. */
  signedOut?(): void;
  /** The role is lower than the page believed. */
  roleChanged?(): void;
}

export class Api {
  readonly scope: Scope | undefined;
  readonly #heard: SessionListeners;

  constructor(scope: Scope | undefined, heard: SessionListeners = {}) {
    this.scope = scope;
    this.#heard = heard;
  }

  get<T>(path: string, query?: QueryValues, signal?: AbortSignal): Promise<Result<T>> {
    return this.request<T>("GET", path, { query, signal });
  }

  post<T>(path: string, body: unknown = {}, query?: QueryValues): Promise<Result<T>> {
    return this.request<T>("POST", path, { body, query });
  }

  put<T>(path: string, body: unknown = {}): Promise<Result<T>> {
    return this.request<T>("PUT", path, { body });
  }

  patch<T>(path: string, body: unknown): Promise<Result<T>> {
    return this.request<T>("PATCH", path, { body });
  }

  delete<T>(path: string): Promise<Result<T>> {
    return this.request<T>("DELETE", path);
  }

  /** Sends one request. Retries only GET: others might have been executed. */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Result<T>> {
    for (let tried = 0; ; tried++) {
      const response = await this.send(method, path, options);
      if (!(response instanceof Response)) return { ok: false, problem: response };
      const waits = response.status === 503 || response.status === 429;
      if (waits && (method === "GET" || response.status === 429) && tried < MORE_TRIES) {
        await sleep(waitOf(response), options.signal);
        continue;
      }
      return this.#read<T>(response);
    }
  }

  /** Returns the raw response, for non-JSON such as downloads and images. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response | Problem> {
    const { query = {}, body, type, signal, onSent } = options;
    const url = new URL(path, location.origin);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
    const headers = new Headers(this.headers());
    let sent: BodyInit | undefined;
    if (typeof body === "string" || body instanceof Blob) sent = body;
    else if (body !== undefined) sent = JSON.stringify(body);
    if (sent !== undefined) headers.set("content-type", type ?? "application/json");
    try {
      if (onSent) return await sendFile(url, { method, headers, body: sent, signal }, onSent);
      return await fetch(url, { method, headers, body: sent, signal, credentials: "same-origin" });
    } catch (error) {
      if (signal?.aborted) return { status: 0, message: "Canceled." };
      const why = error instanceof TypeError ? "The server cannot be reached." : String(error);
      return { status: 0, message: `${why} The data may be outdated. Your input is not lost.` };
    }
  }

  headers(): Record<string, string> {
    if (!this.scope) return {};
    return { "x-graticule-project": this.scope.project, "x-graticule-environment": this.scope.environment };
  }

  /** For what cannot send headers (a download by link, a live connection): the scope in the query. */
  url(path: string, query: QueryValues = {}): string {
    const url = new URL(path, location.origin);
    const all = { ...query, project: this.scope?.project, environment: this.scope?.environment };
    for (const [name, value] of Object.entries<QueryValues[string]>(all))
      if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
    return url.href;
  }

  async #read<T>(response: Response): Promise<Result<T>> {
    if (response.status === 401) this.#heard.signedOut?.();
    if (response.status === 204) return { ok: true, data: {} as T, meta: { code: 204 } };
    let parsed: { meta?: Meta & { message?: string; param?: string } };
    try {
      parsed = await response.json();
    } catch {
      const { status } = response;
      return { ok: false, problem: { status, message: `The server returned ${status} without a message.` } };
    }
    const meta = parsed.meta ?? { code: response.status };
    if (response.ok) return { ok: true, data: parsed as T, meta };
    const { message = `The server returned ${response.status}.`, param } = meta;
    if (response.status === 403 && /Your role is/.test(message)) this.#heard.roleChanged?.();
    return { ok: false, problem: { status: response.status, message: withoutParam(message, param), param } };
  }
}

/**
 * "limit: Invalid limit. Valid range: …" → "Invalid limit. Valid range: …": the field's name is next to the message.
 */
function withoutParam(message: string, param: string | undefined): string {
  return param !== undefined && message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message;
}

function waitOf(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? 1);
  return Math.min(Number.isFinite(seconds) ? Math.max(seconds * 1000, 250) : 1000, MAX_WAIT_MS);
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}
