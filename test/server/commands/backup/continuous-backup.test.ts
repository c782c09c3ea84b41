import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { assemble, CHUNK_BYTES, ChunkStore } from "../../../../src/server/backup/chunks.ts";
import { ContinuousBackup } from "../../../../src/server/backup/continuous/continuous-backup.ts";
import { historyKey, keptMoments, momentOf } from "../../../../src/server/backup/continuous/history.ts";
import { parseInterval, untilNext } from "../../../../src/server/backup/continuous/interval.ts";
import { keyUntil, momentsOf } from "../../../../src/server/backup/continuous/moments.ts";
import { PlaceOwner, tookOver } from "../../../../src/server/backup/continuous/owner.ts";
import { DatabaseMoment } from "../../../../src/server/backup/database-moment.ts";
import { whileStopped } from "../../../../src/server/backup/freeze.ts";
import { formatManifest } from "../../../../src/server/backup/manifest.ts";
import { openPlace } from "../../../../src/server/backup/place.ts";
import { readBackup } from "../../../../src/server/backup/read-backup.ts";
import { restoreLocal } from "../../../../src/server/backup/restore-local.ts";
import { verified } from "../../../../src/server/backup/verify-restored.ts";
import { databaseConfig, workerName } from "../../../../src/server/base/wrangler.ts";
import { query } from "../../../../src/server/data/database.ts";
import { localDatabasePath, openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { createProject } from "../../../../src/server/project/projects.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { samples } from "../../../support/night.ts";
import { finished, runCli } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";

const folder = scratchFolder();
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 26, 12);

describe("a moment of a database", () => {
  it("has the bytes of then, whatever is written, checkpointed or rolled back before and after", async () => {
    const draw = seededRandom(7);
    for (let n = 0; n < samples(12, 400); n++) {
      const path = join(folder, `moment-${n}.sqlite`);
      const writer = new DatabaseSync(path);
      writer.exec("PRAGMA journal_mode = WAL; PRAGMA cache_size = 20; CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB)");
      const change = () => {
        const steps = 1 + Math.floor(draw() * 4);
        for (let i = 0; i < steps; i++) {
          const kind = draw();
          writer.exec("BEGIN");
          for (let row = Math.floor(draw() * 60); row >= 0; row--) {
            if (kind < 0.2) writer.prepare("DELETE FROM t WHERE id % 7 = ?").run(row % 7);
            else
              writer
                .prepare("INSERT OR REPLACE INTO t VALUES (?, zeroblob(?))")
                .run(Math.floor(draw() * 500), Math.floor(draw() * 9000));
          }
          writer.exec(draw() < 0.25 ? "ROLLBACK" : "COMMIT");
          if (draw() < 0.2) writer.exec(`PRAGMA wal_checkpoint(${draw() < 0.5 ? "PASSIVE" : "TRUNCATE"})`);
        }
      };
      change();
      const moment = new DatabaseMoment(path);
      // A log that was all written back begins anew at the next change.
      if (draw() < 0.5) writer.exec("PRAGMA wal_checkpoint(PASSIVE)");
      try {
        moment.begin();
        const expected = join(folder, `expected-${n}.sqlite`);
        await backup(moment.database, expected);
        for (let times = 0; times < 3; times++) change();
        const pieces: Uint8Array[] = [];
        for (const piece of moment.pieces(8192)) {
          pieces.push(piece);
          // The reader holds the log's end: a TRUNCATE reports that it is busy.
          if (draw() < 0.3) change();
        }
        const copy = join(folder, `copy-${n}.sqlite`);
        writeFileSync(copy, Buffer.concat(pieces));
        const all = (file: string) => {
          const database = new DatabaseSync(file);
          const [{ ok }] = database.prepare("SELECT integrity_check AS ok FROM pragma_integrity_check").all();
          const rows = database.prepare("SELECT id, length(x) AS bytes FROM t ORDER BY id").all();
          database.close();
          return { ok, rows };
        };
        expect(all(copy)).toEqual(all(expected));
      } finally {
        moment.close();
        writer.close();
      }
    }
  });
});

