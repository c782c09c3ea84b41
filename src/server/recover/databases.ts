import { CommandError } from "../base/command.ts";
import { runWrangler } from "../base/wrangler.ts";

/** Wrangler asks back in a terminal; the command has asked for `--restore` already. */
const UNATTENDED = { CI: "1" };

/** The bookmark of a database at a time (`wrangler d1 time-travel info`). @throws CommandError */
export function databaseAt(name: string, time: string): string {
  const words = ["d1", "time-travel", "info", name, `--timestamp=${time}`, "--json"];
  const said = runWrangler(words, `Could not read the history of ${name}.`, "pipe", UNATTENDED);
  return textIn(said, "bookmark", name);
}

/** Restores it. @returns the bookmark before, which undoes it */
export function restoreDatabase(name: string, bookmark: string): string {
  const words = ["d1", "time-travel", "restore", name, `--bookmark=${bookmark}`, "--json"];
  const said = runWrangler(words, `Could not restore ${name}.`, "pipe", UNATTENDED);
  return textIn(said, "previous_bookmark", name);
}

/** Wrangler may write notes before its JSON. */
function textIn(said: string, field: string, name: string): string {
  try {
    const value = JSON.parse(said.slice(said.indexOf("{")))[field];
    if (typeof value === "string") return value;
  } catch {
    // not JSON
  }
  throw new CommandError(`wrangler returned no ${field} of ${name}: ${said.trim().slice(0, 300)}`);
}
