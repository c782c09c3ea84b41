import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addMember } from "../../src/server/project/members.ts";
import { type PlatformWorker, startPlatform } from "../bench/worker.ts";
import { signToken } from "../core/auth/sign.ts";

/** A Worker behind Cloudflare Access: a team that tells its keys, and tokens as it signs them. */
const AUDIENCE = "0123456789abcdef";
let team: Server;
let teamUrl: string;
let asked = 0;
let isDown = false;
let platform: PlatformWorker;
const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const [first, second, stranger] = [rsa(), rsa(), rsa()];
let published = [{ kid: "one", publicKey: first.publicKey }];

beforeAll(async () => {
  team = createServer((request, response) => {
    asked++;
    if (isDown || request.url !== "/cdn-cgi/access/certs") response.writeHead(500).end();
    else
      response.end(
        JSON.stringify({
          keys: published.map(({ kid, publicKey }) => ({
            ...publicKey.export({ format: "jwk" }),
            kid,
            use: "sig",
            alg: "RS256",
          })),
        }),
      );
  });
  await new Promise<void>((listening) => team.listen(0, "127.0.0.1", listening));
  teamUrl = `http://127.0.0.1:${(team.address() as AddressInfo).port}`;
  platform = await startPlatform({
    bindings: { ACCESS_TEAM_DOMAIN: teamUrl, ACCESS_AUD: AUDIENCE, ALLOW_PRIVATE_HOSTS: "true" },
    prepare: (database, project) => addMember(database, project, "ann@example.com", "write").then(() => {}),
  });
});
afterAll(async () => {
  team.close();
  await platform.stop();
});
beforeEach(() => {
  isDown = false;
});

interface Claims {
  [name: string]: unknown;
}
function token(
  claims: Claims = {},
  key: KeyObject = first.privateKey,
  kid = "one",
  alg: "RS256" | "HS256" = "RS256",
): string {
  const now = Math.floor(Date.now() / 1000);
  const usual = { aud: [AUDIENCE], email: "ann@example.com", iss: teamUrl, exp: now + 600, iat: now, type: "app" };
  return signToken({ ...usual, ...claims }, alg === "HS256" ? "x".repeat(40) : key, { alg, kid });
}

async function ask(
  path: string,
  assertion: string | undefined,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${platform.url}${path}`, {
    method,
    headers: {
      "sec-fetch-site": "same-origin",
      "x-graticule-project": String(platform.projectId),
      "x-graticule-environment": "test",
      ...(assertion && { "cf-access-jwt-assertion": assertion }),
      ...headers,
    },
  });
  return { status: response.status, body: await response.json() };
}

describe("whoever Cloudflare Access lets through", () => {
  it("is signed in, if their address is a member's, with the role they have", async () => {
    const session = await ask("/dashboard/api/session", token({ email: "Ann@Example.com" }));
    expect(session.body).toMatchObject({ member: { email: "ann@example.com" }, projects: [{ role: "write" }] });
    expect((await ask("/v1/users", token())).status).toBe(200);
    expect((await ask("/dashboard/api/audit", token())).status).toBe(403);
  });

  it("is nobody, if it is not", async () => {
    const { status, body } = await ask("/dashboard/api/session", token({ email: "bob@example.com" }));
    expect([status, body.meta.message]).toEqual([401, expect.stringContaining("bob@example.com")]);
  });

  it("is held to pages of this origin like everybody", async () => {
    expect(
      (await ask("/v1/users/x", token(), { method: "DELETE", headers: { "sec-fetch-site": "cross-site" } })).status,
    ).toBe(403);
  });

  it.each<[string, () => string]>([
    ["by another key", () => token({}, stranger.privateKey)],
    ["by a key that the team does not have", () => token({}, stranger.privateKey, "three")],
    ["for another application", () => token({ aud: ["another"] })],
    ["for no application", () => token({ aud: undefined })],
    ["by another team", () => token({ iss: "https://evil.cloudflareaccess.com" })],
    ["that has expired", () => token({ exp: 5 })],
    ["without an end", () => token({ exp: undefined })],
    ["of a service, which names nobody", () => token({ email: undefined, common_name: "x.access" })],
    ["with a weaker algorithm", () => token({}, first.privateKey, "one", "HS256")],
    ["that is no token", () => "eyJ"],
  ])("is not believed with a token %s", async (_, make) => {
    const { status, body } = await ask("/dashboard/api/session", make());
    expect([status, body.meta.message]).toEqual([401, expect.stringMatching(/^Unauthorized\. /)]);
  });

  it("is known by keys that are asked for once, and again when the team has new ones", async () => {
    await ask("/v1/users", token());
    const before = asked;
    for (let i = 0; i < 5; i++) await ask("/v1/users", token());
    expect(asked).toBe(before);
    published = [...published, { kid: "two", publicKey: second.publicKey }];
    // A key that is not among them is asked for once a minute at most.
    expect((await ask("/v1/users", token({}, second.privateKey, "two"))).status).toBe(401);
    expect(asked).toBe(before);
  });

  it("is known by the cookie that Access leaves, where it is not in front itself", async () => {
    const cookie = (text: string) => ({ headers: { cookie: `a=b; CF_Authorization=${text}` } });
    expect((await ask("/v1/users", undefined, cookie(token()))).status).toBe(200);
    expect((await ask("/v1/users", undefined, cookie(token({}, stranger.privateKey)))).status).toBe(401);
  });

  it("needs no key of its own, and a request with an API key is that key's", async () => {
    const headers = { authorization: platform.keys.testPublishable };
    expect((await ask("/v1/users", token(), { headers })).status).toBe(403);
  });
});

it("while the team does not tell its keys, the answer is 503 and the rest goes on", async () => {
  isDown = true;
  const cold = await startPlatform({
    bindings: { ACCESS_TEAM_DOMAIN: teamUrl, ACCESS_AUD: AUDIENCE, ALLOW_PRIVATE_HOSTS: "true" },
  });
  try {
    const headers = { "cf-access-jwt-assertion": token(), "sec-fetch-site": "same-origin" };
    expect((await fetch(`${cold.url}/dashboard/api/session`, { headers })).status).toBe(503);
    expect((await fetch(`${cold.url}/v1/ping`, { headers })).status).toBe(200);
  } finally {
    await cold.stop();
  }
});

it("an installation that names no team believes no such header", async () => {
  const plain = await startPlatform({
    prepare: (database, project) => addMember(database, project, "ann@example.com", "owner").then(() => {}),
  });
  try {
    const headers = { "cf-access-jwt-assertion": token(), "sec-fetch-site": "same-origin" };
    expect((await fetch(`${plain.url}/dashboard/api/session`, { headers })).status).toBe(401);
  } finally {
    await plain.stop();
  }
});
