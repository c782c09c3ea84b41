import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openPlace } from "../../../src/server/backup/place.ts";
import { readBackup } from "../../../src/server/backup/read-backup.ts";
import { restoreLocal } from "../../../src/server/backup/restore-local.ts";
import { takeLocal } from "../../../src/server/backup/take-local.ts";
import { writeBackup } from "../../../src/server/backup/write-backup.ts";
import { databaseConfig, databaseConfigs, jurisdictionBuckets } from "../../../src/server/base/wrangler.ts";
import { type Database, query } from "../../../src/server/data/database.ts";
import {
  listDatabases,
  localDatabases,
  mustBeNamed,
  readJurisdiction,
  roomiest,
  setClosed,
} from "../../../src/server/data/databases.ts";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { askForMove, cancelMove, findMove, sayMove } from "../../../src/server/project/moves.ts";
import { createProject, listProjects } from "../../../src/server/project/projects.ts";
import { scratchFolder } from "./scratch.ts";

/** What an operator does with more databases than one. */

const ID_2 = "00000000-0000-0000-0000-0000000000f2";
const CONFIGS = [databaseConfig(), { ...databaseConfig(), binding: "DB_2", name: "second", id: ID_2 }];
const folder = scratchFolder();
const state = join(folder, "state");
const databases = localDatabases(state, CONFIGS);
let common: Database;
let second: Database;

beforeAll(() => {
  common = openLocalDatabase(state, CONFIGS[0]);
  second = openLocalDatabase(state, CONFIGS[1]);
});

describe("wrangler.toml", () => {
  const table = (heading: string, binding: string, name: string) =>
    `\n[[${heading}]]\nbinding = "${binding}"\ndatabase_name = "${name}"\npreview_database_id = "id-${name}"\nmigrations_dir = "migrations"\n`;

  it("names the databases of a deployment, the first at first", () => {
    const root = join(folder, "root");
    mkdirSync(root);
    const top = ["d1_databases", "env.staging.d1_databases"];
    writeFileSync(
      join(root, "wrangler.toml"),
      `name = "x"\n${table(top[0], "DB_10", "tenth")}${table(top[0], "DB_2", "second")}${table(top[0], "DB", "first")}${table(top[0], "OTHER", "other")}${table(top[1], "DB", "staging")}`,
    );
    const names = (environment?: string) =>
      databaseConfigs(root, environment).map(({ binding, name }) => [binding, name]);
    expect(names()).toEqual([
      ["DB", "first"],
      ["DB_2", "second"],
      ["DB_10", "tenth"],
    ]);
    expect(names("staging")).toEqual([["DB", "staging"]]);
    expect(databaseConfig(root).id).toBe("id-first");
    expect(() => databaseConfigs(root, "nowhere")).toThrow("env.nowhere.d1_databases");
    expect(jurisdictionBuckets(root)).toEqual([]);
  });

  it("names the bucket of each jurisdiction with a database, which is in it", () => {
    const root = join(folder, "places");
    mkdirSync(root);
    const write = (bucket: string) =>
      writeFileSync(
        join(root, "wrangler.toml"),
        `name = "x"\n${table("d1_databases", "DB_EU_2", "eu-2")}${table("d1_databases", "DB_EU", "eu")}${table("d1_databases", "DB", "first")}\n[[r2_buckets]]\n${bucket}`,
      );
    write('binding = "BUCKET_EU"\nbucket_name = "files"\njurisdiction = "eu"\n');
    expect(databaseConfigs(root).map(({ binding }) => binding)).toEqual(["DB", "DB_EU", "DB_EU_2"]);
    expect(jurisdictionBuckets(root)).toEqual([{ jurisdiction: "eu", binding: "BUCKET_EU", name: "files" }]);
    for (const wrong of [
      'binding = "BUCKET_EU"\nbucket_name = "files"\n',
      'binding = "BUCKET_EU"\nbucket_name = "files"\njurisdiction = "us"\n',
      'binding = "OTHER"\nbucket_name = "files"\njurisdiction = "eu"\n',
    ]) {
      write(wrong);
      expect(() => jurisdictionBuckets(root)).toThrow(/binding = "BUCKET_EU"[\s\S]*jurisdiction = "eu"/);
    }
  });

  it("has one as it comes", () => {
    expect(databaseConfigs().map(({ binding }) => binding)).toEqual(["DB"]);
    expect(databaseConfigs(undefined, "staging").map(({ binding }) => binding)).toEqual(["DB"]);
  });
});

describe("a new project", () => {
  it("begins in the smallest database that is not closed", async () => {
    expect(await roomiest(common, { names: ["DB"], sizeOf: () => Promise.reject(new Error("nobody asks")) })).toBe(
      "DB",
    );
    await query(second, "CREATE TABLE ballast AS SELECT zeroblob(1000000) AS bytes");
    expect(await roomiest(common, databases)).toBe("DB");
    await setClosed(common, "DB", true);
    expect(await roomiest(common, databases)).toBe("DB_2");
    await setClosed(common, "DB_2", true);
    await expect(roomiest(common, databases)).rejects.toThrow("All databases are closed");
    await setClosed(common, "DB", false);
    expect(await listDatabases(common, databases)).toEqual([
      { name: "DB", bytes: expect.any(Number), projects: 0, closed: false },
      { name: "DB_2", bytes: expect.toSatisfy((n: number) => n > 1_000_000), projects: 0, closed: true },
    ]);
    await setClosed(common, "DB_2", false);
    await query(second, "DROP TABLE ballast");
    const { id } = await createProject(common, "elsewhere", undefined, "DB_2");
    expect((await listProjects(common)).find((one) => one.id === id)?.database).toBe("DB_2");
    expect(() => mustBeNamed("DB_3", databases)).toThrow("DB, DB_2");
  });
});

