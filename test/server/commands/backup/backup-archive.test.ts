import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ORDERS } from "../../../../src/core/archive/orders.ts";
import { objectKey } from "../../../../src/core/archive/part.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { archiveKeysOf, copyArchive } from "../../../../src/server/backup/archive.ts";
import { openPlace } from "../../../../src/server/backup/place.ts";
import { readBackup } from "../../../../src/server/backup/read-backup.ts";
import { restoreLocal } from "../../../../src/server/backup/restore-local.ts";
import { writeBackup } from "../../../../src/server/backup/write-backup.ts";
import { query } from "../../../../src/server/data/database.ts";
import { localDatabasePath, openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { scratchFolder } from "../scratch.ts";

const folder = scratchFolder();
const placeOf = (state: string) => ({ state, worker: "graticule", databaseId: DATABASE, bucket: "graticule-geodata" });
const DATABASE = "00000000-0000-0000-0000-000000000001";
const bytesOf = (key: string) => Buffer.from(`the object ${key}`.repeat(1000));

it("a backup carries the archived events that its database names, reads none of them twice, and a damaged one is found", async () => {
  const state = join(folder, "state");
  const bucket = openLocalBucket(state, "graticule-geodata");
  const place = openPlace(join(folder, "backup"));
  const part = async (id: string) => {
    const database = openLocalDatabase(state);
    await query(
      database,
      "INSERT INTO archive_part VALUES (2, ?, 20000, 0, 1, 1, 1, 1, 'd', '[]', '[[]]', x'00ff', NULL)",
      id,
    );
    database.close();
    const keys = ORDERS.map((order) => objectKey({ scope: 2, id, day: 20000 }, order));
    for (const key of keys) await bucket.put(key, bytesOf(key));
    return keys;
  };
  const backup = async () => {
    const database = join(folder, "copy.sqlite");
    rmSync(database, { force: true });
    openLocalDatabase(state).close();
    const rows = new DatabaseSync(localDatabasePath(state, DATABASE));
    rows.exec(`VACUUM INTO '${database}'`);
    rows.close();
    const archive = await copyArchive(bucket, archiveKeysOf([database]), place);
    const geodata = { whole: false, objects: 0, builds: [] };
    const about = { from: "local" as const, madeAt: new Date(), worker: "graticule", uploads: [] };
    return writeBackup({ ...about, database, geodata, archive }, place);
  };
  expect((await backup()).archive).toBeUndefined();
  const keys = [...(await part("a")), ...(await part("b"))];
  await bucket.put("archive/events/of-no-part.parquet", Buffer.from("x"));
  expect((await backup()).archive?.map(({ key }) => key)).toEqual(keys.toSorted());

  // Again: what is held is not asked for, and what its part no longer names goes.
  await bucket.delete(keys.slice(0, 1));
  expect((await backup()).archive).toHaveLength(4);
  const database = openLocalDatabase(state);
  await query(database, "DELETE FROM archive_part WHERE id = 'a'");
  database.close();
  expect((await backup()).archive?.map(({ key }) => key)).toEqual(keys.slice(2).toSorted());
  expect([...(await place.sizes("archive/")).keys()].toSorted()).toEqual(keys.slice(2).toSorted());

  const copy = join(folder, "restored");
  await restoreLocal(await readBackup(place, folder), place, { ...placeOf(copy), force: false, work: folder });
  const restored = openLocalBucket(copy, "graticule-geodata");
  expect([...(await restored.list("archive/")).keys()].toSorted()).toEqual(keys.slice(2).toSorted());
  expect(Buffer.from((await restored.get(keys[2]))?.bytes ?? [])).toEqual(bytesOf(keys[2]));
  restored.close();

  await place.put(keys[2], Buffer.from("shorter"));
  await expect(readBackup(place, folder)).rejects.toThrow("is damaged");
  bucket.close();
});
