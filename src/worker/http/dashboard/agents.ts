import { z } from "zod";
import { hashKey } from "../../../core/auth/key.ts";
import {
  type AuthorizationParameters,
  checkAuthorization,
  OAuthProblem,
  redirectOf,
  SCOPES,
} from "../../../core/auth/oauth/authorization.ts";
import { ClientProblem, checkRedirect, hostOf, isLoopback, type OAuthClient } from "../../../core/auth/oauth/client.ts";
import { CODE_MS, mintOAuthToken, OAUTH_TOKEN_BYTES } from "../../../core/auth/oauth/token.ts";
import { reaches } from "../../../core/auth/role.ts";
import { commonDatabase } from "../../db/databases.ts";
import { countGrants, deleteGrant, insertCode, listGrants } from "../../db/projects/grants.ts";
import { projectsOf } from "../../db/projects/members.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { oneOf, optionalText, text } from "../../wire/input/fields.ts";
import { noteGrant } from "../oauth/audit.ts";
import { findClient } from "../oauth/clients.ts";
import { resourceOf } from "../oauth/metadata.ts";
import { limitAddress } from "../serve/callers/address-limit.ts";
import { forgetGrantsOf } from "../serve/callers/grants.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, type Endpoint, endpoint } from "../serve/endpoint.ts";
import { CHAPTER, roleShape } from "./shapes.ts";

/** Agents: members let them in (OAuth), see who is in, and end that. */

const MAX_GRANTS = 100;
/** Documents of clients that one member may have fetched [per second]. */
const DOCUMENTS_PER_MEMBER = 2;
const MAX_LENGTH = 2048;

/** The parameters of the authorization request, as the page got them. */
const parameters = z.object({
  client_id: text(MAX_LENGTH).meta({
    description: "URL of the client's metadata document, or the name of a known client",
  }),
  redirect_uri: text(MAX_LENGTH).meta({
    description: "one of the client's; the port of a loopback address may differ",
  }),
  response_type: optionalText(MAX_LENGTH).meta({ description: "code" }),
  code_challenge: optionalText(MAX_LENGTH).meta({ description: "PKCE: base64url of the SHA-256 of the verifier" }),
  code_challenge_method: optionalText(MAX_LENGTH).meta({ description: "S256" }),
  resource: optionalText(MAX_LENGTH).meta({ description: "URL of `/mcp` (RFC 8707)" }),
  scope: optionalText(MAX_LENGTH).meta({ description: "read (default), or read and write" }),
  state: optionalText(MAX_LENGTH).meta({ description: "returned to the client" }),
});

const personal = { level: "member", personal: true, chapter: CHAPTER } as const;
const redirect = z.string().meta({ description: "URL of the client to go to" });

export const describeAgent = endpoint({
  ...personal,
  name: "describeAgent",
  method: "POST",
  path: "/dashboard/api/agents/request",
  summary: "Checks an OAuth authorization request, and returns who asks for what.",
  description: "For a request that the client must correct, only `redirect` is returned: it has the error.",
  body: parameters,
  response: z.object({
    request: z
      .object({
        client: z.object({
          _id: z.string().meta({ description: "client_id" }),
          name: z.string().meta({ description: "as the client calls itself" }),
        }),
        redirectHost: z.string(),
        isLocal: z.boolean().meta({ description: "redirects to a program on the member's own computer" }),
        access: z.enum(SCOPES),
      })
      .optional(),
    redirect: redirect.optional(),
  }),
  async handle(call) {
    const checked = await check(call);
    if ("redirect" in checked) return { redirect: checked.redirect };
    const { client, access } = checked;
    const { redirect_uri } = call.body;
    return {
      request: {
        client: { _id: client.id, name: client.name },
        redirectHost: new URL(redirect_uri).host || new URL(redirect_uri).protocol,
        isLocal: isLoopback(redirect_uri),
        access,
      },
    };
  },
});

