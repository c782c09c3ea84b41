import { beforeEach, describe, expect, it } from "vitest";
import { as, ask, makeMember, makeSession, type Signed } from "../support/members.ts";
import { makeWorld, sleep, sql, type World } from "../support/world.ts";

let world: World;
let owner: Signed;
let admin: Signed;
let reader: Signed;
beforeEach(async () => {
  world = await makeWorld();
  owner = await makeMember({ [world.id]: "owner" });
  admin = await makeMember({ [world.id]: "admin" });
  reader = await makeMember({ [world.id]: "read" });
});

const tokenIn = (link: string) => new URLSearchParams(new URL(link).hash.split("?")[1]).get("token");
const members = async () => {
  const { body } = await as(owner, world.id)("GET", "/dashboard/api/members");
  return new Map<string, string>(body.members.map(({ email, role }: { email: string; role: string }) => [email, role]));
};
async function follow(link: string): Promise<string> {
  const answer = await ask("POST", "/dashboard/api/sign-in", { json: { token: tokenIn(link) } });
  expect(answer.status).toBe(200);
  return String(answer.headers.get("set-cookie")).split(";")[0];
}

describe("a member", () => {
  it("is made with a link that signs them in to this project; the address is kept in small letters", async () => {
    const made = await as(admin, world.id)("POST", "/dashboard/api/members", {
      email: "New.One@Example.COM",
      role: "write",
    });
    expect(made.body).toMatchObject({ member: { email: "new.one@example.com", role: "write" } });
    expect(made.body.link).toMatch(/^http:\/\/[^/]+\/dashboard\/#\/sign-in\?token=[0-9a-f]{64}$/);
    const cookie = await follow(made.body.link);
    const session = await ask("GET", "/dashboard/api/session", { cookie });
    expect(session.body.projects).toMatchObject([{ _id: String(world.id), role: "write" }]);
    const again = await as(admin, world.id)("POST", "/dashboard/api/members", {
      email: "new.one@example.com",
      role: "read",
    });
    expect(again.status).toBe(409);
    expect((await members()).get("new.one@example.com")).toBe("write");
    await sql("DELETE FROM membership WHERE project = ?", world.id);
    await sql("DELETE FROM member WHERE email = 'new.one@example.com'");
  });

  it.each([["no address"], ["a@b@c"], ["<x@y>"], ["a b@c"], [`${"x".repeat(250)}@example.com`]])(
    "is not made of %s",
    async (email) => {
      const { status, body } = await as(admin, world.id)("POST", "/dashboard/api/members", { email, role: "read" });
      expect([status, body.meta.param]).toEqual([400, "email"]);
    },
  );

  it("whose role is lowered is held to it at once on this machine, and everywhere within ten seconds", async () => {
    const mine = as(admin, world.id);
    expect((await mine("PATCH", "/v1/settings", { nearbyChains: [] })).status).toBe(200);
    await as(owner, world.id)("PATCH", `/dashboard/api/members/${admin.id}`, { role: "read" });
    const after = await mine("PATCH", "/v1/settings", { nearbyChains: [] });
    expect([after.status, after.body.meta.message]).toEqual([
      403,
      "Forbidden. Your role is read; this needs admin or above.",
    ]);
    expect((await mine("GET", "/v1/settings")).status).toBe(200);
    // As if another machine had changed it.
    await sql("UPDATE membership SET role = 'admin' WHERE member = ?", admin.id);
    await sql("DELETE FROM membership WHERE member = ?", reader.id);
    await as(reader, world.id)("GET", "/v1/settings");
    await sleep(8_500);
    expect((await mine("PATCH", "/v1/settings", { nearbyChains: [] })).status).toBe(200);
    expect((await as(reader, world.id)("GET", "/v1/settings")).status).toBe(403);
  }, 90_000);

  it("who is removed is out at once, and forgotten when they are in no other project", async () => {
    const theirs = as(reader, world.id);
    expect((await theirs("GET", "/v1/users")).status).toBe(200);
    expect((await as(admin, world.id)("DELETE", `/dashboard/api/members/${reader.id}`)).status).toBe(200);
    expect((await theirs("GET", "/v1/users")).status).toBe(401);
    expect(await sql("SELECT 1 FROM member WHERE id = ?", reader.id)).toEqual([]);
    expect(await sql("SELECT 1 FROM session WHERE member = ?", reader.id)).toEqual([]);

    const other = await makeWorld();
    const both = await makeMember({ [world.id]: "write", [other.id]: "owner" });
    const here = await makeSession(both.id, world.id);
    await as(owner, world.id)("DELETE", `/dashboard/api/members/${both.id}`);
    expect((await as(both, world.id)("GET", "/v1/users")).status).toBe(403);
    expect((await as(both, other.id)("GET", "/v1/users")).status).toBe(200);
    expect((await ask("GET", "/dashboard/api/session", { cookie: here })).status).toBe(401);
  });

  it("may leave, whatever their role; the last owner may not", async () => {
    expect((await as(reader, world.id)("DELETE", `/dashboard/api/members/${reader.id}`)).status).toBe(200);
    for (const attempt of [
      () => as(owner, world.id)("DELETE", `/dashboard/api/members/${owner.id}`),
      () => as(owner, world.id)("PATCH", `/dashboard/api/members/${owner.id}`, { role: "admin" }),
    ]) {
      const { status, body } = await attempt();
      expect([status, body.meta.message]).toEqual([409, expect.stringContaining("at least one owner")]);
    }
    await as(owner, world.id)("PATCH", `/dashboard/api/members/${admin.id}`, { role: "owner" });
    expect((await as(owner, world.id)("DELETE", `/dashboard/api/members/${owner.id}`)).status).toBe(200);
    expect((await as(admin, world.id)("GET", "/dashboard/api/members")).body.members).toHaveLength(1);
  });
});

describe("who may make, change and remove whom", () => {
  it("admins all but owners, owners everybody, others nobody", async () => {
    const writer = await makeMember({ [world.id]: "write" });
    const cases: [who: Signed, method: string, path: string, json: unknown, status: number][] = [
      [reader, "POST", "members", { email: "x@example.com", role: "read" }, 403],
      [writer, "POST", "members", { email: "x@example.com", role: "read" }, 403],
      [writer, "DELETE", `members/${reader.id}`, undefined, 403],
      [writer, "POST", `members/${reader.id}/link`, undefined, 403],
      [admin, "POST", "members", { email: "x@example.com", role: "owner" }, 403],
      [admin, "PATCH", `members/${reader.id}`, { role: "owner" }, 403],
      [admin, "PATCH", `members/${admin.id}`, { role: "owner" }, 403],
      [admin, "PATCH", `members/${owner.id}`, { role: "read" }, 403],
      [admin, "DELETE", `members/${owner.id}`, undefined, 403],
      [admin, "POST", `members/${owner.id}/link`, undefined, 403],
      [admin, "PATCH", `members/${reader.id}`, { role: "admin" }, 200],
      [admin, "POST", `members/${reader.id}/link`, undefined, 200],
      [owner, "PATCH", `members/${reader.id}`, { role: "owner" }, 200],
      [owner, "PATCH", `members/${reader.id}`, { role: "boss" }, 400],
      [owner, "PATCH", "members/nobody", { role: "read" }, 404],
      [owner, "DELETE", "members/nobody", undefined, 404],
      [owner, "POST", "members/nobody/link", undefined, 404],
    ];
    for (const [who, method, path, json, status] of cases) {
      const answer = await as(who, world.id)(method, `/dashboard/api/${path}`, json);
      expect([method, path, json, answer.status]).toEqual([method, path, json, status]);
    }
  });

  it("members of another project are nobody here", async () => {
    const other = await makeWorld();
    const theirs = await makeMember({ [other.id]: "read" });
    for (const [method, json] of [
      ["PATCH", { role: "admin" }],
      ["DELETE", undefined],
    ] as const)
      expect((await as(owner, world.id)(method, `/dashboard/api/members/${theirs.id}`, json)).status).toBe(404);
  });
});

describe("a link that is made in the dashboard", () => {
  it("does not open what else its member may enter: whoever makes members of a project cannot become them elsewhere", async () => {
    const other = await makeWorld();
    const boss = await makeMember({ [other.id]: "owner" });
    const made = await as(admin, world.id)("POST", "/dashboard/api/members", { email: boss.email, role: "read" });
    const cookie = await follow(made.body.link);
    expect((await ask("GET", "/v1/users", { cookie, project: world.id })).status).toBe(200);
    expect((await ask("GET", "/v1/users", { cookie, project: other.id })).status).toBe(403);
    expect((await ask("GET", "/dashboard/api/session", { cookie })).body.projects).toHaveLength(1);
  });

  it("takes the place of the one before", async () => {
    const path = `/dashboard/api/members/${reader.id}/link`;
    const first = (await as(admin, world.id)("POST", path)).body.link;
    const second = (await as(admin, world.id)("POST", path)).body.link;
    expect((await ask("POST", "/dashboard/api/sign-in", { json: { token: tokenIn(first) } })).status).toBe(410);
    await follow(second);
  });

  it("made for a lower role opens nothing any more when its member gets a higher one", async () => {
    const { link } = (await as(admin, world.id)("POST", `/dashboard/api/members/${reader.id}/link`)).body;
    const cookie = await follow(
      (await as(admin, world.id)("POST", `/dashboard/api/members/${reader.id}/link`)).body.link,
    );
    const raised = await as(owner, world.id)("PATCH", `/dashboard/api/members/${reader.id}`, { role: "owner" });
    expect((await ask("GET", "/v1/users", { cookie, project: world.id })).status).toBe(401);
    expect((await ask("POST", "/dashboard/api/sign-in", { json: { token: tokenIn(link) } })).status).toBe(410);
    await follow(raised.body.link);
    expect((await as(reader, world.id)("GET", "/v1/users")).status).toBe(200);
  });
});
