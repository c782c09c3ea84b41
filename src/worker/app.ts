import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { dashboardPages } from "./http/dashboard/pages.ts";
import { listEndpoints } from "./http/endpoints.ts";
import { peerOf } from "./http/peers/peers.ts";
import { answerCall } from "./http/processes/calls.ts";
import { guidePages } from "./http/reference/guide-pages.ts";
import { afterBody } from "./http/serve/body.ts";
import { hasValidHost } from "./http/serve/connection.ts";
import { failure } from "./http/serve/failure.ts";
import { NO_ENDPOINT, noteAnswer, requestFigures } from "./http/serve/figures.ts";
import { preflight } from "./http/serve/headers.ts";
import { startLog, writeLog } from "./http/serve/log.ts";
import { PathRouter } from "./http/serve/path-router.ts";
import { pathWithoutKey } from "./http/serve/peers.ts";
import { requestIdOf } from "./http/serve/request-id.ts";
import { serve } from "./http/serve/serve.ts";
import { traceAnswer } from "./http/serve/traces.ts";
import type { Execution } from "./platform/call.ts";
import type { Env } from "./platform/env.ts";
import { ApiError } from "./platform/errors.ts";
import { MAX_URL } from "./platform/front.ts";
import { CALL, toldByProcess } from "./platform/processes.ts";

const app = new Hono<{ Bindings: Env }>({ router: new PathRouter(), getPath: pathWithoutKey });

/** The Worker's response to a request. */
export function answerRequest(request: Request, env: Env, execution: ExecutionContext) {
  const response = answer(request, env, execution);
  return request.body ? afterBody(request, response) : response;
}

/** A URL that could not be read is rejected before it is. */
function answer(request: Request, env: Env, execution: ExecutionContext) {
  const problem = request.url.length > MAX_URL ? TOO_LONG : hasValidHost(request.url) ? undefined : INVALID_HOST;
  return problem ? refuse(request, env, execution, "*", problem) : app.fetch(request, env, execution);
}

/** The response to what another process of this server sent: a call, or a client's request. */
export function answerProcess(request: Request, env: Env, execution: ExecutionContext) {
  const told = toldByProcess(request, env);
  if (told === undefined) return new Response("Only for processes of this server.", { status: 403 });
  return told === CALL ? answerCall(request, env) : answerRequest(request, env, execution);
}

const INVALID_HOST = new ApiError(400, "The Host header is not a host name.");
const TOO_LONG = new ApiError(414, `URI too long. At most ${MAX_URL} characters: send the parameters in a body.`);

/** The paths of endpoints, with all of their methods. */
const known = new TrieRouter<{ path: string; methods: readonly string[] }>();
const methodsByPath = new Map<string, string[]>();

const endpoints = listEndpoints(answerRequest);
const readers = new Map(endpoints.filter(({ method }) => method === "GET").map((one) => [one.path, one]));
for (const endpoint of endpoints) {
  const handler = serve(endpoint, endpoint.method === "POST" ? undefined : readers.get(endpoint.path));
  for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
    app.on(endpoint.method, path, handler);
    const methods = methodsByPath.get(path) ?? [];
    if (methods.length === 0) known.add("ALL", path, { path, methods });
    methods.push(endpoint.method);
    methodsByPath.set(path, methods);
  }
}

// The app itself: files, and one page for all of its routes.
app.route("/", dashboardPages());
app.route("/", guidePages());

app.options("*", (context) => preflight(context.req.raw, requestIdOf(context.req.raw.headers), context.env));

// A known path with another method is 405, anything else 404. Not a route for all methods: each request would match two.
app.notFound(({ req, env, executionCtx }) => {
  const [found] = known.match("ALL", req.path)[0];
  if (!found) return refuse(req.raw, env, executionCtx, "*", new ApiError(404, "Not found. There is no such path."));
  const [{ path, methods }] = found;
  const headers = { Allow: methods.join(", ") };
  const error = new ApiError(405, `Method not allowed. Use ${methods.join(" or ")}.`, { headers });
  return refuse(req.raw, env, executionCtx, path, error);
});

app.onError((error, { req, env, executionCtx }) => refuse(req.raw, env, executionCtx, "*", error));

const unmatched = requestFigures.of(NO_ENDPOINT);

/** The response to a request that matches no endpoint. */
function refuse(request: Request, env: Env, execution: Execution, route: string, error: unknown): Response {
  const log = startLog(request, route);
  const response = failure(error, log, env, { peer: peerOf(pathWithoutKey(request)) }, request.url);
  const durationMs = writeLog(log, env, execution);
  noteAnswer(env, NO_ENDPOINT, unmatched, log, durationMs);
  traceAnswer(env, NO_ENDPOINT, request, log, durationMs, execution);
  return response;
}
