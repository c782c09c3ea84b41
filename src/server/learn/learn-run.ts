import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildSummary, parseSummary, summarize } from "../../core/routing/learn/build-summary.ts";
import { RESIDUAL_KEY, summaryKey } from "../../core/routing/learn/keys.ts";
import type { TrainedResidual } from "../../core/routing/learn/train-residual.ts";
import { ImportError } from "../../importer/common/import-error.ts";
import {
  type PreviousImport,
  partsFolder,
  previousFolder,
  readPreviousImport,
  savePreviousImport,
} from "../../importer/frame/stores/previous-import.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { liveId, readManifest } from "../../importer/publish/live-list.ts";
import { amount, streamReporter } from "../../importer/report/reporter.ts";
import { importGeodata } from "../../importer/run/import.ts";
import { layers as allLayers } from "../../importer/run/layers.ts";
import { CommandError, runCommand } from "../base/command.ts";
import { ROOT } from "../base/wrangler.ts";
import { openGeodataBucket } from "../geodata/geodata-bucket.ts";
import { geodataS3 } from "../geodata/geodata-s3.ts";
import { importReport } from "../import/import-report.ts";
import { type Contributions, listContributions } from "./contributions.ts";
import { estimateBuild, findNodes, writeSpeeds } from "./estimate-build.ts";
import { type LearnArguments, learnArguments, USAGE } from "./learn-arguments.ts";
import { type MergedWeek, mergeWeeks } from "./merge-weeks.ts";
import { trainModel } from "./train.ts";

const HELP = `${USAGE}

Learns road speeds from the devices of projects that enabled it (PATCH /v1/settings {"learning": {"enabled": true}}), and
publishes a build in which only the roads differ. Interrupted, the same command continues. To go back to the previous
build: npm run geodata -- rollback NAME

  --name NAME        the build, as imported here before
  --all              every build that was imported here and is live
  --from, --to DATE  only weeks from and to this date (2026-11-02); the last 12 weeks count, older ones less
  --memory 3GB       memory limit of the process, at least 512MB
  --threads N        number of threads (one per core)
  --dry-run          merge and write speeds.csv without publishing
  --replace-speeds   replace the --speeds file that the build was imported with
  --remote           the bucket at Cloudflare
  --persist-to DIR   the local state of npm run dev (.wrangler/state)
  --cache DIR        where imports keep their files (.geodata); speeds.csv is in kept/NAME below it
  --help             show this help

Nightly, in a crontab: 41 3 * * * cd ${ROOT} && npm run -s learn -- --all`;

/** Time to merge a contribution, about [s], for the forecast. */
const SECONDS_PER_CONTRIBUTION = 0.004;

type Asked = LearnArguments & { reporter: ReturnType<typeof streamReporter> };

async function main(): Promise<void> {
  const asked = { ...learnArguments(), reporter: streamReporter(process.stdout) };
  if (asked.help) return console.log(HELP);
  const bucket = openGeodataBucket(asked);
  try {
    const all = await listContributions(bucket);
    foresee(asked, all);
    const merging = asked.reporter.begin("merging");
    const weeks = await mergeWeeks(bucket, all, asked.budget.layerMemory / 2, merging);
    merging.end();
    const training = asked.reporter.begin("residual");
    const trained = await trainModel(bucket, all, training, asked);
    training.end();
    if (trained) asked.reporter.say(residualText(trained));
    const names = asked.name === undefined ? await importedNames(asked.cache) : [asked.name];
    if (names.length === 0)
      asked.reporter.say(
        `No build was imported with ${asked.cache}, so no speeds are published. Run it where you import.`,
      );
    const failed: string[] = [];
    for (const name of names) {
      // Of all builds, those that are not live have nothing to learn.
      if (asked.name === undefined && (await liveId(bucket, name)) === undefined) continue;
      try {
        await learnBuild(asked, bucket, name, weeks, all.minimumDevices);
      } catch (error) {
        // One build must not stop the others, at night without anyone to see it.
        if (!(error instanceof ImportError) || names.length === 1) throw error;
        asked.reporter.say(error.message);
        failed.push(name);
      }
    }
    if (failed.length > 0) throw new ImportError(`Not learned: ${failed.join(", ")}.`);
  } finally {
    bucket.close();
  }
}

function foresee({ reporter }: Asked, { count, bytes, byWeek, projects }: Contributions): void {
  if (projects === 0) reporter.say("No project has learning enabled, so there is nothing to learn from.");
  else {
    const seconds = Math.ceil(count * SECONDS_PER_CONTRIBUTION);
    reporter.say(
      `${projects} projects, ${byWeek.size} weeks, ${count.toLocaleString("en-US")} contributions of ${amount(bytes, "B")}: about ${seconds} s to merge all of them, then an update of the roads.`,
    );
  }
}

function residualText({ model, trained, tested, isUndecided, engineError, modelError }: TrainedResidual): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const reason = isUndecided ? "these are too few to decide" : "it is not clearly better";
  const use = model.isEnabled ? "It is used" : `It is not used, because ${reason}`;
  return `Residual model: ${trained} journeys, tested with ${tested} later ones: ${percent(engineError)} mean error without, ${percent(modelError)} with it. ${use}.`;
}

async function importedNames(cache: string): Promise<string[]> {
  const entries = await readdir(join(cache, "kept"), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(join(cache, "kept", entry.name, "import.json")))
    .map(({ name }) => name)
    .sort();
}

