import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkAuthorization, OAuthProblem, redirectOf } from "../../../src/core/auth/oauth/authorization.ts";
import {
  ClientProblem,
  checkRedirect,
  hostOf,
  isPreregistered,
  PREREGISTERED,
  readClientDocument,
} from "../../../src/core/auth/oauth/client.ts";
import { isOAuthToken, isVerifierOf, mintOAuthToken, OAUTH_TOKEN_BYTES } from "../../../src/core/auth/oauth/token.ts";
import { findClient } from "../../../src/worker/http/oauth/clients.ts";

const ID = "https://app.example.com/client.json";
const document = (more: Record<string, unknown> = {}) =>
  JSON.stringify({ client_id: ID, client_name: "App", redirect_uris: ["http://127.0.0.1/cb"], ...more });

describe("the document of a client", () => {
  it("gives its name without characters that hide or reorder text, else its host", () => {
    expect(readClientDocument(ID, document({ client_name: "\u202eA\u0000pp\u200b " })).name).toBe("App");
    expect(readClientDocument(ID, document({ client_name: "x".repeat(500) })).name).toHaveLength(80);
    for (const client_name of [undefined, 5, "\u202e"])
      expect(readClientDocument(ID, document({ client_name })).name).toBe("app.example.com");
  });

  it.each([
    ["no JSON", /not JSON/],
    ["null", /another client_id/],
    [document({ client_id: `${ID}/` }), /another client_id/],
    [document({ token_endpoint_auth_method: "client_secret_post" }), /auth_method none/],
    [document({ redirect_uris: undefined }), /redirect_uris/],
    [document({ redirect_uris: [] }), /redirect_uris/],
    [document({ redirect_uris: [5] }), /redirect_uris/],
    [document({ redirect_uris: Array(51).fill("https://a.example.com/") }), /redirect_uris/],
  ])("%s is rejected", (text, message) => {
    expect(() => readClientDocument(ID, text)).toThrow(ClientProblem);
    expect(() => readClientDocument(ID, text)).toThrow(message);
  });

  it("is fetched once for several requests, from public https hosts, without redirects, within limits", async () => {
    const asked: string[] = [];
    const env = (answer: () => Response) =>
      ({
        OUTBOUND: {
          fetch: async (url: string) => {
            asked.push(url);
            return answer();
          },
        },
      }) as unknown as Parameters<typeof findClient>[0];
    const now = 1e12;
    const free = () => {};
    const url = (name: string) => ID.replace("client", name);
    const ok = env(() => new Response(document({ client_id: url("a") })));
    expect(await findClient(ok, url("a"), free, now)).toMatchObject({ id: url("a"), name: "App" });
    await findClient(ok, url("a"), free, now + 60_000);
    expect(asked).toEqual([url("a")]);
    for (const answer of [
      () => Response.redirect("https://app.example.com/a.json", 302),
      () => new Response(" ".repeat(40_000)),
      () => new Response("", { status: 404 }),
      () => {
        throw new Error("connection refused 10.0.0.1");
      },
    ]) {
      const found = findClient(env(answer), url("b"), free, now);
      await expect(found).rejects.toThrow("The document of the client could not be read");
    }
    const before = asked.length;
    for (const id of [
      "nobody",
      "https://app.example.com/",
      "https://app.example.com/a/../client.json",
      "https://u:p@app.example.com/client.json",
      `${ID}#a`,
      "http://app.example.com/client.json",
      "https://169.254.169.254/latest/meta-data",
      "https://printer.local/client.json",
      "https://app.example.com:25/client.json",
    ])
      await expect(findClient(ok, id, free, now)).rejects.toThrow(ClientProblem);
    expect(asked).toHaveLength(before);
    const limited = findClient(
      ok,
      url("c"),
      () => {
        throw new Error("limited");
      },
      now,
    );
    await expect(limited).rejects.toThrow("limited");
    expect(asked).toHaveLength(before);
  });
});

