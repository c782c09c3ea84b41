import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import {
  bucketBinding,
  compareBindings,
  isDatabaseBinding,
  JURISDICTIONS,
  type Jurisdiction,
  jurisdictionOf,
} from "../../worker/platform/jurisdiction.ts";
import { CommandError } from "./command.ts";

/** The folder of package.json and wrangler.toml; every command works on it, wherever it was called from. */
export const ROOT = resolve(import.meta.dirname, "../../..");

/**
 * The script of the `wrangler` command, without the shim that starts a second Node; tests replace it. Resolved on
 * demand, because server-only images (Dockerfile) don't contain it.
 */
export function wranglerScript(): string {
  return process.env.GRATICULE_WRANGLER ?? createRequire(import.meta.url).resolve("wrangler");
}

/**
 * No telemetry, no banner, no update check, no log files at home, no fetch of `request.cf`: nothing here needs a
 * network.
 */
export const QUIET = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
  WRANGLER_WRITE_LOGS: "false",
};

/**
 * Runs wrangler to its end; its output is shown as it comes, or only when it fails.
 * @throws CommandError that begins with `failure`
 */
export function runWrangler(
  args: readonly string[],
  failure: string,
  output: "inherit" | "pipe" = "pipe",
  environment: NodeJS.ProcessEnv = {},
): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", wranglerScript(), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET, ...environment },
    stdio: ["inherit", output, output],
    encoding: "utf8",
  });
  if (status !== 0) throw new CommandError([failure, stdout?.trim(), stderr?.trim()].filter(Boolean).join("\n"));
  return stdout ?? "";
}

export interface DatabaseConfig {
  /** DB, DB_2 …, DB_EU … */
  binding: string;
  name: string;
  /** Names its file on this machine. */
  id: string;
  /** Folder of the SQL files, absolute. */
  migrations: string;
}

/** The first D1 database as wrangler.toml declares it, which holds what is common. */
export function databaseConfig(root = ROOT, environment?: string): DatabaseConfig {
  return databaseConfigs(root, environment)[0];
}

/**
 * The D1 databases as wrangler.toml declares them, each a table with one string per line: DB, and DB_2, DB_3 …, DB_EU … in their order.
 * Deployed ones are found by their names.
 * @param environment of `[env.…]`; undefined for the top of the file
 */
export function databaseConfigs(root = ROOT, environment?: string): DatabaseConfig[] {
  const { heading, tables } = tablesOf("d1_databases", root, environment);
  if (tables.length === 0) throw new CommandError(`wrangler.toml has no [[${heading}]].`);
  const configs = tables.map((table) => configOf(root, heading, table));
  const ofProjects = configs.filter(({ binding }) => isDatabaseBinding(binding));
  ofProjects.sort((a, b) => compareBindings(a.binding, b.binding));
  if (ofProjects[0]?.binding !== "DB")
    throw new CommandError(`wrangler.toml has no [[${heading}]] with the binding DB.`);
  return ofProjects;
}

/** Which files the databases of wrangler.toml are on this machine. */
export function databaseIds(): { databaseId: string; further: Record<string, string> } {
  const [first, ...others] = databaseConfigs();
  return { databaseId: first.id, further: Object.fromEntries(others.map(({ binding, id }) => [binding, id])) };
}

/** The tables of a kind of binding in wrangler.toml, as text. */
function tablesOf(kind: string, root: string, environment?: string): { heading: string; tables: string[] } {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const heading = environment === undefined ? kind : `env.${environment}.${kind}`;
  const [, ...rests] = text.split(`\n[[${heading}]]\n`);
  return { heading, tables: rests.map((rest) => /^(?:(?!\[).*\n?)*/.exec(rest)?.[0] ?? "") };
}

const valueIn = (table: string, key: string) => new RegExp(`^${key}\\s*=\\s*"([^"]*)"`, "m").exec(table)?.[1];

export interface JurisdictionBucket {
  jurisdiction: Jurisdiction;
  binding: string;
  name: string;
}

/**
 * The buckets of the jurisdictions that have a database in wrangler.toml.
 * @throws CommandError if one is missing, or is not in its jurisdiction
 */
export function jurisdictionBuckets(root = ROOT, environment?: string): JurisdictionBucket[] {
  const { heading, tables } = tablesOf("r2_buckets", root, environment);
  const databases = databaseConfigs(root, environment);
  const declared = JURISDICTIONS.filter((one) => databases.some(({ binding }) => jurisdictionOf(binding) === one));
  return declared.map((jurisdiction) => {
    const binding = bucketBinding(jurisdiction);
    const table = tables.find((one) => valueIn(one, "binding") === binding) ?? "";
    const name = valueIn(table, "bucket_name");
    if (name && valueIn(table, "jurisdiction") === jurisdiction) return { jurisdiction, binding, name };
    throw new CommandError(
      `wrangler.toml needs a bucket with the binding ${binding} for the files of projects in this jurisdiction:\n\n[[${heading}]]\nbinding = "${binding}"\nbucket_name = "graticule-${jurisdiction}"\njurisdiction = "${jurisdiction}"\n\nSee docs/residency.md.`,
    );
  });
}

function configOf(root: string, heading: string, table: string): DatabaseConfig {
  const read = (key: string) => valueIn(table, key);
  const value = (key: string): string => {
    const found = read(key);
    if (!found) throw new CommandError(`wrangler.toml has no ${key} under [[${heading}]].`);
    return found;
  };
  const migrations = join(root, value("migrations_dir"));
  return {
    binding: value("binding"),
    name: value("database_name"),
    id: read("preview_database_id") ?? value("database_id"),
    migrations,
  };
}

/** The Worker's name as wrangler.toml says it. */
export function workerName(root = ROOT): string {
  const name = /^name\s*=\s*"([^"]+)"/m.exec(readFileSync(join(root, "wrangler.toml"), "utf8"))?.[1];
  if (!name) throw new CommandError("wrangler.toml has no Worker name.");
  return name;
}
