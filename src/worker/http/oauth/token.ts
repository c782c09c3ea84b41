import { z } from "zod";
import { hashKey } from "../../../core/auth/key.ts";
import { checkResource, OAuthProblem, SCOPES } from "../../../core/auth/oauth/authorization.ts";
import {
  ACCESS_MS,
  isOAuthToken,
  isVerifierOf,
  mintOAuthToken,
  OAUTH_TOKEN_BYTES,
} from "../../../core/auth/oauth/token.ts";
import { commonDatabase } from "../../db/databases.ts";
import {
  deleteGrant,
  findGrant,
  findGrantOf,
  type Grant,
  insertGrant,
  replaceRefreshToken,
  type TokenHashes,
  useCode,
} from "../../db/projects/grants.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { forgetGrantsOf } from "../serve/callers/grants.ts";
import { type Call, type Endpoint, endpoint } from "../serve/endpoint.ts";
import { noteGrant } from "./audit.ts";
import { authorizationServer, protectedResource, resourceOf } from "./metadata.ts";

/** The token endpoint: codes and refresh tokens become access tokens. Clients are public: they prove themselves by PKCE and rotation. */

const chapter = "Agents";
const MAX_LENGTH = 2048;

const clientId = optionalText(MAX_LENGTH).meta({ description: "the client that the token or code belongs to" });

const body = z.object({
  grant_type: optionalText(MAX_LENGTH).meta({ description: "authorization_code or refresh_token" }),
  client_id: clientId,
  code: optionalText(MAX_LENGTH).meta({
    description: "authorization_code: from the redirect; valid once, for a minute",
  }),
  code_verifier: optionalText(MAX_LENGTH).meta({ description: "authorization_code: PKCE, S256" }),
  redirect_uri: optionalText(MAX_LENGTH).meta({
    description: "authorization_code: the one of the authorization request",
  }),
  refresh_token: optionalText(MAX_LENGTH).meta({
    description: "refresh_token: valid once; the response has the next one",
  }),
  resource: optionalText(MAX_LENGTH).meta({ description: "URL of `/mcp` (RFC 8707)" }),
  scope: optionalText(MAX_LENGTH).meta({ description: "ignored: the scope stays as approved" }),
});
type Body = z.output<typeof body>;

const oauthToken = endpoint({
  name: "oauthToken",
  method: "POST",
  path: "/oauth/token",
  level: "open",
  rate: "address",
  oauth: true,
  chapter,
  summary: "Exchanges an authorization code or a refresh token for an access token of `/mcp` (OAuth 2.1).",
  description:
    "A form. An access token is valid for an hour, a refresh token once within 30 days. A second use of a code or refresh token ends the grant. Errors have `error` and `error_description` (RFC 6749).",
  body,
  response: z.object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.number().meta({ description: "seconds" }),
    refresh_token: z.string(),
    scope: z.string(),
  }),
  async handle(call) {
    if (call.body.grant_type === "authorization_code") return exchangeCode(call);
    if (call.body.grant_type === "refresh_token") return refresh(call);
    throw new OAuthProblem("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
  },
});

const oauthRevoke = endpoint({
  name: "oauthRevoke",
  method: "POST",
  path: "/oauth/revoke",
  level: "open",
  rate: "address",
  oauth: true,
  chapter,
  summary: "Ends the grant of an access or refresh token, with all of its tokens (RFC 7009).",
  description: "A form. An unknown token also returns 200.",
  body: z.object({
    token: optionalText(MAX_LENGTH).meta({ description: "access or refresh token" }),
    token_type_hint: optionalText(MAX_LENGTH).meta({ description: "ignored: the token has its kind" }),
    client_id: clientId,
  }),
  async handle(call) {
    const { body, env, now } = call;
    const token = required(body.token, "token");
    const db = commonDatabase(env);
    if (!isOAuthToken("access", token) && !isOAuthToken("refresh", token)) return {};
    const grant = await findGrantOf(db, await hashKey(token), now);
    if (!grant) return {};
    if (body.client_id !== undefined && body.client_id !== grant.client)
      throw new OAuthProblem("unauthorized_client", "The token belongs to another client.");
    await endGrant(call, grant, "Disconnected by the client");
    return {};
  },
});

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new OAuthProblem("invalid_request", `${name} is required.`);
  return value;
}

