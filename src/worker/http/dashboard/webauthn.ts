import { z } from "zod";
import { useChallenge } from "../../db/projects/passkeys.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { publicOrigin } from "../serve/connection.ts";

/**
 * Web Authentication through @simplewebauthn/server (MIT, 14.0.3 of September 2026; 313 KB in the Worker, 88 KB compressed,
 * most of it the certificates of attestations). Why a library: the parts of it that are easy to get wrong (CBOR, COSE keys,
 * the flags of authenticator data, which encodings of a signature to accept) are security critical.
 *
 * The first request that needs it loads it, so an isolate without sign-ins does not pay for it.
 */
export const webauthn = () => import("@simplewebauthn/server");

const CREDENTIAL_RULE = "Must be a credential as the browser returns it (PublicKeyCredential.toJSON).";
const base64url = z.string({ error: CREDENTIAL_RULE }).max(16_384, { error: CREDENTIAL_RULE });

/** The fields of a JSON credential that are used here; the library checks the rest. */
export const credentialBody = z.looseObject(
  {
    id: base64url,
    rawId: base64url,
    type: z.literal("public-key", { error: CREDENTIAL_RULE }),
    response: z.looseObject({ clientDataJSON: base64url }, { error: CREDENTIAL_RULE }),
  },
  { error: CREDENTIAL_RULE },
);
type Credential = z.output<typeof credentialBody>;

/** The relying party of passkeys: this host. @throws ApiError 400 on an IP address, which is not allowed (WebAuthn, 5.1.2) */
export function relyingParty(request: Request, env: Env): { rpID: string; origin: string } {
  const { hostname, origin, port } = new URL(publicOrigin(request, env));
  if (!/^[\d.]+$/.test(hostname) && !hostname.startsWith("[")) return { rpID: hostname, origin };
  const instead = hostname === "127.0.0.1" ? ` Open http://localhost${port && `:${port}`} instead.` : "";
  throw new ApiError(400, `Passkeys need a host name, not an IP address.${instead}`);
}

/**
 * Returns and consumes the challenge of the credential.
 * @param member the member who registers; null for signing in
 * @throws ApiError 400 for one that was not issued for this purpose, or has expired
 */
export async function answeredChallenge(
  db: D1Database,
  { response }: Credential,
  member: string | null,
  now: number,
): Promise<string> {
  const challenge = challengeIn(response.clientDataJSON);
  if (challenge !== undefined && (await useChallenge(db, challenge, member, now))) return challenge;
  throw invalid("credential", "The challenge is unknown or expired. Try again.");
}

function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(new TextDecoder().decode(bytesOf(clientData))) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The library's verification result for a valid credential. @throws ApiError 400 with its reason otherwise */
export async function verified<T extends { verified: boolean }>(verify: () => Promise<T>): Promise<T> {
  let outcome: T;
  try {
    outcome = await verify();
  } catch (error) {
    // All its errors are about the input: it does no I/O.
    throw invalid("credential", error instanceof Error ? `${error.message.slice(0, 200)}.` : "");
  }
  if (!outcome.verified) throw invalid("credential", "Its signature is not by the passkey.");
  return outcome;
}

export function textOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