describe("a redirect_uri", () => {
  const client = {
    ...{ id: ID, name: "App" },
    redirectUris: [
      ...["https://app.example.com/cb?a=1", "http://127.0.0.1:3000/cb", "http://[::1]/cb", "com.example.app:/cb"],
      ...["javascript:alert(1)", "data:text/html,x", "http://app.example.com/cb", "https://app.example.com/x#y"],
    ],
  };

  it.each([
    "https://app.example.com/cb?a=1",
    "http://127.0.0.1:3000/cb",
    "http://127.0.0.1:54321/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:9/cb",
    "com.example.app:/cb",
  ])("%s is the client's", (uri) => expect(() => checkRedirect(client, uri)).not.toThrow());

  it.each([
    "https://app.example.com/cb",
    "https://app.example.com/cb?a=1&b=2",
    "https://app.example.com:8443/cb?a=1",
    "https://APP.example.com/cb?a=1",
    "http://127.0.0.1:3000/cb/",
    "http://127.0.0.1:3000/cb?x",
    "http://127.0.0.2:3000/cb",
    "http://localhost:3000/cb",
    "https://127.0.0.1:3000/cb",
    "http://127.0.0.1.example.com/cb",
    "http://user@127.0.0.1:3000/cb2",
    "http://user@127.0.0.1:3000/cb",
    "http://127.1:3000/cb",
    "http://0x7f000001:3000/cb",
    "http://2130706433/cb",
    "HTTP://127.0.0.1:3000/cb",
    "http://127.0.0.1:3000/x/../cb",
    "http://127.0.0.1:3000/%2e/cb",
    "http://127.0.0.1:3000\\cb",
    "http://127.0.0.1:3000/c\tb",
    " http://127.0.0.1:3000/cb",
    "http://127.0.0.1:/cb",
    "http://[0:0:0:0:0:0:0:1]:9/cb",
    "http://[::ffff:127.0.0.1]:3000/cb",
    "http://127.0.0.1.:3000/cb",
    "http://127.0.0.1:3000/cb#",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://app.example.com/cb",
    "https://app.example.com/x#y",
    "/cb",
    "",
  ])("%s is not", (uri) => expect(() => checkRedirect(client, uri)).toThrow(ClientProblem));

  it.each(["https://evil.example/client.json", "https://claude.ai/", "Local", " local", "", "__proto__"])(
    "of %j is not forwarded to without a click",
    (id) => expect(isPreregistered(id)).toBe(false),
  );

  it("of a known client is valid, and leads to its vendor or to the user's computer", () => {
    for (const known of PREREGISTERED) {
      expect([hostOf(known), isPreregistered(known.id)]).toEqual([undefined, true]);
      for (const uri of known.redirectUris) expect(() => checkRedirect(known, uri)).not.toThrow();
    }
  });
});

describe("an authorization", () => {
  const resource = "https://maps.example.com/mcp";
  const challenge = createHash("sha256").update("v").digest("base64url");
  const parameters = {
    ...{ client_id: ID, redirect_uri: "https://a.example.com/", response_type: "code" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  };

  it("asks to read, or to write", () => {
    expect(checkAuthorization(parameters, resource)).toBe("read");
    expect(checkAuthorization({ ...parameters, scope: "read offline_access" }, resource)).toBe("read");
    expect(checkAuthorization({ ...parameters, scope: "read write", resource }, resource)).toBe("write");
    expect(() => checkAuthorization({ ...parameters, resource: `${resource}/` }, resource)).toThrow(OAuthProblem);
  });

  it("returns with its own parameters, those of the redirect_uri, and the issuer", () => {
    const uri = { redirect_uri: "https://a.example.com/cb?x=1", state: "a&b" };
    expect(redirectOf(uri, "https://maps.example.com", { code: "c" })).toBe(
      "https://a.example.com/cb?x=1&code=c&state=a%26b&iss=https%3A%2F%2Fmaps.example.com",
    );
    expect(redirectOf({ redirect_uri: "com.example.app:/cb" }, "https://m", { error: "e" })).toBe(
      "com.example.app:/cb?error=e&iss=https%3A%2F%2Fm",
    );
  });

  it("is proven by the verifier of its challenge", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const own = createHash("sha256").update(verifier).digest("base64url");
    expect(await isVerifierOf(own, verifier)).toBe(true);
    expect(await isVerifierOf(own, randomBytes(32).toString("base64url"))).toBe(false);
    // Too short to be safe, although it fits.
    expect(await isVerifierOf(challenge, "v")).toBe(false);
  });
});

it("a token has its kind and 256 bits", () => {
  const token = mintOAuthToken("access", new Uint8Array(OAUTH_TOKEN_BYTES).fill(7));
  expect(isOAuthToken("access", token)).toBe(true);
  expect(isOAuthToken("refresh", token)).toBe(false);
  expect(isOAuthToken("access", `${token}0`)).toBe(false);
  expect(() => mintOAuthToken("access", new Uint8Array(3))).toThrow();
});
