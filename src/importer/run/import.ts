import { basename, join } from "node:path";
import { type Bounds, type Manifest, WORLD } from "../../core/geo/builds/manifest.ts";
import { ImportError } from "../common/import-error.ts";
import { ProcessLock } from "../common/process-lock.ts";
import type { Progress } from "../common/progress.ts";
import { explainWriteFailure } from "../common/write-failure.ts";
import { type Budget, divide } from "../frame/budget.ts";
import { creditsOf } from "../frame/credits.ts";
import {
  fingerprints,
  type Input,
  keyOfJob,
  keyOfLayer,
  keyOfSelection,
  operatorFiles,
  programHash,
} from "../frame/fingerprints.ts";
import type { Extract, Layer, OperatorFiles } from "../frame/layer.ts";
import { ImportedElements } from "../frame/layer-input.ts";
import { COMPLETE, JobFolder, otherJobsSize } from "../frame/stores/job-folder.ts";
import { JobResources } from "../frame/stores/job-resources.ts";
import { PartCache, publishParts } from "../frame/stores/part-cache.ts";
import { previousReading } from "../frame/stores/previous-reading.ts";
import type { StagedLayer } from "../frame/stores/staged-output.ts";
import type { StepFolder } from "../frame/stores/step-folder.ts";
import { type Selection, unite } from "../osm/pbf/selection.ts";
import { type ElementStore, emptyStore, READING, readExtracts } from "../osm/read/read-extracts.ts";
import type { Bucket } from "../publish/bucket.ts";
import { knownIds, liveId, makeLive, readManifest } from "../publish/live-list.ts";
import { type Build, describeBuild, publishBuild } from "../publish/publish.ts";
import type { Sent } from "../publish/shared-objects.ts";
import { type Forecast, type ImportCounts, NOTHING } from "../report/import-counts.ts";
import { amountsOf, PhaseTimes } from "../report/phase-times.ts";
import { amount, type Reporter } from "../report/reporter.ts";
import { reusingThreads } from "../threads/reused-threads.ts";
import { checkForecast } from "./check-forecast.ts";
import { foresee } from "./forecast.ts";
import { refuseLoss } from "./refuse-loss.ts";

/** How long phases took on this machine, in the cache folder; those of an update, which reuses most of its parts, are others. */
const timesOf = ({ cache, follows }: Pick<ImportOptions, "cache" | "follows">) =>
  join(cache, follows ? "phase-times-of-updates.json" : "phase-times.json");
/** Where the base of the world has data. */
const WHOLE_EARTH: Bounds = [-180, -90, 180, 90];

export interface ImportOptions {
  /** The build's name: one build of a name is live at a time. */
  name: string;
  /** Paths of .osm.pbf files. */
  extracts: readonly string[];
  files: OperatorFiles;
  /** Words that the operator's own files ask to be shown. */
  attribution?: string;
  layers: readonly Layer[];
  /** Folder for everything an import needs to keep while it runs. */
  cache: string;
  /** Where to publish to; when absent nothing is published (a dry run). */
  bucket?: Bucket;
  reporter: Reporter;
  /** Limits of the resident memory and of the threads. */
  budget?: Budget;
  /** Folder of the local bucket, to check its free disk space. */
  publishTo?: string;
  /** Where parts are kept for the next import of the name (part-cache.ts); without it every part is created. */
  parts?: string;
  /** An update, which may continue with how the previous import divided its data. */
  follows?: boolean;
  /** Begin although the forecast says that the disk is too small, and replace the live build even by nearly nothing of it. */
  force?: boolean;
  /** Reject a build with nearly nothing of the live one of its name (refuse-loss.ts). */
  keepsContent?: boolean;
}

export interface ImportResult {
  manifest: Manifest;
  /** Elements of the extracts by kind. */
  elements: { nodes: number; ways: number; relations: number };
  /** Data that the layers skipped, and why: lines for the operator. */
  notes: string[];
  published: boolean;
  /** Uploaded objects, if the build was published. */
  sent?: Sent;
  /** Forecast before the start; absent without extracts. */
  forecast?: Forecast;
  /** The most that the work folder held while it was looked at, and what stays there [bytes]. */
  workFolder: { largest: number; left: number };
  /** How many parts of layers were copied from the previous import, and how many were created. */
  parts: { found: number; made: number };
}

