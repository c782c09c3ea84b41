import { hashKey } from "../../../core/auth/key.ts";
import { looksLikeShareToken } from "../../../core/auth/share-token.ts";
import { type OpenedShare, openShare } from "../../db/customers/trip-shares.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError } from "../../platform/errors.ts";

/**
 * Resolves the token of a link, for all data of the link.
 * @param country of the viewer, if the platform provides it
 * @throws ApiError 404 unknown, 410 expired or revoked, 402 project disabled, 451 blocked country
 */
export async function openByToken(env: Env, token: string, now: number, country: unknown): Promise<OpenedShare> {
  const opened = looksLikeShareToken(token) ? await openShare(env, await hashKey(token)) : undefined;
  if (!opened) {
    throw new ApiError(404, "The link does not exist. It may be incomplete, or its trip may have been deleted.");
  }
  const { share, disabled, blockedCountries } = opened;
  if (share.revokedAt !== null) throw new ApiError(410, "This link was revoked.");
  if (share.expiresAt <= now) throw new ApiError(410, "This link has expired. Ask for a new one.");
  if (disabled) throw new ApiError(402, "Payment required. The project is disabled.");
  if (typeof country === "string" && blockedCountries.includes(country)) {
    throw new ApiError(451, "Unavailable for legal reasons. The project does not serve this country.");
  }
  return opened;
}
