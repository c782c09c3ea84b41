/**
 * Clients of OAuth: programs that ask a member for access. A client is known by a document that it publishes (Client ID Metadata
 * Documents, draft-ietf-oauth-client-id-metadata-document), or is in the table below. There is no dynamic registration: it would
 * store data for unknown callers, and the revision of 2026 deprecates it.
 */

export interface OAuthClient {
  /** client_id: the URL of its document, or a name in `PREREGISTERED`. */
  id: string;
  name: string;
  redirectUris: readonly string[];
}

/** Clients that cannot publish a document yet. Each can only redirect to its vendor, or to the user's own computer. */
export const PREREGISTERED: readonly OAuthClient[] = [
  {
    id: "claude",
    name: "Claude",
    redirectUris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
  },
  { id: "chatgpt", name: "ChatGPT", redirectUris: ["https://chatgpt.com/connector_platform_oauth_redirect"] },
  {
    id: "cursor",
    name: "Cursor",
    redirectUris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost/callback",
    ],
  },
  { id: "vscode", name: "Visual Studio Code", redirectUris: ["https://vscode.dev/redirect", "http://127.0.0.1/"] },
  {
    id: "local",
    name: "A program on this computer",
    redirectUris: ["/callback", "/oauth/callback", "/"].flatMap((path) =>
      ["127.0.0.1", "localhost"].map((host) => `http://${host}${path}`),
    ),
  },
];

export const isPreregistered = (id: string): boolean => PREREGISTERED.some((client) => client.id === id);

/** A client or a request that is not acceptable: a sentence for the person. */
export class ClientProblem extends Error {}

const MAX_NAME_LENGTH = 80;
const MAX_REDIRECTS = 50;

/**
 * Checks a client_id that is a URL, before its document is fetched.
 * @throws ClientProblem
 */
export function checkClientUrl(id: string): void {
  const url = URL.canParse(id) ? new URL(id) : undefined;
  // A URL that the parser changes would not be equal to the client_id of its document.
  if (!url || url.href !== id || url.pathname === "/" || url.hash !== "" || url.search !== "")
    throw new ClientProblem(
      "client_id must be a name of a known client, or an https URL with a path and without a query.",
    );
}

/**
 * The client that a document describes.
 * @param id the URL from which it was fetched
 * @throws ClientProblem
 */
export function readClientDocument(id: string, text: string): OAuthClient {
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new ClientProblem("The document of the client is not JSON.");
  }
  if (document?.client_id !== id)
    throw new ClientProblem("The document of the client has another client_id than its URL.");
  const { redirect_uris: uris, client_name: name, token_endpoint_auth_method: method = "none" } = document;
  // A secret cannot be in a public document, and keys of clients are not supported.
  if (method !== "none") throw new ClientProblem("The client must use the token_endpoint_auth_method none.");
  if (
    !Array.isArray(uris) ||
    uris.length === 0 ||
    uris.length > MAX_REDIRECTS ||
    !uris.every((uri) => typeof uri === "string")
  )
    throw new ClientProblem(`The document of the client must have 1 to ${MAX_REDIRECTS} redirect_uris.`);
  return { id, name: shownName(name) ?? new URL(id).hostname, redirectUris: uris as string[] };
}

/** The name without characters that hide or reorder text. */
function shownName(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  return name.replace(/\p{C}/gu, "").trim().slice(0, MAX_NAME_LENGTH) || undefined;
}

/** The host that vouches for a client; undefined if it is in our table. */
export function hostOf({ id }: Pick<OAuthClient, "id">): string | undefined {
  return URL.canParse(id) ? new URL(id).host : undefined;
}

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** Private-use schemes have a dot (RFC 8252, 7.1); these are in use without one. */
const APP_SCHEMES = ["cursor:", "vscode:", "vscode-insiders:"];

export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && LOOPBACK.includes(hostname);
}

/**
 * Checks the redirect_uri of a request: one of the client's, character by character. Only the port of a loopback address may differ,
 * because a program gets a free one at its start (RFC 8252, 7.3).
 * @throws ClientProblem
 */
export function checkRedirect({ redirectUris }: OAuthClient, uri: string): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isApp = url && (/^[a-z][a-z0-9+-]*\.[a-z0-9+.-]*:$/.test(url.protocol) || APP_SCHEMES.includes(url.protocol));
  // Never javascript: or data:, even if a client lists them: the page that redirects is our own.
  if (url?.hash !== "" || !(url.protocol === "https:" || isApp || isLoopback(uri)))
    throw new ClientProblem("redirect_uri must be https, a loopback address, or the scheme of an app.");
  if (redirectUris.includes(uri)) return;
  const asked = withoutPort(uri);
  const isListed = asked !== undefined && redirectUris.some((one) => withoutPort(one) === asked);
  if (!isListed) throw new ClientProblem("redirect_uri is not one of the client's.");
}

const LOOPBACK_TEXT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;

/** A loopback URI as text without its port; undefined for others, and other spellings, such as "127.1", "LOCALHOST" or "/a/../callback" in a URL. */
function withoutPort(uri: string): string | undefined {
  const parts = LOOPBACK_TEXT.exec(uri);
  return parts ? parts[1] + parts[2] : undefined;
}
