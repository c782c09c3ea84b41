import type { Role } from "../role.ts";
import { ClientProblem } from "./client.ts";
import { isChallenge } from "./token.ts";

/** The authorization request of a client (RFC 6749, 4.1.1; OAuth 2.1), and the response to it. */

export interface AuthorizationParameters {
  client_id: string;
  redirect_uri: string;
  response_type?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  resource?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
}

/** What a client may do at most: roles of the table of roles. */
export const SCOPES = ["read", "write"] as const satisfies readonly Role[];
export type Scope = (typeof SCOPES)[number];

/** A problem that the client learns by a redirect, or in the response of the token endpoint. */
export class OAuthProblem extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Checks a request whose client and redirect_uri are known.
 * @param resource the URL of this server's endpoint
 * @returns the scope that it asks for: `read` unless it has `write`
 * @throws OAuthProblem
 */
export function checkAuthorization(parameters: AuthorizationParameters, resource: string): Scope {
  if (parameters.response_type !== "code")
    throw new OAuthProblem("unsupported_response_type", "response_type must be code.");
  if (parameters.code_challenge_method !== "S256" || !isChallenge(parameters.code_challenge ?? ""))
    throw new OAuthProblem("invalid_request", "PKCE is required: code_challenge with code_challenge_method=S256.");
  checkResource(parameters.resource, resource);
  return scopeOf(parameters.scope);
}

/** @throws OAuthProblem unless the token is for this server's endpoint (RFC 8707) */
export function checkResource(requested: string | undefined, resource: string): void {
  if (requested !== undefined && requested !== resource)
    throw new OAuthProblem("invalid_target", `resource must be ${resource}.`);
}

function scopeOf(text: string | undefined): Scope {
  const names = (text ?? "").split(" ").filter((name) => name !== "");
  const unknown = names.find((name) => name !== "offline_access" && !(SCOPES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new OAuthProblem("invalid_scope", `Valid scopes: ${SCOPES.join(", ")}.`);
  return names.includes("write") ? "write" : "read";
}

/** The URL that returns to the client, with the issuer (RFC 9207). */
export function redirectOf(
  { redirect_uri, state }: Pick<AuthorizationParameters, "redirect_uri" | "state">,
  issuer: string,
  result: { code: string } | { error: string; error_description?: string },
): string {
  if (!URL.canParse(redirect_uri)) throw new ClientProblem("redirect_uri must be a URL.");
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...result, state, iss: issuer }))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
