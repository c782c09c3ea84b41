import { spawnSync } from "node:child_process";
import { CommandError } from "../base/command.ts";
import { databaseConfig, QUIET, ROOT, wranglerScript } from "../base/wrangler.ts";
import type { Database, Row, Statement, Value } from "./database.ts";

/**
 * A database accessed by `wrangler d1 execute`: with `--remote` the deployed one, with the operator's own login. A
 * batch is one command, and D1 runs the statements of one command as one transaction.
 * @param where the options that say which deployment: `["--remote"]`
 * @param name of the database; absent: the first of wrangler.toml
 */
export function openRemoteDatabase(where: string[] = ["--remote"], name = firstName(where)): Database {
  const ask = (statements: Statement[]): Answer[] => {
    const command = statements.map(inlineValues).join(";\n");
    const args = [wranglerScript(), "d1", "execute", name, ...where, "--json", "--yes", "--command", command];
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", ...args], {
      cwd: ROOT,
      env: { ...process.env, ...QUIET },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (status !== 0) throw new CommandError(`The database did not answer.\n${errorText(stdout, stderr)}`);
    return JSON.parse(stdout) as Answer[];
  };
  return {
    async batch(statements) {
      const answers = ask(statements);
      return statements.map((_, index) => answers[index].results ?? []);
    },
    async size() {
      const [answer] = ask([{ sql: "SELECT 1" }]);
      if (answer.meta?.size_after === undefined) throw new CommandError(`D1 returned no size for ${name}.`);
      return answer.meta.size_after;
    },
    close() {},
  };
}

/** Result of a statement, from wrangler. */
interface Answer {
  results?: Row[];
  meta?: { size_after?: number };
}

function firstName(where: readonly string[]): string {
  const environment = (where.includes("--env") && where[where.indexOf("--env") + 1]) || undefined;
  return databaseConfig(ROOT, environment).name;
}

/** The text of a statement with its values written in, as `wrangler d1 execute` takes no parameters. */
export function inlineValues({ sql, values = [] }: Statement): string {
  let next = 0;
  const text = sql.replace(/\?/g, () => literal(values[next++]));
  if (next !== values.length) throw new Error(`${values.length} values for ${next} placeholders: ${sql}`);
  return text;
}

/** Returns a value as an SQL literal. Doubles quotes; rejects NUL, where SQLite would stop reading. */
function literal(value: Value | undefined): string {
  if (value === null) return "NULL";
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "string" && !value.includes("\0")) return `'${value.replaceAll("'", "''")}'`;
  throw new CommandError(`Value cannot be written as SQL: ${JSON.stringify(value)}.`);
}

/** With --json, wrangler writes its errors as JSON on stdout. */
function errorText(stdout: string, stderr: string): string {
  try {
    const { error } = JSON.parse(stdout) as { error?: { text?: string; notes?: { text: string }[] } };
    if (error?.text) return [error.text, ...(error.notes ?? []).map((note) => note.text)].join("\n");
  } catch {
    // not JSON: what it wrote is shown as it is
  }
  return (stderr || stdout).trim();
}