describe("a project in a jurisdiction", () => {
  const places = { names: ["DB", "DB_2", "DB_EU", "DB_EU_2"], sizeOf: async (name: string) => name.length };

  it("begins in a database there, and others outside", async () => {
    expect(await roomiest(common, places, "eu")).toBe("DB_EU");
    expect(await roomiest(common, places)).toBe("DB");
    await setClosed(common, "DB_EU", true);
    expect(await roomiest(common, places, "eu")).toBe("DB_EU_2");
    await setClosed(common, "DB_EU_2", true);
    await expect(roomiest(common, places, "eu")).rejects.toThrow("jurisdiction eu are closed");
    for (const name of ["DB_EU", "DB_EU_2"]) await setClosed(common, name, false);
    const { id } = await createProject(common, "european", undefined, "DB_EU");
    const found = (await listProjects(common)).find((one) => one.id === id);
    expect([found?.database, found?.jurisdiction]).toEqual(["DB_EU", "eu"]);
  });

  it("is not created where wrangler.toml has no database, and the message has what to add", async () => {
    const missing = /binding = "DB_US"[\s\S]*binding = "BUCKET_US"[\s\S]*jurisdiction = "us"/;
    await expect(roomiest(common, places, "us")).rejects.toThrow(missing);
    await expect(roomiest(common, { ...places, names: ["DB"] }, "us")).rejects.toThrow(missing);
    expect(() => mustBeNamed("DB_US", places)).toThrow(missing);
    expect(() => readJurisdiction("fr")).toThrow("eu, us");
  });

  it("is told of by a move that changes it", () => {
    const move = { project: 7, step: "done", rows: 1, tables: {}, changedAt: 0, isUnderWay: false, error: null };
    expect(sayMove({ ...move, from: "DB", to: "DB_EU" })).toContain("now in DB_EU (jurisdiction eu)");
    expect(sayMove({ ...move, from: "DB_EU", to: "DB" })).toContain("now in DB (in no jurisdiction)");
    expect(sayMove({ ...move, from: "DB_EU", to: "DB_EU_2" })).toContain("now in DB_EU_2. ");
    expect(sayMove({ ...move, step: "objects", from: "DB", to: "DB_EU" })).toContain("handing over");
  });
});

describe("a move", () => {
  it("is asked for once, taken back, and refused where it makes no sense", async () => {
    const { id } = await createProject(common, "mover");
    await expect(askForMove(common, id, "DB")).rejects.toThrow("is already in DB");
    await expect(askForMove(common, 999, "DB_2")).rejects.toThrow("No project 999");
    await expect(cancelMove(common, id)).rejects.toThrow("is not being moved");
    await askForMove(common, id, "DB_2");
    await askForMove(common, id, "DB_2");
    expect(await findMove(common, id)).toMatchObject({ from: "DB", to: "DB_2", step: "begin", error: null });
    await expect(askForMove(common, id, "DB_3")).rejects.toThrow("being moved from DB to DB_2");
    await cancelMove(common, id);
    expect(sayMove((await findMove(common, id))!)).toContain("being undone");
    await query(common, "UPDATE project_move SET step = 'done' WHERE project = ?", id);
    await expect(cancelMove(common, id)).rejects.toThrow(`move ${id} --to DB`);
  });
});

describe("a backup", () => {
  it("holds all databases of one moment, and is restored where wrangler.toml names them", async () => {
    const { id } = await createProject(common, "kept", undefined, "DB_2");
    await query(second, "INSERT INTO fence_epoch VALUES (?, 7)", id * 2);
    await askForMove(common, id, "DB");
    const place = openPlace(join(folder, "backup"));
    const work = join(folder, "work");
    mkdirSync(work);
    const local = {
      state,
      worker: "graticule",
      databaseId: CONFIGS[0].id,
      further: { DB_2: ID_2 },
      bucket: "graticule-geodata",
    };
    const taken = await takeLocal(local, work);
    const geodata = { whole: false, objects: 0, builds: [] };
    const manifest = await writeBackup(
      {
        from: "local",
        madeAt: taken.madeAt,
        worker: "graticule",
        database: taken.database,
        further: taken.further,
        uploads: [],
        geodata,
      },
      place,
    );
    expect([manifest.version, manifest.further?.DB_2.rows.fence_epoch]).toEqual([2, 1]);
    const backup = await readBackup(place, work);
    const to = { ...local, state: join(folder, "restored"), force: false, work };
    await expect(restoreLocal(backup, place, { ...to, further: {} })).rejects.toThrow("DB_2");
    await restoreLocal(backup, place, to);
    const [first, other] = CONFIGS.map((config) => openLocalDatabase(to.state, config));
    expect(await query(other, "SELECT epoch FROM fence_epoch WHERE scope = ?", id * 2)).toEqual([{ epoch: 7 }]);
    // What a move had copied by then is copied anew.
    expect((await findMove(first, id))?.step).toBe("undo");
    first.close();
    other.close();
  });

  it("of one database is one that earlier programs can restore", async () => {
    const place = openPlace(join(folder, "backup-1"));
    const work = join(folder, "work-1");
    mkdirSync(work);
    const taken = await takeLocal(
      { state, worker: "graticule", databaseId: CONFIGS[0].id, bucket: "graticule-geodata" },
      work,
    );
    const geodata = { whole: false, objects: 0, builds: [] };
    const { madeAt, database, further } = taken;
    const manifest = await writeBackup(
      { from: "local", madeAt, worker: "graticule", database, further, uploads: [], geodata },
      place,
    );
    expect([manifest.version, manifest.further]).toEqual([1, undefined]);
  });
});
