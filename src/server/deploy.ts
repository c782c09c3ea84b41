import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ImportError } from "../importer/common/import-error.ts";
import { streamReporter } from "../importer/report/reporter.ts";
import { ensureWorld } from "../importer/run/ensure-world.ts";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { databaseConfigs, jurisdictionBuckets, ROOT, runWrangler } from "./base/wrangler.ts";
import { openRemoteDatabase } from "./data/remote-database.ts";
import { firstSteps, goingOn } from "./deploy/first-steps.ts";
import { type AccountDatabase, databasesToCreate, planText } from "./deploy/plan.ts";
import { smokeTest } from "./deploy/smoke.ts";
import { startupCpuText } from "./deploy/startup-cpu.ts";
import { deployTrouble } from "./deploy/trouble.ts";
import { GEODATA_CACHE, openGeodataBucket } from "./geodata/geodata-bucket.ts";
import { buildDashboard } from "./make/build-dashboard.ts";
import { BUNDLE_LIMIT, bundleSize } from "./make/bundle-size.ts";
import { readEmail } from "./project/members.ts";
import { VARIABLES } from "./state/variables.ts";

const USAGE = "npm run deploy -- [options]";

const HELP = `${USAGE}

Deploys to Cloudflare: creates the databases and buckets on first use (those of a jurisdiction there), applies migrations, deploys the Worker, imports the world base data,
creates a first project and its owner, and checks the deployment like npm run doctor. If a check fails, it prints a fix and exits with code 1.
Rerun it to upgrade, or to resume after an interruption. docs/deploying.md

  --env NAME        deploy another environment, defined as [env.NAME] in wrangler.toml: staging
  --domain NAME     serve at this domain of a zone in the account: maps.example.com
  --owner EMAIL     owner of the first project; otherwise you are asked
  --dry-run         only build, and print the bundle size and what a deployment creates and sets
  --help            show this help

These environment variables, if set, become secrets of the Worker: ${secretNames().join(", ")}.
Required in the environment to import geodata: R2_ACCOUNT_ID, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY.`;

/** Environment variables that become secrets. Private hosts are only for local servers. */
function secretNames(): string[] {
  return VARIABLES.filter((name) => name !== "ALLOW_PRIVATE_HOSTS");
}

/** Maximum time until a new URL is available [ms]. */
const SEEN_WITHIN = Number(process.env.GRATICULE_SEEN_WITHIN ?? 60_000);

