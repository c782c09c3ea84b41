import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { verifyBuild } from "../../../src/importer/publish/builds.ts";
import { liveId } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers } from "../../../src/importer/run/layers.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";
import { isNight } from "../../support/night.ts";
import { oddFiles } from "./odd-files.ts";

/** By day the layers that read most and start soonest. */
const BUILT = isNight ? layers : layers.filter(({ name }) => ["places", "roads", "basemap"].includes(name));
/** Processor time: others may use the machine. */
const MAX_SECONDS = 5;
const MAX_MORE_BYTES = 400e6;

let folder: string;
let bucket: Bucket;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "odd-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterAll(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

let number = 0;

/** As the command imports it. */
async function imported(name: string, bytes: Uint8Array) {
  const own = join(folder, `${number++}`);
  const cache = join(own, "cache");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, name), bytes);
  try {
    const { extracts, addresses } = await findSources([join(own, name)], { cache, reporter: silent });
    const built = addresses.length > 0 ? layers.filter((layer) => layer.name === "addresses") : BUILT;
    const options = { name: "odd", extracts, files: { addresses }, layers: built, cache, bucket, reporter: silent };
    return await importGeodata(options);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** What libraries and V8 say. */
const FOREIGN =
  /incorrect header|invalid (stored|block|distance|code)|unexpected end|is not iterable|undefined|Unexpected token|JSON at position|Cannot read prop|Invalid typed|out of range|ERR_|Z_[A-Z]+|ENOENT|Unencoded|Non-whitespace|\.ts:\d|\.js:\d/i;

let town: string;
beforeAll(async () => {
  const plain = oddFiles()[0];
  town = (await imported(plain.name, plain.bytes)).manifest.objectsSha256;
});

const files = oddFiles();
it("there are more than two hundred odd files, each with a name of its own", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(new Set(files.map(({ group, name }) => `${group} ${name}`)).size).toBe(files.length);
});

/** By day the first of each group and an eighth of all: each takes half a second. */
const firsts = new Map(files.toReversed().map((file) => [file.group, file]));
const tried = files.filter((file, i) => isNight || i % 8 === 0 || firsts.get(file.group) === file);

describe.each([...new Set(tried.map(({ group }) => group))])("odd files: %s", (group) => {
  it.each(tried.filter((file) => file.group === group).map((file) => [file.name, file] as const))(
    "%s is imported right or refused with a sentence, and never live in part",
    async (name, { bytes, outcome }) => {
      const before = await liveId(bucket, "odd");
      const [cpu, resident] = [process.cpuUsage(), process.memoryUsage.rss()];
      const result = await imported(name, bytes).catch((error: unknown) => error);
      const { user, system } = process.cpuUsage(cpu);
      expect((user + system) / 1e6).toBeLessThan(MAX_SECONDS);
      expect(process.memoryUsage.rss() - resident).toBeLessThan(MAX_MORE_BYTES);
      const live = await liveId(bucket, "odd");
      if (result instanceof Error) {
        expect(result).toBeInstanceOf(ImportError);
        expect(result.message).toMatch(/^[^\n]+\.$/);
        expect(result.message).not.toMatch(FOREIGN);
        expect(live).toBe(before);
        if (outcome !== "either") expect(outcome).toBeInstanceOf(RegExp);
        if (outcome instanceof RegExp) expect(result.message).toMatch(outcome);
        return;
      }
      const { manifest } = result as Awaited<ReturnType<typeof imported>>;
      expect(outcome).not.toBeInstanceOf(RegExp);
      expect(live).toBe(manifest.id);
      expect((await verifyBuild(bucket, manifest.id)).wrong).toEqual([]);
      if (outcome === "same") expect(manifest.objectsSha256).toBe(town);
    },
  );
});
