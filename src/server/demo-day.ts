import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fillDemoData } from "../demo/day/fill.ts";
import { readLiveList } from "../importer/publish/live-list.ts";
import { CommandError } from "./base/command.ts";
import { ROOT } from "./base/wrangler.ts";
import { openGeodataBucket } from "./geodata/geodata-bucket.ts";

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

/** Fills the project. On failure, logs the reason and keeps the server running. */
export async function showDemoDay(baseUrl: string, key: string, isLeaving: () => boolean): Promise<void> {
  const begun = Date.now();
  try {
    const day = await fillDemoData({ baseUrl, key, now: begun }, (text) => console.log(`  ${text}`));
    const seconds = Math.round((Date.now() - begun) / 1000);
    console.log(`Demo data: ${day.people} people, ${day.updates} positions, ${day.trips} trips in ${seconds} s.\n`);
  } catch (error) {
    if (!isLeaving())
      console.error(`The demo data is not complete: ${error instanceof Error ? error.message : error}\n`);
  }
}
