import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RECOVERY_TOKEN } from "../../support/worker-under-test.ts";
import { call, makeWorld } from "../../support/world.ts";
import { finished, runCli } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const fake = { GRATICULE_WRANGLER: resolve(import.meta.dirname, "fake-wrangler.ts"), FAKE_ACCOUNT: folder };
const AT = "2026-11-20T12:00:00.000Z";
const asked: { authorization: string; body: Record<string, unknown> }[] = [];
let broken = 0;
let url: string;

/** A deployment with two pages of objects in one database. */
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const body = JSON.parse(text);
  if (broken-- > 0) return void response.writeHead(503).end("{}");
  asked.push({ authorization: request.headers.authorization ?? "", body });
  const isFirst = body.after === undefined;
  const recovery = {
    supported: true,
    databases: ["DB"],
    objects: isFirst
      ? [{ object: "geofences 2", bookmark: "b", undo: "u" }]
      : [{ object: "trackers 2:a b", error: "too new" }],
    ...(isFirst && { next: '[5,2,"x y"]' }),
  };
  response.end(JSON.stringify({ meta: { code: 200 }, recovery }));
});

beforeAll(async () => {
  writeFileSync(join(folder, "calls.txt"), "");
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const recover = (words: string[], more: Record<string, string> = {}) =>
  finished(runCli("recover.ts", words, { ...fake, RECOVERY_TOKEN: "s", ...more }));
const calls = () => readFileSync(join(folder, "calls.txt"), "utf8").trim().split("\n");

describe("npm run recover", { timeout: 90_000 }, () => {
  it("reports bookmarks of databases and objects, and changes nothing", async () => {
    const { code, output } = await recover(["--at", AT, "--url", url]);
    expect(output).toContain(`graticule: at ${AT} it was at bookmark at-${AT}`);
    expect(output).toContain(`1 Durable Objects have a state at ${AT}; 1 do not`);
    expect(code).toBe(0);
    expect(calls()).toEqual([`d1 time-travel info graticule --timestamp=${AT} --json`]);
    expect(asked).toEqual([
      { authorization: "Bearer s", body: { at: AT, action: "report", database: "DB" } },
      { authorization: "Bearer s", body: { at: AT, action: "report", database: "DB", after: '[5,2,"x y"]' } },
    ]);
  });

  it("restores databases first, retries, and notes the bookmarks that undo it", async () => {
    [asked.length, broken] = [0, 1];
    const log = join(folder, "log.jsonl");
    const { code, output } = await recover(["--at", AT, "--url", url, "--restore", "--log", log]);
    expect(output).toContain("npx wrangler d1 time-travel restore graticule --bookmark=before-graticule");
    expect(output).toContain(`--after 'DB [5,2,"x y"]'`);
    expect(code).toBe(0);
    expect(calls().at(-1)).toBe(`d1 time-travel restore graticule --bookmark=at-${AT} --json`);
    expect(asked.map(({ body }) => body.action)).toEqual(["restore", "restore"]);
    const noted = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(noted).toEqual([
      { database: "graticule", bookmark: `at-${AT}`, undo: "before-graticule" },
      { object: "geofences 2", bookmark: "b", undo: "u" },
      { object: "trackers 2:a b", error: "too new" },
    ]);
  });

  it("resumes with the objects alone", async () => {
    asked.length = 0;
    const before = calls().length;
    await recover(["--at", AT, "--url", url, "--restore", "--log", join(folder, "2"), "--after", 'DB [5,2,"x y"]']);
    expect(calls().length).toBe(before);
    expect(asked.map(({ body }) => body.after)).toEqual(['[5,2,"x y"]']);
  });

  it.each([
    [[], "Specify --at and a time"],
    [["--at", "2999-01-01"], "must be in the past"],
    [["--at", AT, "--url", "http://127.0.0.1:1"], "--after 'DB'"],
  ])("%j is an error", async (words, message) => {
    const { code, output } = await recover(words as string[]);
    expect([code === 0, output.includes(message)]).toEqual([false, true]);
  });
});

describe("POST /v1/recovery", () => {
  const ask = (body: object, token = RECOVERY_TOKEN) =>
    call("POST", "/v1/recovery", {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const at = new Date(Date.now() - 60_000).toISOString();

  it("needs the deployment's own secret, before it reads anything", async () => {
    for (const body of [{ at }, {}, { at: "x".repeat(600_000) }]) expect((await ask(body, "guess")).status).toBe(401);
  });

  it("checks its fields", async () => {
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
    for (const body of [{}, { at: old }, { at, database: "DB_9" }, { at, action: "x" }, { at, after: "x" }])
      expect([body, (await ask(body)).status]).toEqual([body, 400]);
  });

  it("says that this platform has no point-in-time recovery", async () => {
    await makeWorld();
    const { status, body } = await ask({ at });
    expect([status, body.recovery.supported, body.recovery.databases]).toEqual([200, false, ["DB", "DB_2", "DB_EU"]]);
  });
});
