import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { databaseConfigs } from "./base/wrangler.ts";
import { databaseAt, restoreDatabase } from "./recover/databases.ts";
import { eachPage, type RecoveredObject } from "./recover/objects.ts";

const USAGE = "npm run recover -- --at TIME [--url URL] [--restore]";

const HELP = `${USAGE}

Reports, or restores, a deployment on Cloudflare at an earlier time: the databases by D1's Time Travel, and the Durable Objects (positions and
histories of devices, queues of webhooks, jobs, campaigns) by their point-in-time recovery. Both reach back 30 days. docs/backup.md

  --at TIME          such as 2026-11-26T12:00:00Z
  --url URL          the deployment, for its Durable Objects; needs its secret in the environment variable RECOVERY_TOKEN. Without it, only the
                     databases
  --restore          restore; otherwise nothing is changed
  --after CURSOR     resume with the Durable Objects where an earlier run stopped; the databases are left as they are
  --log FILE         what was restored, with the bookmarks that undo it, as JSON lines (recovery-TIME.jsonl)
  --json             one JSON value, for scripts`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      at: { type: "string" },
      url: { type: "string" },
      restore: { type: "boolean", default: false },
      after: { type: "string" },
      log: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.length > 0) throw new UsageError(`Unknown argument "${positionals[0]}".`);
  const at = Date.parse(values.at ?? "");
  if (!Number.isFinite(at)) throw new UsageError("Specify --at and a time, such as 2026-11-26T12:00:00Z.");
  if (at > Date.now()) throw new UsageError("--at must be in the past.");
  const token = process.env.RECOVERY_TOKEN;
  if (values.url !== undefined && !token)
    throw new CommandError(
      "Set RECOVERY_TOKEN to the deployment's secret of this name (npx wrangler secret put RECOVERY_TOKEN).",
    );
  const time = new Date(at).toISOString();
  const { restore } = values;
  const path = resolve(values.log ?? `recovery-${time.replaceAll(":", "-")}.jsonl`);
  const note = (entry: object) => {
    if (restore) appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  };
  const say = (line: string) => {
    if (!values.json) console.log(line);
  };

  const bookmarks = values.after === undefined ? visitDatabases(time, restore, note, say) : {};
  if (values.url === undefined) {
    say("Durable Objects: not included. Specify --url and RECOVERY_TOKEN.");
    if (values.json) console.log(JSON.stringify({ at: time, restored: restore, databases: bookmarks }));
    return;
  }
  const asked = { url: values.url, token: token as string, at: time, restore, after: values.after };
  const { counts, failed } = await visitObjects(asked, note, say);
  if (values.json)
    return console.log(JSON.stringify({ at: time, restored: restore, databases: bookmarks, objects: counts, failed }));
  for (const { object, error } of failed) console.log(`  ${object}: ${error}`);
  console.log(
    restore
      ? `Restored ${counts.reached} Durable Objects; ${counts.failed} failed. The log with the bookmarks that undo it: ${path}`
      : `${counts.reached} Durable Objects have a state at ${time}; ${counts.failed} do not (those created later). To restore: --restore`,
  );
}

/** Reports or restores all databases; returns their bookmarks at the time, by name. */
function visitDatabases(
  time: string,
  restore: boolean,
  note: (entry: object) => void,
  say: (line: string) => void,
): Record<string, string> {
  const bookmarks: Record<string, string> = {};
  for (const { name } of databaseConfigs()) {
    const bookmark = databaseAt(name, time);
    bookmarks[name] = bookmark;
    if (!restore) {
      say(`${name}: at ${time} it was at bookmark ${bookmark}`);
      continue;
    }
    const undo = restoreDatabase(name, bookmark);
    note({ database: name, bookmark, undo });
    say(`${name}: restored to ${time}. Undo: npx wrangler d1 time-travel restore ${name} --bookmark=${undo}`);
  }
  return bookmarks;
}

/** Reports or restores all Durable Objects; returns how many there were, and the first that failed. */
async function visitObjects(
  asked: Parameters<typeof eachPage>[0],
  note: (entry: object) => void,
  say: (line: string) => void,
) {
  const counts = { reached: 0, failed: 0 };
  const failed: RecoveredObject[] = [];
  for await (const { objects, cursor } of eachPage(asked)) {
    for (const one of objects) {
      counts[one.error === undefined ? "reached" : "failed"]++;
      note(one);
      if (one.error !== undefined && failed.length < 10) failed.push(one);
    }
    if (cursor !== undefined) say(`Durable Objects: ${counts.reached + counts.failed}; to resume: --after '${cursor}'`);
  }
  return { counts, failed };
}

await runCommand(main, USAGE);
