import { keyFromHeader, looksLikeKey } from "../../../../core/auth/key.ts";
import { readSignedUrl } from "../../../../core/auth/signed-url.ts";
import type { Token } from "../../../../core/auth/token.ts";
import type { SignedIn } from "../../../db/projects/sessions.ts";
import { ApiError } from "../../../platform/errors.ts";
import type { Fields } from "../body.ts";
import type { EndpointRequest } from "../input.ts";
import { admit, admitSigned } from "./caller.ts";
import type { Caller } from "./identity.ts";
import { admitInside, insideCaller } from "./inside.ts";
import { OnlyMain } from "./pass-on.ts";
import { admitMember, hasKey, proofIn } from "./session.ts";
import { type Credentials, credentialsOf, speakerOf } from "./speaker.ts";

/** Who sent a request. */
export interface Identity {
  /** Absent on open endpoints, and on those about a member alone. */
  caller?: Caller;
  /** The member of the session. */
  member?: SignedIn;
  /** Names the user; its signature is not yet checked. */
  token?: Token | undefined;
  /** By a URL that was signed with a secret key, which anyone may have. */
  isSigned: boolean;
}

const ANYONE: Identity = Object.freeze({ isSigned: false });

/**
 * Finds who is calling: anyone, the caller for whom the Worker calls itself, a key, a signed URL, or a session if there is no key. Not a
 * promise if the key is cached, as for nearly every request.
 * @throws ApiError 401, 402, 403, 451
 */
export function identify(asked: EndpointRequest): Identity | Promise<Identity> {
  const { endpoint, request, env, fields } = asked;
  if (endpoint.level === "open") return ANYONE;
  const identifyIt = insideCaller(request) || hasKey(request, fields) ? identifyByKey : identifyBySession;
  return env.MAIN ? identifyOrPassOn(asked, identifyIt) : identifyIt(asked);
}

/** In a helper process: unknown keys are counted by the main one alone. @throws OnlyMain */
function identifyOrPassOn(
  asked: EndpointRequest,
  identifyIt: (asked: EndpointRequest) => Identity | Promise<Identity>,
): Identity | Promise<Identity> {
  const passOn = (error: unknown): never => {
    throw error instanceof ApiError && error.status === 401 ? new OnlyMain() : error;
  };
  try {
    const identified = identifyIt(asked);
    return identified instanceof Promise ? identified.catch(passOn) : identified;
  } catch (error) {
    return passOn(error);
  }
}

async function identifyBySession(asked: EndpointRequest): Promise<Identity> {
  const { endpoint, request, env, fields, client, now } = asked;
  const proof = await proofIn(request, env, now);
  if (!proof) return identifyByKey(asked);
  // Which also forgets sessions that end.
  if (env.MAIN) throw new OnlyMain();
  const admitted = await admitMember(env, proof, endpoint, request, fields, { ip: client.ip, now });
  return { ...admitted, isSigned: false };
}

function identifyByKey(asked: EndpointRequest): Identity | Promise<Identity> {
  const { endpoint, request, env, fields, now } = asked;
  if (endpoint.level === "member")
    throw new ApiError(401, "Unauthorized. Sign in to the dashboard; API keys are not accepted.");
  const { key, token } = credentialsIn(request, fields);
  const signed = endpoint.signed ? readSignedUrl(request.url) : undefined;
  const inside = insideCaller(request);
  const admitted = inside
    ? admitInside(inside, endpoint)
    : signed
      ? admitSigned(env, signed, arrivalOf(asked), now)
      : admit(env, key, endpoint.level, arrivalOf(asked), now);
  const isSigned = signed !== undefined;
  return admitted instanceof Promise
    ? admitted.then((caller) => ({ caller, token, isSigned }))
    : { caller: admitted, token, isSigned };
}

/** The same with the user whom the token names. @throws ApiError 401 */
export async function withSpeaker(identity: Identity, token: Token, now: number): Promise<Identity> {
  const { caller } = identity;
  return caller ? { ...identity, caller: { ...caller, speaker: await speakerOf(token, caller, now) } } : identity;
}

function arrivalOf({ endpoint, request, client }: EndpointRequest) {
  const origin = request.headers.get("origin");
  const isForPages = endpoint.path.startsWith("/maps/") || endpoint.peer !== undefined;
  const referrer = isForPages ? (request.headers.get("referer") ?? origin ?? "") : undefined;
  return { origin, referrer, country: () => countryOf(request), client, geodataOnly: endpoint.geodataOnly };
}

/** The country of a request, if the platform provides it. */
function countryOf(request: Request): string | undefined {
  const country = request.cf?.country;
  return typeof country === "string" ? country : undefined;
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
