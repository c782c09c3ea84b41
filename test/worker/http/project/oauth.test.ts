import { createHash, randomBytes } from "node:crypto";
import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { hashKey } from "../../../../src/core/auth/key.ts";
import type { Role } from "../../../../src/core/auth/role.ts";
import { callTool, REVISIONS, type Revision } from "../../../support/mcp.ts";
import { as, ask, makeMember, type Signed } from "../../../support/members.ts";
import { call, get, type Json, makeWorld, sql, type World } from "../../../support/world.ts";

/** OAuth 2.1 for /mcp: the official client with a scripted browser, and what must not work. */

const REDIRECT = "http://127.0.0.1:4711/callback";
const FENCE = { description: "New", latitude: 48.99, longitude: -111.2 };

/** Known without a document; documents are in test/core/auth/oauth.test.ts. */
const CLIENT = "local";
const NAME = "A program on this computer";

let world: World;
let other: World;
beforeAll(async () => {
  [world, other] = await Promise.all([makeWorld(), makeWorld()]);
});

const member = (role: Role) => makeMember({ [world.id]: role });

interface Decision {
  project?: string;
  environment?: string;
  access?: string;
  decision?: string;
}

/** What the page does when the member has decided. @returns the URL that the browser goes to */
async function decide(who: Signed, parameters: Json, decision: Decision = {}) {
  const json = {
    ...{ decision: "approve", project: String(world.id), environment: "test", access: "write" },
    ...parameters,
    ...decision,
  };
  const { status, body } = await ask("POST", "/dashboard/api/agents", { cookie: who.cookie, json });
  return { status, body, url: body.redirect === undefined ? undefined : new URL(body.redirect) };
}

const form = (path: string, fields: Record<string, string | undefined>) =>
  call("POST", path, {
    form: Object.fromEntries(Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined)),
  });

/** A request with its secret, as a client makes it. */
function request(more: Json = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const parameters = {
    ...{ client_id: CLIENT, redirect_uri: REDIRECT, response_type: "code", state: "s 1" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", resource: `${inject("baseUrl")}/mcp` },
    ...more,
  };
  return { verifier, parameters };
}

const exchange = (code: string | null | undefined, verifier: string, more: Record<string, string | undefined> = {}) =>
  form("/oauth/token", {
    ...{ grant_type: "authorization_code", code: code ?? "", code_verifier: verifier },
    ...{ client_id: CLIENT, redirect_uri: REDIRECT, ...more },
  });
const refresh = (token: string, more: Record<string, string> = {}) =>
  form("/oauth/token", { grant_type: "refresh_token", refresh_token: token, client_id: CLIENT, ...more });

/** The tokens of a member who has approved. */
async function tokensOf(
  who: Signed,
  decision: Decision = {},
): Promise<{ access_token: string; refresh_token: string }> {
  const { verifier, parameters } = request();
  const { url } = await decide(who, parameters, decision);
  const { status, body } = await exchange(url?.searchParams.get("code"), verifier);
  expect([status, body.token_type, body.expires_in]).toEqual([200, "Bearer", 3600]);
  return body;
}

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const mcp = (token?: string) =>
  call("POST", "/mcp", {
    json: initialize,
    headers: { accept: "application/json, text/event-stream", ...(token && { authorization: `Bearer ${token}` }) },
  });

/** What a client keeps; its browser only notes where it should go. */
function provider(more: Partial<OAuthClientProvider> = {}) {
  const kept: { tokens?: StoredOAuthTokens; verifier: string; went?: URL; state?: OAuthDiscoveryState } = {
    verifier: "",
  };
  const own: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT], client_name: "Test agent", token_endpoint_auth_method: "none" },
    clientInformation: () => ({ client_id: CLIENT }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.went = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    state: () => "abc",
    saveDiscoveryState: (state) => {
      kept.state = state;
    },
    discoveryState: () => kept.state,
    ...more,
  };
  return { kept, provider: own };
}

function connecting(revision: Revision, authProvider: OAuthClientProvider) {
  const versionNegotiation: ClientOptions["versionNegotiation"] =
    revision === "2026" ? { mode: { pin: "2026-07-28" } } : { mode: "legacy" };
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation });
  const transport = new StreamableHTTPClientTransport(new URL(`${inject("baseUrl")}/mcp`), {
    authProvider,
    requestInit: { headers: { "x-forwarded-for": "10.38.0.7" } },
  });
  return { client, transport, connect: () => client.connect(transport) };
}

