import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { divide } from "../../../src/importer/frame/budget.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import { readPreviousImport, savePreviousImport } from "../../../src/importer/frame/stores/previous-import.ts";
import { BlobFile } from "../../../src/importer/osm/pbf/blob-file.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { removeBuilds, verifyBuild } from "../../../src/importer/publish/builds.ts";
import { readLiveList, rollBack } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { prepareUpdate } from "../../../src/importer/update/prepare-update.ts";
import { pathOf, readState, refuseGaps } from "../../../src/importer/update/replication.ts";

let folder: string;
let bucket: Bucket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "update-publish-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterEach(async () => {
  bucket.close();
  await rm(folder, { recursive: true, force: true });
});

/** Named nodes, an object for each degree of latitude: a change in one place changes one of them. */
const dots: Layer = {
  name: "dots",
  formatVersion: 1,
  summary: "",
  reads: { nodes: ["name"] },
  files: [],
  async build(input, out) {
    const rows = new Map<number, string[]>();
    await input.scan({
      node({ latitude, tags }) {
        rows.set(Math.floor(latitude), [...(rows.get(Math.floor(latitude)) ?? []), tags.name]);
      },
    });
    for (const [row, names] of [...rows].sort(([a], [b]) => a - b)) {
      await out.write(`dots/${row}`, Buffer.from(`${names.join()} `.repeat(200)));
    }
  },
};

/** More memory than this process holds: with 512 MB in a process of many tests, these imports took many times as long. One thread starts none. */
const budget = divide(8e9, 1);
const cache = () => join(folder, "cache");
const ROWS = 20;

async function importTown(extract: string) {
  const files = { addresses: [] };
  const given = { name: "town", extracts: [extract], files };
  const result = await importGeodata({ ...given, layers: [dots], cache: cache(), bucket, reporter: silent, budget });
  await savePreviousImport(cache(), { version: 1, ...given, layers: ["dots"] });
  return result;
}

async function town(more: { sequence?: number; replicationUrl?: string } = {}): Promise<string> {
  const path = join(folder, "town.osm.pbf");
  const nodes = Array.from({ length: ROWS }, (_, i) => ({
    ...({ type: "node", id: i + 1, latitude: i + 0.5, longitude: 0.5, tags: { name: `n${i}` } } as const),
  }));
  await writePbf(path, nodes, { bounds: [0, 0, 1, ROWS], ...more });
  return path;
}

const rename = (id: number, name: string, version = 2) =>
  `<osmChange version="0.6"><modify><node id="${id}" version="${version}" timestamp="2026-11-20T10:00:00Z" lat="${id - 0.5}" lon="0.5"><tag k="name" v="${name}"/></node></modify></osmChange>`;

const update = (changes: readonly string[], allowHttp = false) =>
  prepareUpdate({ name: "town", changes, cache: cache(), reporter: silent, allowHttp });

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe("an update", () => {
  it("publishes what changed alone, and equals a full import of the merged extract", async () => {
    const first = await importTown(await town());
    expect(first.sent).toMatchObject({ uploaded: { objects: ROWS }, shared: { objects: 0 } });
    const prepared = await update([await file("7.osc", rename(7, "seven"))]);
    const [extract = ""] = prepared?.kept.extracts ?? [];
    const second = await importTown(extract);
    expect(second.sent).toMatchObject({ uploaded: { objects: 1 }, shared: { objects: ROWS - 1 } });
    expect(await verifyBuild(bucket, second.manifest.id)).toEqual({ objects: ROWS, wrong: [] });

    const elsewhere = openLocalBucket(join(folder, "elsewhere"), "geodata");
    const layers = [dots];
    const whole = await importGeodata({
      name: "town",
      extracts: [extract],
      files: { addresses: [] },
      layers,
      reporter: silent,
      cache: join(folder, "other-cache"),
      bucket: elsewhere,
      budget,
    });
    expect(whole.manifest).toEqual(second.manifest);
    for (const key of (await bucket.list(`builds/${second.manifest.id}/`)).keys()) {
      expect((await bucket.get(key))?.bytes).toEqual((await elsewhere.get(key))?.bytes);
    }
    elsewhere.close();
  });

  it("can be rolled back, and neither build needs the other", async () => {
    const first = await importTown(await town());
    const prepared = await update([await file("7.osc", rename(7, "seven"))]);
    const second = await importTown(prepared?.kept.extracts[0] ?? "");
    expect(await rollBack(bucket, "town")).toBe(first.manifest.id);
    await removeBuilds(bucket, second.manifest.id, 0);
    expect(await verifyBuild(bucket, first.manifest.id)).toEqual({ objects: ROWS, wrong: [] });

    // And the other way round: the older one goes.
    const again = await importTown(prepared?.kept.extracts[0] ?? "");
    expect(again.sent?.shared.objects).toBe(ROWS - 1);
    await removeBuilds(bucket, first.manifest.id, 0);
    expect(await verifyBuild(bucket, again.manifest.id)).toEqual({ objects: ROWS, wrong: [] });
  });

  it("copies nothing from a build that is damaged", async () => {
    const { manifest } = await importTown(await town());
    await bucket.put(`builds/${manifest.id}/objects.json`, Buffer.from("{}"));
    const prepared = await update([await file("7.osc", rename(7, "seven"))]);
    const second = await importTown(prepared?.kept.extracts[0] ?? "");
    expect(second.sent).toMatchObject({ uploaded: { objects: ROWS }, shared: { objects: 0 } });
  });

  it("goes on from the one before, keeps one extract, and takes a merged one as it is after an interruption", async () => {
    await importTown(await town());
    const changes = [await file("7.osc", rename(7, "seven"))];
    const prepared = await update(changes);
    const again = await update(changes);
    expect(again?.kept).toEqual(prepared?.kept);
    expect(again?.told[0]).toMatch(/already, from an update that was interrupted/);
    await importTown(prepared?.kept.extracts[0] ?? "");
    const next = await update([await file("8.osc", rename(8, "eight"))]);
    await importTown(next?.kept.extracts[0] ?? "");
    expect((await readPreviousImport(cache(), "town")).extracts).toEqual(next?.kept.extracts);
    const folders = await readdir(join(cache(), "kept/town"), { withFileTypes: true });
    expect(folders.filter((entry) => entry.isDirectory())).toHaveLength(1);
    const { list } = await readLiveList(bucket);
    expect(list.builds[0].previous).toHaveLength(2);
  });

  it("of a name that was never imported here, of an extract that is gone, or of a broken file says so, and changes nothing", async () => {
    await expect(update([])).rejects.toThrow(/No import named town is remembered/);
    const path = await town();
    await importTown(path);
    const live = await readLiveList(bucket);
    await expect(update([])).rejects.toThrow(/does not say where its changes are/);
    await expect(update([await file("9.osc", rename(9, "x").slice(0, 80))])).rejects.toThrow(/not a complete file/);
    await expect(update([join(folder, "none.osc")])).rejects.toThrow(/there is no such file/);
    await rm(path);
    await expect(update([await file("7.osc", rename(7, "seven"))])).rejects.toThrow(/no longer exists/);
    expect(await readLiveList(bucket)).toEqual(live);
  });
});

