import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Bounds, type Manifest, WORLD } from "../geo/manifest.ts";
import { ImportError } from "./import-error.ts";
import type { DataSource, Layer, OperatorFiles } from "./layer.ts";
import { ImportedElements } from "./layer-input.ts";
import { type ElementStore, emptyStore, readExtracts } from "./osm/read-extracts.ts";
import { type Selection, unite } from "./osm/selection.ts";
import { PhaseTimes } from "./phase-times.ts";
import { ProcessLock } from "./process-lock.ts";
import type { Bucket } from "./publish/bucket.ts";
import { liveId, makeLive } from "./publish/live-list.ts";
import { type Build, describeBuild, publishBuild } from "./publish/publish.ts";
import type { Reporter } from "./reporter.ts";
import { LayerStage, type StagedLayer } from "./staging.ts";
import { WorkFolder } from "./work-folder.ts";
import { LayerRoom } from "./workroom.ts";
import { explainWriteFailure } from "./write-failure.ts";

export const OPENSTREETMAP: DataSource = {
  name: "OpenStreetMap",
  url: "https://www.openstreetmap.org/copyright",
  licence: "ODbL-1.0",
  attribution: "© OpenStreetMap contributors",
};

/** Where the base of the world has data. */
const WHOLE_EARTH: Bounds = [-180, -90, 180, 90];

export interface ImportOptions {
  /** The build's name: one build of a name is live at a time. */
  name: string;
  /** Paths of .osm.pbf files. */
  extracts: readonly string[];
  files: OperatorFiles;
  layers: readonly Layer[];
  /** Folder for everything an import needs to keep while it runs. */
  cache: string;
  /** Where to publish to; when absent nothing is published (a dry run). */
  bucket?: Bucket;
  reporter: Reporter;
}

export interface ImportResult {
  manifest: Manifest;
  /** Elements of the extracts by kind. */
  elements: { nodes: number; ways: number; relations: number };
  /** What the layers left out, and why: lines for the person who runs the import. */
  notes: string[];
  published: boolean;
}

/**
 * Extracts → one immutable build in the bucket, live at the end. Each phase that is done is remembered in the cache
 * folder, so the same import, started again after an interruption, goes on from there. What is live changes in the last
 * step only: a failure before that leaves it as it was.
 *
 * @throws ImportError for what the caller can fix
 */
export async function importGeodata(options: ImportOptions): Promise<ImportResult> {
  const { bucket, cache, layers, name } = options;
  // A layer that does not say what it reads may read anything.
  refuseUnread(options.files, layers, (kind) => layers.some(({ files }) => files?.includes(kind) ?? true));
  const lock = bucket && (await ProcessLock.take(join(cache, "work", `${name}.pid`), `An import named ${name}`));
  try {
    return await runImport(options);
  } catch (error) {
    throw explainWriteFailure(error);
  } finally {
    await lock?.release();
  }
}

async function runImport(options: ImportOptions): Promise<ImportResult> {
  const { reporter, bucket, name } = options;
  const replaces = bucket && (await liveId(bucket, name));
  const inputs = await fingerprints([...options.extracts, ...operatorPaths(options.files)]);
  const work = await WorkFolder.open(join(options.cache, "work", await jobId(options, inputs)), reporter);
  try {
    const { build, elements, notes } = await makeBuild(options, inputs, work);
    if (bucket) {
      await publish(bucket, build, reporter, replaces);
      await work.remove();
    }
    return { manifest: build.manifest, elements, notes, published: bucket !== undefined };
  } finally {
    await work.close();
  }
}

