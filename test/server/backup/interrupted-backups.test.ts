import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { follow } from "../../../src/server/backup/continuous/follow.ts";
import { keptMoments, momentOf } from "../../../src/server/backup/continuous/history.ts";
import { keyUntil } from "../../../src/server/backup/continuous/moments.ts";
import { BackupRounds } from "../../../src/server/backup/continuous/rounds.ts";
import { MANIFEST_KEY } from "../../../src/server/backup/manifest.ts";
import { objectsFolder } from "../../../src/server/backup/objects-pack.ts";
import { packedFiles } from "../../../src/server/backup/packed-files.ts";
import { type BackupPlace, openPlace } from "../../../src/server/backup/place.ts";
import { readBackup } from "../../../src/server/backup/read-backup.ts";
import { databaseConfig, workerName } from "../../../src/server/base/wrangler.ts";
import { localDatabasePath } from "../../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { lockState, OF_SERVER } from "../../../src/server/state/lock.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { KINDS, Operations } from "../../support/faults/operations.ts";
import { samples } from "../../support/night.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 26, 12);
const WEEK = 7 * 24 * 60 * MINUTE;

let folder: string;
let faults: Operations;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-rounds-"));
  faults = new Operations();
});
afterEach(() => {
  faults.restore();
  rmSync(folder, { recursive: true, force: true });
});

/** What a backup must give back: rows, objects by their number, uploads, and objects of learning. */
interface Model {
  rows: number;
  objects: Record<string, number>;
  uploads: Record<string, string>;
  learning: Record<string, string>;
}

/** A state with a database, Durable Objects, uploads and objects of learning, changed at random, and a simple model of it. */
class World {
  readonly state = join(folder, "state");
  readonly bucket: Bucket;
  readonly model: Model = { rows: 0, objects: {}, uploads: {}, learning: {} };
  readonly #draw = seededRandom(53);
  readonly #trackers = objectsFolder(this.state, workerName(), "DeviceTracker");

  constructor() {
    // As few tables as a backup needs: all of them would only take time.
    mkdirSync(dirname(localDatabasePath(this.state, databaseConfig().id)), { recursive: true });
    this.#sql(
      "PRAGMA journal_mode = WAL; CREATE TABLE d1_migrations (id INTEGER, name TEXT); CREATE TABLE probe (n INTEGER, x TEXT)",
    );
    mkdirSync(this.#trackers, { recursive: true });
    this.bucket = openLocalBucket(this.state, geodataBucketName());
  }

  local() {
    return { state: this.state, worker: workerName(), databaseId: databaseConfig().id, bucket: geodataBucketName() };
  }

  async change(n: number): Promise<void> {
    const { model } = this;
    this.#sql(`INSERT INTO probe VALUES (${n}, '${"row".repeat(30)}')`);
    model.rows++;
    const id = Math.floor(this.#draw() * 6);
    const path = join(this.#trackers, `${id.toString(16).padStart(64, "0")}.sqlite`);
    if (this.#draw() < 0.2) {
      rmSync(path, { force: true });
      delete model.objects[id];
    } else {
      const database = new DatabaseSync(path);
      database.exec(
        `PRAGMA synchronous = OFF; CREATE TABLE IF NOT EXISTS state (n INTEGER); DELETE FROM state; INSERT INTO state VALUES (${n})`,
      );
      database.close();
      model.objects[id] = n;
    }
    if (this.#draw() < 0.2) {
      const key = `custom/1/icon-${Math.floor(this.#draw() * 3)}`;
      await this.bucket.put(key, Buffer.from(`icon ${n}`));
      model.uploads[key] = `icon ${n}`;
    }
  }

  /** Learning is read once an hour, so it changes where the test expects it. */
  async learn(n: number): Promise<void> {
    const key = `learning/states/${n % 3}`;
    await this.bucket.put(key, Buffer.from(`state ${n}`));
    this.model.learning[key] = `state ${n}`;
  }

  #sql(text: string): void {
    const database = new DatabaseSync(localDatabasePath(this.state, databaseConfig().id));
    database.exec(`PRAGMA synchronous = OFF; ${text}`);
    database.close();
  }
}

/** What a manifest of a place gives back. */
async function restored(place: BackupPlace, key: string): Promise<Model> {
  const work = mkdtempSync(join(folder, "restored-"));
  const { manifest, fileOf } = await readBackup(place, work, key);
  const database = new DatabaseSync(fileOf(manifest.database), { readOnly: true });
  const rows = Number(database.prepare("SELECT count(*) AS n FROM probe").get()?.n);
  database.close();
  const model: Model = { rows, objects: {}, uploads: {}, learning: {} };
  for (const { class: name, file, bytes } of packedFiles(fileOf(manifest.objects!))) {
    if (name !== "DeviceTracker") continue;
    const object = new DatabaseSync(":memory:");
    object.deserialize(bytes);
    model.objects[Number.parseInt(file, 16)] = Number(object.prepare("SELECT n FROM state").get()?.n);
    object.close();
  }
  for (const upload of manifest.uploads) model.uploads[upload.key] = readFileSync(fileOf(upload), "utf8");
  for (const part of manifest.learning ?? []) {
    const pack = new DatabaseSync(fileOf(part), { readOnly: true });
    for (const row of pack.prepare("SELECT key, bytes FROM object").all())
      model.learning[String(row.key)] = Buffer.from(row.bytes as Uint8Array).toString();
    pack.close();
  }
  rmSync(work, { recursive: true });
  return model;
}

const momentsIn = async (place: BackupPlace) =>
  [...(await place.sizes("history/")).keys()].map(momentOf).filter((at) => at !== undefined);

/** Objects of a bucket in memory, which loses an answer now and then like the real one. */
function memoryPlace(): BackupPlace {
  const objects = new Map<string, Uint8Array>();
  return {
    where: "s3://memory/place",
    sizes: async (prefix) =>
      new Map([...objects].flatMap(([key, { length }]) => (key.startsWith(prefix) ? [[key, length]] : []))),
    get: async (key) => objects.get(key),
    read: async () => undefined,
    put: async (key, bytes) => void objects.set(key, Uint8Array.from(bytes)),
    putFile: async () => {},
    delete: async (keys) => {
      for (const key of keys) objects.delete(key);
    },
  };
}

/** A process of backups of a world, with a clock of its own. A killed one leaves its connections to the system. */
class Process {
  at = START;
  readonly #world: World;
  readonly #place: BackupPlace;
  #rounds: BackupRounds | undefined;

