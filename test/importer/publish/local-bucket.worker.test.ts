import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bucket, BucketObject } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";

/** Reads and writes its bucket as a request says: ?key=… */
const WORKER = `export default {
  async fetch(request, { BUCKET }) {
    const key = new URL(request.url).searchParams.get("key");
    if (request.method === "PUT") { await BUCKET.put(key, await request.arrayBuffer()); return new Response("written"); }
    if (request.method === "DELETE") { await BUCKET.delete(key); return new Response("gone"); }
    const object = await BUCKET.get(key);
    return object ? new Response(object.body, { headers: { etag: object.httpEtag } }) : new Response(null, { status: 404 });
  },
};`;

let state: string;
let bucket: Bucket | undefined;
let miniflare: Miniflare | undefined;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "bucket-"));
});
afterEach(async () => {
  bucket?.close();
  bucket = undefined;
  await miniflare?.dispose();
  miniflare = undefined;
  await rm(state, { recursive: true, force: true });
});

/** A workerd on the state folder, as `wrangler dev` runs it. */
async function startWorker(): Promise<(method: string, key: string, body?: string) => Promise<string | undefined>> {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: WORKER,
      compatibilityDate: "2026-10-23",
      r2Buckets: { BUCKET: "geodata" },
      resourcePersistencePath: join(state, "v3"),
      cf: false,
    }),
  );
  const url = await miniflare.ready;
  return async (method, key, body) => {
    const response = await fetch(`${url}?key=${encodeURIComponent(key)}`, { method, body });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.text();
  };
}

async function* objects(prefix: string, count: number, size = 100): AsyncGenerator<BucketObject> {
  for (let i = 0; i < count; i++) yield { key: `${prefix}${i}`, bytes: Buffer.from(`${prefix}${i}`.padEnd(size, ".")) };
}

const ignore = () => undefined;

