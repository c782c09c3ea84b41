import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "../../../src/core/auth/key.ts";
import { type Database, query } from "../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { LOCAL_MEMBER, LOCAL_PROJECT, settleLocalMember } from "../../../src/server/project/dev-keys.ts";
import {
  addMember,
  listMembers,
  memberLink,
  onlyProject,
  readEmail,
  removeMember,
} from "../../../src/server/project/members.ts";
import { createProject } from "../../../src/server/project/projects.ts";
import { runInOneProcess } from "./one-process.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
let database: Database;
let first: number;
let second: number;
beforeAll(async () => {
  database = openLocalDatabase(join(folder, "state"));
  first = (await createProject(database, "First")).id;
});
afterAll(() => database.close());

const roles = async () => (await listMembers(database)).map(({ email, role, project }) => [email, role, project]);

describe("a member", () => {
  it("needs no project named while there is only one", async () => {
    expect(await onlyProject(database)).toBe(first);
    second = (await createProject(database, "Second")).id;
    await expect(onlyProject(database)).rejects.toThrow("Specify one with --project ID");
  });

  it("is one person in several projects, and gets another role by being added again", async () => {
    expect(await addMember(database, first, "ann@example.com", "read")).toBe(true);
    expect(await addMember(database, second, "ann@example.com", "owner")).toBe(true);
    expect(await addMember(database, first, "ann@example.com", "write")).toBe(false);
    expect(await roles()).toEqual([
      ["ann@example.com", "write", first],
      ["ann@example.com", "owner", second],
    ]);
    expect(await query(database, "SELECT id FROM member")).toHaveLength(1);
    await expect(addMember(database, 999, "ann@example.com", "read")).rejects.toThrow("No project 999");
  });

  it("is known by an address in small letters", () => {
    expect(readEmail(" Ann@Example.COM ")).toBe("ann@example.com");
    for (const text of ["ann", "a@b@c", "a b@c.de", "'; DROP TABLE member; --@x"])
      expect(() => readEmail(text)).toThrow("is not an email address");
  });

  it("has links that sign in once; a new one takes the place of the last, and only hashes are kept", async () => {
    const one = await memberLink(database, "ann@example.com", "https://maps.example.com");
    const two = await memberLink(database, "ann@example.com", "https://maps.example.com");
    expect(two).toMatch(/^https:\/\/maps\.example\.com\/dashboard\/#\/sign-in\?token=[0-9a-f]{64}$/);
    const rows = await query(database, "SELECT * FROM sign_in_link");
    expect(rows).toMatchObject([{ hash: await hashKey(two.slice(-64)), project: null, used_at: null }]);
    expect(Number(rows[0].expires_at) - Number(rows[0].created_at)).toBe(3 * 24 * 3600 * 1000);
    expect(JSON.stringify(rows)).not.toContain(one.slice(-64));
    await expect(memberLink(database, "bob@example.com", "https://x.example")).rejects.toThrow("is not a member");
  });

  it("is taken out of one project, then out of all, and forgotten with every way in", async () => {
    const [{ id }] = await query(database, "SELECT id FROM member");
    await query(database, "INSERT INTO session VALUES ('all', ?, NULL, 0, 9), ('one', ?, ?, 0, 9)", id, id, first);
    expect(await removeMember(database, "ann@example.com", first)).toEqual([first]);
    expect(await query(database, "SELECT hash FROM session")).toEqual([{ hash: "all" }]);
    expect(await removeMember(database, "ann@example.com")).toEqual([second]);
    for (const table of ["member", "membership", "session", "sign_in_link", "passkey"])
      expect([table, await query(database, `SELECT * FROM ${table}`)]).toEqual([table, []]);
    await expect(removeMember(database, "ann@example.com")).rejects.toThrow("is not a member");
  });
});

describe("whoever runs npm run dev", () => {
  it("owns the local project from the first start on, and every other that nobody owns", async () => {
    const { id: local } = await createProject(database, LOCAL_PROJECT);
    await addMember(database, second, "ann@example.com", "owner");
    await addMember(database, local, "ann@example.com", "owner");
    await settleLocalMember(database);
    await settleLocalMember(database);
    expect(await roles()).toEqual([
      [LOCAL_MEMBER, "owner", first],
      ["ann@example.com", "owner", second],
      ["ann@example.com", "owner", local],
      [LOCAL_MEMBER, "owner", local],
    ]);
  });
});

describe("npm run project -- member", () => {
  const run = async (...words: string[]) =>
    runInOneProcess("project.ts", [
      ...[...words, "--persist-to", join(folder, "state")],
      ...["--keys-file", join(folder, "none.json")],
    ]);

  it("adds, lists, makes links and removes", async () => {
    const added = await run(
      "member",
      "add",
      "Cleo@example.com",
      "--role",
      "admin",
      "--project",
      String(first),
      "--json",
    );
    expect(JSON.parse(added.output)).toEqual({
      email: "cleo@example.com",
      role: "admin",
      project: first,
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8787\/dashboard\/#\/sign-in\?token=/),
    });
    const listed = await run("member", "list", "--project", String(first));
    expect(listed.output).toContain("cleo@example.com");
    const link = await run("member", "link", "cleo@example.com", "--url", "https://maps.example.com/x");
    expect(link.output).toContain("https://maps.example.com/dashboard/#/sign-in?token=");
    const removed = await run("member", "remove", "cleo@example.com");
    expect(removed).toEqual({ code: 0, output: expect.stringContaining("no longer a member of project") });
  });

  it.each([
    [["member", "add", "x@example.com"], "Specify --role: read, write, admin, owner."],
    [["member", "add", "x@example.com", "--role", "boss"], "Specify --role: read, write, admin, owner."],
    [["member", "add", "--role", "read"], "Usage: npm run project -- member add EMAIL"],
    [["member", "add", "x", "--role", "read"], '"x" is not an email address.'],
    [["member", "add", "x@example.com", "--role", "read"], "There are several projects. Specify one"],
    [["member", "invite", "x@example.com"], 'Unknown command "member invite".'],
    [["member", "link", "x@example.com", "--url", "maps"], "--url must be a URL such as"],
    [["member", "list", "--project", "0"], "--project must be an integer"],
  ])("%j is answered with what is wrong", async (words, sentence) => {
    const { code, output } = await run(...words);
    expect([code === 0, output]).toEqual([false, expect.stringContaining(sentence)]);
  });
});
