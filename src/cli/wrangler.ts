import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { CommandError } from "./command.ts";

/** The folder of package.json and wrangler.toml; every command works on it, wherever it was called from. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** The script behind the `wrangler` command, without the shim that starts a second Node. */
export const WRANGLER = createRequire(import.meta.url).resolve("wrangler");

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

export interface DatabaseConfig {
  name: string;
  id: string;
  /** Folder of the SQL files, absolute. */
  migrations: string;
}

/** The D1 database as wrangler.toml declares it: one table with one string per line. */
export function databaseConfig(root = ROOT): DatabaseConfig {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const table = /^\[\[d1_databases\]\]\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? "";
  const value = (key: string): string => {
    const found = new RegExp(`^${key}\\s*=\\s*"([^"]*)"`, "m").exec(table)?.[1];
    if (!found) throw new CommandError(`wrangler.toml names no ${key} under [[d1_databases]].`);
    return found;
  };
  return { name: value("database_name"), id: value("database_id"), migrations: join(root, value("migrations_dir")) };
}

/** The id that wrangler.toml comes with: it names a local database only. */
const LOCAL_ONLY = /^0{8}-/;

/**
 * The same, for commands that reach the deployed database. @throws CommandError with the first steps while there is
 * none
 */
export function deployedDatabase(): DatabaseConfig {
  const config = databaseConfig();
  if (!LOCAL_ONLY.test(config.id)) return config;
  throw new CommandError(`wrangler.toml still holds the database id it came with. Once per account:

  npx wrangler login
  npx wrangler d1 create ${config.name}     # then put the database_id it prints into wrangler.toml
  npx wrangler r2 bucket create graticule-geodata

and then: npm run deploy. Projects and keys are made with: npm run project -- create NAME --remote`);
}
