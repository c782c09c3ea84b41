import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../../src/core/metrics/version.ts";
import { databaseConfig, ROOT } from "../../../src/server/base/wrangler.ts";
import { deployTrouble } from "../../../src/server/deploy/trouble.ts";
import { SCHEMA } from "../../../src/worker/db/schema-version.ts";
import { finished, runCli } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const newAccount = () => mkdtempSync(join(folder, "account-"));

/** Answers where the Worker would be, as the doctor wants it; what it says of itself is given. */
const ISSUES: Record<string, unknown> = {};
let url = "";
const server = createServer((request, response) => {
  const health = {
    version: VERSION,
    time: new Date().toISOString(),
    bindings: { DB: true, GEODATA: true },
    objects: true,
    schema: { expected: SCHEMA, found: SCHEMA },
    geodata: { builds: [{ name: "world", layers: {} }] },
    ...ISSUES,
  };
  const body = request.url?.startsWith("/v1/health") ? health : {};
  response.setHeader("content-type", "application/json").end(JSON.stringify({ meta: { code: 200 }, ...body }));
});
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function deploy(account: string, args: string[] = [], environment: Record<string, string> = {}) {
  const own = {
    GRATICULE_WRANGLER: join(import.meta.dirname, "fake-wrangler.ts"),
    GRATICULE_SEEN_WITHIN: "0",
    FAKE_ACCOUNT: account,
    FAKE_URL: url,
    ...environment,
  };
  const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]));
  Object.assign(process.env, own);
  try {
    return await finished(runCli("deploy.ts", args));
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

/** What was asked of Cloudflare, in its order, each by its first words. */
const callsOf = (account: string) =>
  readFileSync(join(account, "calls.txt"), "utf8")
    .trim()
    .split("\n")
    .filter((call) => /^(deploy|d1 (list|migrations|execute))/.test(call))
    .map((call) =>
      call.includes("--dry-run")
        ? "build"
        : call.startsWith("deploy")
          ? "deploy"
          : call.split(" ").slice(0, 2).join(" "),
    );

function rows(account: string, sql: string, name = "graticule") {
  const database = new DatabaseSync(join(account, `${name}.sqlite`), { readOnly: true });
  const found = database.prepare(sql).all();
  database.close();
  return found;
}

describe("npm run deploy", { timeout: 180_000 }, () => {
  it("makes what there is not, then the tables, a project and its owner; again it brings the tables forward before the code", async () => {
    const account = newAccount();
    const first = await deploy(account, ["--owner", "Ann@example.com"], { ACCESS_AUD: "audience" });
    expect(first.code).toBe(0);
    expect(first.output).toMatch(/Its keys, shown only once:\n\n.*prj_|Its keys, shown only once/);
    expect(first.output).toContain(`${url}/dashboard/#/sign-in?token=`);
    expect(first.output).toMatch(
      /The Worker responds\.\nChecking the deployment…\n(note .*\n.*\n)?\d+ of \d+ checks passed\./,
    );
    expect(first.output).toContain("Set R2_ACCOUNT_ID, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY");
    expect(callsOf(account).slice(0, 4)).toEqual(["build", "d1 list", "deploy", "d1 migrations"]);
    expect(JSON.parse(readFileSync(join(account, "secrets.json"), "utf8"))).toEqual({ ACCESS_AUD: "audience" });
    const who = "SELECT email, role FROM membership JOIN member ON member.id = member";
    expect(rows(account, who)).toEqual([{ email: "ann@example.com", role: "owner" }]);

    const before = callsOf(account).length;
    const again = await deploy(account);
    expect([again.code, again.output.includes("shown only once")]).toEqual([0, false]);
    expect(callsOf(account).slice(before)).toEqual([
      ...["build", "d1 list", "d1 migrations", "deploy"],
      // who is there, and a key for the doctor that is revoked again
      ...callsOf(account).slice(before + 4),
    ]);
    expect(
      callsOf(account)
        .slice(before + 4)
        .every((call) => call === "d1 execute"),
    ).toBe(true);
    expect(rows(account, "SELECT name FROM project ORDER BY id")).toEqual([{ name: "first" }, { name: "doctor" }]);
    expect(
      rows(
        account,
        "SELECT count(*) AS n FROM api_key JOIN project ON project.id = project WHERE name = 'doctor' AND secret = 1 AND live = 0 AND revoked_at IS NULL",
      ),
    ).toEqual([{ n: 0 }]);
  });

  it("broken off at any place it says so with what to do, ends with 1, and goes on when it is run again", async () => {
    const account = newAccount();
    const owner = ["--owner", "ann@example.com"];
    const permission = "A request to the Cloudflare API failed. Authentication error [code: 10000]";
    const places: [where: string, answer: string, said: RegExp][] = [
      ["d1 list", permission, /databases could not be listed\..*Permission denied\. A token needs.*redeploy/s],
      [
        "deploy",
        "The bucket already exists [code: 10004]",
        /bucket's name is in use\. Set another bucket_name.*resume/s,
      ],
      ["d1 migrations", "the network went away", /Redeploy to resume\.\nthe network went away/],
      ["d1 execute SELECT (SELECT min(id)", permission, /The database did not answer.*A token needs.*D1 Edit/s],
      ["d1 execute INSERT INTO member", "went away", /Its keys, shown only once.*Redeploy to resume/s],
      ["d1 execute DELETE FROM sign_in_link", "went away", /Project 1 already exists.*Redeploy/s],
      ["d1 execute SELECT id FROM project", "went away", /sign-in\?token=.*Checking the deployment.*Redeploy/s],
    ];
    // By day the first step, one in the middle, and the last.
    const tried = process.env.EVERY_KILL ? places : [places[0], places[4], places[6]];
    for (const [where, answer, said] of tried) {
      const broken = await deploy(account, owner, { FAKE_FAILS: `${where}=${answer}` });
      expect([where, broken.code]).toEqual([where, 1]);
      expect(broken.output).toMatch(said);
    }
    const again = await deploy(account, owner);
    expect(again.code, again.output).toBe(0);
    expect(rows(account, "SELECT name FROM project ORDER BY id")).toEqual([{ name: "first" }, { name: "doctor" }]);
    expect(rows(account, "SELECT email, role FROM membership JOIN member ON member.id = member")).toEqual([
      { email: "ann@example.com", role: "owner" },
    ]);
  });

  it("ends with 1 and says what to do where what is deployed is not well, or does not answer", async () => {
    const account = newAccount();
    ISSUES.bindings = { DB: true, GEODATA: false };
    const unwell = await deploy(account);
    delete ISSUES.bindings;
    expect(unwell.code).toBe(1);
    expect(unwell.output).toContain("Create one: npm run deploy -- --owner you@example.com");
    expect(unwell.output).toMatch(/wrong +bindings +missing: GEODATA\n +→ Use the wrangler\.toml/);
    expect(unwell.output).toMatch(/deployed, but one thing is wrong with it.*npm run doctor -- --remote http/s);
    const silent = await deploy(account, [], { FAKE_URL: "http://127.0.0.1:1" });
    expect(silent).toEqual({ code: 1, output: expect.stringContaining("does not respond yet, so it was not checked") });
  });

  it("makes a staging beside it with a database of its own, at its own domain", async () => {
    const account = newAccount();
    const staging = await deploy(account, [
      "--env",
      "staging",
      "--domain",
      "staging.example.com",
      "--owner",
      "ann@example.com",
    ]);
    // Nobody answers at that address here.
    expect(staging).toEqual({
      code: 1,
      output: expect.stringContaining("https://staging.example.com/dashboard/#/sign-in"),
    });
    expect(readdirSync(account).filter((name) => name.endsWith(".sqlite"))).toEqual(["graticule-staging.sqlite"]);
    const calls = readFileSync(join(account, "calls.txt"), "utf8");
    expect(calls).toContain("deploy --env staging --domain staging.example.com");
    expect(calls).toContain("d1 migrations apply graticule-staging --remote --env staging");
  });
});

it.each([
  ["Authentication error [code: 10000]", /A token needs.*D1 Edit/],
  ["Please enable R2 through the Cloudflare Dashboard. [code: 10042]", /R2 is not enabled/],
  ["You are not authenticated. Please run `wrangler login`.", /npx wrangler login/],
  [
    "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
    /CLOUDFLARE_ACCOUNT_ID/,
  ],
  ["You need to register a workers.dev subdomain", /Workers & Pages/],
])("%s has a remedy", (said, remedy) => {
  expect(deployTrouble(said)).toMatch(remedy);
});
it("what is not known is left as it was said", () => expect(deployTrouble("flux capacitor")).toBeUndefined());

describe("wrangler.toml", () => {
  const text = readFileSync(join(ROOT, "wrangler.toml"), "utf8");

  it("holds no ids of an account, as the first deployment makes what it names", () => {
    expect(text).not.toMatch(/^(database_id|id|account_id)\s*=/m);
    expect(databaseConfig().name).not.toBe(databaseConfig(ROOT, "staging").name);
  });

  it("gives staging every binding that production has", () => {
    const [production, staging] = text.split("\n[env.staging]\n");
    const bindings = (part: string) =>
      [...part.matchAll(/^(?:binding|name|class_name) = "(\w+)"$/gm)].map(([, name]) => name).sort();
    const own = (names: string[]) => names.filter((name) => !/^(graticule|ASSETS)/.test(name));
    expect(own(bindings(staging))).toEqual(own(bindings(production)));
  });
});

/** What Workers Builds does behind the Deploy button: it clones, runs these scripts, and asks nothing. */
it("the Deploy button finds scripts, names of resources, and what each is for", () => {
  const { scripts, cloudflare } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(scripts.deploy).toBe("node src/server/deploy.ts");
  for (const binding of ["DB", "GEODATA"]) expect(cloudflare.bindings[binding].description.length).toBeGreaterThan(20);
  // Its picture, and a public repository at one of the two that Cloudflare clones from.
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toMatch(
    /\[!\[[^\]]+\]\(https:\/\/deploy\.workers\.cloudflare\.com\/button\)\]\(https:\/\/deploy\.workers\.cloudflare\.com\/\?url=https:\/\/git(hub|lab)\.com\/[^/)]+\/[^/)]+\)/,
  );
});

