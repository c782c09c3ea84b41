import { keyFromHeader } from "../../../core/auth/key.ts";
import { isOAuthToken } from "../../../core/auth/oauth/token.ts";
import type { Api, ApiRequest } from "../../mcp/base/api.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError } from "../../platform/errors.ts";
import { challengeOf } from "../oauth/metadata.ts";
import { admit } from "../serve/callers/caller.ts";
import { admitGrant } from "../serve/callers/grants.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { sendAs } from "../serve/callers/inside.ts";
import { credentialsOf } from "../serve/callers/speaker.ts";
import { clientOf, sameConnection } from "../serve/connection.ts";
import { type Call, type Endpoint, endpoint } from "../serve/endpoint.ts";
import { countMessages, readMessages } from "./batch.ts";

/** The Worker's own response to a request (src/worker/app.ts). */
export type AnswerRequest = (request: Request, env: Env, execution: ExecutionContext) => Response | Promise<Response>;

/**
 * The Model Context Protocol. A tool sends requests to this Worker's own endpoints with the caller's credentials, so that access,
 * limits, quota, validation, usage and logs are those of the same call over HTTP.
 */
export function mcpEndpoint(answer: AnswerRequest): Endpoint {
  return endpoint({
    name: "mcp",
    method: "POST",
    path: "/mcp",
    level: "open",
    rate: "address",
    chapter: "Agents",
    summary: "Serves the Model Context Protocol, for agents.",
    description:
      "Streamable HTTP without sessions, for clients of the revisions 2025-03-26 to 2026-07-28. Send a key as `Authorization: Bearer prj_…`, or the access token of a member (OAuth 2.1; `/.well-known/oauth-protected-resource`). A request may have up to ten messages, which are counted one by one. Each tool calls endpoints of this API with these credentials and counts as these calls.",
    media: ["application/json", "text/event-stream"],
    errors: [400, 401, 402, 403, 404, 406, 413, 415, 451],
    async handle(call) {
      requireMedia(call.request);
      const { api, caller } = await apiOf(call, answer).catch((error) => {
        throw error instanceof ApiError && error.status === 401 ? withChallenge(call, error) : error;
      });
      const read = await readMessages(call.request);
      if (read instanceof Response) return read;
      countMessages(call, caller, read.messages);
      // The library is only loaded by the first request of an agent.
      const { handleMcp } = await import("../../mcp/server.ts");
      return handleMcp(call.request, api, read.body);
    },
  });
}

/** @throws ApiError 406, 415 */
function requireMedia({ headers }: Request): void {
  if (!headers.get("content-type")?.includes("application/json"))
    throw new ApiError(415, "Send JSON, with the header Content-Type: application/json.");
  const accepted = headers.get("accept") ?? "";
  if (!accepted.includes("*/*") && !(accepted.includes("application/json") && accepted.includes("text/event-stream")))
    throw new ApiError(406, "Send the header Accept: application/json, text/event-stream.");
}

/** Tells a client where to ask for access. */
function withChallenge({ request, env }: Call, error: ApiError): ApiError {
  const challenge = challengeOf(request, env, request.headers.has("authorization"));
  return new ApiError(401, error.message, { headers: { ...error.headers, "WWW-Authenticate": challenge } });
}

/**
 * The API with the caller's key, or with what a member has allowed an agent.
 * @throws ApiError 401, 402, 403 or 451 if the caller is not admitted
 */
async function apiOf(call: Call, answer: AnswerRequest): Promise<{ api: Api; caller: Caller }> {
  const { request, env, now } = call;
  const { headers } = request;
  const bearer = keyFromHeader(headers.get("authorization"));
  if (bearer !== undefined && isOAuthToken("access", bearer)) {
    const caller = await admitGrant(env, bearer, clientOf(request, env).ip, now);
    const api = { live: caller.live, secret: true, send: (one: ApiRequest) => answerInside(call, answer, one, caller) };
    return { api, caller };
  }
  const { key } = credentialsOf(bearer, undefined);
  const country = () => (typeof request.cf?.country === "string" ? request.cf.country : undefined);
  const arrival = { origin: headers.get("origin"), country, client: clientOf(request, env) };
  const caller = await admit(env, key, "publishable", arrival, now);
  const { live, secret } = caller;
  return { api: { live, secret, send: (one) => answerInside(call, answer, one) }, caller };
}

/** Headers of the caller that requests of its tools have too, besides those of its connection. */
const PASSED = ["authorization", "origin", "user-agent"];

/** @param caller who is admitted already; absent: the request has the key */
async function answerInside(
  call: Call,
  answer: AnswerRequest,
  { method, path, query, body, ifNoneMatch }: ApiRequest,
  caller?: Caller,
) {
  const { request, env, waitUntil } = call;
  const url = new URL(path, request.url);
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) url.searchParams.set(name, `${value}`);
  const headers = sameConnection(request);
  for (const name of PASSED) {
    const value = request.headers.get(name);
    if (value !== null && !(caller && name === "authorization")) headers.set(name, value);
  }
  if (ifNoneMatch !== undefined) headers.set("if-none-match", ifNoneMatch);
  if (body !== undefined) headers.set("content-type", "application/json");
  const inside = new Request(url, {
    method,
    headers,
    // Its work ends with the agent's request.
    signal: request.signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(request.cf && { cf: request.cf as CfProperties }),
  });
  return answer(caller ? sendAs(inside, caller) : inside, env, {
    waitUntil,
    passThroughOnException() {},
    props: {},
  } as unknown as ExecutionContext);
}
