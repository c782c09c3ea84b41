import { z } from "zod";
import { SCOPES } from "../../../core/auth/oauth/authorization.ts";
import { type Place, publicOrigin } from "../serve/connection.ts";
import { endpoint } from "../serve/endpoint.ts";

/** How a client finds out where to ask for access. */

/** The resource that access tokens are for. */
export const resourceOf = (request: Request, place: Place): string => `${publicOrigin(request, place)}/mcp`;

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** The header of a 401 of /mcp (RFC 9728, 5.1). */
export function challengeOf(request: Request, place: Place, hasToken: boolean): string {
  const parts = [
    `resource_metadata="${publicOrigin(request, place)}${RESOURCE_METADATA}/mcp"`,
    `scope="${SCOPES.join(" ")}"`,
    ...(hasToken ? ['error="invalid_token"'] : []),
  ];
  return `Bearer ${parts.join(", ")}`;
}

const shared = {
  method: "GET",
  level: "open",
  rate: "address",
  chapter: "Agents",
  media: ["application/json"],
} as const;
/** Cache time of the documents [s]. */
const HEADERS = { "cache-control": "public, max-age=300" };

export const protectedResource = endpoint({
  ...shared,
  name: "protectedResource",
  path: `${RESOURCE_METADATA}/mcp`,
  aliases: [RESOURCE_METADATA],
  summary: "Returns the metadata of `/mcp` as an OAuth protected resource (RFC 9728).",
  response: z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
    resource_documentation: z.string(),
  }),
  handle({ request, env }) {
    const origin = publicOrigin(request, env);
    const metadata = {
      resource: resourceOf(request, env),
      authorization_servers: [origin],
      scopes_supported: SCOPES,
      bearer_methods_supported: ["header"],
      resource_name: "Graticule",
      resource_documentation: `${origin}/docs/agents`,
    };
    return Response.json(metadata, { headers: HEADERS });
  },
});

export const authorizationServer = endpoint({
  ...shared,
  name: "authorizationServer",
  path: "/.well-known/oauth-authorization-server",
  summary: "Returns the metadata of the OAuth authorization server (RFC 8414).",
  description:
    "`client_id` is the URL of a client's metadata document, or a name from the guide “Agents”. There is no dynamic client registration.",
  response: z.object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    revocation_endpoint: z.string(),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z.boolean(),
    service_documentation: z.string(),
  }),
  handle({ request, env }) {
    const origin = publicOrigin(request, env);
    const metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/dashboard/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      scopes_supported: SCOPES,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${origin}/docs/agents`,
    };
    return Response.json(metadata, { headers: HEADERS });
  },
});
