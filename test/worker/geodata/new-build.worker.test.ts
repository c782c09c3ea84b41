import { mkdtemp, readFile, rm } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { expectWithin } from "../../support/times.ts";

const SOURCE = resolve(import.meta.dirname, "../../../src");

/** Answers with two objects of the live build, read one after the other with a pause between. */
const WORKER = `
import { openGeodata } from "./src/worker/geodata/live.ts";
export default {
  async fetch(_, { GEODATA }, context) {
    const geodata = await openGeodata(GEODATA, { now: Date.now(), waitUntil: (work) => context.waitUntil(work) });
    const [build] = geodata.with("words");
    if (!build) return Response.json([]);
    const word = async (key) => new TextDecoder().decode(await build.read(key));
    const first = await word("words/first");
    await new Promise((resolve) => setTimeout(resolve, 20));
    return Response.json([first, await word("words/second")]);
  },
};`;
/** A module of ours and all it imports, without types, by path below src. */
async function modulesFrom(path: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  if (found.has(path)) return found;
  const text = stripTypeScriptTypes(await readFile(join(SOURCE, path), "utf8"));
  found.set(path, text);
  for (const [, target] of text.matchAll(/from "(\.[^"]+)"/g)) await modulesFrom(join(dirname(path), target), found);
  return found;
}

let folder: string;
let bucket: Bucket;
let miniflare: Miniflare;
let url: URL;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "new-build-"));
  bucket = openLocalBucket(folder, "geodata");
  const modules = [...(await modulesFrom("worker/geodata/live.ts"))].map(([path, contents]) => ({
    type: "ESModule" as const,
    path: join(folder, "src", path),
    contents,
  }));
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: "ESModule", path: join(folder, "worker.js"), contents: WORKER }, ...modules],
      modulesRoot: folder,
      compatibilityDate: "2026-10-23",
      r2Buckets: { GEODATA: "geodata" },
      resourcePersistencePath: join(folder, "v3"),
      cf: false,
    }),
  );
  url = await miniflare.ready;
});
afterAll(async () => {
  await miniflare?.dispose();
  bucket?.close();
  await rm(folder, { recursive: true, force: true });
});

function publish(word: string): Promise<unknown> {
  const layer: Layer = {
    name: "words",
    formatVersion: 1,
    summary: "the same word twice",
    reads: {},
    async build(_, out) {
      out.area([-180, -90, 180, 90]);
      await out.write("words/first", Buffer.from(word));
      await out.write("words/second", Buffer.from(word));
    },
  };
  return importGeodata({
    name: "town",
    extracts: [],
    files: { addresses: [] },
    layers: [layer],
    cache: join(folder, `cache-${word}`),
    bucket,
    reporter: silent,
  });
}

const ask = async () => (await (await fetch(url)).json()) as string[];

/** Asks until the answer is the word; every answer on the way must be of one build. */
async function until(word: string, known: string[]): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer.length > 0) {
      expect(answer[0]).toBe(answer[1]);
      expect([...known, word]).toContain(answer[0]);
    }
    if (answer[0] === word) return;
    expect(Date.now()).toBeLessThan(end);
    await sleep(50);
  }
}

describe("a running Worker", () => {
  it("answers from a build after it was published, and never from two at once", async () => {
    expect(await ask()).toEqual([]);
    await publish("one");
    const began = Date.now();
    await until("one", []);
    expectWithin(began, 10_000);
  }, 90_000);

  it("takes up the next one for all requests that come at the same time, none of which waits for another", async () => {
    await publish("two");
    await sleep(5100);
    const start = Date.now();
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    expectWithin(start, 3_000);
    for (const [first, second] of answers) expect([first, ["one", "two"].includes(first)]).toEqual([second, true]);
    await until("two", ["one"]);
    expectWithin(start, 7_000);
    // Whoever came with the old list in hand may still read from the old build: it stays.
    expect((await bucket.folders("builds/")).length).toBe(2);
  }, 90_000);
});