async function deploy(): Promise<void> {
  const { values } = readArguments({
    options: {
      env: { type: "string" },
      domain: { type: "string" },
      owner: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const { env: environment, domain } = values;
  if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(domain))
    throw new UsageError(`--domain must be a name such as maps.example.com, not "${domain}".`);
  const owner = values.owner === undefined ? undefined : readEmail(values.owner);
  const configs = databaseConfigs(ROOT, environment);
  const names = configs.map(({ name }) => name);
  jurisdictionBuckets(ROOT, environment);

  await buildDashboard({ log: console.log });
  const dist = join(ROOT, "dist/worker");
  rmSync(dist, { recursive: true, force: true });
  const which = ["--env", environment ?? ""];
  runWrangler(["deploy", "--dry-run", ...which, "--outdir", dist], "The Worker build failed.");
  weigh(dist);
  if (values["dry-run"]) {
    const secrets = secretNames().filter((name) => process.env[name]);
    const startup = startupCpuText(which);
    console.log(`\n${planText({ environment, domain, secrets, startup, databases: knownDatabases() })}`);
    return;
  }

  // Tables before code: a migration only ever adds, so the code that is still running works with it. The first time the database comes with the code.
  const found = databases();
  const there = found.map(({ name }) => name);
  // Wrangler would create them outside of their jurisdiction, from which they could not be moved there.
  for (const { name, jurisdiction } of databasesToCreate(configs, found)) {
    cloudflare(["d1", "create", name, "--jurisdiction", jurisdiction], `The database ${name} was not created.`);
    console.log(`The database ${name} is created in the jurisdiction ${jurisdiction}.`);
    there.push(name);
  }
  for (const name of names) if (there.includes(name)) bringForward(name, which);
  const url = upload(which, domain);
  for (const name of names) if (!there.includes(name)) bringForward(name, which);
  console.log(`The Worker is at ${url}`);

  const database = goingOn(openRemoteDatabase(["--remote", ...which]));
  await firstSteps(database, url, console.log, async () => owner ?? ask("Email of the first project's owner: "));
  const hasWorld = await importWorld(environment);
  await untilSeen(url);
  await smokeTest(url, database, console.log, hasWorld);
  console.log(
    `\n  ${url}/dashboard\n  ${url}/docs\n\nUpgrade: git pull && npm ci && npm run deploy${environment ? ` -- --env ${environment}` : ""}`,
  );
}

function weigh(dist: string): void {
  const { raw, gzip } = bundleSize(dist);
  console.log(
    `bundle: ${kib(raw)} raw, ${kib(gzip)} gzip, ${Math.round((gzip / BUNDLE_LIMIT) * 100)}% of ${kib(BUNDLE_LIMIT)}`,
  );
  if (gzip > BUNDLE_LIMIT) throw new CommandError("The bundle exceeds the size limit of Workers.");
}

const kib = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString("en-US")} KiB`;

/** Runs wrangler. Errors of Cloudflare include a suggested fix. */
function cloudflare(args: readonly string[], failure: string, environment?: NodeJS.ProcessEnv): string {
  try {
    return runWrangler(args, failure, "pipe", environment);
  } catch (error) {
    const known = error instanceof CommandError && deployTrouble(error.message);
    throw known ? new CommandError(`${(error as Error).message}\n\n${known}`) : error;
  }
}

/** The account's databases. */
function databases(): AccountDatabase[] {
  return JSON.parse(cloudflare(["d1", "list", "--json"], "The databases could not be listed.")) as AccountDatabase[];
}

/** Undefined where this machine has no access to an account. */
function knownDatabases(): AccountDatabase[] | undefined {
  try {
    return databases();
  } catch {
    return undefined;
  }
}

function bringForward(name: string, which: readonly string[]): void {
  cloudflare(
    ["d1", "migrations", "apply", name, "--remote", ...which],
    "The migrations were not applied. Redeploy to resume.",
  );
  console.log(`Migrations of ${name} are applied.`);
}

/** Uploads code and secrets. @returns where the Worker is, without a slash at its end */
function upload(which: readonly string[], domain: string | undefined): string {
  const work = mkdtempSync(join(tmpdir(), "graticule-deploy-"));
  try {
    const secrets = Object.fromEntries(
      secretNames().flatMap((one) => (process.env[one] ? [[one, process.env[one]]] : [])),
    );
    const file = join(work, "secrets.json");
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    const output = join(work, "output.ndjson");
    const args = [
      ...["deploy", ...which],
      ...(Object.keys(secrets).length > 0 ? ["--secrets-file", file] : []),
      ...(domain ? ["--domain", domain] : []),
    ];
    const said = cloudflare(args, "The Worker was not deployed. Redeploy to resume.", {
      WRANGLER_OUTPUT_FILE_PATH: output,
    });
    for (const secret of Object.keys(secrets)) console.log(`Secret ${secret} is set.`);
    return domain ? `https://${domain}` : (targetIn(readFileSync(output, "utf8")) ?? fail(said));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Reads the URL of the deployment from wrangler's output file, one JSON object per line. */
function targetIn(output: string): string | undefined {
  for (const line of output.trim().split("\n").toReversed()) {
    const { type, targets = [] } = JSON.parse(line || "{}") as { type?: string; targets?: string[] };
    const target = type === "deploy" && targets.find((one) => /^https?:\/\/[^/ ]+/.test(one));
    if (target) return target.replace(/\/+$/, "");
  }
  return undefined;
}

function fail(said: string): never {
  throw new CommandError(
    `The Worker is deployed, but has no URL. Set one with --domain, or workers_dev = true in wrangler.toml.\n${said}`,
  );
}

async function ask(prompt: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return readEmail(await lines.question(prompt));
  } finally {
    lines.close();
  }
}

/**
 * Imports the world base data if the bucket's credentials are set. Otherwise returns false and prints how to set them.
 */
async function importWorld(environment: string | undefined): Promise<boolean> {
  const { R2_ACCOUNT_ID, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY } = process.env;
  if (!R2_ACCOUNT_ID || !R2_ACCESS_KEY_ID || !R2_SECRET_ACCESS_KEY) {
    console.log(
      "The world base data (countries, states, time zones) was not imported. Set R2_ACCOUNT_ID, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY in the environment (R2 → Manage API tokens, Object Read & Write), then redeploy.",
    );
    return false;
  }
  const bucket = openGeodataBucket({ remote: true, state: "", ...(environment && { environment }) });
  try {
    await ensureWorld(bucket, resolve(ROOT, GEODATA_CACHE), streamReporter(process.stdout));
    return true;
  } catch (error) {
    throw error instanceof ImportError
      ? new CommandError(`${error.message}\nThe Worker is deployed. Redeploy to resume with the world base data.`)
      : error;
  } finally {
    bucket.close();
  }
}

/** Waits until a new URL is available. @throws CommandError on timeout */
async function untilSeen(url: string): Promise<void> {
  const began = Date.now();
  for (; ; await sleep(Math.min(1000, SEEN_WITHIN))) {
    const answer = await fetch(`${url}/v1/ping`).catch(() => undefined);
    if (answer?.ok) return console.log("The Worker responds.");
    if (Date.now() - began >= SEEN_WITHIN) break;
  }
  throw new CommandError(
    `The Worker is deployed, but ${url} does not respond yet, so it was not checked. A new URL can take minutes to become available. Redeploy to check it. Its logs: npx wrangler tail`,
  );
}

await runCommand(deploy, USAGE);
