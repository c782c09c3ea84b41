import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { localBucketPath } from "../../../src/importer/publish/local-bucket.ts";
import { keyUntil, momentsOf } from "../../../src/server/backup/continuous/moments.ts";
import { openPlace, trouble } from "../../../src/server/backup/place.ts";
import { CommandError, shownError } from "../../../src/server/base/command.ts";
import { codeOfFolder, fileTrouble, ofFile } from "../../../src/server/base/file-trouble.ts";
import { databaseConfig } from "../../../src/server/base/wrangler.ts";
import { query } from "../../../src/server/data/database.ts";
import { localDatabasePath, openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { checkFiles } from "../../../src/server/doctor/file-checks.ts";
import { geodataBucketName, openGeodataBucket } from "../../../src/server/geodata/geodata-bucket.ts";
import { damageOf, refuseDamaged } from "../../../src/server/state/integrity.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-trouble-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const thrownBy = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

/** Words of Node.js and SQLite that no operator should read. */
const OF_LIBRARIES =
  /malformed|readonly database|unable to open|illegal operation|permission denied|E[A-Z]{4,}|Unexpected/;

it("an error of the system is a sentence about its file", () => {
  const shown = [
    () => mkdtempSync(join(folder, "none/x")),
    () => readFileSync(join(folder, "none")),
    () => readFileSync("/proc/1/mem/x"),
  ].map((work) => shownError(thrownBy(work)));
  expect(shown[0]).toMatch(/none\/x.*: there is no such file\.$/);
  expect(shown[1]).toBe(`${join(folder, "none")}: there is no such file.`);
  for (const text of shown) expect(text).not.toMatch(OF_LIBRARIES);
  for (const code of ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "EMFILE"]) {
    const text = shownError(Object.assign(new Error(code), { code, path: "/state/keys.json" }));
    expect(text).toMatch(/^\/state\/keys\.json: /);
    expect(text).not.toMatch(OF_LIBRARIES);
  }
  expect(shownError(new ImportError("The bucket rejects it."))).toBe("The bucket rejects it.");
  // Of no file, or none that is known.
  expect(fileTrouble(Object.assign(new Error("x"), { code: "ECONNRESET" }))).toBeUndefined();
  expect(fileTrouble(new TypeError("x"))).toBeUndefined();
});

it("each code of SQLite is a sentence about its file", () => {
  for (const errcode of [3, 5, 8, 10, 11, 13, 14, 26, 267, 522, 1032]) {
    const path = join(folder, "a.sqlite");
    const error = thrownBy(() =>
      ofFile(path, () => {
        throw Object.assign(new Error("attempt to write a readonly database"), { code: "ERR_SQLITE_ERROR", errcode });
      }),
    );
    expect(shownError(error)).toMatch(/^\/.+: .+\./);
    expect(shownError(error)).not.toMatch(OF_LIBRARIES);
  }
});

it.each([
  ["is cut short", (path: string) => truncateSync(path, 20_000)],
  [
    "is text",
    (path: string) => writeFileSync(path, "no database, but a text that is longer than a header of SQLite".repeat(9)),
  ],
  [
    "is a folder",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])("a database that %s is named by every command that opens it", async (_, damage) => {
  const path = localDatabasePath(folder, databaseConfig().id);
  openLocalDatabase(folder).close();
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  damage(path);
  const use = async () => {
    const database = openLocalDatabase(folder);
    await query(database, "SELECT count(*) FROM project");
    database.close();
  };
  const error = await use().then(
    () => undefined,
    (reason) => reason,
  );
  expect(shownError(error)).toContain(`${path}: `);
  expect(shownError(error)).not.toMatch(OF_LIBRARIES);
  expect(damageOf(path, false)).toBeDefined();
});

it("a backup names the file that hinders it, not its own folder of temporary files", async () => {
  const keys = Object.assign(new Error("x"), { code: "EACCES", path: "/state/keys.json" });
  expect((trouble(keys, "/backup") as Error).message).toMatch(/^\/state\/keys\.json: this user may not read/);
  const own = Object.assign(new Error("x"), { code: "EACCES", path: "/backup/chunks/1" });
  expect((trouble(own, "/backup") as Error).message).toMatch(/^This user cannot write to \/backup\./);
  const readOnly = Object.assign(new Error("x"), { code: "EROFS", path: "/backup/chunks/1" });
  expect((trouble(readOnly, "/backup") as Error).message).toContain("/backup is on a read-only file system. Mount it");
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const target of [file, join(file, "below")])
    expect(() => openPlace(target)).toThrow(new CommandError(`${file} is a file, not a folder. Use another.`));
  for (const target of ["S3://maps/live", "gs://maps", "https://s3.example.com/maps", "s3:///x"])
    expect(() => openPlace(target)).toThrow(`"${target}" is not a valid s3://BUCKET/PREFIX`);
  expect(() => openPlace(join(folder, "not yet", "there"))).not.toThrow();
  await expect(momentsOf(openPlace(join(folder, "none")))).rejects.toThrow(
    `There is no folder ${join(folder, "none")}.`,
  );
});

