import { mkdirSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { WORLD } from "../geo/manifest.ts";
import { checkOperatorFiles } from "../importer/check-files.ts";
import { LARGEST_WORLD } from "../importer/demo/demo-world.ts";
import { writeDemoWorld } from "../importer/demo/write.ts";
import { buildWorld } from "../importer/ensure-world.ts";
import { type ImportResult, importGeodata } from "../importer/import.ts";
import { ImportError } from "../importer/import-error.ts";
import type { Layer, OperatorFiles } from "../importer/layer.ts";
import { layers as allLayers } from "../importer/layers.ts";
import { type Reporter, streamReporter } from "../importer/reporter.ts";
import { findSources } from "../importer/sources/sources.ts";
import { MOST_WINDOWS } from "../routing/traffic.ts";
import { CommandError, readArguments, runCommand, UsageError, wholeNumber } from "./command.ts";
import { GEODATA_CACHE, openGeodataBucket } from "./geodata-bucket.ts";
import { importReport } from "./import-report.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `npm run import -- FILE_OR_URL… [options]
npm run import -- --demo [--size N] [options]
npm run import -- --world [options]`;

const HELP = `${USAGE}

Builds geodata from OpenStreetMap extracts (.osm.pbf) and OpenAddresses files (.csv, .zip), and makes it live. Works while
npm run dev runs. Several files make one build; builds of different names live side by side.

  --name NAME           the build's name (that of the first file); replaces the live build of that name
  --layers A,B          only these: ${allLayers.map(({ name }) => name).join(", ") || "none yet"}
  --dma FILE            counties to designated market areas (CSV)
  --postal-codes FILE   postal codes
  --places FILE         places of your own (CSV)
  --speeds FILE         how fast traffic flows at which times (CSV, see below)
  --demo                a made-up town on the border of the US and Canada, to try everything with
  --size N              1 to ${LARGEST_WORLD}: how many townships the demo world has (1); 600 are half a gigabyte
  --world               the base of countries, cities and time zones, anew
  --dry-run             build and say how large it is, publish nothing
  --remote              publish to the bucket at Cloudflare
  --persist-to DIR      the local state of npm run dev (.wrangler/state)
  --cache DIR           downloads, and what is needed to go on after an interruption (.geodata)
  --help                this page

--speeds: columns way_id (and direction: forward, backward, both) or from_node and to_node (two nodes that follow one another,
in the direction of travel), days (Mo-Fr or "Sa,Su"; every day when empty), hours (07:00-09:30, local time; all day when
empty), speed (1 to 250 km/h). The first line names the columns. Up to ${MOST_WINDOWS} different days and hours, none overlapping; roads,
and times, of which the file says nothing are as fast as the map says. Cars and motorbikes travel as fast as told, trucks no
faster than else. departureTime of a request chooses; without it the time is now.`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      name: { type: "string" },
      layers: { type: "string" },
      dma: { type: "string" },
      "postal-codes": { type: "string" },
      places: { type: "string" },
      speeds: { type: "string" },
      demo: { type: "boolean", default: false },
      size: { type: "string" },
      world: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, ".wrangler/state") },
      cache: { type: "string", default: resolve(ROOT, GEODATA_CACHE) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  checkWords(values, positionals);
  const { world, demo } = values;
  const size = wholeNumber(values.size ?? "1", "--size", { min: 1, max: LARGEST_WORLD });
  const layers = chooseLayers(values.layers);
  const name = world ? WORLD : buildName(values.name ?? (demo ? "demo" : undefined), positionals);
  const file = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  const files: OperatorFiles = {
    dma: file(values.dma),
    postalCodes: file(values["postal-codes"]),
    places: file(values.places),
    speeds: file(values.speeds),
    addresses: [],
  };
  // All mistakes in what was named are reported before the work begins.
  await checkOperatorFiles(files, layers);

  const reporter = streamReporter(process.stdout);
  const cache = resolve(values.cache);
  const bucket = values["dry-run"]
    ? undefined
    : openGeodataBucket({ remote: values.remote, state: values["persist-to"] });
  try {
    const told = (result: ImportResult) => reporter.say(importReport(result, bucket?.where));
    if (world) return told(await buildWorld(bucket, cache, reporter));
    if (demo) positionals.push(await demoExtract(cache, size, reporter));
    const { extracts, addresses } = await findSources(positionals, { cache, reporter });
    const options = { name, extracts, files: { ...files, addresses }, layers, cache, bucket, reporter };
    told(await importGeodata(options));
  } finally {
    bucket?.close();
  }
}

/**
 * Options that choose what goes into a build of files: the base of the world and the demo have options of their own.
 */
const OF_FILES = ["dma", "postal-codes", "places", "speeds", "layers"] as const;

/** @throws UsageError for words and options that do not belong together */
function checkWords(values: Readonly<Record<string, unknown>>, words: readonly string[]): void {
  const { world, demo } = values;
  if (world && demo) throw new UsageError("--world and --demo are two builds: give one of them.");
  if (words.length === 0 && !world && !demo) throw new UsageError("Name a file or an address to import.");
  const own = world ? "--world" : "--demo";
  if ((world || demo) && words.length > 0) throw new UsageError(`${own} takes no files: it is a build of its own.`);
  const foreign = world ? [...OF_FILES, "name"].find((option) => values[option] !== undefined) : undefined;
  if (foreign) throw new UsageError(`${own} takes no --${foreign}: it is made of data that comes along.`);
  if (!demo && values.size !== undefined) throw new UsageError("--size is of the demo world: give --demo with it.");
}

/** Writes the demo world as an extract like any other; a file that is there already has the same content. */
async function demoExtract(cache: string, size: number, reporter: Reporter): Promise<string> {
  const path = join(cache, `demo-${size}.osm.pbf`);
  const phase = reporter.begin("demo world");
  mkdirSync(cache, { recursive: true });
  await writeDemoWorld(`${path}.part`, { size });
  renameSync(`${path}.part`, path);
  phase.end();
  return path;
}

function chooseLayers(names: string | undefined): Layer[] {
  if (names === undefined) return [...allLayers];
  const wanted = names.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !allLayers.some((layer) => layer.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`No layer "${unknown}". There are: ${allLayers.map(({ name }) => name).join(", ")}`);
  }
  return allLayers.filter(({ name }) => wanted.includes(name));
}

/** "malta-latest.osm.pbf" → "malta". */
function buildName(given: string | undefined, sources: readonly string[]): string {
  if (given === undefined && sources.length > 1)
    throw new UsageError("Several files make one build: name it with --name.");
  const base =
    (given ?? sources[0])
      .replace(/[?#].*$/, "")
      .split(/[\\/]/)
      .pop() ?? "";
  const name =
    given ??
    base
      .replace(/(\.osm)?\.(pbf|csv|zip)$/i, "")
      .replace(/-latest$/, "")
      .toLowerCase();
  const clean = given ?? name.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(clean)) {
    throw new UsageError(`A build's name has lower-case letters, digits and hyphens, not "${clean}". Use --name.`);
  }
  if (clean === WORLD) throw new UsageError(`"${WORLD}" is the base that --world builds. Choose another --name.`);
  return clean;
}

process.on("SIGINT", () => {
  console.error("\nInterrupted. What is live did not change; the same command goes on from the last finished phase.");
  process.exit(130);
});

await runCommand(async () => {
  try {
    await main();
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message) : error;
  }
}, USAGE);