describe.each(REVISIONS)("a client of %s", (revision) => {
  it("asks a member for access, uses the tools, and refreshes its token", async () => {
    const who = await member("write");
    const { kept, provider: own } = provider();
    const first = connecting(revision, own);
    await expect(first.connect()).rejects.toThrow(UnauthorizedError);
    const asked = kept.went as URL;
    expect(asked.pathname).toBe("/dashboard/authorize");
    const parameters = Object.fromEntries(asked.searchParams);
    const described = await ask("POST", "/dashboard/api/agents/request", { cookie: who.cookie, json: parameters });
    expect(described.body.request).toEqual({
      client: { _id: CLIENT, name: NAME },
      ...{ redirectHost: "127.0.0.1:4711", isLocal: true, access: "write" },
    });
    const { url } = await decide(who, parameters);
    expect(url?.searchParams.get("iss")).toBe(inject("baseUrl"));
    expect(url?.searchParams.get("state")).toBe("abc");
    await first.transport.finishAuth((url as URL).searchParams);

    const { client, connect } = connecting(revision, own);
    await connect();
    expect((await callTool(client, "create_fence", FENCE)).isError).toBe(false);
    const { body } = await get("/v1/geofences?limit=1", world.keys.testSecret);
    expect(body.geofences[0].description).toBe("New");
    const [entry] = await sql(
      "SELECT email, action, summary FROM audit_entry WHERE member = ? AND action = 'createGeofence'",
      who.id,
    );
    expect(entry).toMatchObject({
      email: who.email,
      summary: expect.stringMatching(/\(through A program on this computer\)$/),
    });

    // The client refreshes its expired token without its member.
    const before = kept.tokens?.access_token ?? "";
    await sql("UPDATE oauth_token SET expires_at = 1 WHERE hash = ?", await hashKey(before));
    kept.tokens = { ...(kept.tokens as StoredOAuthTokens), access_token: before.replace(/.$/, "x") };
    expect((await callTool(client, "list_fences", {})).isError).toBe(false);
    expect(kept.tokens?.access_token).not.toBe(before);
    await client.close();
  });
});