it.skipIf(process.platform !== "linux")(
  "a folder that cannot be made is said to be read-only or another user's, not missing",
  () => {
    const missing = Object.assign(new Error("x"), { code: "ENOENT", path: "/proc/sys/none/x" });
    expect(codeOfFolder(missing, join(folder, "a/b"))).toBe("ENOENT");
    // Not even root may make a folder there.
    expect(codeOfFolder(missing, "/proc/self/none/x")).toMatch(/^E(ACCES|PERM|ROFS)$/);
    expect(codeOfFolder(Object.assign(new Error("x"), { code: "ENOSPC" }), folder)).toBe("ENOSPC");
  },
);

it("--at takes days that there are", async () => {
  const place = openPlace(folder);
  mkdirSync(join(folder, "history"));
  writeFileSync(join(folder, "history/2026-11-26T12-00-00.000Z.json"), "{}");
  for (const text of ["2026-11-31T00:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-12-01T24:01:00Z"])
    await expect(keyUntil(place, text)).rejects.toThrow("--at must be a time with its zone");
  for (const text of ["2026-11-30T23:59:59Z", "2028-02-29T00:00Z", "2026-11-27T00:00:00-03:00"])
    expect(await keyUntil(place, text)).toContain("2026-11-26");
  await expect(keyUntil(place, "2026-11-26T13:00:00+02:00")).rejects.toThrow("The oldest moment in");
});

it.each([
  ["it is cut short", (path: string) => truncateSync(path, 5000)],
  ["it is missing", (path: string) => rmSync(path)],
  ["it is empty", (path: string) => truncateSync(path, 0)],
])("the list of the bucket is named by start, doctor and import: %s", (damage, harm) => {
  const path = localBucketPath(folder, geodataBucketName());
  openGeodataBucket({ remote: false, state: folder }).close();
  expect(() => refuseDamaged(folder)).not.toThrow();
  harm(path);
  expect(() => refuseDamaged(folder)).toThrow(`${path}: ${damage}`);
  expect(() => refuseDamaged(folder)).toThrow(`Stop the server and remove ${join(folder, "v3/r2")}`);
  expect(checkFiles(folder).databases).toMatchObject([{ check: "list of the bucket", state: "wrong" }]);
  if (damage === "it is cut short") {
    const error = thrownBy(() => openGeodataBucket({ remote: false, state: folder }));
    expect(shownError(error)).toContain(`${path}: it is damaged.`);
  }
  // None yet.
  rmSync(join(folder, "v3/r2"), { recursive: true });
  expect(() => refuseDamaged(folder)).not.toThrow();
});

it("a bucket whose files were removed beside its list is named", async () => {
  const bucket = openGeodataBucket({ remote: false, state: folder });
  await bucket.put("live.json", Buffer.from("{}"));
  bucket.close();
  expect(() => refuseDamaged(folder)).not.toThrow();
  const blobs = join(folder, "v3/r2", geodataBucketName(), "blobs");
  rmSync(blobs, { recursive: true });
  const sentence = `${blobs}: it is missing. It holds imports, icons, styles and archived events. Stop the server and remove ${join(folder, "v3/r2")}`;
  expect(() => refuseDamaged(folder)).toThrow(sentence);
});