async function makeBuild(options: ImportOptions, inputs: Manifest["inputs"], work: WorkFolder) {
  const { layers, extracts } = options;
  const selection = layers.reduce<Selection>((all, { reads }) => unite(all, reads), {});
  const store = extracts.length > 0 ? await readExtracts(extracts, selection, work) : emptyStore(work.folder);
  const staged = await buildLayers(options, work, store);
  const areas = store.extracts.map((extract) => extract.bounds);
  const build = await describeBuild({
    name: options.name,
    areas: options.name === WORLD ? [WHOLE_EARTH] : areas,
    inputs: inputs.map((input, i) => ({
      ...input,
      ...(store.extracts[i] && { bounds: store.extracts[i].bounds }),
      ...(store.extracts[i]?.timestamp && { timestamp: store.extracts[i].timestamp }),
    })),
    sources: extracts.length > 0 ? [OPENSTREETMAP] : [],
    layers: staged.map((layer) => ({ staged: layer, pack: work.path(`${layer.name}.pack`) })),
  });
  return { build, elements: store.counts, notes: staged.flatMap(({ notes }) => notes) };
}

async function buildLayers(
  { layers, files, cache }: ImportOptions,
  work: WorkFolder,
  store: ElementStore,
): Promise<StagedLayer[]> {
  const elements = await ImportedElements.open(store, files);
  const { nodes, ways, relations } = store.counts;
  const times = await PhaseTimes.open(join(cache, "phase-times.json"), nodes + ways + relations);
  const staged: StagedLayer[] = [];
  for (const layer of layers) {
    staged.push(
      await work.phase(
        layer.name,
        async (progress) => {
          const stage = await LayerStage.create(work.path(`${layer.name}.pack`), layer.name);
          const room = new LayerRoom(work.path(layer.name), progress);
          try {
            const input = elements.forLayer(layer.reads, (what) => stage.count(what), room, stage.asked);
            await layer.build(input, stage, progress);
            return await stage.finish(layer.formatVersion);
          } catch (error) {
            await stage.abandon();
            throw error;
          } finally {
            room.clear();
          }
        },
        times,
      ),
    );
  }
  refuseUnread(files, layers, (kind) => staged.some(({ asked }) => asked.includes(kind)));
  return staged;
}

/** A file that no layer reads is a mistake of the operator, so it is refused. @throws ImportError naming it */
function refuseUnread(
  files: OperatorFiles,
  layers: readonly Layer[],
  isRead: (kind: keyof OperatorFiles) => boolean,
): void {
  const given = (Object.keys(files) as (keyof OperatorFiles)[]).filter((kind) => (files[kind]?.length ?? 0) > 0);
  const unread = given.find((kind) => !isRead(kind));
  if (unread === undefined) return;
  const what = {
    dma: "--dma",
    postalCodes: "--postal-codes",
    places: "--places",
    speeds: "--speeds",
    addresses: "OpenAddresses files",
  };
  const names = layers.map(({ name }) => name).join(", ");
  throw new ImportError(`No layer of this import (${names}) reads ${what[unread]}.`);
}

async function publish(bucket: Bucket, build: Build, reporter: Reporter, replaces: string | undefined): Promise<void> {
  const progress = reporter.begin("publish");
  await publishBuild(bucket, build, progress);
  progress.end();
  await makeLive(bucket, build.manifest, { replaces });
}

function operatorPaths({ dma, postalCodes, places, speeds, addresses }: OperatorFiles): string[] {
  return [dma, postalCodes, places, speeds, ...addresses].filter((path) => path !== undefined);
}

/** Name, size and SHA-256 of each file. */
async function fingerprints(paths: readonly string[]): Promise<Manifest["inputs"]> {
  return Promise.all(
    paths.map(async (path) => {
      const hash = createHash("sha256");
      try {
        for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
        return { name: basename(path), bytes: (await stat(path)).size, sha256: hash.digest("hex") };
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        throw new ImportError(`Cannot read ${path}: ${code === "ENOENT" ? "there is no such file" : message}.`);
      }
    }),
  );
}

/** Everything that decides what an import makes: the files, the layers, and this very code. */
async function jobId({ extracts, layers }: ImportOptions, inputs: Manifest["inputs"]): Promise<string> {
  const program = createHash("sha256");
  const source = resolve(import.meta.dirname, "..");
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  for (const name of names) program.update(name).update(await readFile(join(source, name)));
  const job = {
    inputs,
    extracts: extracts.length,
    layers: layers.map(({ name, formatVersion, reads }) => ({ name, formatVersion, reads })),
    program: program.digest("hex"),
  };
  return createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 16);
}
