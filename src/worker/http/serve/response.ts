import { type Endpoint, MediaReply, type Reply, WrittenReply } from "./endpoint.ts";

/** The result of a handler as a response. */
export function toResponse(endpoint: Endpoint, reply: Reply, headers: Headers): Response {
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
export function onlyForSession(response: Response): Response {
  const { headers } = response;
  const kept = headers.get("cache-control");
  if (kept?.startsWith("public")) headers.set("cache-control", kept.replace("public", "private"));
  headers.append("vary", "Cookie, x-graticule-project, x-graticule-environment");
  return response;
}