  constructor(world: World, place: BackupPlace) {
    this.#world = world;
    this.#place = place;
  }

  /** @returns whether it succeeded */
  async round(ms: number): Promise<boolean> {
    this.at += ms;
    this.#rounds ??= new BackupRounds({
      ...{
        state: this.#world.state,
        place: this.#place,
        everyMs: MINUTE,
        work: join(folder, "work"),
        now: () => this.at,
      },
      local: () => this.#world.local(),
      openBucket: () => faults.wrap(openLocalBucket(this.#world.state, geodataBucketName()), "bucket"),
    });
    return (await this.#rounds.round()) !== undefined && this.#rounds.last.error === undefined;
  }

  get error(): string | undefined {
    return this.#rounds?.last.error;
  }

  end(): void {
    this.#rounds?.close();
    this.#rounds = undefined;
  }
}

for (const [kindOfPlace, open] of [
  ["a folder", () => openPlace(join(folder, "place"))],
  ["a bucket", memoryPlace],
] as const)
  it(`after a failure of any step and operation, the next backup into ${kindOfPlace} has the state, and no older moment is lost`, async () => {
    const world = new World();
    const plain = open();
    const process = new Process(world, kindOfPlace === "a bucket" ? faults.wrap(plain, "place") : plain);
    const made = new Map<number, Model | undefined>();
    let intervals = 0;
    const good = async (ms: number) => {
      await world.change(intervals++);
      // Nothing is learned at first. Learning is read again after an hour.
      if (intervals > 20) await world.learn(intervals);
      expect([await process.round(ms), process.error]).toEqual([true, undefined]);
      const found = await restored(plain, MANIFEST_KEY);
      expect(found).toEqual(world.model);
      made.set(process.at, structuredClone(world.model));
    };
    const hour = 61 * MINUTE;
    await good(MINUTE);
    // How many operations a round has that reads all: after a restart, with learning and with old moments to remove.
    faults.arm();
    await good(hour);
    faults.disarm();
    process.end();
    faults.arm();
    await good(hour);
    const most = faults.count;
    faults.disarm();
    const draw = seededRandom(5);
    // Each operation fails once, or by day each so many.
    const pairs = samples(kindOfPlace === "a bucket" ? 60 : 15, 2 * KINDS.length * most);
    const step = Math.max(1, most / pairs);
    for (let n = 0; n < pairs; n++) {
      const kind = KINDS[Math.floor(draw() * KINDS.length)];
      if (n % 3 === 0) process.end();
      await world.change(intervals++);
      faults.arm(n * step < most ? Math.floor(n * step) : Math.floor(draw() * most), kind);
      const succeeded = await process.round(MINUTE);
      faults.disarm();
      // Learning may be older; and if only an answer was lost, the moment is there.
      const isThere = (await momentsIn(plain)).includes(process.at);
      if (isThere) made.set(process.at, undefined);
      expect(isThere || !succeeded).toBe(true);
      if (faults.wasKilled) process.end();
      // Now and then days pass, and once in a while the clock is set back.
      await good(n % 5 === 4 ? 60 * hour : n % 40 === 20 ? -3 * hour : hour);
      if (n % 50 === 49) await everyMomentIsWhole(plain, made, process.at);
    }
    await everyMomentIsWhole(plain, made, process.at);
    expect(faults.names.size).toBeGreaterThan(20);
    process.end();
    world.bucket.close();
  }, 120_000);

it.each([
  ["a folder", () => openPlace(join(folder, "place"))],
  ["a bucket", memoryPlace],
] as const)(
  "a place (%s) that someone emptied gets everything again, and within an hour also a chunk that was removed",
  async (_, open) => {
    const world = new World();
    const place = open();
    const process = new Process(world, place);
    for (let n = 0; n < 3; n++) {
      await world.change(n);
      expect(await process.round(MINUTE)).toBe(true);
    }
    await place.delete([...(await place.sizes("")).keys()]);
    expect([await process.round(MINUTE), process.error]).toEqual([
      false,
      `${place.where} was emptied. Everything is backed up again.`,
    ]);
    expect([await process.round(1000), process.error]).toEqual([true, undefined]);
    expect(await restored(place, MANIFEST_KEY)).toEqual(world.model);
    for (const key of (await place.sizes("chunks/")).keys()) {
      await place.delete([key]);
      expect(await process.round(61 * MINUTE)).toBe(true);
      expect(await restored(place, MANIFEST_KEY)).toEqual(world.model);
    }
    process.end();
    world.bucket.close();
  },
);

it("a standby whose copying fails at any operation has the newest backup after the next looks", async () => {
  const world = new World();
  const plain = memoryPlace();
  const process = new Process(world, plain);
  const to = { ...world.local(), state: join(folder, "second") };
  const copy = openPlace(join(to.state, "standby"));
  const next = async (n: number) => {
    await world.change(n);
    expect([await process.round(61 * MINUTE), process.error]).toEqual([true, undefined]);
  };
  await next(0);
  const ending = new AbortController();
  const following = follow(faults.wrap(plain, "place"), to, { log: () => {}, signal: ending.signal, pollMs: 5 });
  const hasNewest = async () => {
    const text = await copy.get(MANIFEST_KEY);
    return text !== undefined && Date.parse(JSON.parse(Buffer.from(text).toString()).madeAt) === process.at;
  };
  await expect.poll(hasNewest, { interval: 5, timeout: 20_000 }).toBe(true);
  for (let n = 0; n < samples(15, 400); n++) {
    await next(n + 1);
    faults.arm(n % 40, KINDS[Math.floor(n / 7) % KINDS.length]);
    // A killed standby is another process then; here, it goes on.
    await expect.poll(() => faults.count > n % 40, { interval: 1, timeout: 20_000 }).toBe(true);
    faults.disarm();
    await expect.poll(hasNewest, { interval: 5, timeout: 20_000 }).toBe(true);
    expect(await restored(copy, MANIFEST_KEY)).toEqual(world.model);
  }
  ending.abort();
  await following;
  process.end();
  world.bucket.close();
}, 120_000);

/** All moments of the place are whole, those of good rounds as the model was, and they are those that retention keeps of all. */
async function everyMomentIsWhole(place: BackupPlace, made: ReadonlyMap<number, Model | undefined>, now: number) {
  const moments = await momentsIn(place);
  for (const at of moments) {
    const found = await restored(place, await keyUntil(place, new Date(at).toISOString()));
    if (made.get(at)) expect(found).toEqual(made.get(at));
  }
  const present = new Set(moments);
  for (const at of keptMoments([...made.keys()], now)) expect([at, present.has(at)]).toEqual([at, true]);
  for (const at of moments) expect(now - at).toBeLessThanOrEqual(8 * WEEK);
}

it("while a server is being started, a backup fails, and the next one need not read all objects again", async () => {
  const world = new World();
  const place = openPlace(join(folder, "place"));
  const process = new Process(world, place);
  for (let n = 0; n < 9; n++) await world.change(n);
  expect(await process.round(MINUTE)).toBe(true);
  const packed = join(folder, "work/moment/objects.sqlite");
  // A file that is made again has other rights.
  chmodSync(packed, 0o604);
  vi.stubEnv(OF_SERVER, "1");
  const unlock = lockState(world.state);
  expect([await process.round(MINUTE), process.error]).toEqual([false, expect.stringMatching(/just being started/)]);
  await world.change(9);
  unlock();
  expect([await process.round(MINUTE), process.error]).toEqual([true, undefined]);
  expect(statSync(packed).mode & 0o777).toBe(0o604);
  expect(await restored(place, MANIFEST_KEY)).toEqual(world.model);
  process.end();
  vi.unstubAllEnvs();
});