/**
 * Extracts → one immutable build in the bucket, live at the end. Each phase that is done is remembered in the cache
 * folder, so the same import, started again after an interruption, continues from there. The live build changes in the last
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
    return await reusingThreads(() => runImport(options));
  } catch (error) {
    throw explainWriteFailure(error);
  } finally {
    await lock?.release();
  }
}

async function runImport(options: ImportOptions): Promise<ImportResult> {
  const { reporter, bucket, name, cache, layers } = options;
  const budget = options.budget ?? divide();
  const replaces = bucket && (await liveId(bucket, name));
  const inputs = await fingerprints(
    [...options.extracts, ...operatorFiles(options.files).map(([, path]) => path)],
    reporter,
  );
  const folder = join(cache, "work", await keyOfJob(inputs.slice(0, options.extracts.length)));
  const forecast = await lookAhead(options, budget, folder);
  const job = await JobFolder.open(folder, reporter, budget);
  try {
    reporter.plan([
      ...(options.extracts.length > 0 ? READING : []),
      ...layers.map((layer) => layer.name),
      ...(bucket ? ["publish"] : []),
    ]);
    const { build, elements, notes, parts } = await makeBuild(options, inputs, job, forecast);
    refuseEmpty(build.manifest, elements, options);
    if (replaces !== undefined && options.keepsContent && !options.force)
      refuseLoss(await readManifest(bucket as Bucket, replaces), build.manifest);
    const sent = bucket && (await publish(bucket, build, reporter, replaces));
    if (bucket && options.parts !== undefined) await publishParts(options.parts);
    const largest = await job.measure();
    const left = bucket ? await job.finish() : largest;
    return {
      manifest: build.manifest,
      elements,
      notes,
      published: bucket !== undefined,
      ...(sent && { sent }),
      ...(forecast && { forecast }),
      workFolder: { largest, left },
      parts,
    };
  } finally {
    await job.close();
  }
}

/** Reports the forecast, and rejects an import that cannot succeed. @throws ImportError */
async function lookAhead(
  { extracts, files, layers, cache, reporter, publishTo, parts, follows, force = false }: ImportOptions,
  budget: Budget,
  folder: string,
): Promise<Forecast | undefined> {
  const left = await otherJobsSize(folder);
  if (left > 0) {
    reporter.say(
      `${join(cache, "work")} holds ${amount(left, "B")} of other imports that did not publish. Run them again to continue, or delete the folder.`,
    );
  }
  if (extracts.length === 0 && !files.overtureAddresses && !files.overturePlaces) return undefined;
  const forecast = await foresee(extracts, layers, budget, timesOf({ cache, follows }), parts !== undefined, files);
  reporter.foresee(forecast);
  await checkForecast(forecast, { work: folder, kept: parts, published: publishTo, force });
  return forecast;
}

async function makeBuild(
  options: ImportOptions,
  inputs: readonly Input[],
  job: JobFolder,
  forecast: Forecast | undefined,
) {
  const { layers, extracts, files } = options;
  const paths = [...extracts, ...operatorFiles(files).map(([, path]) => path)];
  const prints = new Map(paths.map((path, i) => [path, inputs[i]]));
  // An update may produce other objects than another import of the same extracts.
  const kind = options.follows ? "-update" : "";
  const works = await Promise.all(
    layers.map((layer) => job.layer(layer.name, `${keyOfLayer(layer, files, prints)}${kind}`)),
  );
  const { store, summary } = await readElements(options, inputs, job, works, forecast?.counts);
  const parts = { found: 0, made: 0 };
  const staged = await buildLayers(options, job, works, store, forecast?.counts, parts);
  const areas = summary.extracts.flatMap((extract) => extract.areas);
  const build = await describeBuild({
    name: options.name,
    areas: options.name === WORLD ? [WHOLE_EARTH] : areas,
    inputs: inputs.map((input, i) => ({
      ...input,
      ...(summary.extracts[i] && { bounds: summary.extracts[i].bounds }),
      ...(summary.extracts[i]?.timestamp && { timestamp: summary.extracts[i].timestamp }),
    })),
    credits: await creditsOf({
      layers: staged,
      extracts: summary.extracts,
      files,
      ...(options.attribution !== undefined && { attribution: options.attribution }),
    }),
    layers: staged.map((layer, i) => ({ staged: layer, pack: works[i].path(`${layer.name}.pack`) })),
  });
  return { build, elements: summary.counts, notes: [...summary.notes, ...staged.flatMap(({ notes }) => notes)], parts };
}

/** Data of the extracts that is needed when all layers are done. */
interface Summary {
  extracts: readonly Extract[];
  counts: ElementStore["counts"];
  notes: readonly string[];
}

/** The elements that the layers need; not loaded where an earlier run has built all layers. */
async function readElements(
  { extracts, layers, reporter, cache, parts, follows }: ImportOptions,
  inputs: readonly Input[],
  job: JobFolder,
  works: readonly StepFolder[],
  foreseen: ImportCounts = NOTHING,
): Promise<{ store?: ElementStore; summary: Summary }> {
  if (extracts.length === 0) {
    const store = emptyStore(job.folder);
    return { store, summary: store };
  }
  const selection = layers.reduce<Selection>((all, { reads }) => unite(all, reads), {});
  const before = await previousReading(parts, extracts, inputs);
  const work = await job.elements(selection, `${keyOfSelection(selection)}${before?.key ?? ""}`);
  const known = work.recall<Summary>(COMPLETE);
  if (known && layers.every(({ name }, i) => works[i].recall(name) !== undefined)) {
    for (const phase of READING) reporter.skipped(phase);
    return { summary: known };
  }
  work.times = await PhaseTimes.open(timesOf({ cache, follows }), amountsOf(foreseen));
  const kept = before && (await before.open());
  const store = await readExtracts(extracts, work.recall<Selection>("selection") ?? selection, work, {
    memory: work.memory,
    threads: work.threads,
    before: kept,
  }).finally(() => kept?.parts.close());
  const summary: Summary = { extracts: store.extracts, counts: store.counts, notes: store.notes };
  if (!known) await work.remember({ [COMPLETE]: summary });
  return { store, summary };
}