/** An upgrade brings the tables forward while the code of before still answers, and isolates of both run side by side for a while. */
describe("a migration", () => {
  const { migrations } = databaseConfig();
  const files = readdirSync(migrations)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  // What was removed before there was a release to upgrade from: indexes only, which no statement names.
  it.each(files)("%s takes nothing away that the code before it reads or writes", (file) => {
    const sql = readFileSync(join(migrations, file), "utf8").replace(/--.*$/gm, "");
    const statements = sql
      .split(";")
      .map((statement) => statement.trim().replace(/\s+/g, " "))
      .filter(Boolean);
    for (const statement of statements) {
      expect(statement).not.toMatch(/^DROP (TABLE|VIEW|TRIGGER)|DROP COLUMN|RENAME|^DELETE/i);
      // A column that older code leaves out of its INSERT must do without.
      if (/^ALTER TABLE \w+ ADD/i.test(statement) && /NOT NULL/i.test(statement)) expect(statement).toMatch(/DEFAULT/i);
    }
  });

  it("leaves every statement of the code before it possible: each table of each step takes a row as it was written then", () => {
    for (let upTo = 1; upTo < files.length; upTo++) {
      const older = new DatabaseSync(":memory:");
      const newer = new DatabaseSync(":memory:");
      for (const [n, file] of files.entries()) {
        const sql = readFileSync(join(migrations, file), "utf8");
        if (n < upTo) older.exec(sql);
        newer.exec(sql);
      }
      newer.exec("PRAGMA foreign_keys = OFF");
      const tables = older
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        .all();
      for (const { name } of tables) {
        const columns = older.prepare("SELECT name, type FROM pragma_table_info(?)").all(name);
        const names = columns.map((column) => column.name).join(", ");
        const values = columns.map(({ type }) => (type === "TEXT" ? "'x'" : "1")).join(", ");
        newer.exec(`INSERT INTO "${name}" (${names}) VALUES (${values})`);
        expect(newer.prepare(`SELECT ${names} FROM "${name}"`).all().length, `${name} after ${files[upTo - 1]}`).toBe(
          1,
        );
      }
    }
  });
});
