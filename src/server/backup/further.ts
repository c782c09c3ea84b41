import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../base/command.ts";
import type { BackupManifest } from "./manifest.ts";

/** @param named bindings of the further databases that wrangler.toml names @throws CommandError for one that it does not */
export function refuseUnnamed({ further = {} }: BackupManifest, named: readonly string[]): void {
  const missing = Object.keys(further).filter((binding) => !named.includes(binding));
  if (missing.length === 0) return;
  throw new CommandError(
    `The backup has projects in ${missing.join(", ")}, which wrangler.toml does not define. Add it as described in docs/databases.md, then restore again.`,
  );
}

/** Restarts unfinished moves, so that a backup does not need the rows that they have copied. */
export function takeMovesBack(path: string): void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    database.exec(
      "UPDATE project_move SET step = 'undo', at = NULL, leased_until = 0 WHERE step IN ('begin', 'copy', 'compare', 'last')",
    );
  } finally {
    database.close();
  }
}