describe("discovery", () => {
  it("leads from a 401 to the authorization server", async () => {
    const { status, headers } = await mcp();
    const metadata = `${inject("baseUrl")}/.well-known/oauth-protected-resource`;
    expect([status, headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}/mcp", scope="read write"`,
    ]);
    for (const path of ["", "/mcp"]) {
      const resource = await get(`/.well-known/oauth-protected-resource${path}`);
      expect(resource.body).toMatchObject({
        resource: `${inject("baseUrl")}/mcp`,
        authorization_servers: [inject("baseUrl")],
      });
    }
    const server = await get("/.well-known/oauth-authorization-server");
    expect(server.body).toMatchObject({
      issuer: inject("baseUrl"),
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(server.body.registration_endpoint).toBeUndefined();
    expect((await mcp("gra_wrong")).headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  it("makes the official client send the URL of its document", async () => {
    const { kept, provider: own } = provider({
      clientMetadataUrl: "https://app.example.com/client.json",
      clientInformation: () => undefined,
      saveClientInformation() {},
    });
    await expect(connecting("2026", own).connect()).rejects.toThrow(UnauthorizedError);
    expect(kept.went?.searchParams.get("client_id")).toBe("https://app.example.com/client.json");
  });
});

describe("an authorization request", () => {
  it("without a trustworthy client or redirect_uri is not answered by a redirect", async () => {
    const { cookie } = await member("write");
    for (const [more, param, message] of [
      [{ client_id: "nobody" }, "client_id", /name of a known client/],
      [{ client_id: "https://app.example.com/client.json?a" }, "client_id", /name of a known client/],
      [{ client_id: "https://10.0.0.1/client.json" }, "client_id", /must be a name, not an IP address/],
      [{ client_id: "http://localhost/client.json" }, "client_id", /Must begin with https/],
      [{ client_id: "https://app.internal/client.json" }, "client_id", /must be a public name/],
      [{ redirect_uri: "javascript:alert(1)" }, "redirect_uri", /must be https/],
      [{ redirect_uri: "http://127.0.0.1:1/callback2" }, "redirect_uri", /not one of/],
      [{ redirect_uri: "http://example.com/callback" }, "redirect_uri", /must be https/],
      [{ client_id: "claude", redirect_uri: "https://claude.ai/elsewhere" }, "redirect_uri", /not one of/],
    ] as const) {
      const own = await makeMember({ [world.id]: "write" });
      const { parameters } = request(more);
      const { status, body } = await ask("POST", "/dashboard/api/agents/request", {
        cookie: own.cookie,
        json: parameters,
      });
      expect([more, status, body.meta.param, body.meta.message]).toEqual([
        more,
        400,
        param,
        expect.stringMatching(message),
      ]);
    }
    const { parameters } = request();
    const foreign = await ask("POST", "/dashboard/api/agents", {
      cookie,
      json: { ...parameters, decision: "approve" },
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(foreign.status).toBe(403);
    expect((await ask("POST", "/dashboard/api/agents", { json: parameters })).status).toBe(401);
  });

  it("that is wrong in other ways returns to the client with the error, state and issuer", async () => {
    const who = await member("write");
    for (const [more, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge: undefined }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ resource: "https://elsewhere.example.com/mcp" }, "invalid_target"],
      [{ scope: "everything" }, "invalid_scope"],
      [{ decision: "deny" }, "access_denied"],
    ] as const) {
      const { url } = await decide(who, request(more).parameters);
      expect(Object.fromEntries((url as URL).searchParams)).toEqual({
        ...{ error, error_description: expect.any(String), state: "s 1", iss: inject("baseUrl") },
      });
    }
  });

  it("gives no more than the member has", async () => {
    const reader = await member("read");
    const more = await decide(reader, request().parameters, { access: "write" });
    expect([more.status, more.body.meta.param]).toEqual([403, "access"]);
    const elsewhere = await decide(reader, request().parameters, { project: String(other.id), access: "read" });
    expect([elsewhere.status, elsewhere.body.meta.param]).toEqual([403, "project"]);
    const { cookie } = await makeMember({ [world.id]: "write", [other.id]: "write" }, { reach: other.id });
    const reach = await decide({ id: "", email: "", cookie }, request().parameters);
    expect(reach.status).toBe(403);
  });
});

describe("the token and revocation endpoints", () => {
  const send = async (path: string, body: string, type = "application/x-www-form-urlencoded") => {
    const headers = { "content-type": type, "x-forwarded-for": "198.51.100.77" };
    const answer = await fetch(new URL(path, inject("baseUrl")), { method: "POST", headers, body });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const twice = "token=a&grant_type=refresh_token&client_id=local&client_id=local";

  it.each([
    ["JSON that is broken", 400, "{", "application/json"],
    ["JSON that is no object", 400, "[]", "application/json"],
    ["a form in parts", 400, "--x--", "multipart/form-data; boundary=x"],
    ["text", 400, "grant_type=refresh_token", "text/plain"],
    ["too many parameters", 400, "a=b&".repeat(5000)],
    ["a parameter twice", 400, twice],
    ["a parameter that is too long", 400, `client_id=${"x".repeat(3000)}`],
    ["a body that is too large", 413, `client_id=${"x".repeat(600_000)}`],
  ])("answer %s with an error that OAuth clients read", async (_, code, body, type?: string) => {
    for (const path of ["/oauth/token", "/oauth/revoke"]) {
      const answer = await send(path, body, type);
      expect(answer).toMatchObject({ status: code, body: { meta: { code }, error: "invalid_request" } });
      expect(answer.body.error_description).toBe((answer.body.meta as { message: string }).message);
    }
  });

  it("answer too many requests so, too", async () => {
    for (let sent = 0; sent < 20; sent++) {
      const answers = await Promise.all(Array.from({ length: 60 }, () => send("/oauth/revoke", "token=a")));
      const limited = answers.find(({ status }) => status === 429);
      if (!limited) continue;
      expect(limited.body).toMatchObject({ meta: { code: 429 }, error: "invalid_request" });
      return;
    }
    throw new Error("No request was limited.");
  });
});

describe("a code", () => {
  it("is exchanged once, by the client and with the verifier and redirect_uri that it was issued for", async () => {
    const who = await member("write");
    const wrong: [string, Record<string, string>, string][] = [
      ["verifier", { code_verifier: randomBytes(32).toString("base64url") }, "invalid_grant"],
      ["redirect_uri", { redirect_uri: "http://127.0.0.1:4712/callback" }, "invalid_grant"],
      ["client", { client_id: "claude" }, "invalid_grant"],
      ["resource", { resource: "https://elsewhere.example.com/mcp" }, "invalid_target"],
      ["grant_type", { grant_type: "password" }, "unsupported_grant_type"],
    ];
    for (const [what, more, error] of wrong) {
      const { verifier, parameters } = request();
      const { url } = await decide(who, parameters);
      const { status, body } = await exchange(url?.searchParams.get("code"), verifier, more);
      expect([what, status, body.error, typeof body.error_description]).toEqual([what, 400, error, "string"]);
    }
    const { verifier, parameters } = request();
    const { url } = await decide(who, parameters);
    const code = url?.searchParams.get("code");
    const { body } = await exchange(code, verifier);
    expect((await mcp(body.access_token)).status).toBe(200);
    const again = await exchange(code, verifier);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    // The first use may have been the thief's.
    expect((await mcp(body.access_token)).status).toBe(401);
    expect((await refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    const entries = await sql(
      "SELECT summary FROM audit_entry WHERE member = ? AND action = 'disconnectAgent'",
      who.id,
    );
    expect(entries).toEqual([{ summary: expect.stringContaining("a code was used twice") }]);
    expect((await exchange(code, verifier)).body.error).toBe("invalid_grant");
  });

  it("expires, and opens nothing any more once two have sent it at the same time", async () => {
    const who = await member("write");
    const late = request();
    const { url } = await decide(who, late.parameters);
    const code = url?.searchParams.get("code") ?? "";
    await sql("UPDATE oauth_code SET expires_at = ? WHERE hash = ?", Date.now() - 1, await hashKey(code));
    expect((await exchange(code, late.verifier)).body.error).toBe("invalid_grant");
    const race = request();
    const raced = (await decide(who, race.parameters)).url?.searchParams.get("code");
    const answers = await Promise.all([exchange(raced, race.verifier), exchange(raced, race.verifier)]);
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThan(2);
    for (const { body } of given) expect((await mcp(body.access_token)).status).toBe(401);
    expect(await sql("SELECT id FROM oauth_grant WHERE member = ?", who.id)).toEqual([]);
  });
});

describe("tokens", () => {
  it("are stored as hashes, and open /mcp alone", async () => {
    const { access_token, refresh_token } = await tokensOf(await member("write"));
    for (const table of ["oauth_token", "oauth_code", "oauth_grant"]) {
      const text = JSON.stringify(await sql(`SELECT * FROM ${table}`));
      for (const token of [access_token, refresh_token]) expect(text).not.toContain(token);
    }
    expect((await mcp(access_token)).status).toBe(200);
    expect((await mcp(refresh_token)).status).toBe(401);
    for (const path of ["/v1/users", "/v1/geofences", "/dashboard/api/members"])
      expect((await get(path, `Bearer ${access_token}`)).status).toBe(401);
  });

  it("rotate; a refresh token that comes twice ends the grant", async () => {
    const who = await member("write");
    const first = await tokensOf(who);
    expect((await refresh(first.refresh_token, { client_id: "claude" })).body.error).toBe("invalid_grant");
    const { body: second } = await refresh(first.refresh_token);
    expect((await mcp(second.access_token)).status).toBe(200);
    expect((await refresh(first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await mcp(second.access_token)).status).toBe(401);
    expect((await refresh(second.refresh_token)).body.error).toBe("invalid_grant");
    const entries = await sql(
      "SELECT summary FROM audit_entry WHERE member = ? AND action = 'disconnectAgent'",
      who.id,
    );
    expect(entries).toEqual([{ summary: expect.stringContaining("used twice") }]);
  });

  it("expire, and are revoked by the client", async () => {
    const who = await member("write");
    const expired = await tokensOf(who);
    await sql(
      "UPDATE oauth_token SET expires_at = ? WHERE grant_id IN (SELECT id FROM oauth_grant WHERE member = ?)",
      ...[Date.now() - 1, who.id],
    );
    expect((await mcp(expired.access_token)).status).toBe(401);
    expect((await refresh(expired.refresh_token)).body.error).toBe("invalid_grant");
    for (const which of ["access_token", "refresh_token"] as const) {
      const tokens = await tokensOf(who);
      expect((await mcp(tokens.access_token)).status).toBe(200);
      const foreign = await form("/oauth/revoke", { token: tokens[which], client_id: "claude" });
      expect(foreign.body.error).toBe("unauthorized_client");
      expect((await form("/oauth/revoke", { token: tokens[which], client_id: CLIENT })).status).toBe(200);
      expect((await mcp(tokens.access_token)).status).toBe(401);
      expect((await refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    }
    expect((await form("/oauth/revoke", { token: "grr_unknown" })).status).toBe(200);
    expect((await form("/oauth/revoke", {})).body.error).toBe("invalid_request");
  });
});

describe("an agent", () => {
  const connect = async (token: string) => {
    const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "10.38.0.8" };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${inject("baseUrl")}/mcp`), { requestInit: { headers } }),
    );
    return client;
  };

  it("can do what its access and its member's role permit, in its project and environment alone", async () => {
    const reader = await connect((await tokensOf(await member("read"), { access: "read" })).access_token);
    const refused = await callTool(reader, "create_fence", FENCE);
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("this needs write")]);
    expect((await callTool(reader, "find_users", FENCE)).isError).toBe(false);

    const careful = await connect((await tokensOf(await member("owner"), { access: "read" })).access_token);
    expect((await callTool(careful, "create_fence", FENCE)).isError).toBe(true);

    const who = await makeMember({ [world.id]: "write", [other.id]: "write" });
    const elsewhere = await connect(
      (await tokensOf(who, { project: String(other.id), environment: "live" })).access_token,
    );
    expect((await callTool(elsewhere, "create_fence", { ...FENCE, description: "Live" })).isError).toBe(false);
    const { body } = await get("/v1/geofences", other.keys.liveSecret);
    expect(body.geofences.map(({ description }: Json) => description)).toEqual(["Live"]);
    expect((await get("/v1/geofences", other.keys.testSecret)).body.geofences).toEqual([]);
    const listed = await callTool(elsewhere, "list_fences", {});
    expect(listed.data.geofences.map(({ description }: Json) => description)).toEqual(["Live"]);
    expect((await callTool(elsewhere, "simulate_trip", { from: FENCE, to: FENCE })).isError).toBe(true);
  });

  it("counts as usage, and stops at the quota and with its member", async () => {
    const poor = await makeWorld({ quota: 0 });
    const who = await makeMember({ [poor.id]: "write" });
    const { access_token } = await tokensOf(who, { project: String(poor.id) });
    expect((await mcp(access_token)).status).toBe(402);

    const owner = await member("owner");
    const leaving = await member("write");
    const tokens = await tokensOf(leaving);
    expect((await mcp(tokens.access_token)).status).toBe(200);
    await as(owner, world.id)("DELETE", `/dashboard/api/members/${leaving.id}`);
    expect((await mcp(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("is listed for its member and for admins, who end it", async () => {
    const [one, two, admin] = await Promise.all([member("read"), member("write"), member("admin")]);
    await tokensOf(one, { access: "read" });
    const tokens = await tokensOf(two);
    const list = async (who: Signed) => (await as(who, world.id)("GET", "/dashboard/api/agents")).body.agents as Json[];
    const own = await list(two);
    expect(own).toMatchObject([
      { name: NAME, client: CLIENT, live: false, access: "write", member: { email: two.email } },
    ]);
    expect(await list(one)).toHaveLength(1);
    const seen = (await list(admin)).map((agent) => (agent.member as Json).email);
    expect(seen).toEqual(expect.arrayContaining([one.email, two.email]));
    const path = `/dashboard/api/agents/${own[0]._id}`;
    expect((await as(one, world.id)("DELETE", path)).status).toBe(404);
    expect((await mcp(tokens.access_token)).status).toBe(200);
    expect((await as(admin, world.id)("DELETE", path)).status).toBe(200);
    expect((await mcp(tokens.access_token)).status).toBe(401);
    expect(await list(two)).toEqual([]);
    const entries = await sql(
      // Entries are written behind the answers, in any order.
      "SELECT action, summary FROM audit_entry WHERE project = ? AND (member = ? OR member = ?) ORDER BY action",
      ...[world.id, two.id, admin.id],
    );
    expect(entries).toEqual([
      { action: "connectAgent", summary: expect.stringMatching(/^Agent allowed to write, from 127.0.0.1:4711$/) },
      { action: "disconnectAgent", summary: `Agent of ${two.email} disconnected` },
    ]);
  });
});