describe("a replication", () => {
  let server: Server;
  let base: string;
  let answers: Map<string, string | Buffer>;
  beforeEach(async () => {
    answers = new Map();
    server = createServer((request, response) => {
      const answer = answers.get(request.url ?? "");
      response.writeHead(answer === undefined ? 404 : 200).end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/updates`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const state = (sequence: number) => `#Sat Nov 21\nsequenceNumber=${sequence}\ntimestamp=2026-11-21T20\\:21\\:02Z\n`;

  it("is followed from the number in the extract's header to the newest, and again from there", async () => {
    answers.set("/updates/state.txt", state(1002));
    answers.set("/updates/000/001/001.osc.gz", gzipSync(rename(1, "one")));
    answers.set("/updates/000/001/002.osc.gz", gzipSync(rename(1, "uno", 3)));
    await importTown(await town({ sequence: 1000, replicationUrl: base }));
    const prepared = await update([], true);
    expect(prepared?.told).toEqual(["town.osm.pbf: 0 created, 1 modified, 0 deleted, from 2 files."]);
    await importTown(prepared?.kept.extracts[0] ?? "");
    const merged = await BlobFile.open(prepared?.kept.extracts[0] ?? "");
    await merged.close();
    expect(merged.header).toMatchObject({
      sequence: 1002,
      replicationUrl: base,
      timestamp: Date.parse("2026-11-21T20:21:02Z") / 1000,
    });
    expect(await update([], true)).toBeUndefined();
  });

  it("with a gap, or that cannot be reached, or is none, says so", async () => {
    answers.set("/updates/state.txt", state(1003));
    answers.set("/updates/000/001/001.osc.gz", gzipSync(rename(1, "one")));
    await importTown(await town({ sequence: 1000, replicationUrl: base }));
    await expect(update([], true)).rejects.toThrow(/changes number 1002 are missing/);
    answers.set("/updates/state.txt", state(999));
    await expect(update([], true)).rejects.toThrow(/different replications/);
    answers.set("/updates/state.txt", state(9_999_999));
    await expect(update([], true)).rejects.toThrow(/files of changes behind/);
    answers.set("/updates/state.txt", "<html>");
    await expect(update([], true)).rejects.toThrow(/no replication of OpenStreetMap/);
    await expect(update([], false)).rejects.toThrow(/is not an https address/);
    await expect(update(["http://127.0.0.1:9/none"], true)).rejects.toThrow(/Could not fetch .*Nothing was changed/);
  });

  it("numbers its files by threes, and files that skip a number are refused", () => {
    expect([pathOf(7), pathOf(4_567), pathOf(6_123_456)]).toEqual(["000/000/007", "000/004/567", "006/123/456"]);
    expect(readState(state(12), "x")).toEqual({ sequence: 12, timestamp: Date.parse("2026-11-21T20:21:02Z") / 1000 });
    expect(() => refuseGaps(["a/567.osc.gz", "a/569.osc.gz"])).toThrow("number 568 are missing");
    expect(() => refuseGaps(["a/569.osc.gz", "a/567.osc", "a/568.osc.gz"])).not.toThrow();
    expect(() => refuseGaps(["monday.osc", "wednesday.osc"])).not.toThrow();
  });
});
