import type { Context } from "hono";
import type { z } from "zod";
import { keyFromHeader, looksLikeKey } from "../../../core/auth/key.ts";
import { readSignedUrl } from "../../../core/auth/signed-url.ts";
import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { ClientLeft, InDebt, TooMuchWork } from "../../../core/geo/pace.ts";
import { addressRateOf } from "../../../core/limits/table.ts";
import { isDatabaseAway, isMoving } from "../../db/away.ts";
import { envIn } from "../../db/databases.ts";
import type { Execution } from "../../platform/call.ts";
import { describeError } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, beforeBracket, errorBody } from "../../platform/errors.ts";
import { validate } from "../../wire/input/validate.ts";
import { attributionHeader } from "./attribution.ts";
import { isAudited, writeAudit } from "./audit.ts";
import { type Fields, queryFields, readBody } from "./body.ts";
import { limitAddress, limitMember } from "./callers/address-limit.ts";
import { admit, admitSigned } from "./callers/caller.ts";
import { admitBySecret } from "./callers/deployment-secret.ts";
import type { Caller } from "./callers/identity.ts";
import { admitInside, insideCaller } from "./callers/inside.ts";
import { admitMember, hasKey, proofIn } from "./callers/session.ts";
import { type Credentials, credentialsOf, speakerOf } from "./callers/speaker.ts";
import { clientOf } from "./connection.ts";
import { fullDiskBehind, refuseWhenFull } from "./disk.ts";
import { type AuditNote, type Call, type Endpoint, MediaReply, type Reply, WrittenReply } from "./endpoint.ts";
import { noteAnswer, requestFigures } from "./figures.ts";
import { type LogLine, writeLog } from "./log.ts";
import { type Parameter, queryOf } from "./query-string.ts";
import { limitRate, tooManyRequests } from "./rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";
import { type Notes, ServedCall } from "./served-call.ts";
import { traceAnswer } from "./traces.ts";
import { count, countCall } from "./usage.ts";

/** The steps of every request: caller, permission, rate limit, parameters, handler, envelope. */
export function serve(endpoint: Endpoint): (context: Context<{ Bindings: Env }>) => Promise<Response> {
  const figures = requestFigures.of(endpoint.name);
  const isForBrowsers = endpoint.level === "publishable" || endpoint.level === "open";
  return async ({ req, env, executionCtx: execution }) => {
    const request = req.raw;
    const log = startLog(request, endpoint.path);
    const notes: Notes = { leftOut: undefined, credits: undefined, pace: undefined };
    try {
      const reply = await answer(endpoint, { request, env, execution, params: req.param() }, log, notes);
      log.status = reply instanceof Response || reply instanceof MediaReply ? reply.status : (endpoint.status ?? 200);
      if (notes.leftOut) log.leftOut = [...notes.leftOut].sort().join(", ");
      const attribution = notes.credits && attributionHeader(notes.credits.values());
      const response = toResponse(endpoint, reply, headersOf(log.requestId, isForBrowsers, env));
      if (log.leftOut) response.headers.set("x-graticule-left-out", log.leftOut);
      if (attribution) response.headers.set("x-graticule-attribution", attribution);
      return log.member === undefined ? response : onlyForSession(response);
    } catch (error) {
      return failure(await fullDiskBehind(error, env), log, env);
    } finally {
      notes.pace?.settle();
      if (log.status >= 400) countError(endpoint, env, execution, log);
      const durationMs = writeLog(log, env, execution);
      noteAnswer(env, endpoint.name, figures, log, durationMs);
      traceAnswer(env, endpoint.name, request, log, durationMs, execution);
    }
  };
}

/** The status in the log when nobody waits for the response, as nginx writes it. */
const CLIENT_LEFT = 499;

/** Counts a response of 400 and above to a known caller; errors of dashboard members are not the project's. */
function countError({ name }: Endpoint, { DB }: Env, execution: Execution, line: LogLine): void {
  const { status, project, live = false, at, member } = line;
  if (project === undefined || member !== undefined || status === CLIENT_LEFT) return;
  const written = count(DB, { project, live }, name, at, "errors");
  if (written) execution.waitUntil(written);
  const failed = status >= 500 && count(DB, { project, live }, name, at, "failures");
  if (failed) execution.waitUntil(failed);
}

