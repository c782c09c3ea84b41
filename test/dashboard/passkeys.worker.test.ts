import { beforeEach, describe, expect, it } from "vitest";
import { makeMember, makeSession, origin, type Signed } from "../support/members.ts";
import { makeWorld, sql, type World } from "../support/world.ts";
import { type Authenticator, newAuthenticator } from "./authenticator.ts";

/** Passkeys need a host with a name; the Worker under test is reached by its address as well. */
const host = () => origin().replace("127.0.0.1", "localhost");

let world: World;
let member: Signed;
let key: Authenticator;
beforeEach(async () => {
  world = await makeWorld();
  member = await makeMember({ [world.id]: "write" });
  key = newAuthenticator({ origin: host(), rpID: "localhost", isVerified: true, counter: 1 });
});

async function ask(
  method: string,
  path: string,
  { cookie, json, at = host() }: { cookie?: string; json?: unknown; at?: string } = {},
) {
  const address = `192.0.2.${Math.floor(Math.random() * 250)}`;
  const response = await fetch(`${at}/dashboard/api/${path}`, {
    method,
    headers: {
      origin: at,
      "content-type": "application/json",
      "x-forwarded-for": address,
      ...(cookie && { cookie }),
      ...(method === "GET" && { "sec-fetch-site": "same-origin" }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const optionsFor = async (cookie = member.cookie) => (await ask("POST", "passkeys/options", { cookie })).body.options;
async function register(cookie = member.cookie) {
  const credential = key.create(await optionsFor(cookie));
  return ask("POST", "passkeys", { cookie, json: { credential, name: "Laptop" } });
}
const signInOptions = async () => (await ask("POST", "sign-in/passkey/options")).body.options;
const signIn = (credential: unknown) => ask("POST", "sign-in/passkey", { json: { credential } });
const cookieOf = ({ headers }: { headers: Headers }) => String(headers.get("set-cookie")).split(";")[0];

describe("a passkey", () => {
  it("is made by who is signed in, and signs them in from then on", async () => {
    const options = await optionsFor();
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Graticule" },
      user: { name: member.email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const made = await ask("POST", "passkeys", {
      cookie: member.cookie,
      json: { credential: key.create(options), name: "Laptop" },
    });
    expect([made.status, made.body.passkey]).toEqual([
      200,
      { _id: key.id, name: "Laptop", createdAt: expect.stringMatching(/Z$/) },
    ]);

    for (let i = 0; i < 2; i++) {
      const answer = await signIn(key.get(await signInOptions()));
      expect([answer.status, answer.body]).toEqual([200, { meta: { code: 200 } }]);
      const session = await ask("GET", "session", { cookie: cookieOf(answer) });
      expect(session.body.member).toEqual({ _id: member.id, email: member.email, isOperator: false });
    }
    const { body } = await ask("GET", "passkeys", { cookie: member.cookie });
    expect(body.passkeys).toEqual([expect.objectContaining({ _id: key.id, lastUsedAt: expect.any(String) })]);
    const log = await sql("SELECT action FROM audit_entry WHERE project = ? ORDER BY created_at", world.id);
    expect(log.map(({ action }) => action)).toEqual(["registerPasskey", "signIn", "signIn"]);
  });

  it("that is taken away signs nobody in", async () => {
    await register();
    expect((await ask("DELETE", `passkeys/${key.id}`, { cookie: member.cookie })).status).toBe(200);
    expect((await signIn(key.get(await signInOptions()))).status).toBe(401);
    expect((await ask("DELETE", `passkeys/${key.id}`, { cookie: member.cookie })).status).toBe(404);
  });

  it("of somebody else is not seen, not taken away, and not registered twice", async () => {
    await register();
    const other = await makeMember({ [world.id]: "owner" });
    expect((await ask("GET", "passkeys", { cookie: other.cookie })).body.passkeys).toEqual([]);
    expect((await ask("DELETE", `passkeys/${key.id}`, { cookie: other.cookie })).status).toBe(404);
    expect((await register(other.cookie)).status).toBe(409);
  });

  it("that was made in a session of one project opens that project only", async () => {
    const other = await makeWorld();
    await sql("INSERT INTO membership VALUES (?, ?, 'owner', 0)", other.id, member.id);
    await register(await makeSession(member.id, world.id));
    const { body } = await ask("GET", "session", { cookie: cookieOf(await signIn(key.get(await signInOptions()))) });
    expect(body.projects.map(({ _id }: { _id: string }) => _id)).toEqual([String(world.id)]);
  });
});

describe("it signs nobody in", () => {
  beforeEach(async () => {
    expect((await register()).status).toBe(200);
  });

  it.each<[string, (options: never) => unknown]>([
    ["for a page of another origin", (options) => key.get(options, { origin: "https://evil.example" })],
    ["for another host", (options) => key.get(options, { rpID: "evil.example" })],
    ["without a finger, a face or a PIN", (options) => key.get(options, { isVerified: false })],
    ["with a counter that stands still, as that of a copy does", (options) => key.get(options, { counter: 1 })],
    ["with an answer to a question that nobody asked", () => key.get({ challenge: "AAAA" })],
    [
      "with an answer that is none",
      () => ({ id: key.id, rawId: key.id, type: "public-key", response: { clientDataJSON: "e30" } }),
    ],
    ["with nothing", () => ({})],
    [
      "with another's signature",
      (options) => {
        const thief = newAuthenticator({ origin: host(), rpID: "localhost", isVerified: true, counter: 5 });
        return { ...thief.get(options), id: key.id, rawId: key.id };
      },
    ],
  ])("%s", async (_, answer) => {
    const result = await signIn(answer((await signInOptions()) as never));
    expect([result.status, result.body.meta.param, result.headers.get("set-cookie")]).toEqual([
      400,
      expect.stringMatching(/^credential/),
      null,
    ]);
  });

  it("twice with one answer", async () => {
    const credential = key.get(await signInOptions());
    expect((await signIn(credential)).status).toBe(200);
    expect((await signIn(credential)).status).toBe(400);
  });

  it("with an answer that took more than five minutes", async () => {
    const options = await signInOptions();
    await sql("UPDATE passkey_challenge SET expires_at = ? WHERE challenge = ?", Date.now() - 1, options.challenge);
    expect((await signIn(key.get(options))).status).toBe(400);
  });

  it("with the answer to a registration", async () => {
    expect((await signIn(key.get(await optionsFor()))).status).toBe(400);
  });

  it("for another site's page, which would sign its victim in as somebody else", async () => {
    const response = await fetch(`${host()}/dashboard/api/sign-in/passkey`, {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      body: JSON.stringify({ credential: key.get(await signInOptions()) }),
    });
    expect(response.status).toBe(403);
  });
});

it("an address without a name is told where passkeys work", async () => {
  const { status, body } = await ask("POST", "passkeys/options", { cookie: member.cookie, at: origin() });
  expect([status, body.meta.message]).toEqual([400, expect.stringContaining(`Open ${host()} instead`)]);
});
