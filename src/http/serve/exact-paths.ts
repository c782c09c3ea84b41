import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";

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
 * Paths without parameters, which the most used endpoints have, are matched with one lookup and handled directly;
 * all others use Hono. Hono's dispatch (a context, a wrapped request, a chain) costs as much
 * as authentication, rate limit and counting together.
 */
export class ExactPaths<Env extends object, Running extends Execution> {
  readonly hono = new Hono<{ Bindings: Env }>({ router: new TrieRouter() });
  readonly #exact = new Map<string, Map<string, Handler<Env>>>();

  /** Handlers of one path in the order in which they were added: the first match wins. */
  on(method: string, path: string, handler: Handler<Env>): void {
    const isExact = !/[*:{%]/.test(path);
    // An earlier pattern that matches the path keeps precedence.
    if (isExact && this.hono.router.match(method, path)[0].length === 0) {
      const paths = this.#exact.get(method) ?? new Map<string, Handler<Env>>();
      this.#exact.set(method, paths.set(path, handler));
    }
    this.hono.on(method, path, ({ req, env, executionCtx }) => handler(req.raw, env, executionCtx, req.param()));
  }

  /** Handles a request. Hono handles HEAD, encoded paths, patterns and unknown paths. */
  fetch(request: Request, env: Env, execution: Running): Response | Promise<Response> {
    const handler = this.#exact.get(request.method)?.get(pathOf(request.url));
    return handler ? handler(request, env, execution, NO_PARAMS) : this.hono.fetch(request, env, execution as never);
  }
}

/** "https://a.example/v1/ping?x=1" → "/v1/ping" */
function pathOf(url: string): string {
  const from = url.indexOf("/", BEHIND_SCHEME);
  const query = url.indexOf("?", from);
  return query < 0 ? url.slice(from) : url.slice(from, query);
}