/** A request as received by the Worker. */
interface Arrived {
  request: Request;
  env: Env;
  execution: Execution;
  params: Readonly<Record<string, string>>;
}

async function answer(endpoint: Endpoint, arrived: Arrived, log: LogLine, notes: Notes): Promise<Reply> {
  const { request, env, execution, params } = arrived;
  const now = log.at;
  const client = clientOf(request, env);
  const parameters = queryOf(request.url);
  refuseSecretInUrl(parameters);
  const query: Fields = queryFields(parameters);
  let caller: Caller | undefined;
  let member: Call["member"];
  let isSigned = false;
  refuseWhenFull(endpoint, env, execution, now);
  if (endpoint.rate === "address")
    limitAddress(client.ip, `calls of ${endpoint.name}`, addressRateOf(endpoint.name), now);
  if (endpoint.secret) await admitBySecret(endpoint.secret, env, request);
  const inside = insideCaller(request);
  const isWithoutSession = endpoint.level === "open" || inside !== undefined || hasKey(request, query);
  const proof = isWithoutSession ? undefined : await proofIn(request, env, now);
  if (proof) {
    ({ member, caller } = await admitMember(env, proof, endpoint, request, query, { ip: client.ip, now }));
    log.member = member.id;
    log.project = caller?.project;
    log.live = caller?.live;
    // Neither counted as usage nor limited by the quota: the statistics are those of the project's apps and servers.
    if (endpoint.level === "member" || !caller) limitMember(member.id, now);
    else if ((endpoint.rate ?? "scope") === "scope")
      await limitRate(projectEnv(env, caller), caller, endpoint.name, now);
  } else if (endpoint.level === "member") {
    throw new ApiError(401, "Unauthorized. Sign in to the dashboard; API keys are not accepted.");
  } else if (endpoint.level !== "open") {
    const origin = request.headers.get("origin");
    const referrer = endpoint.path.startsWith("/maps/") ? (request.headers.get("referer") ?? origin ?? "") : undefined;
    const { geodataOnly } = endpoint;
    const arrival = { origin, referrer, country: () => countryOf(request), client, geodataOnly };
    const { key, token } = credentialsIn(request, query);
    const signed = endpoint.signed ? readSignedUrl(request.url) : undefined;
    isSigned = signed !== undefined;
    const admitted = inside
      ? admitInside(inside, endpoint)
      : signed
        ? admitSigned(env, signed, arrival, now)
        : admit(env, key, endpoint.level, arrival, now);
    // Cached values are not awaited, here and below: nearly every request is authorized from the cache.
    caller = admitted instanceof Promise ? await admitted : admitted;
    log.project = caller.project;
    log.live = caller.live;
    if ((endpoint.rate ?? "scope") === "scope") {
      const counted = limitRate(projectEnv(env, caller), caller, endpoint.name, now);
      if (counted) await counted;
    }
    if (token) caller = { ...caller, speaker: await speakerOf(token, caller, now) };
    // After the rate limit: a rejected call does not count as usage.
    const written = countCall(env.DB, caller, endpoint.name, now);
    if (written) execution.waitUntil(written);
  }
  const note: AuditNote = {};
  const body = endpoint.body ? await readBody(request, endpoint.bodyLimit) : {};
  const parts = {
    params,
    query: endpoint.query ? checkedQuery(endpoint, endpoint.query, query, request.url) : {},
    body: endpoint.body ? validate(endpoint.body, body) : {},
    caller: caller as Caller,
    member,
    env: caller ? projectEnv(env, caller) : env,
    request,
    requestId: log.requestId,
    now,
    isSigned,
  };
  const waitUntil: Call["waitUntil"] = (promise) => execution.waitUntil(promise);
  const call: Call = new ServedCall(parts, client, waitUntil, notes, note);
  const reply = await endpoint.handle(call as Call<never, never>);
  if (caller?.member && isAudited(endpoint)) await writeAudit(endpoint, call, note);
  return reply;
}

/** Checked queries of endpoints with `repeats`, by endpoint and text [characters]. */
const checkedQueries = new BoundedCache<unknown>(200_000);
const MAX_CHECKED_TEXT = 2_000;

