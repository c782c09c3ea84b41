import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { serveBucketFiles } from "../../../src/server/start/bucket-files.ts";
import { BucketFiles } from "../../../src/worker/storage/bucket-files.ts";
import type { StoredBytes } from "../../../src/worker/storage/s3-objects.ts";

/** What helper processes read, beside what an import has written. */
const state = mkdtempSync(join(tmpdir(), "bucket-files-"));
const SECRET = "secret";
const KEY = "builds/a b/é/1.bin";
const BYTES = new Uint8Array(5000).map((_, i) => i % 251);
const writer = openLocalBucket(state, "geo");
let reader: BucketFiles;
let openReader: (secret: string, binding?: string) => BucketFiles;

beforeAll(async () => {
  const address = await serveBucketFiles(state, { GEODATA: "geo", EMPTY: "none" }, SECRET);
  const files = { fetch: (url: string, init: RequestInit) => fetch(url.replace("//files", `//${address}`), init) };
  openReader = (secret, binding = "GEODATA") => new BucketFiles(files, binding, secret);
  reader = openReader(SECRET);
  await writer.put(KEY, BYTES);
});
afterAll(() => {
  writer.close();
  rmSync(state, { recursive: true, force: true });
});

const bytesOf = async (object: object | null) => new Uint8Array(await (object as StoredBytes).arrayBuffer());

it("an object is read whole or in part, and by its head", async () => {
  const whole = await reader.get(KEY);
  expect(await bytesOf(whole)).toEqual(BYTES);
  expect(whole).toMatchObject({ key: KEY, size: 5000, etag: (await writer.get(KEY))!.etag });
  expect(await reader.head(KEY)).toMatchObject({ etag: whole!.etag, size: 5000, uploaded: expect.any(Date) });
  for (const [offset, length] of [
    [0, 1],
    [10, 4990],
    [4999, 1],
    [4990, 500],
  ])
    expect(await bytesOf(await reader.get(KEY, { range: { offset, length } }))).toEqual(
      BYTES.slice(offset, offset + length),
    );
  await writer.put("empty", new Uint8Array());
  expect(await bytesOf(await reader.get("empty"))).toHaveLength(0);
});

it("what is not there is null, a range after the end an error that names the range, and one who has the object gets no bytes", async () => {
  expect([await reader.get("none"), await reader.head("none"), await openReader(SECRET, "EMPTY").get(KEY)]).toEqual([
    null,
    null,
    null,
  ]);
  await expect(reader.get(KEY, { range: { offset: 5000, length: 1 } })).rejects.toThrow(/range/i);
  const { etag } = (await reader.head(KEY))!;
  expect(await reader.get(KEY, { onlyIf: { etagDoesNotMatch: etag } })).not.toHaveProperty("arrayBuffer");
  expect(await reader.get(KEY, { onlyIf: { etagDoesNotMatch: "other" } })).toHaveProperty("arrayBuffer");
});

it("nobody else reads, or reads another path", async () => {
  await expect(openReader("").get(KEY)).rejects.toThrow("403");
  for (const strange of ["../geo.sqlite", "%2e%2e/", "", "\0"]) expect(await reader.get(strange)).toBeNull();
});

it("an object that others replace and delete all the time is old, new or gone, never in part", async () => {
  const versions = [new Uint8Array(90_000).fill(1), new Uint8Array(120_000).fill(2)];
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; n < 60; n++) {
      if (n % 10 === 9) await writer.delete(["live.json"]);
      await writer.put("live.json", versions[n % 2]);
    }
    isOver = true;
  })();
  let read = 0;
  while (!isOver) {
    const object = await reader.get("live.json");
    if (!object) continue;
    const bytes = await bytesOf(object);
    expect(versions.some((one) => one.length === bytes.length && one.every((byte, i) => byte === bytes[i]))).toBe(true);
    read++;
  }
  await writing;
  expect(read).toBeGreaterThan(5);
});
