import type { Context } from "hono";
import { keyFromHeader } from "../../auth/key.ts";
import { isDatabaseAway } from "../../db/away.ts";
import type { Env } from "../../env.ts";
import type { DataSource } from "../../geo/manifest.ts";
import { TooMuchWork } from "../../geo/pace.ts";
import { addressRateOf } from "../../limits/table.ts";
import { limitAddress, limitMember } from "./address-limit.ts";
import { attributionHeader } from "./attribution.ts";
import { isAudited, writeAudit } from "./audit.ts";
import { type Fields, queryFields, readBody } from "./body.ts";
import { admit } from "./caller.ts";
import type { AuditNote, Call, Endpoint, Reply } from "./endpoint.ts";
import { ApiError, errorBody } from "./errors.ts";
import { noteAnswer, requestFigures } from "./figures.ts";
import type { Caller } from "./identity.ts";
import { describeError, type LogLine, writeLog } from "./log.ts";
import { type Parameter, queryOf } from "./query-string.ts";
import { limitRate } from "./rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import { admitMember, proofIn } from "./session.ts";
import { type Credentials, credentialsOf, speakerOf } from "./speaker.ts";
import { count, countCall } from "./usage.ts";
import { validate } from "./validate.ts";

export type App = { Bindings: Env };

/** The steps of every request: caller, permission, rate limit, parameters, handler, envelope. */
export function serve(endpoint: Endpoint): (context: Context<App>) => Promise<Response> {
  const figures = requestFigures.of(endpoint.name);
  return async (context) => {
    const log: LogLine = startLog(context, endpoint.path);
    const headers = baseHeaders(log.requestId, endpoint.level === "publishable" || endpoint.level === "open");
    const leftOut = new Set<string>();
    const credits = new Map<string, DataSource>();
    try {
      const reply = await answer(endpoint, context, log, { leftOut, credits });
      if (leftOut.size > 0) headers["x-graticule-left-out"] = log.leftOut = [...leftOut].sort().join(", ");
      const attribution = attributionHeader(credits.values());
      if (attribution) headers["x-graticule-attribution"] = attribution;
      log.status = reply instanceof Response ? reply.status : (endpoint.status ?? 200);
      const response = toResponse(endpoint, reply, headers);
      return log.member === undefined ? response : onlyForSession(response);
    } catch (error) {
      return failure(error, log);
    } finally {
      countError(endpoint, context, log);
      noteAnswer(context.env, endpoint.name, figures, log, writeLog(log));
    }
  };
}

/** Counts an answer of 400 and above to a caller who is known; what members are refused is not the project's error. */
function countError({ name }: Endpoint, context: Context<App>, line: LogLine): void {
  const { status, project, live = false, at, member } = line;
  if (status < 400 || project === undefined || member !== undefined) return;
  const written = count(context.env.DB, { project, live }, name, at, "errors");
  if (written) context.executionCtx.waitUntil(written);
  const failed = status >= 500 && count(context.env.DB, { project, live }, name, at, "failures");
  if (failed) context.executionCtx.waitUntil(failed);
}

/** What handlers tell beside the answer, for its headers. */
interface Told {
  leftOut: Set<string>;
  credits: Map<string, DataSource>;
}

async function answer(endpoint: Endpoint, context: Context<App>, log: LogLine, told: Told): Promise<Reply> {
  const { env } = context;
  const request = context.req.raw;
  const now = log.at;
  const ip = request.headers.get("cf-connecting-ip") ?? undefined;
  const parameters = queryOf(request.url);
  refuseSecretInUrl(parameters);
  const query: Fields = queryFields(parameters);
  let caller: Caller | undefined;
  let member: Call["member"];
  if (endpoint.rate === "address") limitAddress(ip, `calls of ${endpoint.name}`, addressRateOf(endpoint.name), now);
  const proof = endpoint.level === "open" ? undefined : await proofIn(request, query, env, now);
  if (proof) {
    ({ member, caller } = await admitMember(env, proof, endpoint, request, query, { ip, now }));
    log.member = member.id;
    log.project = caller?.project;
    log.live = caller?.live;
    // Neither counted as usage nor held to the quota: the figures are those of the project's apps and servers.
    if (endpoint.level === "member" || !caller) limitMember(member.id, now);
    else if ((endpoint.rate ?? "scope") === "scope") await limitRate(env, caller, endpoint.name, now);
  } else if (endpoint.level === "member") {
    throw new ApiError(401, "Unauthorized. Sign in to the dashboard; API keys do not open this.");
  } else if (endpoint.level !== "open") {
    const origin = request.headers.get("origin");
    const arrival = { origin, country: () => countryOf(request), ip, geodataOnly: endpoint.geodataOnly };
    const { key, token } = credentialsIn(request, query);
    caller = await admit(env.DB, key, endpoint.level, arrival, now);
    log.project = caller.project;
    log.live = caller.live;
    if ((endpoint.rate ?? "scope") === "scope") await limitRate(env, caller, endpoint.name, now);
    if (token) caller = { ...caller, speaker: await speakerOf(token, caller, now) };
    // After the rate limit: a refused call does not count as usage.
    const written = countCall(env.DB, caller.project, caller.live, endpoint.name, now, caller.key);
    if (written) context.executionCtx.waitUntil(written);
  }
  const note: AuditNote = {};
  const body = endpoint.body ? await readBody(request, endpoint.bodyLimit) : {};
  const call: Call = {
    params: context.req.param() as Record<string, string>,
    query: endpoint.query ? validate(endpoint.query, query) : {},
    body: endpoint.body ? validate(endpoint.body, body) : {},
    caller: caller as Caller,
    ...(member && { member }),
    env,
    request,
    requestId: log.requestId,
    ip,
    now,
    waitUntil: (promise) => context.executionCtx.waitUntil(promise),
    leftOut: (what) => void told.leftOut.add(what),
    credit: (sources) => {
      for (const source of sources) told.credits.set(source.name, source);
    },
    audit: (said) => Object.assign(note, said),
  };
  const reply = await endpoint.handle(call as Call<never, never>);
  if (caller?.member && isAudited(endpoint)) await writeAudit(endpoint, call, note);
  return reply;
}

