import { beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "../../src/core/auth/key.ts";
import { ask, makeMember, makeSession, newToken, origin, type Signed } from "../support/members.ts";
import { control, makeWorld, sql, type World } from "../support/world.ts";

let world: World;
let owner: Signed;
beforeAll(async () => {
  world = await makeWorld();
  owner = await makeMember({ [world.id]: "owner" });
});

async function link(
  more: { expiresAt?: number; usedAt?: number | null; project?: number | null } = {},
): Promise<string> {
  const token = newToken();
  const { expiresAt = 9e12, usedAt = null, project = null } = more;
  await sql(
    "INSERT INTO sign_in_link VALUES (?, ?, ?, 0, ?, ?)",
    await hashKey(token),
    owner.id,
    project,
    expiresAt,
    usedAt,
  );
  return token;
}
const signIn = (token: string, headers: Record<string, string | undefined> = {}) =>
  ask("POST", "/dashboard/api/sign-in", {
    json: { token },
    headers: { "x-forwarded-for": `198.51.100.${Math.floor(Math.random() * 250)}`, ...headers },
  });
const cookieOf = (headers: Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";

describe("a sign-in link", () => {
  it("begins a session in a cookie that no script reads and no other site sends", async () => {
    const { status, headers, body } = await signIn(await link());
    expect([status, body]).toEqual([200, { meta: { code: 200 } }]);
    expect(headers.get("set-cookie")).toMatch(
      /^graticule=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    const session = await ask("GET", "/dashboard/api/session", { cookie: cookieOf(headers) });
    expect(session.body).toMatchObject({
      member: { _id: owner.id, email: owner.email },
      projects: [{ _id: String(world.id), name: "test", role: "owner", disabled: false }],
    });
    const [row] = await sql("SELECT hash FROM session WHERE hash = ?", await hashKey(cookieOf(headers).slice(10)));
    expect(row).toBeDefined();
  });

  it("opens once, also for two who come with it at the same moment", async () => {
    const token = await link();
    const answers = await Promise.all([signIn(token), signIn(token), signIn(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const late = await signIn(token);
    expect([late.status, late.body.meta.message]).toEqual([410, expect.stringContaining("was already used")]);
  });

  it.each<[string, () => Promise<string>, string]>([
    ["expired", () => link({ expiresAt: Date.now() - 1 }), "expired"],
    ["used", () => link({ usedAt: 5 }), "used"],
    ["made up", async () => newToken(), "valid"],
    ["no token at all", async () => "x' OR 1=1", "valid"],
  ])("that is %s opens nothing and says why", async (_, make, word) => {
    const { status, headers, body } = await signIn(await make());
    expect([status, headers.get("set-cookie"), body.meta.message]).toEqual([410, null, expect.stringContaining(word)]);
  });

  it("is not followed for a page of another site, which would sign its victim in as somebody else", async () => {
    const token = await link();
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
      { "sec-fetch-site": undefined },
    ])
      expect((await signIn(token, headers)).status).toBe(403);
    expect((await signIn(token, { "sec-fetch-site": undefined, origin: origin() })).status).toBe(200);
  });

  it("ends the session that the browser had", async () => {
    const first = cookieOf((await signIn(await link())).headers);
    const second = cookieOf((await signIn(await link(), { cookie: first })).headers);
    const session = (cookie: string) => ask("GET", "/dashboard/api/session", { cookie });
    expect([(await session(first)).status, (await session(second)).status]).toEqual([401, 200]);
  });

  it("of one project opens that project only, whatever else its member may enter", async () => {
    const other = await makeWorld();
    await sql("INSERT INTO membership VALUES (?, ?, 'owner', 0)", other.id, owner.id);
    const cookie = cookieOf((await signIn(await link({ project: world.id }))).headers);
    const { body } = await ask("GET", "/dashboard/api/session", { cookie });
    expect(body.projects.map(({ _id }: { _id: string }) => _id)).toEqual([String(world.id)]);
    expect((await ask("GET", "/v1/users", { cookie, project: world.id })).status).toBe(200);
    expect((await ask("GET", "/v1/users", { cookie, project: other.id })).status).toBe(403);
    expect((await ask("GET", "/v1/users", { cookie: owner.cookie, project: other.id })).status).toBe(200);
  });
});

describe("who guesses", () => {
  it("links is slowed down by address, and so is who guesses sessions", async () => {
    const from = { "x-forwarded-for": "192.0.2.77" };
    const links = await Promise.all(Array.from({ length: 12 }, () => signIn(newToken(), from)));
    expect(new Set(links.map(({ status }) => status))).toEqual(new Set([410, 429]));
    const guess = () => ask("GET", "/dashboard/api/session", { cookie: `graticule=${newToken()}`, headers: from });
    const sessions = [];
    for (let i = 0; i < 40; i++) sessions.push(...(await Promise.all([guess(), guess(), guess()])));
    expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set([401, 429]));
    // A good session of the same address goes on, as it is known; it only cannot be new there.
    expect((await ask("GET", "/dashboard/api/session", { cookie: owner.cookie })).status).toBe(200);
  });
});

describe("a session", () => {
  it("that has expired is none", async () => {
    const cookie = await makeSession(owner.id, null, Date.now() - 1);
    expect((await ask("GET", "/dashboard/api/session", { cookie })).status).toBe(401);
  });

  it("ends with signing out, at once, and its cookie is taken back", async () => {
    const cookie = await makeSession(owner.id);
    const users = () => ask("GET", "/v1/users", { cookie, project: world.id });
    expect((await users()).status).toBe(200);
    const out = await ask("POST", "/dashboard/api/sign-out", { cookie });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([200, expect.stringContaining("graticule=; ")]);
    expect((await users()).status).toBe(401);
    expect((await ask("GET", "/dashboard/api/session", { cookie })).status).toBe(401);
  });

  it("ends with all others of its member when they sign out everywhere, and links that wait do too", async () => {
    const member = await makeMember({ [world.id]: "admin" });
    const cookies = [member.cookie, await makeSession(member.id), await makeSession(member.id, world.id)];
    const waiting = newToken();
    await sql("INSERT INTO sign_in_link VALUES (?, ?, NULL, 0, 9e12, NULL)", await hashKey(waiting), member.id);
    const session = async (cookie: string) => (await ask("GET", "/dashboard/api/session", { cookie })).status;
    expect(await Promise.all(cookies.map(session))).toEqual([200, 200, 200]);
    const out = await ask("POST", "/dashboard/api/sign-out/everywhere", { cookie: cookies[1] });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([200, expect.stringContaining("graticule=; ")]);
    expect(await Promise.all(cookies.map(session))).toEqual([401, 401, 401]);
    expect((await signIn(waiting)).status).toBe(410);
    // Others go on, and the log says who it was.
    expect(await session(owner.cookie)).toBe(200);
    const { entries } = (await ask("GET", "/dashboard/api/audit", { cookie: owner.cookie, project: world.id })).body;
    expect(entries[0]).toMatchObject({ action: "signOutEverywhere", summary: "Signed out everywhere: 3 sessions" });
    expect(entries[0].member.email).toBe(member.email);
  });

  it("that opens one project ends those of that project only: whoever made its link does not sign them out elsewhere", async () => {
    const member = await makeMember({ [world.id]: "read" });
    const [reaching, elsewhere] = [
      await makeSession(member.id, world.id),
      await makeSession(member.id, (await makeWorld()).id),
    ];
    await ask("POST", "/dashboard/api/sign-out/everywhere", { cookie: reaching });
    const session = async (cookie: string) => (await ask("GET", "/dashboard/api/session", { cookie })).status;
    expect([await session(reaching), await session(elsewhere), await session(member.cookie)]).toEqual([401, 200, 200]);
  });

  it("is not taken where a key is sent, and a key does not open what is the dashboard's own", async () => {
    const { cookie } = owner;
    const key = { authorization: world.keys.testPublishable };
    expect((await ask("GET", "/v1/users", { cookie, project: world.id, headers: key })).status).toBe(403);
    const secret = { authorization: world.keys.liveSecret };
    for (const path of ["session", "members", "keys", "project", "audit"]) {
      const answer = await ask("GET", `/dashboard/api/${path}`, { cookie, project: world.id, headers: secret });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  it("is needed for whatever the dashboard has of its own", async () => {
    for (const path of ["session", "members", "keys", "project", "audit"])
      expect((await ask("GET", `/dashboard/api/${path}`, { project: world.id })).status).toBe(401);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ["project", { "x-graticule-project": undefined }, "x-graticule-project"],
    ["project that is one", { "x-graticule-project": "1e3" }, "x-graticule-project"],
    ["environment", { "x-graticule-environment": undefined }, "x-graticule-environment"],
    ["environment that is one", { "x-graticule-environment": "Live" }, "x-graticule-environment"],
  ])("must say which %s", async (_, headers, param) => {
    const { status, body } = await ask("GET", "/v1/users", { cookie: owner.cookie, project: world.id, headers });
    expect([status, body.meta.param]).toEqual([400, param]);
  });

  it("of a stranger to the project is refused", async () => {
    const stranger = await makeMember({});
    for (const path of ["/v1/users", "/dashboard/api/keys"]) {
      const answer = await ask("GET", path, { cookie: stranger.cookie, project: world.id });
      expect([answer.status, answer.body.meta.message]).toEqual([403, expect.stringContaining("not a member")]);
    }
  });

  it.each<[string, string, string, Record<string, string | undefined>, number]>([
    ["the dashboard", "GET", "/v1/users", {}, 200],
    ["another site", "GET", "/v1/users", { "sec-fetch-site": "cross-site" }, 403],
    ["another subdomain", "GET", "/v1/users", { "sec-fetch-site": "same-site" }, 403],
    ["the address bar", "GET", "/v1/users", { "sec-fetch-site": "none" }, 403],
    ["an old browser's page of ours", "GET", "/v1/users", { "sec-fetch-site": undefined }, 200],
    ["an old browser's page of ours", "PATCH", "/v1/users/x/fraud", { "sec-fetch-site": undefined }, 403],
    [
      "an old browser with a foreign page",
      "GET",
      "/v1/users",
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
      403,
    ],
    ["a page in a sandbox", "DELETE", "/v1/users/x", { "sec-fetch-site": undefined, origin: "null" }, 403],
    ["another site", "DELETE", "/v1/users/x", { "sec-fetch-site": "cross-site" }, 403],
    ["another subdomain", "DELETE", "/v1/users/x", { "sec-fetch-site": "same-site" }, 403],
    ["the dashboard", "DELETE", "/v1/users/nobody", {}, 404],
  ])("counts for pages of this origin only: %s asks %s %s", async (_, method, path, headers, status) => {
    const answer = await ask(method, path, { cookie: owner.cookie, project: world.id, headers });
    expect([answer.status, answer.body.meta.message ?? ""]).toEqual([status, expect.any(String)]);
  });

  it("names project and environment in the address where headers cannot be sent, and only to look", async () => {
    const query = `project=${world.id}&environment=live`;
    expect((await ask("GET", `/v1/users?${query}`, { cookie: owner.cookie })).status).toBe(200);
    const foreign = { "sec-fetch-site": undefined };
    expect((await ask("GET", `/v1/users?${query}`, { cookie: owner.cookie, headers: foreign })).status).toBe(403);
    expect((await ask("DELETE", `/v1/users/x?${query}`, { cookie: owner.cookie })).status).toBe(400);
  });

  it("is answered for itself: no cache gives one project's answer to another, and no other site's page may read it", async () => {
    const { cookie } = owner;
    const glyphs = await ask("GET", "/maps/glyphs/Noto%20Sans%20Regular/0-255.pbf", { cookie, project: world.id });
    const users = await ask("GET", "/v1/users", { cookie, project: world.id });
    for (const { headers } of [glyphs, users])
      expect(headers.get("vary")).toContain("Cookie, x-graticule-project, x-graticule-environment");
    expect([glyphs.status, glyphs.headers.get("cache-control")]).toEqual([
      200,
      expect.stringMatching(/^private, max-age/),
    ]);
    expect(users.headers.get("cache-control")).toBe("no-store");
    const session = await ask("GET", "/dashboard/api/session", { cookie });
    expect([
      session.headers.get("access-control-allow-origin"),
      session.headers.get("access-control-allow-credentials"),
    ]).toEqual([null, null]);
  });

  it("that has expired is cleared away by the hourly round, with links of long ago and questions nobody answered", async () => {
    const hash = await hashKey(newToken());
    const day = 24 * 3600 * 1000;
    const now = Date.now();
    await sql(
      "INSERT INTO session VALUES (?, 'm', NULL, 0, ?), (?, 'm', NULL, 0, ?)",
      `${hash}1`,
      now - 1,
      `${hash}2`,
      now + day,
    );
    await sql(
      "INSERT INTO sign_in_link VALUES (?, 'm', NULL, 0, ?, NULL), (?, 'm', NULL, 0, ?, NULL)",
      `${hash}3`,
      now - 31 * day,
      `${hash}4`,
      now - 29 * day,
    );
    await sql(
      "INSERT INTO passkey_challenge VALUES (?, NULL, ?), (?, NULL, ?)",
      `${hash}5`,
      now - 1,
      `${hash}6`,
      now + day,
    );
    await control("scheduled", { now });
    const left = async (table: string, column = "hash") =>
      (await sql(`SELECT ${column} AS name FROM ${table} WHERE substr(${column}, 1, 64) = ?`, hash)).map(({ name }) =>
        String(name).slice(-1),
      );
    expect([await left("session"), await left("sign_in_link"), await left("passkey_challenge", "challenge")]).toEqual([
      ["2"],
      ["4"],
      ["6"],
    ]);
  });

  it("sees Test in Test and Live in Live, and none of its calls counts as usage", async () => {
    const at = { deviceId: "d", latitude: 1, longitude: 2, accuracy: 5 };
    await ask("POST", "/v1/track", { cookie: owner.cookie, project: world.id, json: { ...at, userId: "tess" } });
    await ask("POST", "/v1/track", {
      cookie: owner.cookie,
      project: world.id,
      live: true,
      json: { ...at, userId: "liv" },
    });
    const users = async (live: boolean) =>
      (await ask("GET", "/v1/users", { cookie: owner.cookie, project: world.id, live })).body.users.map(
        (user: { userId: string }) => user.userId,
      );
    expect([await users(false), await users(true)]).toEqual([["tess"], ["liv"]]);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await sql("SELECT * FROM usage WHERE project = ? AND calls > 0", world.id)).toEqual([]);
  });
});
