import { dashboardPages } from "./http/dashboard/pages.ts";
import { listEndpoints } from "./http/endpoints.ts";
import { guidePages } from "./http/reference/guide-pages.ts";
import { hasValidHost } from "./http/serve/connection.ts";
import { ExactPaths, type Execution } from "./http/serve/exact-paths.ts";
import { NO_ENDPOINT, noteAnswer, requestFigures } from "./http/serve/figures.ts";
import { writeLog } from "./http/serve/log.ts";
import { requestIdOf } from "./http/serve/request-id.ts";
import { failure, preflight, serve, startLog } from "./http/serve/serve.ts";
import { traceAnswer } from "./http/serve/traces.ts";
import type { Env } from "./platform/env.ts";
import { ApiError } from "./platform/errors.ts";
import { MAX_URL } from "./platform/front.ts";

const paths = new ExactPaths<Env, ExecutionContext>();
const app = paths.hono;

/** The Worker's response to a request. */
export function answerRequest(request: Request, env: Env, execution: ExecutionContext) {
  const problem = request.url.length > MAX_URL ? TOO_LONG : hasValidHost(request.url) ? undefined : INVALID_HOST;
  return problem
    ? refuse({ req: { raw: request }, env, executionCtx: execution }, "*", problem)
    : paths.fetch(request, env, execution);
}

const INVALID_HOST = new ApiError(400, "The Host header is not a host name.");
const TOO_LONG = new ApiError(414, `URI too long. At most ${MAX_URL} characters: send the parameters in a body.`);

const endpoints = listEndpoints((request, env, execution) => answerRequest(request, env, execution));
const methodsByPath = new Map<string, string[]>();
for (const endpoint of endpoints) {
  const handler = serve(endpoint);
  for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
    paths.on(endpoint.method, path, handler);
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), endpoint.method]);
  }
}

// The app itself: files, and one page for all of its routes.
app.route("/", dashboardPages());
app.route("/", guidePages());

app.options("*", (context) => preflight(context.req.raw, requestIdOf(context.req.raw.headers), context.env));

const unmatched = requestFigures.of(NO_ENDPOINT);

/** Hono's data of a request that matches no endpoint. */
interface Asked {
  req: { raw: Request };
  env: Env;
  executionCtx: Execution;
}

/** The response to a request that matches no endpoint. */
function refuse({ req, env, executionCtx }: Asked, route: string, error: unknown): Response {
  const log = startLog(req.raw, route);
  const response = failure(error, log, env);
  const durationMs = writeLog(log, env, executionCtx);
  noteAnswer(env, NO_ENDPOINT, unmatched, log, durationMs);
  traceAnswer(env, NO_ENDPOINT, req.raw, log, durationMs, executionCtx);
  return response;
}

// A known path with another method is 405, anything else 404.
for (const [path, methods] of methodsByPath) {
  app.all(path, (context) => {
    const allowed = { Allow: methods.join(", ") };
    const error = new ApiError(405, `Method not allowed. Use ${methods.join(" or ")}.`, { headers: allowed });
    return refuse(context, path, error);
  });
}

app.notFound((context) => refuse(context, "*", new ApiError(404, "Not found. There is no such path.")));

app.onError((error, context) => refuse(context, "*", error));