function checkedQuery({ name, repeats }: Endpoint, schema: z.ZodType, query: Fields, url: string): unknown {
  const from = url.indexOf("?");
  if (!repeats || url.length - from > MAX_CHECKED_TEXT) return validate(schema, query);
  const key = from < 0 ? name : name + url.slice(from);
  const known = checkedQueries.get(key);
  if (known) return known.value;
  const checked = Object.freeze(validate(schema, query));
  checkedQueries.put(key, checked, key.length + 500);
  return checked;
}
/** The environment of the caller's project: its database, objects and files. */
const projectEnv = (env: Env, { database, from }: Caller): Env => envIn(env, database, from);

/** The country of a request, if the platform provides it. */
function countryOf(request: Request): string | undefined {
  const country = request.cf?.country;
  return typeof country === "string" ? country : undefined;
}

const SECRET = /prj_(test|live)_sk_/;
/** The search for a fixed string first: of each parameter of each request, it is cheaper than an expression. */
const isSecret = (text: string) => text.includes("_sk_") && SECRET.test(text);

/**
 * Rejects a secret key in a URL, real or not: it is already in logs and browser histories.
 */
function refuseSecretInUrl(parameters: readonly Parameter[]): void {
  if (!parameters.some(([name, value]) => isSecret(name) || isSecret(value))) return;
  throw new ApiError(
    401,
    "Unauthorized. Don't put a secret key in a URL: logs record it. Send it in the Authorization header, and rotate this key.",
  );
}

/**
 * Key and token from the headers; a key also from `publishableKey` in the query, for browsers that cannot send a
 * header.
 */
function credentialsIn({ headers }: Request, query: Fields): Credentials {
  const bearer = keyFromHeader(headers.get("authorization"));
  // A key that is sent as itself needs no other.
  if (bearer !== undefined && looksLikeKey(bearer)) return { key: bearer };
  const named = headers.get("x-radar-publishable-key") ?? query.publishableKey;
  return credentialsOf(bearer, typeof named === "string" ? named : undefined);
}

function toResponse(endpoint: Endpoint, reply: Reply, headers: Headers): Response {
  if (reply instanceof Response) return withHeaders(reply, headers);
  if (reply instanceof MediaReply) return mediaResponse(reply, headers);
  const status = endpoint.status ?? 200;
  if (status === 204) {
    const response = new Response(null, { status, headers });
    response.headers.delete("content-type");
    return response;
  }
  if (reply instanceof WrittenReply)
    return new Response(`{"meta":{"code":${status}${reply.meta}},${reply.members}}`, { status, headers });
  return new Response(bodyOf(reply, status), { status, headers });
}

/** The envelope as JSON. Without additions to `meta`, the reply is written as it is: a copy of its members is slower than one of its text. */
function bodyOf(reply: Exclude<Reply, Response | WrittenReply | MediaReply>, status: number): string {
  if ("meta" in reply) {
    const { meta, ...rest } = reply;
    return JSON.stringify({ meta: { code: status, ...meta }, ...rest });
  }
  const members = JSON.stringify(reply);
  return members === "{}" ? `{"meta":{"code":${status}}}` : `{"meta":{"code":${status}},${members.slice(1)}`;
}

/** For these two, the endpoint's own header takes precedence. */
const isEndpoints = (name: string) => name === "content-type" || name === "cache-control";

function mediaResponse({ body, status, headers: own }: MediaReply, headers: Headers): Response {
  const response = new Response(body, { status, headers });
  for (const name in own) if (!IN_EVERY_RESPONSE.has(name)) response.headers.set(name, own[name]);
  return response;
}

/** The names of `baseHeaders` that endpoints do not set. */
const IN_EVERY_RESPONSE: ReadonlySet<string> = new Set([
  "x-content-type-options",
  "strict-transport-security",
  "x-request-id",
  "x-radar-request-id",
  "access-control-allow-origin",
  "access-control-expose-headers",
]);

