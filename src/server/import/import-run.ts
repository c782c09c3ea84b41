import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import type { Bounds } from "../../core/geo/builds/manifest.ts";
import { MAX_WINDOWS } from "../../core/routing/graph/traffic.ts";
import { MAX_WORLD_TOWNSHIPS } from "../../demo/world/demo-world.ts";
import { demoExtract } from "../../demo/world/write.ts";
import { ImportError } from "../../importer/common/import-error.ts";
import type { Layer } from "../../importer/frame/layer.ts";
import { partsFolder, readPreviousImport, savePreviousImport } from "../../importer/frame/stores/previous-import.ts";
import { postalAddresses } from "../../importer/layers/addresses/postal-addresses.ts";
import { postalPoints } from "../../importer/layers/regions/postal-points-layer.ts";
import { BlobFile } from "../../importer/osm/pbf/blob-file.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { groundFor } from "../../importer/publish/live-ground.ts";
import { liveId, readLiveList, readManifest } from "../../importer/publish/live-list.ts";
import { roadNeighbours, roadsWithoutHills } from "../../importer/publish/road-neighbours.ts";
import { type Reporter, streamReporter } from "../../importer/report/reporter.ts";
import { checkOperatorFiles } from "../../importer/run/check-files.ts";
import { buildWorld } from "../../importer/run/ensure-world.ts";
import { type ImportOptions, type ImportResult, importGeodata } from "../../importer/run/import.ts";
import { type ImportEvent, jsonReporter } from "../../importer/run/json-reporter.ts";
import { layers as allLayers } from "../../importer/run/layers.ts";
import { findSources } from "../../importer/sources/sources.ts";
import { freshUntil, prepareUpdate } from "../../importer/update/prepare-update.ts";
import { CommandError, runCommand, UsageError } from "../base/command.ts";
import { fileTrouble } from "../base/file-trouble.ts";
import { ROOT } from "../base/wrangler.ts";
import { openGeodataBucket } from "../geodata/geodata-bucket.ts";
import { geodataS3 } from "../geodata/geodata-s3.ts";
import { type ImportArguments, importArguments, USAGE } from "./import-arguments.ts";
import { checkOverture, isSame, newRelease, overtureFiles, splitChanges } from "./import-overture.ts";
import { importReport } from "./import-report.ts";

const HELP = `${USAGE}

Builds geodata from OpenStreetMap extracts (.osm.pbf, .osm, .osm.gz) and OpenAddresses files (.geojson, .csv, each also as .gz, and
.zip), and publishes it. Works while npm run dev runs. Several files form one build. Builds with different names can be live together. GeoNames postal codes
(allCountries.zip, or the file of one country) form a separate build. So do elevations (--source elevation): a PMTiles
archive of terrarium tiles, as Mapterhorn publishes them, of which only the tiles of --bbox are read. Parquet files of Overture
Maps (addresses, places, division areas: a file, a folder, an https URL, s3://bucket/folder/) join the build of the other files,
or form one. Of a release, only the parts of --country or --bbox are read.

  --name NAME           name of the build (default: the first file's); replaces the live build of that name
  --source KIND         the files are of this kind: elevation, geonames-postal-codes, overture-addresses, overture-places,
                        overture-divisions (default: by their content)
  --bbox W,S,E,N        of elevations and of files of Overture: only this area, in degrees
  --country BR          of files of Overture: only this country, by its two letters
  --confidence 0.6      of places of Overture: only those that exist with this confidence, 0 to 1 (0.6)
  --layers A,B          only these: ${allLayers.map(({ name }) => name).join(", ") || "none yet"}
  --memory 3GB          memory limit of the process, at least 512MB (half of the machine's memory, at most 8GB)
  --threads N           number of threads (one per core)
  --dma FILE            counties to designated market areas (CSV)
  --postal-codes FILE   postal codes
  --places FILE         your own places (CSV)
  --speeds FILE         traffic speeds by time (CSV, see below)
  --attribution TEXT    the attribution that your files require, on maps and in responses
  --update NAME         update the build of this name with OpenStreetMap changes: files or URLs (.osc, .osc.gz), the
                        URL of a replication, or nothing for the one specified in the extract; or with a newer release of
                        Overture: its files, or folder
  --every PERIOD        with --update: only if the data is older than an hour, day or week; for cron
  --demo                a fictional town on the border of the US and Canada, for trying every feature
  --size N              1 to ${MAX_WORLD_TOWNSHIPS}: number of townships in the demo world (1); 600 are half a gigabyte
  --world               rebuild the world base data: countries, cities and time zones
  --dry-run             build and print the size without publishing
  --force               start even if the disk seems too small, and replace the live build even by nearly nothing of it
  --json                print events for scripts, one object per line (docs/import.md)
  --remote              publish to the bucket at Cloudflare
  --persist-to DIR      the local state of npm run dev (.wrangler/state)
  --cache DIR           downloads and files needed to resume after an interruption (.geodata)
  --help                show this help

--speeds: columns way_id (and direction: forward, backward, both) or from_node and to_node (two nodes that follow one another,
in the direction of travel), days (Mo-Fr or "Sa,Su"; every day when empty), hours (07:00-09:30, local time; all day when
empty), speed (1 to 250 km/h). The first line contains the column names. Up to ${MAX_WINDOWS} different, non-overlapping time windows.
Other roads and times keep the speeds of the map. Cars and motorbikes use the given speed, trucks are never faster than usual.
The departureTime of a request selects the window; the default is now.`;

