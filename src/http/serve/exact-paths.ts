import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";

/** What goes on after the answer. */
export interface Execution {
  waitUntil(promise: Promise<unknown>): void;
}

/** Answers a request; `params`: of the path. */
export type Handler<Env> = (
  request: Request,
  env: Env,
  execution: Execution,
  params: Readonly<Record<string, string>>,
) => Response | Promise<Response>;

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** Behind the host of "http://a/…", wherever it ends. */
const BEHIND_SCHEME = 8;

/**
 * Paths without parameters, which the endpoints that are called most have, are found in one look at the URL and answered with nothing
 * between; for all others there is Hono. Its way to a handler (a context, a request around the request, a chain) costs as much
 * as key, limit and counting together.
 */
export class ExactPaths<Env extends object, Running extends Execution> {
  readonly hono = new Hono<{ Bindings: Env }>({ router: new TrieRouter() });
  readonly #exact = new Map<string, Map<string, Handler<Env>>>();

  /** Handlers of one path are asked in the order in which they were added: the first one answers. */
  on(method: string, path: string, handler: Handler<Env>): void {
    const isExact = !/[*:{%]/.test(path);
    // Where an earlier pattern takes the path, it goes on doing so.
    if (isExact && this.hono.router.match(method, path)[0].length === 0) {
      const paths = this.#exact.get(method) ?? new Map<string, Handler<Env>>();
      this.#exact.set(method, paths.set(path, handler));
    }
    this.hono.on(method, path, ({ req, env, executionCtx }) => handler(req.raw, env, executionCtx, req.param()));
  }

  /** Answers a request. HEAD, encoded paths, patterns and what is not there are Hono's. */
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
