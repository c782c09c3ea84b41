import { existsSync } from "node:fs";
import { CommandError, UsageError } from "../../base/command.ts";
import type { BackupPlace } from "../place.ts";
import { HISTORY, historyKey, momentOf } from "./history.ts";

async function momentsIn(place: BackupPlace): Promise<number[]> {
  const keys = [...(await place.sizes(HISTORY)).keys()];
  const moments = keys.map(momentOf).filter((at) => at !== undefined);
  if (place.pathOf && !existsSync(place.where)) throw new CommandError(`There is no folder ${place.where}.`);
  if (moments.length === 0) throw new CommandError(`${place.where} contains no continuous backup (--every).`);
  return moments.sort((a, b) => a - b);
}

/** An error of a backup that cannot be restored, with the way to its other moments if there are any. */
export async function orAnotherMoment(place: BackupPlace, error: unknown): Promise<unknown> {
  if (!(error instanceof CommandError)) return error;
  const moments = await momentsIn(place).catch(() => []);
  if (moments.length === 0) return error;
  const first = error.message.replace(/ (Rerun npm run backup into it, or use|Use) another backup\.$/, "");
  return new CommandError(
    `${first} Its ${moments.length === 1 ? "moment is" : `${moments.length} moments are`} listed by --list and restored by --at.`,
  );
}

/** @returns a line for each moment that can be restored, the oldest first */
export async function momentsOf(place: BackupPlace): Promise<string> {
  return (await momentsIn(place)).map((at) => new Date(at).toISOString()).join("\n");
}

/** @param text ISO 8601, as `momentsOf` prints it @returns the key of the newest manifest until then */
export async function keyUntil(place: BackupPlace, text: string): Promise<string> {
  const until = Date.parse(text);
  const [, date] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  // JavaScript takes the 31st of November for the 1st of December.
  const isDay = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  if (!isDay || Number.isNaN(until))
    throw new UsageError(`--at must be a time with its zone, such as 2026-11-26T12:00:00Z, not "${text}".`);
  const moments = await momentsIn(place);
  const at = moments.findLast((moment) => moment <= until);
  if (at === undefined)
    throw new CommandError(
      `The oldest moment in ${place.where} is ${new Date(moments[0]).toISOString()}, later than ${text}.`,
    );
  return historyKey(at);
}
