import { looksLikeKey } from "../../../../core/auth/key.ts";
import {
  checkSignature,
  checkTimes,
  looksLikeToken,
  MAX_TOKEN,
  readToken,
  type Speaker,
  type Token,
  TokenError,
} from "../../../../core/auth/token.ts";
import { BoundedMap } from "../../../../core/geo/bounded-map.ts";
import { ApiError } from "../../../platform/errors.ts";
import type { Caller } from "./identity.ts";

/** The credentials of a request: the key, and a token if there is one. */
export interface Credentials {
  key: string | undefined;
  token?: Token;
}

/**
 * Reads the credentials of a request. The SDK may send a token instead of the key (`Authorization: Bearer eyJ…`). Then
 * the publishable key is in the token's `aud`, or in a header or parameter if the client can send one.
 * @param bearer the Authorization header without "Bearer"
 * @param named the key in X-Radar-Publishable-Key or `publishableKey`
 */
export function credentialsOf(bearer: string | undefined, named: string | undefined): Credentials {
  if (bearer === undefined) return { key: named };
  if (!(bearer.length > MAX_TOKEN ? bearer.startsWith("eyJ") : looksLikeToken(bearer))) return { key: bearer };
  const token = refusing(() => readToken(bearer));
  const { aud } = token.claims;
  const audience: unknown[] = aud === undefined ? [] : Array.isArray(aud) ? aud : [aud];
  const key = named ?? audience.find((one) => typeof one === "string" && looksLikeKey(one));
  if (typeof key !== "string")
    throw unauthorized("The token must specify the project: put the publishable key into its aud claim.");
  if (aud !== undefined && !audience.includes(key)) throw unauthorized("The token is for a different key (aud).");
  return { key, token };
}

const MAX_CHECKED = 2000;
/** Cache of verified tokens: an app sends the same token with every call. */
const checked = new BoundedMap<string, { material: string; speaker: Speaker }>(MAX_CHECKED);

/** The user of a token. @throws ApiError 401 if it is invalid */
export async function speakerOf(token: Token, caller: Caller, now: number): Promise<Speaker> {
  if (caller.secret) throw unauthorized("A token needs a publishable key.");
  const keys = caller.settings.tokens?.keys ?? {};
  const ids = Object.keys(keys);
  if (ids.length === 0) throw unauthorized("The project has not registered a token key.");
  const kid = token.kid ?? (ids.length === 1 ? ids[0] : undefined);
  if (kid === undefined) throw unauthorized("The project has several token keys: specify one in the header (kid).");
  if (!Object.hasOwn(keys, kid)) throw unauthorized("The token's key (kid) is not registered.");
  const key = keys[kid];
  refusing(() => checkTimes(token, now));
  const name = `${caller.project} ${token.text}`;
  const known = checked.get(name);
  // When a key is replaced under the same kid, its tokens are no longer valid.
  if (known?.material === key.material) return known.speaker;
  try {
    await checkSignature(token, key);
  } catch (error) {
    throw error instanceof TokenError ? unauthorized(error.message) : error;
  }
  const { claims } = token;
  const userId = claims.userId ?? claims.sub;
  if (!isName(userId)) throw unauthorized("The token must specify the user in the claim userId or sub.");
  const { deviceId } = claims;
  if (deviceId !== undefined && !isName(deviceId)) throw unauthorized("The claim deviceId must be a string.");
  const speaker = { userId, ...(deviceId !== undefined && { deviceId }) };
  checked.set(name, { material: key.material, speaker });
  return speaker;
}

/**
 * The userId of a call: from its parameters, or from its token.
 * @throws ApiError 403 if the token belongs to another user; 401 if the project requires a token and there is none
 */
export function spokenFor(caller: Caller, named: string | undefined, deviceId?: string): string | undefined {
  const { secret, speaker } = caller;
  if (secret) return named;
  if (!speaker) {
    if (named !== undefined) mustSpeak(caller);
    return named;
  }
  if (named !== undefined && named !== speaker.userId)
    throw new ApiError(403, "Forbidden. The token belongs to another user.", { param: "userId" });
  if (deviceId !== undefined && speaker.deviceId !== undefined && deviceId !== speaker.deviceId)
    throw new ApiError(403, "Forbidden. The token belongs to another device.", { param: "deviceId" });
  return speaker.userId;
}

/**
 * For calls about a user's data without a userId: they also need a token if the project requires tokens.
 * @throws ApiError 401
 */
export function mustSpeak({ secret, speaker, settings }: Caller): void {
  if (secret || speaker || !settings.tokens?.required) return;
  throw unauthorized("The project requires a signed token with the user: Authorization: Bearer <JWT>.");
}

/** Whether the caller may see this user's data: a server, or a caller with a token of the user. */
export function knows({ secret, speaker }: Caller, userId: string | undefined): boolean {
  return secret || (speaker !== undefined && speaker.userId === userId);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 256;
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof TokenError ? unauthorized(error.message) : error;
  }
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, `Unauthorized. ${message}`);
}