/** The country a request comes from, as far as the platform gives it. */
function countryOf(request: Request): string | undefined {
  const country = request.cf?.country;
  return typeof country === "string" ? country : undefined;
}

const SECRET = /prj_(test|live)_sk_/;

/**
 * Refuses a secret key in a URL, real or not: by now it is in logs and histories.
 */
function refuseSecretInUrl(parameters: readonly Parameter[]): void {
  if (!parameters.some(([name, value]) => SECRET.test(name) || SECRET.test(value))) return;
  throw new ApiError(
    401,
    "Unauthorized. A secret key must not stand in a URL, where logs and histories keep it: send it in the Authorization header, and replace this one.",
  );
}

/**
 * Key and token from the headers; a key also from `publishableKey` in the query, for browsers that cannot send a
 * header.
 */
function credentialsIn({ headers }: Request, query: Fields): Credentials {
  const named = headers.get("x-radar-publishable-key") ?? query.publishableKey;
  return credentialsOf(keyFromHeader(headers.get("authorization")), typeof named === "string" ? named : undefined);
}

function toResponse(endpoint: Endpoint, reply: Reply, headers: Record<string, string>): Response {
  if (reply instanceof Response) {
    const response = new Response(reply.body, reply);
    for (const name in headers) {
      // For these two, the endpoint's own header wins.
      if ((name === "content-type" || name === "cache-control") && response.headers.has(name)) continue;
      response.headers.set(name, headers[name]);
    }
    return response;
  }
  const status = endpoint.status ?? 200;
  if (status === 204) {
    const { "content-type": _, ...bare } = headers;
    return new Response(null, { status, headers: bare });
  }
  const { meta, ...rest } = reply;
  return new Response(JSON.stringify({ meta: { code: status, ...meta }, ...rest }), { status, headers });
}

/**
 * What may be kept of an answer to a session is kept by its browser alone, and for the project and environment that headers
 * named: the next page that asks for the same address may ask in another's name.
 */
function onlyForSession(response: Response): Response {
  const { headers } = response;
  const kept = headers.get("cache-control");
  if (kept?.startsWith("public")) headers.set("cache-control", kept.replace("public", "private"));
  headers.append("vary", "Cookie, x-graticule-project, x-graticule-environment");
  return response;
}

/**
 * Renders an error: an ApiError as such, a database that is away as 503, anything else as a 500 whose cause is only in
 * the log. Pages of any origin may read it, whatever the endpoint: otherwise a browser would show a misleading CORS
 * error.
 */
export function failure(error: unknown, log: LogLine): Response {
  const known = toApiError(error, log);
  log.status = known.status;
  log.param = known.param?.replace(/\[.*$/s, "");
  return new Response(JSON.stringify(errorBody(known)), {
    status: known.status,
    headers: { ...baseHeaders(log.requestId, true), ...known.headers },
  });
}

function toApiError(error: unknown, log: LogLine): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TooMuchWork) {
    return new ApiError(503, "The request asks for more work than one request may cost. Ask for less at once.", {
      headers: { "Retry-After": "60" },
    });
  }
  log.error = describeError(error);
  if (isDatabaseAway(error)) {
    return new ApiError(503, "The database does not answer at the moment. Try again in a few seconds.", {
      headers: { "Retry-After": "2" },
    });
  }
  return new ApiError(500, `Internal server error. Request id: ${log.requestId}.`);
}

export function startLog(context: Context<App>, route: string): LogLine {
  const request = context.req.raw;
  return { requestId: requestIdOf(request.headers), at: Date.now(), method: request.method, route, status: 0 };
}

const EXPOSED =
  "x-request-id, x-radar-request-id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, x-graticule-left-out, x-graticule-attribution, x-graticule-rows, x-graticule-next";

/**
 * Headers of every answer. `browsers`: pages of any origin may read it, without credentials. An answer belongs to one
 * customer, so no cache may keep it unless the endpoint says otherwise.
 */
export function baseHeaders(requestId: string, browsers: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-request-id": requestId,
    "x-radar-request-id": requestId,
  };
  if (browsers) {
    headers["access-control-allow-origin"] = "*";
    headers["access-control-expose-headers"] = EXPOSED;
  }
  return headers;
}

/** The answer to a CORS preflight: allows every method and header, and needs no key. */
export function preflight(request: Request, requestId: string): Response {
  const requested = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": requested ?? "Authorization, Content-Type",
      "access-control-max-age": "86400",
      "access-control-expose-headers": EXPOSED,
      vary: "Access-Control-Request-Headers",
      "x-request-id": requestId,
      "x-radar-request-id": requestId,
    },
  });
}
