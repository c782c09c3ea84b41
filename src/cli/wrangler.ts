import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { CommandError } from "./command.ts";

/** The folder of package.json and wrangler.toml; every command works on it, wherever it was called from. */
export const ROOT = resolve(import.meta.dirname, "../..");

/**
 * The script behind the `wrangler` command, without the shim that starts a second Node; tests put another in its place. Found when it
 * is needed: where only a server runs (Dockerfile) it is not installed.
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
  name: string;
  /** Names its file on this machine. */
  id: string;
  /** Folder of the SQL files, absolute. */
  migrations: string;
}

/**
 * The D1 database as wrangler.toml declares it: one table with one string per line. The deployed one is found by its name.
 * @param environment of `[env.…]`; undefined for the top of the file
 */
export function databaseConfig(root = ROOT, environment?: string): DatabaseConfig {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const heading = environment === undefined ? "d1_databases" : `env.${environment}.d1_databases`;
  const at = text.indexOf(`\n[[${heading}]]\n`);
  if (at < 0) throw new CommandError(`wrangler.toml has no [[${heading}]].`);
  const table = /^\n\[\[.*\n((?:(?!\[).*\n?)*)/.exec(text.slice(at))?.[1] ?? "";
  const read = (key: string) => new RegExp(`^${key}\\s*=\\s*"([^"]*)"`, "m").exec(table)?.[1];
  const value = (key: string): string => {
    const found = read(key);
    if (!found) throw new CommandError(`wrangler.toml names no ${key} under [[${heading}]].`);
    return found;
  };
  const migrations = join(root, value("migrations_dir"));
  return { name: value("database_name"), id: read("preview_database_id") ?? value("database_id"), migrations };
}

/** The Worker's name as wrangler.toml says it. */
export function workerName(root = ROOT): string {
  const name = /^name\s*=\s*"([^"]+)"/m.exec(readFileSync(join(root, "wrangler.toml"), "utf8"))?.[1];
  if (!name) throw new CommandError("wrangler.toml names no Worker.");
  return name;
}