export const connectAgent = endpoint({
  ...personal,
  name: "connectAgent",
  method: "POST",
  path: "/dashboard/api/agents",
  summary: "Lets an agent use the tools of one environment of a project, or refuses.",
  description:
    "Send the parameters of the authorization request and the decision. The agent can do what `access` and the member's current role both permit.",
  body: parameters.extend({
    decision: oneOf(["approve", "deny"]).meta({ description: "the member's decision" }),
    project: optionalText(20).meta({ description: "approve: `_id` of the project" }),
    environment: oneOf(["test", "live"]).optional().meta({ description: "approve: environment of the project" }),
    access: oneOf(SCOPES).optional().meta({ description: "approve: what the agent may do at most" }),
  }),
  response: z.object({ redirect }),
  errors: [409],
  async handle(call) {
    const checked = await check(call);
    if ("redirect" in checked) return { redirect: checked.redirect };
    const { body, env, request, now, member } = call;
    const issuer = publicOrigin(request, env);
    if (body.decision === "deny")
      return {
        redirect: redirectOf(body, issuer, { error: "access_denied", error_description: "The member refused." }),
      };
    const { id, email, reach } = member!;
    const db = commonDatabase(env);
    const project = (await projectsOf(db, id, reach)).find((one) => String(one.id) === body.project);
    if (!project) throw new ApiError(403, "Forbidden. You are not a member of this project.", { param: "project" });
    const { environment, access } = body;
    if (environment === undefined) throw invalid("environment", "Set test or live.");
    if (access === undefined) throw invalid("access", `Set one of ${SCOPES.join(", ")}.`);
    if (!reaches(project.role, access))
      throw new ApiError(403, `Forbidden. Your role is ${project.role}; you cannot give ${access}.`, {
        param: "access",
      });
    if ((await countGrants(db, project.id, id)) >= MAX_GRANTS)
      throw new ApiError(409, `Conflict. You have ${MAX_GRANTS} agents in this project: disconnect some in Settings.`);
    const { client } = checked;
    const code = mintOAuthToken("code", crypto.getRandomValues(new Uint8Array(OAUTH_TOKEN_BYTES)));
    const approval = { project: project.id, live: environment === "live", member: id, clientName: client.name };
    await insertCode(db, {
      hash: await hashKey(code),
      grant: newId(now),
      request: {
        ...approval,
        role: access,
        client: client.id,
        redirectUri: body.redirect_uri,
        challenge: body.code_challenge ?? "",
      },
      expiresAt: now + CODE_MS,
    });
    const from = hostOf(client) ?? new URL(body.redirect_uri).host;
    await noteGrant(call, { ...approval, email }, "connectAgent", `Agent allowed to ${access}, from ${from}`);
    return { redirect: redirectOf(body, issuer, { code }) };
  },
});

/**
 * The client of a request, and what it asks for. An error is returned to the client by a redirect, except if the client or its
 * redirect_uri is unknown: then there is no address that could be trusted.
 * @throws ApiError 400
 */
async function check({
  body,
  env,
  request,
  member,
  now,
}: Call<unknown, AuthorizationParameters>): Promise<
  { client: OAuthClient; access: (typeof SCOPES)[number] } | { redirect: string }
> {
  let client: OAuthClient;
  try {
    const limit = () => limitAddress(member!.id, "documents of clients", DOCUMENTS_PER_MEMBER, now);
    client = await findClient(env, body.client_id, limit, now);
  } catch (error) {
    throw error instanceof ClientProblem ? invalid("client_id", error.message) : error;
  }
  try {
    checkRedirect(client, body.redirect_uri);
  } catch (error) {
    throw error instanceof ClientProblem ? invalid("redirect_uri", error.message) : error;
  }
  try {
    return { client, access: checkAuthorization(body, resourceOf(request, env)) };
  } catch (error) {
    if (!(error instanceof OAuthProblem)) throw error;
    const result = { error: error.code, error_description: error.message };
    return { redirect: redirectOf(body, publicOrigin(request, env), result) };
  }
}

export const getAgents = endpoint({
  name: "listAgents",
  method: "GET",
  path: "/dashboard/api/agents",
  level: "member",
  chapter: CHAPTER,
  summary: "Lists the agents that members have let in: your own, and as an admin those of all members.",
  response: z.object({
    agents: z.array(
      z.object({
        _id: z.string(),
        name: z.string(),
        client: z.string().meta({ description: "client_id: a URL whose host vouches for the name, or a known client" }),
        live: z.boolean(),
        access: roleShape,
        member: z.object({ _id: z.string(), email: z.string() }),
        createdAt: z.string(),
        lastUsedAt: z.string().meta({ description: "to the hour" }),
      }),
    ),
  }),
  async handle({ caller, env }) {
    const grants = await listGrants(commonDatabase(env), caller.project, ownOnly(caller));
    return {
      agents: grants.map(({ id, client, clientName, live, role, member, email, createdAt, lastUsedAt }) => ({
        _id: id,
        name: clientName,
        client,
        live,
        access: role,
        member: { _id: member, email },
        createdAt: wireDate(createdAt),
        lastUsedAt: wireDate(lastUsedAt),
      })),
    };
  },
});

/** The member whose agents the caller may see; undefined: all. */
function ownOnly({ member }: Call["caller"]): string | undefined {
  return member && !reaches(member.role, "admin") ? member.id : undefined;
}

const disconnectAgent = endpoint({
  name: "disconnectAgent",
  method: "DELETE",
  path: "/dashboard/api/agents/:id",
  level: "member",
  role: "read",
  audited: true,
  chapter: CHAPTER,
  summary: "Ends the access of an agent. Takes effect within ten seconds.",
  description: "Members can disconnect their own agents, admins those of all members.",
  errors: [404],
  async handle({ params, caller, env, audit }) {
    const db = commonDatabase(env);
    const grant = (await listGrants(db, caller.project, ownOnly(caller))).find(({ id }) => id === params.id);
    if (!grant || !(await deleteGrant(db, grant.id))) throw notFound("Agent");
    forgetGrantsOf(grant.member);
    audit({ target: grant.clientName, summary: `Agent of ${grant.email} disconnected` });
    return {};
  },
});

export const agentEndpoints: readonly Endpoint[] = [describeAgent, connectAgent, getAgents, disconnectAgent];
