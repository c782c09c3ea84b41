import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { PathPatterns } from "./path-patterns.ts";

/** Runs after the response. */
export interface Execution {
  waitUntil(promise: Promise<unknown>): void;
}

/** Handles a request; `params`: of the path. */
export type Handler<Env> = (
  request: Request,
  env: Env,
  execution: Execution,
  params: Readonly<Record<string, string>>,
) => Response | Promise<Response>;

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** Start of the path in "http://a/…". */
const BEHIND_SCHEME = 8;

/**
 * Paths without parameters, which the most used endpoints have, are matched with one lookup and handled directly, and so are those of
 * simple patterns; all others use Hono. Hono's dispatch (a context, a wrapped request, a chain) costs as much
 * as authentication, rate limit and counting together.
 */
export class ExactPaths<Env extends object, Running extends Execution> {
  readonly hono = new Hono<{ Bindings: Env }>({ router: new TrieRouter() });
  readonly #exact = new Map<string, Map<string, Handler<Env>>>();
  readonly #patterns = new Map<string, PathPatterns<Handler<Env>>>();
  /** Whether all patterns so far were simple: one that is not keeps precedence over later ones. */
  #areSimple = true;

  /** Handlers of one path in the order in which they were added: the first match wins. */
  on(method: string, path: string, handler: Handler<Env>): void {
    const isExact = !/[*:{%]/.test(path);
    // An earlier pattern that matches the path keeps precedence.
    if (isExact && this.hono.router.match(method, path)[0].length === 0) {
      const paths = this.#exact.get(method) ?? new Map<string, Handler<Env>>();
      this.#exact.set(method, paths.set(path, handler));
    }
    this.#areSimple &&= isExact || PathPatterns.isSimple(path);
    if (!isExact && this.#areSimple) {
      const patterns = this.#patterns.get(method) ?? new PathPatterns();
      patterns.add(path, handler);
      this.#patterns.set(method, patterns);
    }
    this.hono.on(method, path, ({ req, env, executionCtx }) => handler(req.raw, env, executionCtx, req.param()));
  }

  /** Handles a request. Hono handles HEAD, encoded paths, patterns that are not simple, and unknown paths. */
  fetch(request: Request, env: Env, execution: Running): Response | Promise<Response> {
    const { method } = request;
    const path = pathOf(request.url);
    const handler = this.#exact.get(method)?.get(path);
    if (handler) return handler(request, env, execution, NO_PARAMS);
    const found = path.includes("%") ? undefined : this.#patterns.get(method)?.find(path);
    return found
      ? found.handler(request, env, execution, found.params)
      : this.hono.fetch(request, env, execution as never);
  }
}

/** "https://a.example/v1/ping?x=1" → "/v1/ping" */
function pathOf(url: string): string {
  const from = url.indexOf("/", BEHIND_SCHEME);
  const query = url.indexOf("?", from);
  return query < 0 ? url.slice(from) : url.slice(from, query);
}