async function learnBuild(
  asked: Asked,
  bucket: Bucket,
  name: string,
  merged: readonly MergedWeek[],
  minimumDevices: number,
): Promise<void> {
  const { reporter, cache, from, to, replaceSpeeds, dryRun } = asked;
  const kept = await readPreviousImport(cache, name);
  const id = await liveId(bucket, name);
  if (id === undefined) throw new ImportError(`No build named ${name} is live in ${bucket.where}. Import it first.`);
  if (!kept.layers.includes("roads")) return reporter.say(`${name} was imported without roads: nothing to learn.`);
  const path = join(previousFolder(cache, name), "speeds.csv");
  // The cache may have been moved since.
  const isLearned = kept.files.speeds?.endsWith(join("kept", name, "speeds.csv"));
  if (kept.files.speeds !== undefined && !isLearned && !replaceSpeeds) {
    throw new ImportError(
      `${name} was imported with --speeds ${kept.files.speeds}. To use learned speeds instead, add --replace-speeds.`,
    );
  }
  const weeks = merged.filter(({ week }) => week >= from && week <= to);
  const digest = digestOf(kept, weeks, minimumDevices);
  if (!dryRun && digest === (await readDigest(cache, name))) return reporter.say(`${name}: nothing new was learned.`);
  const files = { ...kept.files };
  delete files.speeds;
  const summary = await estimateSpeeds(asked, bucket, name, {
    id,
    path,
    weeks,
    minimumDevices,
    extracts: kept.extracts,
  });
  if (summary) files.speeds = path;
  if (dryRun) return;
  if (files.speeds === undefined && kept.files.speeds === undefined) {
    return reporter.say(`${name}: not enough data yet. What is live did not change.`);
  }
  if (await isJump(bucket, name)) {
    await bucket.delete([RESIDUAL_KEY]);
    reporter.say(
      "The residual model begins again: its journeys were predicted with speeds that differ too much from the new ones.",
    );
  }
  await publish(asked, bucket, { ...kept, files });
  if (summary) await bucket.put(summaryKey(name), Buffer.from(JSON.stringify(summary)));
  else await bucket.delete([summaryKey(name)]);
  await writeFile(digestPath(cache, name), digest);
}

/** Writes the speeds that a build learns, and returns their summary; undefined with too little data. */
async function estimateSpeeds(
  { reporter }: Asked,
  bucket: Bucket,
  name: string,
  build: {
    id: string;
    path: string;
    weeks: readonly MergedWeek[];
    minimumDevices: number;
    extracts: Parameters<typeof findNodes>[0];
  },
): Promise<BuildSummary | undefined> {
  const { id, path, weeks, minimumDevices, extracts } = build;
  if (weeks.length === 0) return undefined;
  const estimating = reporter.begin("estimating");
  const { learned, ids, unknown, lines, quiet, delays } = await estimateBuild(
    bucket,
    await readManifest(bucket, id),
    weeks,
    minimumDevices,
    estimating,
  );
  estimating.end();
  reporter.say(
    `${name}: ${learned.edges.size.toLocaleString("en-US")} road segments with at least ${minimumDevices} devices, ${learned.windows.length} windows of the week${unknown > 0 ? `; ${unknown.toLocaleString("en-US")} that the build does not have` : ""}.`,
  );
  // Too few devices: the build is to have no learned speeds, not old ones.
  if (learned.edges.size === 0) return undefined;
  const scanning = reporter.begin("node ids");
  await findNodes(extracts, ids, scanning);
  scanning.end();
  await writeSpeeds(path, learned, ids);
  const facts = { name, at: Date.now(), weeks: weeks.length, minimumDevices, quiet, delays };
  const summary = summarize(learned, (key) => lines.get(key), facts);
  if (quiet.length > 0) {
    reporter.say(
      `${name}: ${quiet.length} road segments had no traffic in the last week, but much before. See: GET /v1/stats/eta`,
    );
  }
  reporter.say(`${name}: the speeds are in ${path}`);
  return summary;
}

/** Nightly learning changes speeds little by little; after a longer time they may differ much [ms]. */
const MAX_STEP_MS = 8 * 86_400_000;

/**
 * Whether the new speeds may differ much from those that are live, which predicted the journeys of the residual model: the model
 * would correct once more what the speeds now contain.
 */
async function isJump(bucket: Bucket, name: string): Promise<boolean> {
  const stored = await bucket.get(summaryKey(name));
  const before = stored && parseSummary(Buffer.from(stored.bytes).toString("utf8"));
  return !before || Date.now() - before.at > MAX_STEP_MS;
}

/** The build once more, with other speeds: parts that do not depend on them are copied. */
async function publish({ cache, reporter, budget, remote, state }: Asked, bucket: Bucket, kept: PreviousImport) {
  const { name, extracts, files, attribution } = kept;
  const publishTo = !remote && !geodataS3() ? state : undefined;
  const result = await importGeodata({
    ...{ name, extracts, files, cache, reporter, budget, bucket, parts: partsFolder(cache, name), follows: true },
    ...(attribution !== undefined && { attribution }),
    ...(publishTo && { publishTo }),
    layers: allLayers.filter((layer) => kept.layers.includes(layer.name)),
  });
  reporter.say(importReport(result, bucket.where));
  await savePreviousImport(cache, kept);
}

const digestPath = (cache: string, name: string) => join(previousFolder(cache, name), "learned.txt");

const readDigest = (cache: string, name: string) => readFile(digestPath(cache, name), "utf8").catch(() => undefined);

/** Of all that learned speeds follow from. */
const digestOf = (kept: PreviousImport, weeks: readonly MergedWeek[], minimumDevices: number): string =>
  createHash("sha256")
    .update(JSON.stringify([kept.extracts, weeks.map(({ week, digest }) => [week, digest]), minimumDevices]))
    .digest("hex");

// The parent process reports interruptions. If it is gone, exit.
process.channel?.unref();
process.once("disconnect", () => process.exit(1));

await runCommand(async () => {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new CommandError(error.message);
  }
}, USAGE);