const invalidGrant = (why: string) => new OAuthProblem("invalid_grant", why);

async function exchangeCode(call: Call<unknown, Body>) {
  const { body, env, request, now } = call;
  const db = commonDatabase(env);
  const code = required(body.code, "code");
  const verifier = required(body.code_verifier, "code_verifier");
  const client = required(body.client_id, "client_id");
  const redirectUri = required(body.redirect_uri, "redirect_uri");
  checkResource(body.resource, resourceOf(request, env));
  const used = isOAuthToken("code", code) ? await useCode(db, await hashKey(code), now) : undefined;
  if (!used) throw invalidGrant("The code is unknown or has expired.");
  const approved = used.request;
  if (!approved) {
    const grant = await findGrant(db, used.grant);
    if (grant) await endGrant(call, grant, "Disconnected: a code was used twice, so that a copy of it may exist");
    throw invalidGrant("The code was already used. Its grant has ended.");
  }
  if (approved.client !== client) throw invalidGrant("The code belongs to another client.");
  if (approved.redirectUri !== redirectUri)
    throw invalidGrant("redirect_uri is not the one of the authorization request.");
  if (!(await isVerifierOf(approved.challenge, verifier)))
    throw invalidGrant("code_verifier does not match code_challenge.");
  const [tokens, hashes] = await mintTokens();
  if (!(await insertGrant(db, used.grant, approved, hashes, now)))
    throw invalidGrant("The member has left the project, or the code was used twice.");
  return responseOf(tokens, approved.role);
}

async function refresh(call: Call<unknown, Body>) {
  const { body, env, request, now } = call;
  const db = commonDatabase(env);
  const token = required(body.refresh_token, "refresh_token");
  const client = required(body.client_id, "client_id");
  checkResource(body.resource, resourceOf(request, env));
  const hash = await hashKey(token);
  const grant = isOAuthToken("refresh", token) ? await findGrantOf(db, hash, now) : undefined;
  if (!grant) throw invalidGrant("The refresh token is unknown, has expired, or was revoked.");
  if (grant.client !== client) throw invalidGrant("The refresh token belongs to another client.");
  const [tokens, hashes] = await mintTokens();
  if (grant.isReplaced || !(await replaceRefreshToken(db, hash, hashes, now))) {
    await endGrant(call, grant, "Disconnected: a refresh token was used twice, so that a copy of it may exist");
    throw invalidGrant("The refresh token was already used. Its grant has ended; ask the user for access again.");
  }
  return responseOf(tokens, grant.role);
}

async function endGrant(
  call: Pick<Call, "env" | "now">,
  grant: Pick<Grant, "id" | "project" | "live" | "member" | "email" | "clientName">,
  summary: string,
): Promise<void> {
  await deleteGrant(commonDatabase(call.env), grant.id);
  forgetGrantsOf(grant.member);
  await noteGrant(call, grant, "disconnectAgent", summary);
}

async function mintTokens(): Promise<[tokens: TokenHashes, hashes: TokenHashes]> {
  const mint = (kind: "access" | "refresh") =>
    mintOAuthToken(kind, crypto.getRandomValues(new Uint8Array(OAUTH_TOKEN_BYTES)));
  const tokens = { access: mint("access"), refresh: mint("refresh") };
  return [tokens, { access: await hashKey(tokens.access), refresh: await hashKey(tokens.refresh) }];
}

function responseOf({ access, refresh }: TokenHashes, role: string) {
  return {
    access_token: access,
    token_type: "Bearer" as const,
    expires_in: ACCESS_MS / 1000,
    refresh_token: refresh,
    scope: role === "write" ? SCOPES.join(" ") : role,
  };
}

export const oauthEndpoints: readonly Endpoint[] = [protectedResource, authorizationServer, oauthToken, oauthRevoke];
