import { readFileSync } from "node:fs";
import { join } from "node:path";
import { knownMigrations } from "../data/local-database.ts";
import { geodataBucketName } from "../geodata/geodata-bucket.ts";
import { databaseConfigs, ROOT } from "../wrangler.ts";

interface Planned {
  environment?: string | undefined;
  domain?: string | undefined;
  /** Variables that are set here and become secrets. */
  secrets: readonly string[];
  /** CPU time of a start, as text; absent: not measured. */
  startup?: string;
  /** Names of the account's databases; undefined without access to the account. */
  databases?: readonly string[] | undefined;
}

/** What a deployment creates and sets, as wrangler.toml specifies it, for `--dry-run`. */
export function planText({ environment, domain, secrets, startup, databases }: Planned, root = ROOT): string {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const own = environment === undefined ? text : (text.split(`\n[env.${environment}]\n`)[1] ?? "");
  const first = (of: string, pattern: RegExp) => pattern.exec(of)?.[1];
  const configs = databaseConfigs(root, environment);
  const lines = configs.map((config): [string, string] => {
    const exists = databases?.includes(config.name);
    const does = exists === undefined ? "created if it does not exist" : exists ? "exists" : "created";
    return ["D1 database", `${config.name} (${config.binding}): ${does}, ${knownMigrations(config).length} migrations`];
  });
  const classes = [...text.matchAll(/^(\w+) = \{ type = "durable-object"/gm)].map(([, name]) => name);
  const cpu = first(text, /^\[limits\]\ncpu_ms = ([\d_]+)/m)?.replaceAll("_", "");
  const sampling = first(text, /^\[observability\]\n(?:.*\n)*?head_sampling_rate = ([\d.]+)/m);
  const rows: [what: string, value: string][] = [
    ["Worker", `${first(own, /^name\s*=\s*"([^"]+)"/m)}${domain ? ` at https://${domain}` : ""}`],
    ...lines,
    ["R2 bucket", `${geodataBucketName(root, environment)}: created if it does not exist`],
    ["Durable Objects", classes.join(", ")],
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
