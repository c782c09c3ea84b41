import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { hashKey } from "../core/auth/key.ts";
import { type FilledDemo, fillDemoData } from "../demo/day/fill.ts";
import { readLiveList } from "../importer/publish/live-list.ts";
import { streamReporter } from "../importer/report/reporter.ts";
import { CommandError } from "./base/command.ts";
import { ROOT } from "./base/wrangler.ts";
import { query } from "./data/database.ts";
import { writeDemoFigures } from "./data/demo-figures.ts";
import { openLocalDatabase } from "./data/local-database.ts";
import { openGeodataBucket } from "./geodata/geodata-bucket.ts";
import type { DevKeys } from "./project/dev-keys.ts";

/** Imports the demo town where it is not live yet, as `npm run import -- --demo` does. */
export async function prepareDemoTown(state: string): Promise<void> {
  const bucket = openGeodataBucket({ remote: false, state });
  try {
    const { list } = await readLiveList(bucket);
    if (list.builds.some(({ name }) => name === "demo")) return;
  } finally {
    bucket.close();
  }
  console.log("Importing the demo town (only the first time).");
  const script = resolve(ROOT, "src/server/import.ts");
  const child = spawn(process.execPath, [script, "--demo", "--persist-to", state], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise<number | null>((ended) => child.once("exit", ended));
  if (code !== 0) throw new CommandError("Could not import the demo town. See the error above.");
}

/** Fills the project, with a bar. On failure, logs the reason and keeps the server running. */
export async function showDemoDay(
  state: string,
  { baseUrl, testSecret }: DevKeys,
  isLeaving: () => boolean,
): Promise<void> {
  const begun = Date.now();
  const bar = streamReporter(process.stdout).begin("demo data");
  bar.expect(100);
  let percent = 0;
  try {
    const filled = await fillDemoData({ baseUrl, key: testSecret, now: begun }, (share) => {
      const now = Math.floor(share * 100);
      bar.advance(now - percent);
      percent = now;
    });
    // What the Worker has counted so far is in the database once it has answered.
    await fetch(`${baseUrl}/v1/stats?step=day&kinds=calls,users`, { headers: { authorization: testSecret } });
    await writeFigures(state, testSecret, { filled, now: begun, end: Date.now() });
    bar.end();
    const seconds = Math.round((Date.now() - begun) / 1000);
    console.log(
      `30 days of ${filled.people} people: ${filled.updates} positions, ${filled.trips} trips in ${seconds} s.\n`,
    );
  } catch (error) {
    bar.end();
    if (!isLeaving())
      console.error(`The demo data is not complete: ${error instanceof Error ? error.message : error}\n`);
  }
}

/** Writes what is of the past and no endpoint can write. */
async function writeFigures(
  state: string,
  key: string,
  about: { filled: FilledDemo; now: number; end: number },
): Promise<void> {
  const database = openLocalDatabase(state);
  const bucket = openGeodataBucket({ remote: false, state });
  try {
    const [row] = await query(database, "SELECT project FROM api_key WHERE hash = ?", await hashKey(key));
    await writeDemoFigures(database, bucket, { project: Number(row.project), ...about });
  } finally {
    bucket.close();
    database.close();
  }
}
