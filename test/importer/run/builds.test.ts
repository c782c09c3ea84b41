import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { removeBuilds, storedBuilds, verifyBuild } from "../../../src/importer/publish/builds.ts";
import { makeLive, readLiveList, readManifest, rollBack } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { ensureWorld } from "../../../src/importer/run/ensure-world.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { worldLayers } from "../../../src/importer/run/layers.ts";
import { isWorldCurrent, WORLD_FORMATS } from "../../../src/importer/run/world-formats.ts";

let folder: string;
let bucket: Bucket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "builds-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterEach(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

/** Publishes a build that holds one word; answers its id. */
async function publish(name: string, word: string): Promise<string> {
  const layer: Layer = {
    name: "words",
    formatVersion: 1,
    summary: "one word",
    reads: {},
    build: (_, out) => out.write("words/word", Buffer.from(word)),
  };
  const { manifest } = await importGeodata({
    name,
    extracts: [],
    files: { addresses: [] },
    layers: [layer],
    cache: join(folder, `cache-${word}`),
    bucket,
    reporter: silent,
  });
  return manifest.id;
}

const live = async () => (await readLiveList(bucket)).list.builds.map(({ name, id }) => [name, id]);

describe("builds", () => {
  it("of different names are live side by side, of the same name the last", async () => {
    const one = await publish("malta", "one");
    const monaco = await publish("monaco", "rock");
    expect(await live()).toEqual([
      ["malta", one],
      ["monaco", monaco],
    ]);
    const two = await publish("malta", "two");
    expect(await live()).toEqual([
      ["malta", two],
      ["monaco", monaco],
    ]);
    expect((await bucket.list(`builds/${one}/`)).size).toBe(3);
  });

  it("with the same content have the same id, and are there once", async () => {
    expect(await publish("malta", "one")).toBe(await publish("malta", "one"));
    const { list } = await readLiveList(bucket);
    expect(list.builds[0].previous).toEqual([]);
  });

  it("can be rolled back, step by step, and activated by id", async () => {
    const one = await publish("malta", "one");
    const two = await publish("malta", "two");
    const three = await publish("malta", "three");
    expect(await rollBack(bucket, "malta")).toBe(two);
    expect(await live()).toEqual([["malta", two]]);
    expect(await rollBack(bucket, "malta")).toBe(one);
    await expect(rollBack(bucket, "malta")).rejects.toThrow(/no build to go back to/);
    await expect(rollBack(bucket, "gozo")).rejects.toThrow(/No build named gozo/);
    await makeLive(bucket, await readManifest(bucket, three));
    expect(await live()).toEqual([["malta", three]]);
    await expect(readManifest(bucket, "0123")).rejects.toThrow(/There is no build 0123/);
  });

  it("published at the same time all become live", async () => {
    const other = openLocalBucket(join(folder, "state"), "geodata");
    const manifests = await Promise.all(
      ["a", "b", "c", "d"].map(async (name) => readManifest(bucket, await publish(name, name))),
    );
    await removeLive();
    await Promise.all(manifests.map((manifest, i) => makeLive(i % 2 ? bucket : other, manifest)));
    expect((await live()).map(([name]) => name)).toEqual(["a", "b", "c", "d"]);
    other.close();
  });

  async function removeLive(): Promise<void> {
    await bucket.delete(["live.json"]);
  }

  it("are listed with what they are, unfinished ones too", async () => {
    const one = await publish("malta", "one");
    const two = await publish("malta", "two");
    await bucket.put("builds/dead/words/word", Buffer.from("half"));
    expect(
      (await storedBuilds(bucket)).map(({ id, live, previous, manifest }) => [id, live, previous, manifest?.name]),
    ).toEqual([
      [two, true, false, "malta"],
      [one, false, true, "malta"],
      ["dead", false, false, undefined],
    ]);
  });

  it("can be compared with what they say of themselves", async () => {
    const id = await publish("malta", "one");
    expect(await verifyBuild(bucket, id)).toEqual({ objects: 1, wrong: [] });
    await bucket.put(`builds/${id}/words/word`, Buffer.from("two"));
    expect(await verifyBuild(bucket, id)).toEqual({ objects: 1, wrong: ["words/word"] });
    await bucket.put(`builds/${id}/objects.json`, Buffer.from("{}"));
    expect(await verifyBuild(bucket, id)).toEqual({ objects: 0, wrong: ["objects.json"] });
  });

  it("are removed by id when they are not live, and by name with all that is theirs", async () => {
    const one = await publish("malta", "one");
    const two = await publish("malta", "two");
    const monaco = await publish("monaco", "rock");
    await expect(removeBuilds(bucket, two, 0)).rejects.toThrow(/is live.*malta/);
    await expect(removeBuilds(bucket, "gozo", 0)).rejects.toThrow(/No build and no name "gozo"/);
    expect(await removeBuilds(bucket, one, 0)).toEqual([one]);
    await expect(rollBack(bucket, "malta")).rejects.toThrow(/no build to go back to/);
    expect(await removeBuilds(bucket, "malta", 0)).toEqual([two]);
    expect(await live()).toEqual([["monaco", monaco]]);
    expect([...(await bucket.list("")).keys()].filter((key) => !key.includes(monaco))).toEqual(["live.json"]);
  });
});

describe("a list of live builds", () => {
  it("of a newer version is left alone", async () => {
    await bucket.put("live.json", Buffer.from(JSON.stringify({ version: 2, builds: [] })));
    await expect(publish("malta", "one")).rejects.toThrow(/version 2/);
    expect(Buffer.from((await bucket.get("live.json"))?.bytes ?? []).toString()).toContain('"version":2');
  });
});

describe("the world base", () => {
  const layer = (formatVersion: number): Layer => ({
    name: "globe",
    formatVersion,
    summary: "the Earth in a word",
    reads: {},
    build: (_, out) => out.write("globe/earth", Buffer.from("mostly harmless")),
  });
  const ensure = (...layers: Layer[]) => ensureWorld(bucket, join(folder, "cache"), silent, layers);

  it("is built on the first start and not again, until the program makes another format or layer", async () => {
    expect((await ensure(layer(1)))?.manifest).toMatchObject({ name: "world", bounds: [-180, -90, 180, 90] });
    expect((await live()).map(([name]) => name)).toEqual(["world"]);
    expect(await ensure(layer(1))).toBeUndefined();
    expect((await ensure(layer(2)))?.manifest.layers.globe.formatVersion).toBe(2);
    expect(await ensure(layer(2))).toBeUndefined();
    const more: Layer = { ...layer(2), name: "moon", build: (_, out) => out.write("moon/cheese", Buffer.from("?")) };
    expect(Object.keys((await ensure(layer(2), more))?.manifest.layers ?? {})).toEqual(["globe", "moon"]);
    expect((await ensure(more))?.manifest.layers).toMatchObject({ moon: {} });
  });

  it("has the layers and formats that a server looks for", () => {
    expect(WORLD_FORMATS).toEqual(
      Object.fromEntries(worldLayers.map(({ name, formatVersion }) => [name, formatVersion])),
    );
    const world = (layers: Record<string, number>) => ({ builds: [{ name: "world", layers }] as LiveBuild[] });
    expect(isWorldCurrent(world({ ...WORLD_FORMATS }))).toBe(true);
    expect(isWorldCurrent(world({ ...WORLD_FORMATS, basemap: 0 }))).toBe(false);
    expect(isWorldCurrent(world({ ...WORLD_FORMATS, more: 1 }))).toBe(false);
    expect(isWorldCurrent({ builds: [] })).toBe(false);
  });
});
