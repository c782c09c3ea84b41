import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Jurisdiction, jurisdictionOf } from "../../worker/platform/jurisdiction.ts";
import { CommandError } from "../base/command.ts";
import { type DatabaseConfig, databaseConfigs, jurisdictionBuckets, ROOT } from "../base/wrangler.ts";
import { knownMigrations } from "../data/local-database.ts";
import { geodataBucketName } from "../geodata/geodata-bucket.ts";

interface Planned {
  environment?: string | undefined;
  domain?: string | undefined;
  /** Variables that are set here and become secrets. */
  secrets: readonly string[];
  /** CPU time of a start, as text; absent: not measured. */
  startup?: string;
  /** The account's databases; undefined without access to the account. */
  databases?: readonly AccountDatabase[] | undefined;
}

/** A database as `wrangler d1 list` reports it. */
export interface AccountDatabase {
  name: string;
  jurisdiction?: string | null;
}

/** What a deployment creates and sets, as wrangler.toml specifies it, for `--dry-run`. */
export function planText({ environment, domain, secrets, startup, databases }: Planned, root = ROOT): string {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const own = environment === undefined ? text : (text.split(`\n[env.${environment}]\n`)[1] ?? "");
  const first = (of: string, pattern: RegExp) => pattern.exec(of)?.[1];
  const configs = databaseConfigs(root, environment);
  const lines = configs.map((config): [string, string] => {
    const wanted = jurisdictionOf(config.binding);
    const existing = databases?.find(({ name }) => name === config.name);
    const isElsewhere = wanted && existing && existing.jurisdiction !== wanted;
    const exists = isElsewhere ? "exists, but not there: set another database_name" : existing ? "exists" : "created";
    const does = `${databases ? exists : "created if it does not exist"}${wanted ? ` (jurisdiction ${wanted})` : ""}`;
    return ["D1 database", `${config.name} (${config.binding}): ${does}, ${knownMigrations(config).length} migrations`];
  });
  const places = [...new Set(configs.flatMap(({ binding }) => jurisdictionOf(binding) ?? []))];
  const classes = [...text.matchAll(/^(\w+) = \{ type = "durable-object"/gm)].map(([, name]) => name);
  const cpu = first(text, /^\[limits\]\ncpu_ms = ([\d_]+)/m)?.replaceAll("_", "");
  const sampling = first(text, /^\[observability\]\n(?:.*\n)*?head_sampling_rate = ([\d.]+)/m);
  const rows: [what: string, value: string][] = [
    ["Worker", `${first(own, /^name\s*=\s*"([^"]+)"/m)}${domain ? ` at https://${domain}` : ""}`],
    ...lines,
    ["R2 bucket", `${geodataBucketName(root, environment)}: created if it does not exist`],
    ...jurisdictionBuckets(root, environment).map(({ jurisdiction, binding, name }): [string, string] => [
      "R2 bucket",
      `${name} (${binding}): created if it does not exist (jurisdiction ${jurisdiction})`,
    ]),
    [
      "Durable Objects",
      `${classes.join(", ")}${places.length > 0 ? `; of projects there in ${places.join(", ")}` : ""}`,
    ],
    ["Cron triggers", first(text, /^crons = \[(.*)\]/m)?.replaceAll('"', "") ?? "none"],
    ["Secrets", secrets.length > 0 ? secrets.join(", ") : "none are set in the environment"],
    ["CPU limit", cpu === undefined ? "that of the plan" : `${cpu} ms per invocation (paid plan)`],
    ...(startup === undefined ? [] : [["Start-up CPU", startup] as [string, string]]),
    ["Logs", sampling === undefined ? "all lines" : `${Number(sampling) * 100} % of the lines in Workers Logs`],
    ["Permissions", `Workers Scripts Edit, D1 Edit, Workers R2 Storage Edit${domain ? ", Workers Routes Edit" : ""}`],
  ];
  const width = Math.max(...rows.map(([what]) => what.length)) + 2;
  return rows.map(([what, value]) => `${what.padEnd(width)}${value}`).join("\n");
}

/**
 * The databases of jurisdictions that the account lacks.
 * @throws CommandError if one of them exists elsewhere
 */
export function databasesToCreate(
  configs: readonly Pick<DatabaseConfig, "binding" | "name">[],
  found: readonly AccountDatabase[],
): { name: string; jurisdiction: Jurisdiction }[] {
  return configs.flatMap(({ binding, name }) => {
    const jurisdiction = jurisdictionOf(binding);
    const existing = found.find((one) => one.name === name);
    if (!jurisdiction || existing?.jurisdiction === jurisdiction) return [];
    if (!existing) return [{ name, jurisdiction }];
    throw new CommandError(
      `The database ${name} (${binding}) exists, but not in the jurisdiction ${jurisdiction}. A database cannot be moved there. Set another database_name in wrangler.toml, then redeploy.`,
    );
  });
}