/** Events, where a script asked for them. */
let events: ((event: ImportEvent) => void) | undefined;

async function main(): Promise<void> {
  const asked = importArguments();
  if (asked.help) return console.log(HELP);
  if (asked.json) events = (event) => void process.stdout.write(`${JSON.stringify(event)}\n`);
  const layers = chooseLayers(asked.layers);
  // All mistakes in what was named are reported before the work begins.
  await checkOperatorFiles(asked.files, layers);

  const reporter = events ? jsonReporter(events) : streamReporter(process.stdout);
  const { cache, name, budget, force, keepsContent } = asked;
  const bucket = asked.dryRun ? undefined : openGeodataBucket(asked);
  try {
    const report = (result: ImportResult) => printReport(result, bucket?.where, reporter);
    if (asked.world) return report(await buildWorld(bucket, cache, reporter));
    const publishTo = bucket && !asked.remote && !geodataS3() ? asked.state : undefined;
    const kept = bucket && { bucket, parts: partsFolder(cache, name) };
    const shared = { cache, reporter, budget, force, keepsContent, ...kept, ...(publishTo && { publishTo }) };
    if (asked.elevation) {
      report(await importElevation(asked, asked.elevation.bounds, shared));
      if (bucket) await reportNeighbors(bucket, name, cache, reporter);
      return;
    }
    if (asked.update) return await update(asked, shared, report);
    const named = asked.size === undefined ? asked.sources : [await demoExtract(cache, asked.size, reporter)];
    const { extracts, addresses, postalCodes, overture: words } = await findSources(named, { cache, reporter });
    const overture = { ...asked.overture, words };
    checkOverture(overture);
    const { attribution } = asked;
    const own = attribution === undefined ? {} : { attribution };
    if (asked.postalCodes && postalCodes.length === 0)
      throw new ImportError("These files have no postal codes of GeoNames (country, code, place … between tabs).");
    if (postalCodes.length > 0) {
      if (extracts.length + addresses.length + words.length > 0)
        throw new ImportError("GeoNames postal codes form a separate build. Import them without other files.");
      const files = { ...asked.files, addresses: postalCodes };
      return report(
        await importGeodata({ ...shared, ...own, name, extracts: [], files, layers: [postalAddresses, postalPoints] }),
      );
    }
    const plans = words.length > 0 ? await overtureFiles(overture, shared) : {};
    const ground = await groundOf(extracts, layers, shared);
    const files = { ...asked.files, ...plans, ...ground, addresses };
    report(await importGeodata({ ...shared, ...own, name, extracts, files, layers }));
    if (bucket && extracts.length + words.length > 0) {
      await savePreviousImport(cache, {
        version: 1,
        name,
        extracts,
        files,
        layers: layers.map((layer) => layer.name),
        ...own,
        ...(words.length > 0 && { overture }),
      });
      await reportNeighbors(bucket, name, cache, reporter);
    }
  } finally {
    bucket?.close();
  }
}

/** Elevations of an area as a build of their own. */
async function importElevation(
  { name, sources, cache, attribution }: ImportArguments,
  bounds: Bounds,
  shared: Pick<ImportOptions, "cache" | "reporter" | "bucket" | "parts" | "force" | "keepsContent">,
): Promise<ImportResult> {
  // They load a decoder of images, which other imports do not need.
  const { fetchElevations } = await import("../../importer/sources/elevation-tiles.ts");
  const { elevationLayer } = await import("../../importer/layers/elevation/elevation-layer.ts");
  const plan = await fetchElevations({ source: sources[0], bounds, cache, reporter: shared.reporter });
  const files = { elevation: plan, addresses: [] };
  const own = attribution === undefined ? {} : { attribution };
  return importGeodata({ ...shared, ...own, name, extracts: [], files, layers: [elevationLayer] });
}