/** Commits without a pause, each flushed to the disk, so that a signal often stops it in the midst of one. */
const WRITER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB)");
  console.log("ready");
  const put = database.prepare("INSERT OR REPLACE INTO t VALUES (?, randomblob(?))");
  // Ends with its parent, if that is killed.
  const parent = process.ppid;
  for (let n = 0; process.ppid === parent; n++) {
    database.exec("BEGIN");
    for (let i = 0; i < 20; i++) put.run(Math.floor(Math.random() * 3000 + n / 10), Math.floor(Math.random() * 3000));
    database.exec("COMMIT");
  }`;

describe.skipIf(process.platform === "win32")("a moment of a database whose writer is paused", () => {
  it("has no commit that readers do not see yet", async () => {
    const path = join(folder, "writer.sqlite");
    const writer = spawn(process.execPath, ["--no-warnings", "-e", WRITER, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data");
    const moment = new DatabaseMoment(path);
    const about = (database: DatabaseSync) => database.prepare("SELECT count(*), sum(length(x)) FROM t").get();
    try {
      for (let n = 0; n < 10; n++) {
        await whileStopped([writer.pid!], () => moment.begin());
        const expected = about(moment.database);
        const copy = join(mkdtempSync(join(folder, "copy-")), "copy.sqlite");
        writeFileSync(copy, Buffer.concat([...moment.pieces(CHUNK_BYTES)]));
        moment.end();
        const database = new DatabaseSync(copy);
        expect(about(database)).toEqual(expected);
        database.close();
      }
    } finally {
      moment.close();
      writer.kill("SIGKILL");
    }
  });
});

describe("chunks", () => {
  it("are written once, and removed when no part names them", async () => {
    const place = openPlace(mkdtempSync(join(folder, "chunks-")));
    const store = await ChunkStore.open(place);
    const page = (n: number) => new Uint8Array(CHUNK_BYTES).fill(n);
    const first = await store.keep([page(1), page(2), page(3)]);
    expect([first.bytes, store.writtenChunks]).toEqual([3 * CHUNK_BYTES, 4]);
    // One chunk and the list have changed.
    const second = await (await ChunkStore.open(place)).keep([page(1), page(4), page(3)]);
    const third = await store.keep([page(1), page(2), page(3)]);
    expect([third, store.writtenChunks]).toEqual([first, 4]);
    const again = await ChunkStore.open(place);
    expect(await again.retain([second])).toBe(2);
    const file = join(folder, "assembled");
    await assemble(place, second, file);
    expect(Buffer.compare(readFileSync(file), Buffer.concat([page(1), page(4), page(3)]))).toBe(0);
    await expect(assemble(place, first, file)).rejects.toThrow(/is damaged: chunks\/.* is missing/);
    const [key] = (await place.sizes("chunks/")).keys();
    await place.put(key, Buffer.from("something else"));
    await expect(assemble(place, second, file)).rejects.toThrow(/is damaged: chunks\/.* is corrupt/);
  });
});

describe("moments that are kept", () => {
  it("are all of two hours, one of each hour for two days, of each day for two weeks, of each week for eight", () => {
    let kept: number[] = [];
    // A backup every five minutes for ten weeks, thinned out each time.
    for (let at = NOW - 70 * 24 * HOUR; at <= NOW; at += HOUR / 6) {
      const next = keptMoments([...kept, at], at);
      kept = [...next].sort((a, b) => a - b);
    }
    const within = (from: number, to: number) => kept.filter((at) => NOW - at >= from && NOW - at < to).length;
    expect(within(0, 2 * HOUR)).toBe(12);
    expect(within(3 * HOUR, 48 * HOUR)).toBe(45);
    expect(within(72 * HOUR, 13 * 24 * HOUR)).toBe(10);
    expect(within(21 * 24 * HOUR, 56 * 24 * HOUR)).toBe(5);
    expect(within(58 * 24 * HOUR, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(1);
    expect([...keptMoments([1], NOW)]).toEqual([1]);
  });

  it("have keys that sort by time and give it back", () => {
    expect(historyKey(NOW + 5)).toBe("history/2026-11-26T12-00-00.005Z.json");
    expect(momentOf(historyKey(NOW + 5))).toBe(NOW + 5);
    for (const key of ["history/x.json", "backup.json", "history/2026-99-26T12-00-00.005Z.json"])
      expect(momentOf(key)).toBeUndefined();
  });
});

describe("--every", () => {
  it("is from five seconds to an hour", () => {
    expect(["5s", "60s", "5m", "60m"].map(parseInterval)).toEqual([5000, 60_000, 300_000, 3_600_000]);
    for (const text of ["", "4s", "61m", "60", "1h", "-5s", "1.5m"])
      expect(() => parseInterval(text)).toThrow(/--every must be between 5s and 60m/);
  });

  it("is waited for after a success; after failures at first a second", () => {
    const waits = (everyMs: number) => [0, 1, 2, 3, 5, 9, 2000].map((failures) => untilNext(everyMs, failures));
    expect(waits(60_000)).toEqual([60_000, 1000, 2000, 4000, 16_000, 60_000, 60_000]);
    expect(waits(5000)).toEqual([5000, 1000, 2000, 4000, 5000, 5000, 5000]);
  });
});

describe("continuous backups of a state without a server", () => {
  const placeOf = (state: string) => ({
    state,
    worker: workerName(),
    databaseId: databaseConfig().id,
    bucket: geodataBucketName(),
  });

  it("write what has changed, and each moment restores as it was", async () => {
    const state = join(folder, "state");
    const projects = async (name?: string) => {
      const database = openLocalDatabase(state);
      if (name) await createProject(database, name);
      const [{ count }] = await query(database, "SELECT count(*) AS count FROM project");
      database.close();
      return count;
    };
    await projects("first");
    const objects = join(state, `v3/do/${workerName()}-DeviceTracker`);
    const object = (id: number) => join(objects, `${id.toString(16).padStart(64, "0")}.sqlite`);
    mkdirSync(objects, { recursive: true });
    const touch = (id: number) => {
      const database = new DatabaseSync(object(id));
      database.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (1)");
      database.close();
    };
    touch(1);
    const where = join(folder, "place");
    const bucket = openLocalBucket(state, geodataBucketName());
    const place = openPlace(where);
    const work = mkdtempSync(join(folder, "work-"));
    const backups = await ContinuousBackup.open(placeOf(state), { place, bucket, work });
    const one = await backups.run();
    const nothing = await backups.run();
    expect([nothing.chunks, nothing.pausedMs]).toEqual([0, 0]);
    await projects("second");
    touch(2);
    const two = await backups.run();
    expect(two.chunks).toBeGreaterThan(0);
    expect(two.chunks).toBeLessThan(one.chunks);
    touch(3);
    touch(2);
    await bucket.put("custom/1/icon", Buffer.from("an icon"));
    const three = await backups.run();
    backups.close();

    // Another process goes on where this one ended.
    const next = await ContinuousBackup.open(placeOf(state), {
      place,
      bucket,
      work: mkdtempSync(join(folder, "work-")),
    });
    await projects("third");
    const four = await next.run();
    expect(four.chunks).toBeLessThan(one.chunks);
    next.close();

    const moments = [one, nothing, two, three, four].map(({ madeAt }) => madeAt.toISOString());
    expect((await momentsOf(place)).split("\n")).toEqual(moments);
    const restored = async (at?: string) => {
      const scratch = mkdtempSync(join(folder, "restored-"));
      const to = placeOf(join(scratch, "state"));
      const backup = await readBackup(place, scratch, at && (await keyUntil(place, at)));
      await restoreLocal(backup, place, { ...to, force: false, work: scratch });
      expect(verified(backup, to, place)).toMatch(/is intact/);
      const database = new DatabaseSync(localDatabasePath(to.state, databaseConfig().id), { readOnly: true });
      const { count } = database.prepare("SELECT count(*) AS count FROM project").get() as { count: number };
      database.close();
      const folderOf = join(to.state, `v3/do/${workerName()}-DeviceTracker`);
      return {
        projects: count,
        objects: readdirSync(folderOf).filter((file) => file.endsWith(".sqlite")).length,
        to,
        backup,
      };
    };
    expect(await restored(moments[0])).toMatchObject({ projects: 1, objects: 1 });
    expect(await restored(moments[2])).toMatchObject({ projects: 2, objects: 2 });
    expect(await restored(moments[3])).toMatchObject({ projects: 2, objects: 3 });
    const newest = await restored();
    expect(newest).toMatchObject({ projects: 3, objects: 3 });
    expect(newest.backup.manifest.uploads).toMatchObject([{ key: "custom/1/icon", bytes: 7 }]);
    bucket.close();

    // A restored state that differs is found.
    const database = new DatabaseSync(localDatabasePath(newest.to.state, databaseConfig().id));
    database.exec("PRAGMA foreign_keys = OFF; DELETE FROM project WHERE id = (SELECT max(id) FROM project)");
    expect(() => verified(newest.backup, newest.to, place)).toThrow(/project has 2 rows, not 3/);
    database.exec("DROP TABLE campaign");
    database.close();
    expect(() => verified(newest.backup, newest.to, place)).toThrow(/project has 2 rows|campaign is missing/);

    await expect(keyUntil(place, "2020-01-01T00:00:00Z")).rejects.toThrow("The oldest moment in");
    await expect(keyUntil(place, "yesterday")).rejects.toThrow("--at must be a time with its zone");
    await expect(momentsOf(openPlace(folder))).rejects.toThrow("contains no continuous backup");
  });

  it("belong to one state, until none was made for 15 minutes, or a standby took over", async () => {
    const where = mkdtempSync(join(folder, "owned-"));
    const place = openPlace(where);
    const [a, b, c] = ["a", "b", "c"].map((name) => {
      const state = mkdtempSync(join(folder, `owner-${name}-`));
      return { state, owner: new PlaceOwner(place, state) };
    });
    await a.owner.claim(undefined, NOW);
    await a.owner.claim(NOW, NOW + 1000);
    await a.owner.check();
    await expect(b.owner.claim(NOW, NOW + 900_000)).rejects.toThrow(
      `${where} contains the backups of another server. Its newest backup is of 2026-11-26T12:00:00.000Z.`,
    );
    await b.owner.claim(NOW, NOW + 900_001);
    await expect(a.owner.check()).rejects.toThrow("contains the backups of another server");
    await expect(a.owner.claim(NOW + 900_001, NOW + 900_002)).rejects.toThrow("another server");
    tookOver(c.state, where);
    await c.owner.claim(NOW + 900_001, NOW + 900_002);
    await expect(b.owner.check()).rejects.toThrow("another server");
    // It took over once: a repaired server that takes over again keeps the place.
    tookOver(a.state, where);
    await a.owner.claim(NOW + 900_003, NOW + 900_004);
    await expect(c.owner.claim(NOW + 900_003, NOW + 900_004)).rejects.toThrow("another server");
    writeFileSync(join(where, "owner.json"), "{");
    await expect(a.owner.check()).rejects.toThrow("owner.json is corrupt");
  });

  it("end when another state owns the place, and delete nothing", async () => {
    const state = mkdtempSync(join(folder, "replaced-"));
    const bucket = openLocalBucket(state, geodataBucketName());
    const database = openLocalDatabase(state);
    await createProject(database, "first");
    database.close();
    const place = openPlace(mkdtempSync(join(folder, "place-")));
    const backups = await ContinuousBackup.open(placeOf(state), {
      place,
      bucket,
      work: mkdtempSync(join(folder, "work-")),
    });
    await backups.run();
    const before = [...(await place.sizes("")).keys()];
    await place.put("owner.json", Buffer.from('{"id":"another"}'));
    await expect(backups.run()).rejects.toThrow("contains the backups of another server");
    expect([...(await place.sizes("")).keys()]).toEqual(before);
    backups.close();
    bucket.close();
  });

  it("do not begin in a place with a single backup", async () => {
    const where = join(folder, "single");
    mkdirSync(where);
    const { sha256: _, ...manifest } = JSON.parse(readFileSync(join(folder, "place/backup.json"), "utf8"));
    writeFileSync(join(where, "backup.json"), formatManifest({ ...manifest, version: 1 }));
    const state = join(folder, "state");
    const bucket = openLocalBucket(state, geodataBucketName());
    const options = { place: openPlace(where), bucket, work: folder };
    await expect(ContinuousBackup.open(placeOf(state), options)).rejects.toThrow("contains a single backup");
    bucket.close();
    expect(existsSync(join(where, "history"))).toBe(false);
  });

  it("are tried again within seconds, whatever the interval", { timeout: 180_000 }, async () => {
    const where = join(folder, "owned");
    mkdirSync(where);
    writeFileSync(join(where, "owner.json"), "no JSON");
    const words = [where, "--every", "60m", "--persist-to", join(folder, "state")];
    const running = runCli("backup.ts", words);
    const ended = finished(running);
    await once(running.stderr!, "data");
    rmSync(join(where, "owner.json"));
    await once(running.stdout!, "data");
    running.kill("SIGTERM");
    const { code, output } = await ended;
    expect(output).toContain("Backup failed: ");
    expect([code, existsSync(join(where, "backup.json"))]).toEqual([0, true]);
  });
});