async function buildLayers(
  { layers, files, cache, parts: partsFolder, follows }: ImportOptions,
  job: JobFolder,
  works: readonly StepFolder[],
  store: ElementStore | undefined,
  foreseen: ImportCounts = NOTHING,
  sum: ImportResult["parts"],
): Promise<StagedLayer[]> {
  const elements = store && (await ImportedElements.open(store, files));
  const times = await PhaseTimes.open(timesOf({ cache, follows }), amountsOf(foreseen));
  const program = partsFolder === undefined ? "" : await programHash();
  const staged: StagedLayer[] = [];
  for (const [i, layer] of layers.entries()) {
    const build = async (progress: Progress) => {
      if (!elements) throw new Error(`the elements for ${layer.name} are not loaded`);
      const parts =
        partsFolder === undefined ? undefined : await PartCache.open(partsFolder, layer.name, program, follows);
      try {
        return await buildLayer(layer, elements, { job, work: works[i], times, progress, parts });
      } finally {
        parts?.close();
        sum.found += parts?.found ?? 0;
        sum.made += parts?.made ?? 0;
      }
    };
    staged.push(await works[i].phase(layer.name, build, times));
  }
  refuseUnread(files, layers, (kind) => staged.some(({ asked }) => asked.includes(kind)));
  return staged;
}

interface BuildTools {
  job: JobFolder;
  work: StepFolder;
  times: PhaseTimes;
  progress: Progress;
  parts: PartCache | undefined;
}

async function buildLayer(
  layer: Layer,
  elements: ImportedElements,
  { job, work, times, progress, parts }: BuildTools,
): Promise<StagedLayer> {
  const resources = await JobResources.open(layer.name, work, times, parts);
  const { output: stage } = resources;
  try {
    const input = elements.forLayer(layer.reads, (what) => stage.count(what), resources, stage.asked);
    await layer.build(input, stage, progress);
    const undeclared = [...stage.asked].find((kind) => layer.files && !layer.files.includes(kind));
    // Its output is reused by runs with other files of that kind.
    if (undeclared) throw new Error(`the layer ${layer.name} asks for ${undeclared} and does not say so in its files`);
    const staged = await stage.finish(layer.formatVersion);
    await job.measure();
    await resources.clear();
    return staged;
  } catch (error) {
    await stage.abandon();
    throw error;
  }
}

/** Layers that have objects without any data, from the base of the world. */
const OF_EXTRACTS: readonly string[] = ["regions", "basemap"];

/** A build of nothing would take the place of a country. @throws ImportError */
function refuseEmpty(
  { layers }: Manifest,
  { nodes, ways, relations }: ImportResult["elements"],
  { name, extracts, files }: ImportOptions,
): void {
  const named = [...extracts, ...operatorFiles(files).map(([, path]) => path)];
  if (nodes + ways + relations > 0 || name === WORLD || named.length === 0) return;
  // A map of no elements is drawn as well, so what counts are the rows of other files.
  const has = (layer: string) => (layers[layer]?.objects ?? 0) > 0 && !OF_EXTRACTS.includes(layer);
  if (Object.keys(layers).some(has)) return;
  throw new ImportError(
    `${named.map((path) => basename(path)).join(", ")}: there is nothing in it to import. What is live did not change.`,
  );
}

/** A file that no layer reads is a mistake of the operator, so it is rejected. @throws ImportError naming it */
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
    elevation: "--source elevation",
    ground: "elevations of live builds",
    overtureAddresses: "addresses of Overture",
    overturePlaces: "places of Overture",
    overtureDivisions: "divisions of Overture",
    addresses: "OpenAddresses files",
  };
  const names = layers.map(({ name }) => name).join(", ");
  throw new ImportError(`No layer of this import (${names}) reads ${what[unread]}.`);
}

async function publish(bucket: Bucket, build: Build, reporter: Reporter, replaces: string | undefined): Promise<Sent> {
  const progress = reporter.begin("publish");
  const sent = await publishBuild(bucket, build, progress, await knownIds(bucket, build.manifest.name));
  progress.end();
  await makeLive(bucket, build.manifest, { replaces });
  return sent;
}
