import { DatabaseSync } from "node:sqlite";
import { cellAt } from "../../../src/core/geo/cells/cells.ts";
import { databaseConfig } from "../../../src/server/base/wrangler.ts";
import { localDatabasePath } from "../../../src/server/data/local-database.ts";
import { USER_CELL_RESOLUTION } from "../../../src/worker/db/customers/writes.ts";
import { randomPoint } from "./fences.ts";

const DAY_MS = 24 * 3600_000;
/** On how many days before today they were seen last. */
const DAYS = 30;
const PART = 50_000;

/**
 * Puts users into a database as their trackers would have, over the last thirty days, in an area of `times` × `times` that of the benches. Their
 * trackers have never seen them.
 * @param state a folder in which no server runs
 */
export function writeKnownUsers(
  state: string,
  scope: number,
  count: number,
  random: () => number,
  { times, told }: { times: number; told(written: number): void },
): void {
  const sqlite = new DatabaseSync(localDatabasePath(state, databaseConfig().id));
  // What a power cut would spoil is thrown away anyway.
  sqlite.exec("PRAGMA synchronous = OFF");
  const row = sqlite.prepare(
    `INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, areas, version, created_at, updated_at, doc, day)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`,
  );
  const area = sqlite.prepare("INSERT INTO user_area (scope, cell, user) VALUES (?, ?, ?)");
  const now = Date.now();
  try {
    for (let first = 0; first < count; first += PART) {
      sqlite.exec("BEGIN");
      for (let n = first; n < Math.min(count, first + PART); n++) {
        const id = `6${n.toString(16).padStart(23, "0")}`;
        const location = randomPoint(random, times);
        const { latitude, longitude } = location;
        const cell = cellAt(location, USER_CELL_RESOLUTION);
        const at = now - Math.floor(random() * DAYS * DAY_MS);
        const names = { _id: id, live: false, deviceId: `known-${n}`, userId: `user-${n}` };
        const moments = { createdAt: at, updatedAt: at, actualUpdatedAt: at, chronology: at, seq: 0 };
        const where = { location, locationAccuracy: 10, stopped: true, foreground: false };
        const nothing = { geofences: {}, left: {}, regions: {}, regionChanges: {}, nearbyChains: {} };
        const doc = JSON.stringify({ ...names, ...moments, ...where, ...nothing });
        row.run(
          ...[scope, id, names.userId, names.deviceId, latitude, longitude, cell, `[${cell}]`, at, at, doc],
          Math.floor(at / DAY_MS),
        );
        area.run(scope, cell, id);
      }
      sqlite.exec("COMMIT");
      told(Math.min(count, first + PART));
    }
    sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    sqlite.close();
  }
}