/** The build of a name once more, of its extracts with changes applied. */
async function update(
  { name, every, sources: changes, dryRun, cache }: ImportArguments,
  shared: Pick<ImportOptions, "cache" | "reporter" | "bucket" | "parts" | "budget" | "force" | "keepsContent">,
  report: (result: ImportResult) => void,
): Promise<void> {
  const { reporter, bucket } = shared;
  const say = (text: string) => (events ? events({ event: "note", text }) : reporter.say(text));
  if (bucket && (await liveId(bucket, name)) === undefined) {
    throw new ImportError(`No build named ${name} is live in ${bucket.where}. See: npm run geodata -- list`);
  }
  const before = await readPreviousImport(cache, name);
  const fresh = every === undefined || before.extracts.length === 0 ? undefined : await freshUntil(before, every);
  if (fresh !== undefined && fresh > Date.now()) {
    return say(`${name} was not updated. Its data is recent enough until ${new Date(fresh).toISOString()}.`);
  }
  const { release, others } = await splitChanges(changes);
  const prepared =
    release.length > 0 && others.length === 0
      ? { kept: before, told: [] }
      : await prepareUpdate({ name, changes: others, cache, reporter });
  const kept = release.length > 0 ? await newRelease(prepared?.kept ?? before, release, shared) : prepared?.kept;
  if (!kept || isSame(kept, before)) return say(`${name} is up to date. There are no new changes.`);
  for (const line of prepared?.told ?? []) say(line);
  await checkOperatorFiles(kept.files, chooseLayers(kept.layers.join()));
  const { extracts, files, attribution } = kept;
  const own = attribution === undefined ? {} : { attribution };
  const layers = chooseLayers(kept.layers.join());
  const ground = await groundOf(extracts, layers, shared);
  report(
    await importGeodata({ ...shared, ...own, name, extracts, files: { ...files, ...ground }, layers, follows: true }),
  );
  if (!dryRun) await savePreviousImport(cache, kept);
  if (bucket) await reportNeighbors(bucket, name, cache, reporter);
  if (every !== undefined)
    say(`In a crontab: 17 4 * * * cd ${ROOT} && npm run -s import -- --update ${name} --every day`);
}

/** The elevations that are live around the extracts, for the roads. */
async function groundOf(
  extracts: readonly string[],
  layers: readonly Layer[],
  { bucket, cache, reporter }: Pick<ImportOptions, "cache" | "reporter" | "bucket">,
): Promise<{ ground?: string }> {
  if (!bucket || extracts.length === 0 || !layers.some(({ files }) => files?.includes("ground"))) return {};
  const areas: Bounds[] = [];
  for (const path of extracts) {
    const file = await BlobFile.open(path);
    await file.close();
    if (file.header.bounds) areas.push(file.header.bounds);
  }
  const ground = await groundFor(bucket, areas.length < extracts.length ? undefined : areas, cache);
  if (!ground) return {};
  reporter.say(`Walking and cycling times follow the slopes of ${ground.builds.join(", ")}.`);
  return { ground: ground.path };
}

/** Reports live builds whose roads meet those of this build, and roads without imported elevations, with what to do. */
async function reportNeighbors(bucket: Bucket, name: string, cache: string, reporter: Reporter): Promise<void> {
  const { list } = await readLiveList(bucket);
  const inputsOf = async (id: string) => (await readManifest(bucket, id)).inputs;
  const advice = [
    ...(await roadNeighbours(list.builds, inputsOf, cache, name)),
    ...(await roadsWithoutHills(list.builds, inputsOf, cache, name)),
  ];
  for (const { text } of advice) {
    if (events) events({ event: "note", text });
    else reporter.say(`\n${text}`);
  }
}

function printReport(result: ImportResult, where: string | undefined, reporter: Reporter): void {
  const { manifest, published, workFolder, notes, sent, parts } = result;
  if (!events) {
    reporter.say(importReport(result, where));
    return;
  }
  for (const text of notes) events({ event: "note", text });
  events({
    event: "done",
    name: manifest.name,
    build: manifest.id,
    published,
    workFolder: workFolder.largest,
    manifest,
    ...(sent && { sent }),
    parts,
  });
}

function chooseLayers(names: string | undefined): Layer[] {
  if (names === undefined) return [...allLayers];
  const wanted = names.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !allLayers.some((layer) => layer.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`Unknown layer "${unknown}". Layers: ${allLayers.map(({ name }) => name).join(", ")}`);
  }
  return allLayers.filter(({ name }) => wanted.includes(name));
}

/** A mistake of the program: the words of a library help its developers alone, so they go to a file. */
async function unexpected(error: unknown): Promise<string> {
  const path = join(importArguments().cache, "last-error.txt");
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  await writeFile(path, `${inspect(error)}\n`).catch(() => undefined);
  return `The import failed, by a mistake of the program. What is live did not change. Please report what ${path} says.`;
}

// The parent process reports interruptions. If it is gone, exit.
process.channel?.unref();
process.once("disconnect", () => process.exit(1));

await runCommand(async () => {
  try {
    await main();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const message = error instanceof ImportError ? error.message : (fileTrouble(error) ?? (await unexpected(error)));
    if (!events) throw new CommandError(message);
    events({ event: "error", message });
    process.exitCode = 1;
  }
}, USAGE);
