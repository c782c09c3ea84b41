import { CommandError } from "../base/command.ts";
import type { BackupPlace } from "./place.ts";

/** The error for an object of a backup that is missing or corrupt. */
export function damaged({ where }: BackupPlace, key: string, isThere: boolean): CommandError {
  return new CommandError(
    `${where} is damaged: ${key} is ${isThere ? "corrupt" : "missing"}. Nothing was restored. Use another backup.`,
  );
}
