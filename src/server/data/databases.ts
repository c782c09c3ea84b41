import {
  bucketBinding,
  isJurisdiction,
  JURISDICTIONS,
  type Jurisdiction,
  jurisdictionOf,
} from "../../worker/platform/jurisdiction.ts";
import { CommandError, UsageError } from "../base/command.ts";
import { type DatabaseConfig, databaseConfigs, ROOT } from "../base/wrangler.ts";
import { type Database, query } from "./database.ts";
import { openLocalDatabase } from "./local-database.ts";
import { openRemoteDatabase } from "./remote-database.ts";

/** The databases that wrangler.toml names, each opened when it is asked for something. */
export interface Databases {
  /** Bindings: DB, DB_2 … */
  names: string[];
  /** Size of a database [bytes], which SQLite and D1 return with each response. */
  sizeOf(name: string): Promise<number>;
}

/** Those of this machine. */
export function localDatabases(state: string, configs: readonly DatabaseConfig[] = databaseConfigs()): Databases {
  return databasesOf(configs, (config) => openLocalDatabase(state, config));
}

/** Those of a deployment. @param where the options of wrangler that say which */
export function remoteDatabases(where: string[] = ["--remote"], environment?: string): Databases {
  return databasesOf(databaseConfigs(ROOT, environment), ({ name }) => openRemoteDatabase(where, name));
}

function databasesOf(configs: readonly DatabaseConfig[], open: (config: DatabaseConfig) => Database): Databases {
  return {
    names: configs.map(({ binding }) => binding),
    async sizeOf(name) {
      const config = configs.find(({ binding }) => binding === name);
      if (!config) throw new CommandError(`wrangler.toml has no database ${name}.`);
      const database = open(config);
      try {
        return await database.size();
      } finally {
        database.close();
      }
    },
  };
}

/** Bindings in which no new project begins. */
async function closedDatabases(common: Database): Promise<Set<string>> {
  return new Set((await query(common, "SELECT name FROM closed_database")).map(({ name }) => String(name)));
}

/**
 * Where a new project lives: in the smallest of the databases of its jurisdiction that are not closed. Where there is
 * one, nothing is asked.
 * @throws CommandError if there is none
 */
export async function roomiest(
  common: Database,
  { names, sizeOf }: Databases,
  jurisdiction?: Jurisdiction,
): Promise<string> {
  if (names.length === 1 && !jurisdiction) return names[0];
  const own = names.filter((name) => jurisdictionOf(name) === jurisdiction);
  if (own.length === 0) throw new CommandError(undeclared(jurisdiction as Jurisdiction));
  const closed = await closedDatabases(common);
  const open = own.filter((name) => !closed.has(name));
  if (open.length === 0)
    throw new CommandError(
      `All databases${jurisdiction ? ` in the jurisdiction ${jurisdiction}` : ""} are closed. Open one (npm run project -- open ${own[0]}), or add one: docs/databases.md`,
    );
  const sizes = await Promise.all(open.map(sizeOf));
  return open[sizes.indexOf(Math.min(...sizes))];
}

/** What to add to wrangler.toml for the first project in a jurisdiction. */
function undeclared(jurisdiction: Jurisdiction): string {
  const place = jurisdiction.toUpperCase();
  return `wrangler.toml has no database in the jurisdiction ${jurisdiction}. Add:

[[d1_databases]]
binding = "DB_${place}"
database_name = "graticule-${jurisdiction}"
preview_database_id = "00000000-0000-0000-0000-0000000000${jurisdiction === "eu" ? "e1" : "a1"}"
migrations_dir = "migrations"

[[r2_buckets]]
binding = "${bucketBinding(jurisdiction)}"
bucket_name = "graticule-${jurisdiction}"
jurisdiction = "${jurisdiction}"

Then run npm run deploy, which creates both there, or restart npm start. See docs/residency.md`;
}

/** @throws UsageError for anything but a jurisdiction */
export function readJurisdiction(text: string): Jurisdiction {
  if (!isJurisdiction(text))
    throw new UsageError(`Unknown jurisdiction "${text}". Jurisdictions: ${JURISDICTIONS.join(", ")}.`);
  return text;
}

interface DatabaseRecord {
  name: string;
  bytes: number;
  projects: number;
  closed: boolean;
  /** Absent: in none. */
  jurisdiction?: Jurisdiction;
}

/** Each database with its size and how many projects live in it. */
export async function listDatabases(common: Database, { names, sizeOf }: Databases): Promise<DatabaseRecord[]> {
  const closed = await closedDatabases(common);
  const living = await query(common, `SELECT "database" AS name, count(*) AS projects FROM project GROUP BY 1`);
  const projectsIn = new Map(living.map((row) => [String(row.name), Number(row.projects)]));
  return Promise.all(
    names.map(async (name) => ({
      name,
      bytes: await sizeOf(name),
      projects: projectsIn.get(name) ?? 0,
      closed: closed.has(name),
      ...(jurisdictionOf(name) && { jurisdiction: jurisdictionOf(name) as Jurisdiction }),
    })),
  );
}

/** @throws CommandError for a database that wrangler.toml does not name */
export function mustBeNamed(name: string, { names }: Databases): void {
  const jurisdiction = jurisdictionOf(name);
  if (jurisdiction && !names.some((one) => jurisdictionOf(one) === jurisdiction))
    throw new CommandError(undeclared(jurisdiction));
  if (!names.includes(name))
    throw new CommandError(
      `wrangler.toml has no database ${name}, only ${names.join(", ")}. To add one, see docs/databases.md`,
    );
}

export async function setClosed(common: Database, name: string, closed: boolean): Promise<void> {
  const sql = closed
    ? "INSERT OR IGNORE INTO closed_database VALUES (?)"
    : "DELETE FROM closed_database WHERE name = ?";
  await query(common, sql, name);
}
