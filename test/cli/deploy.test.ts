import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { deployTrouble } from "../../src/cli/deploy/trouble.ts";
import { databaseConfig, ROOT } from "../../src/cli/wrangler.ts";
import { finished, runCli } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const newAccount = () => mkdtempSync(join(folder, "account-"));

async function deploy(account: string, args: string[] = [], environment: Record<string, string> = {}) {
  const own = {
    GRATICULE_WRANGLER: join(import.meta.dirname, "fake-wrangler.ts"),
    GRATICULE_SEEN_WITHIN: "0",
    FAKE_ACCOUNT: account,
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

describe("npm run deploy", { timeout: 60_000 }, () => {
  it("makes what there is not, then the tables, a project and its owner; again it brings the tables forward before the code", async () => {
    const account = newAccount();
    const first = await deploy(account, ["--owner", "Ann@example.com"], { ACCESS_AUD: "audience" });
    expect(first.code).toBe(0);
    expect(first.output).toMatch(/Its keys, shown this once:\n\n.*prj_|Its keys, shown this once/);
    expect(first.output).toMatch(/https:\/\/graticule\.me\.workers\.dev\/dashboard\/#\/sign-in\?token=[0-9a-f]{64}/);
    expect(first.output).toContain("needs R2_ACCOUNT_ID, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY");
    expect(callsOf(account).slice(0, 4)).toEqual(["build", "d1 list", "deploy", "d1 migrations"]);
    expect(JSON.parse(readFileSync(join(account, "secrets.json"), "utf8"))).toEqual({ ACCESS_AUD: "audience" });
    const who = "SELECT email, role FROM membership JOIN member ON member.id = member";
    expect(rows(account, who)).toEqual([{ email: "ann@example.com", role: "owner" }]);

    const before = callsOf(account).length;
    const again = await deploy(account);
    expect([again.code, again.output.includes("shown this once")]).toEqual([0, false]);
    expect(callsOf(account).slice(before)).toEqual(["build", "d1 list", "d1 migrations", "deploy", "d1 execute"]);
    expect(rows(account, "SELECT count(*) AS n FROM project")).toEqual([{ n: 1 }]);
  });

  it("broken off between code and tables it goes on when it is run again", async () => {
    const account = newAccount();
    const broken = await deploy(account, [], { FAKE_FAILS: "d1 migrations=the network went away" });
    expect(broken).toEqual({
      code: 1,
      output: expect.stringContaining("Deploy again: it goes on where it was.\nthe network went away"),
    });
    const again = await deploy(account);
    expect(again).toEqual({
      code: 0,
      output: expect.stringContaining("Make one: npm run deploy -- --owner you@example.com"),
    });
    expect(rows(account, "SELECT count(*) AS n FROM project")).toEqual([{ n: 0 }]);
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
    expect(staging).toEqual({
      code: 0,
      output: expect.stringContaining("https://staging.example.com/dashboard/#/sign-in"),
    });
    expect(readdirSync(account).filter((name) => name.endsWith(".sqlite"))).toEqual(["graticule-staging.sqlite"]);
    const calls = readFileSync(join(account, "calls.txt"), "utf8");
    expect(calls).toContain("deploy --env staging --domain staging.example.com");
    expect(calls).toContain("d1 migrations apply graticule-staging --remote --env staging");
  });

  it("a name that is taken is told with what to do", async () => {
    const account = newAccount();
    const taken = await deploy(account, [], {
      FAKE_FAILS: "deploy=A request to the Cloudflare API failed. The bucket already exists [code: 10004]",
    });
    expect(taken).toEqual({
      code: 1,
      output: expect.stringMatching(/\[code: 10004\]\n\nThe bucket's name is taken\. Put another bucket_name/),
    });
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
  expect(scripts.deploy).toBe("node src/cli/deploy.ts");
  for (const binding of ["DB", "GEODATA"]) expect(cloudflare.bindings[binding].description.length).toBeGreaterThan(20);
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