describe("the local bucket", () => {
  it("can be filled before the first start, and a Worker reads it", async () => {
    bucket = openLocalBucket(state, "geodata");
    await bucket.putMany(objects("builds/a/", 20), ignore);
    const worker = await startWorker();
    expect(await worker("GET", "builds/a/7")).toBe("builds/a/7".padEnd(100, "."));
    expect(await worker("GET", "builds/a/20")).toBeUndefined();
  });

  it("takes a file piece by piece, which a Worker reads and `read` gives back", async () => {
    bucket = openLocalBucket(state, "geodata");
    const path = join(state, "pack");
    const text = "0123456789".repeat(250_000);
    await writeFile(path, `before${text}behind`);
    const range = { path, offset: 6, length: text.length };
    const told: number[] = [];
    for (let i = 0; i < 2; i++) await bucket.putFile("builds/a/large", range, (bytes) => void told.push(bytes));
    expect(told.length).toBe(6);
    expect(told.reduce((sum, bytes) => sum + bytes)).toBe(2 * text.length);
    expect(await readdir(join(state, "v3/r2/geodata/blobs"))).toHaveLength(1);
    const pieces: Uint8Array[] = [];
    for await (const piece of (await bucket.read("builds/a/large")) ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(Buffer.concat(pieces).toString()).toBe(text);
    const worker = await startWorker();
    expect(await worker("GET", "builds/a/large")).toBe(text);
  });

  it("keeps nothing of a file that breaks off", async () => {
    bucket = openLocalBucket(state, "geodata");
    const path = join(state, "pack");
    await writeFile(path, "short");
    await expect(bucket.putFile("builds/a/large", { path, offset: 0, length: 6 }, ignore)).rejects.toThrow(/shorter/);
    expect(await readdir(join(state, "v3/r2/geodata/blobs"))).toEqual([]);
    expect(await bucket.get("builds/a/large")).toBeUndefined();
  });

  it("is the one a running Worker reads and writes, each seeing the other's objects at once", async () => {
    const worker = await startWorker();
    await worker("PUT", "icon", "drawn by the Worker");
    bucket = openLocalBucket(state, "geodata");
    expect(Buffer.from((await bucket.get("icon"))?.bytes ?? []).toString()).toBe("drawn by the Worker");
    expect(await worker("GET", "live.json")).toBeUndefined();
    for (let i = 0; i < 5; i++) {
      await bucket.put("live.json", Buffer.from(`list ${i}`));
      expect(await worker("GET", "live.json")).toBe(`list ${i}`);
    }
    await worker("DELETE", "live.json");
    expect(await bucket.get("live.json")).toBeUndefined();
  });

  it("takes thousands of objects while a Worker reads and writes without a pause: no read fails, nothing written is lost", async () => {
    const worker = await startWorker();
    await worker("PUT", "first", "there from the start");
    bucket = openLocalBucket(state, "geodata");
    let busy = true;
    const written: string[] = [];
    const traffic = async () => {
      for (let round = 0; busy; round++) {
        expect(await worker("GET", "first")).toBe("there from the start");
        // workerd does not wait for a lock: while rows go in, a write of its own may be refused, and says so.
        const accepted = await worker("PUT", `own/${round}`, `round ${round}`).catch(() => undefined);
        if (accepted) written.push(`own/${round}`);
      }
    };
    const running = traffic();
    for (let i = 0; i < 4; i++) await bucket.putMany(objects(`builds/${i}/`, 1500, 2000), ignore);
    busy = false;
    await running;
    expect(written.length).toBeGreaterThan(3);
    expect([...(await bucket.list("own/")).keys()]).toEqual(written.sort());
    expect((await bucket.list("builds/")).size).toBe(6000);
    for (const key of ["builds/0/0", "builds/3/1499"]) expect((await worker("GET", key))?.length).toBe(2000);
  });

  it("writes only if nobody else wrote meanwhile", async () => {
    bucket = openLocalBucket(state, "geodata");
    const other = openLocalBucket(state, "geodata");
    expect(await bucket.put("live.json", Buffer.from("1"), null)).toBe(true);
    expect(await other.put("live.json", Buffer.from("2"), null)).toBe(false);
    const { etag } = (await other.get("live.json")) ?? { etag: "" };
    expect(await bucket.put("live.json", Buffer.from("3"), etag)).toBe(true);
    expect(await other.put("live.json", Buffer.from("4"), etag)).toBe(false);
    expect(Buffer.from((await other.get("live.json"))?.bytes ?? []).toString()).toBe("3");
    other.close();
  });

  it("keeps no bytes of objects that were replaced, refused or deleted", async () => {
    bucket = openLocalBucket(state, "geodata");
    await bucket.put("a", Buffer.from("one"));
    await bucket.put("a", Buffer.from("two"));
    await bucket.put("a", Buffer.from("two"));
    await bucket.put("a", Buffer.from("three"), "another etag");
    await bucket.putMany(objects("builds/x/", 10), ignore);
    await bucket.putMany(objects("builds/x/", 10), ignore);
    expect(await readdir(join(state, "v3/r2/geodata/blobs"))).toHaveLength(11);
    await bucket.delete([...(await bucket.list("")).keys()]);
    expect(await readdir(join(state, "v3/r2/geodata/blobs"))).toEqual([]);
  });

  it("of a layout not known is left alone", async () => {
    openLocalBucket(state, "geodata").close();
    const folder = join(state, "v3/r2/miniflare-R2BucketObject");
    const [file] = (await readdir(folder)).filter((name) => name.endsWith(".sqlite"));
    const database = new DatabaseSync(join(folder, file));
    database.exec("ALTER TABLE _mf_objects ADD COLUMN storage_class TEXT");
    database.close();
    expect(() => openLocalBucket(state, "geodata")).toThrow(/layout is not known here.*npm ci/);
  });

  it("lists keys under a prefix, and folders without walking what is in them", async () => {
    bucket = openLocalBucket(state, "geodata");
    for (const prefix of ["builds/a/x/", "builds/b/", "other/", "builds/a/y/"]) {
      await bucket.putMany(objects(prefix, 3), ignore);
    }
    expect([...(await bucket.list("builds/a/")).keys()]).toHaveLength(6);
    expect((await bucket.list("builds/b/")).get("builds/b/0")).toBe(100);
    expect(await bucket.folders("builds/")).toEqual(["a", "b"]);
    expect(await bucket.folders("builds/a/")).toEqual(["x", "y"]);
    expect(await bucket.folders("none/")).toEqual([]);
  });
});
