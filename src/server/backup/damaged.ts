import { CommandError } from "../base/command.ts";
import type { BackupPlace } from "./place.ts";

/** An object of a backup that is missing or corrupt. Trying again does not help. */
export class DamagedBackup extends CommandError {}

export function damaged({ where }: BackupPlace, key: string, isThere: boolean): DamagedBackup {
  return new DamagedBackup(
    `${where} is damaged: ${key} is ${isThere ? "corrupt" : "missing"}. Nothing was restored. Use another backup.`,
  );
}
