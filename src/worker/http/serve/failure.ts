import { OAuthProblem } from "../../../core/auth/oauth/authorization.ts";
import { ClientLeft, InDebt, TooMuchWork } from "../../../core/geo/pace.ts";
import { isDatabaseAway, isMoving } from "../../db/away.ts";
import { describeError } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, beforeBracket, errorBody } from "../../platform/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import { baseHeaders } from "./headers.ts";
import { CLIENT_LEFT, type LogLine } from "./log.ts";
import type { Peer } from "./peers.ts";
import { tooManyRequests } from "./rate-limit.ts";

/**
 * Renders an error: an ApiError unchanged, an unavailable database or bucket as 503, anything else as a 500 whose cause is only in
 * the log. Pages of any origin may read it, whatever the endpoint: otherwise a browser would show a misleading CORS
 * error.
 * @param form of the endpoint: `oauth` adds the fields that OAuth clients read, `peer` writes errors as another service does
 * @param url of the request, which may name the format of errors
 */
export function failure(
  error: unknown,
  log: LogLine,
  env: Env,
  { oauth = false, peer }: Pick<Endpoint, "oauth" | "peer"> = {},
  url = "",
): Response {
  const known = toApiError(error, log);
  log.status = known.status;
  log.param = known.param === undefined ? undefined : beforeBracket(known.param);
  if (peer) return peerFailure(peer, known, log, env, url);
  const other = known.status < 500 ? "invalid_request" : "temporarily_unavailable";
  const code = error instanceof OAuthProblem ? error.code : other;
  const body = { ...errorBody(known), ...(oauth && { error: code, error_description: known.message }) };
  return new Response(JSON.stringify(body), {
    status: known.status,
    headers: { ...baseHeaders(log.requestId, true, env), ...known.headers },
  });
}

function peerFailure(peer: Peer, error: ApiError, log: LogLine, env: Env, url: string): Response {
  const { status = error.status, body, type } = peer.errorOf(error, url);
  log.status = status;
  const headers = { ...baseHeaders(log.requestId, true, env), ...error.headers, ...(type && { "content-type": type }) };
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
}

/**
 * Errors of a bucket that does not respond, or whose list of live builds is damaged: ours, and those of an R2 binding, which end with a code, "get: Unspecified error (0)"
 * (Cloudflare's list of R2 error codes).
 */
const R2_ERROR = /^(get|head|put|list|delete|\w+MultipartUpload|uploadPart): .*\(\d+\)$/s;
/** Of `npm start`, when the file of an object is shorter than its list says. */
const CUT_SHORT = /^FixedLengthStream did not see all expected bytes/;

function isBucketAway({ name, message }: Error): boolean {
  return (
    ["StorageError", "BucketAway", "UnreadableObject"].includes(name) ||
    R2_ERROR.test(message) ||
    CUT_SHORT.test(message)
  );
}

function toApiError(error: unknown, log: LogLine): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof OAuthProblem) return new ApiError(400, error.message);
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
  if (error instanceof Error && isBucketAway(error)) {
    return new ApiError(503, "Geodata is temporarily unavailable. Try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  return new ApiError(500, `Internal server error. Request id: ${log.requestId}.`);
}
