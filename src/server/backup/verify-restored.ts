import { DatabaseSync } from "node:sqlite";
import { LATE_INTERVALS } from "../../core/webhooks/alerts.ts";
import { CommandError } from "../base/command.ts";
import { localDatabasePath } from "../data/local-database.ts";
import type { BackupManifest } from "./manifest.ts";
import { restoredObjects } from "./objects-pack.ts";
import type { BackupPlace } from "./place.ts";
import type { WholeBackup } from "./read-backup.ts";
import type { LocalPlace } from "./take-local.ts";
import { tablesOf } from "./write-backup.ts";

/**
 * Compares a restored state with its backup: SQLite's own check of each database and each Durable Object, rows of each table, objects of each class.
 * @returns a sentence for the operator @throws CommandError naming what differs
 */
export function verified({ manifest }: WholeBackup, to: LocalPlace, { where }: BackupPlace): string {
  const parts = Object.entries({ DB: manifest.database, ...manifest.further });
  let rows = 0;
  for (const [binding, part] of parts) {
    const id = binding === "DB" ? to.databaseId : String(to.further?.[binding]);
    const database = new DatabaseSync(localDatabasePath(to.state, id), { readOnly: true });
    try {
      requireIntact(database, binding, where);
      for (const table of tablesOf(database)) {
        // A newer program's migrations add tables, which the backup does not have.
        const expected = part.rows[table];
        const found = Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n);
        if (expected !== undefined && found !== expected)
          throw new CommandError(`${where} differs once restored: ${table} has ${found} rows, not ${expected}.`);
        rows += found;
      }
      const missing = Object.keys(part.rows).filter((table) => !tablesOf(database).includes(table));
      if (missing.length > 0) throw new CommandError(`${where} differs once restored: ${missing[0]} is missing.`);
    } finally {
      database.close();
    }
  }
  let objects = 0;
  for (const [name, expected] of Object.entries(manifest.objects?.counts ?? {})) {
    const paths = restoredObjects(to.state, to.worker, name);
    if (paths.length !== expected)
      throw new CommandError(`${where} differs once restored: ${paths.length} objects of ${name}, not ${expected}.`);
    for (const path of paths) {
      const database = new DatabaseSync(path, { readOnly: true });
      try {
        requireIntact(database, `${name} ${path.slice(path.lastIndexOf("/") + 1)}`, where);
      } finally {
        database.close();
      }
      objects++;
    }
  }
  const counted = (count: number) => count.toLocaleString("en-US");
  return `${where} of ${manifest.madeAt} was restored into a scratch folder and is intact: ${counted(rows)} rows and ${counted(objects)} Durable Objects are as in the backup.`;
}

/**
 * How old a moment is.
 * @throws CommandError if the newest moment of continuous backups is older than three of their intervals
 */
export function ageSentence(
  { madeAt, everyMs }: BackupManifest,
  where: string,
  { isNewest, now }: { isNewest: boolean; now: number },
): string {
  const age = `${Math.max(0, Math.round((now - Date.parse(madeAt)) / 1000)).toLocaleString("en-US")} s`;
  if (!isNewest) return `This moment is ${age} old.`;
  if (everyMs !== undefined && now - Date.parse(madeAt) > LATE_INTERVALS * everyMs)
    throw new CommandError(
      `The newest moment in ${where} is ${age} old, more than three intervals of ${everyMs / 1000} s: backups are not made any more. Check the server: npm run doctor`,
    );
  return `The newest moment is ${age} old.`;
}

function requireIntact(database: DatabaseSync, name: string, where: string): void {
  const [first] = database.prepare("PRAGMA quick_check(1)").all();
  const found = String(Object.values(first ?? {})[0]);
  if (found !== "ok") throw new CommandError(`${where} is damaged once restored: ${name}: ${found}`);
}