/** A response with the headers of every response. Its own are added to those, which are more: each call of Headers takes time. */
function withHeaders(reply: Response, headers: Headers): Response {
  // These are copied whole: a packed body must not be packed again.
  if (reply.webSocket || reply.headers.has("content-encoding")) {
    const copy = new Response(reply.body, reply);
    for (const [name, value] of headers)
      if (!isEndpoints(name) || !copy.headers.has(name)) copy.headers.set(name, value);
    return copy;
  }
  const response = new Response(reply.body, { status: reply.status, statusText: reply.statusText, headers });
  for (const [name, value] of reply.headers) {
    if (name === "set-cookie") response.headers.append(name, value);
    else if (isEndpoints(name) || !headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

/**
 * Only the browser may cache a response to a session, and only for the project and environment that the headers
 * specify: the next request for the same URL may be for another project.
 */
function onlyForSession(response: Response): Response {
  const { headers } = response;
  const kept = headers.get("cache-control");
  if (kept?.startsWith("public")) headers.set("cache-control", kept.replace("public", "private"));
  headers.append("vary", "Cookie, x-graticule-project, x-graticule-environment");
  return response;
}

/**
 * Renders an error: an ApiError unchanged, an unavailable database or bucket as 503, anything else as a 500 whose cause is only in
 * the log. Pages of any origin may read it, whatever the endpoint: otherwise a browser would show a misleading CORS
 * error.
 */
export function failure(error: unknown, log: LogLine, env: Env): Response {
  const known = toApiError(error, log);
  log.status = known.status;
  log.param = known.param === undefined ? undefined : beforeBracket(known.param);
  return new Response(JSON.stringify(errorBody(known)), {
    status: known.status,
    headers: { ...baseHeaders(log.requestId, true, env), ...known.headers },
  });
}

function toApiError(error: unknown, log: LogLine): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InDebt)
    return tooManyRequests(error.rate, error.waitMs, Date.now(), "milliseconds of computing");
  if (error instanceof ClientLeft) return new ApiError(CLIENT_LEFT, "The client closed the connection.");
  if (error instanceof TooMuchWork) {
    return new ApiError(503, "The request is too expensive. Reduce its size.", {
      headers: { "Retry-After": "60" },
    });
  }
  log.error = describeError(error);
  if (isMoving(error)) {
    return new ApiError(503, "The project is moving to another database. Try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  if (isDatabaseAway(error)) {
    return new ApiError(503, "The database is temporarily unavailable. Try again in a few seconds.", {
      headers: { "Retry-After": "2" },
    });
  }
  // By its name (src/worker/storage), because handlers do not know where geodata is stored.
  if (error instanceof Error && error.name === "StorageError") {
    return new ApiError(503, "Geodata is temporarily unavailable. Try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  return new ApiError(500, `Internal server error. Request id: ${log.requestId}.`);
}

export function startLog(request: Request, route: string): LogLine {
  return { requestId: requestIdOf(request.headers), at: Date.now(), method: request.method, route, status: 0 };
}

const EXPOSED =
  "x-request-id, x-radar-request-id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, x-graticule-left-out, x-graticule-attribution, x-graticule-rows, x-graticule-next, WWW-Authenticate";

/**
 * Headers of every response. `browsers`: pages of any origin may read it, without credentials. A response belongs to one
 * customer, so no cache may keep it unless the endpoint says otherwise.
 */
function baseHeaders(requestId: string, browsers: boolean, env: Env): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...securityHeaders(env),
    "x-request-id": requestId,
    "x-radar-request-id": requestId,
  };
  if (browsers) {
    headers["access-control-allow-origin"] = "*";
    headers["access-control-expose-headers"] = EXPOSED;
  }
  return headers;
}

/** The common headers as a platform object; those of one request are set before they are copied into its response. */
const kept = new Map<boolean, Headers>();

/** `baseHeaders`, to be copied immediately into a Response: passing the same object costs half as much as passing eight strings. */
function headersOf(requestId: string, browsers: boolean, env: Env): Headers {
  let headers = kept.get(browsers);
  if (!headers) {
    headers = new Headers(baseHeaders(requestId, browsers, env));
    kept.set(browsers, headers);
  }
  headers.set("x-request-id", requestId);
  headers.set("x-radar-request-id", requestId);
  return headers;
}

/** The response to a CORS preflight: allows every method and header, and needs no key. */
export function preflight(request: Request, requestId: string, env: Env): Response {
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
      ...securityHeaders(env),
      "x-request-id": requestId,
      "x-radar-request-id": requestId,
    },
  });
}
