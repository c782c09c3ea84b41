import { mkdirSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { WORLD } from "../geo/manifest.ts";
import { writeDemoWorld } from "../importer/demo/write.ts";
import { buildWorld } from "../importer/ensure-world.ts";
import { type ImportResult, importGeodata } from "../importer/import.ts";
import { ImportError } from "../importer/import-error.ts";
import type { Layer, OperatorFiles } from "../importer/layer.ts";
import { layers as allLayers } from "../importer/layers.ts";
import type { Bucket } from "../importer/publish/bucket.ts";
import { amount, type Reporter, streamReporter } from "../importer/reporter.ts";
import { findSources } from "../importer/sources/sources.ts";
import { MOST_WINDOWS } from "../routing/traffic.ts";
import { CommandError, runCommand, wholeNumber } from "./command.ts";
import { GEODATA_CACHE, openGeodataBucket } from "./geodata-bucket.ts";
import { table } from "./table.ts";
import { ROOT } from "./wrangler.ts";

const HELP = `npm run import -- FILE_OR_URL… [options]
npm run import -- --demo [--size N]
npm run import -- --world

Builds geodata from OpenStreetMap extracts (.osm.pbf) and OpenAddresses files (.csv, .zip), and makes it live. Works while
npm run dev runs. Several files make one build; builds of different names live side by side.

  --name NAME           the build's name (that of the first file); replaces the live build of that name
  --layers A,B          only these: ${allLayers.map(({ name }) => name).join(", ") || "none yet"}
  --dma FILE            counties to designated market areas (CSV)
  --postal-codes FILE   postal codes
  --places FILE         places of your own (CSV)
  --speeds FILE         how fast traffic flows at which times (CSV, see below)
  --demo                a made-up town on the border of the US and Canada, to try everything with
  --size N              1 to 100: how large the demo world is (1)
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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string" },
      layers: { type: "string" },
      dma: { type: "string" },
      "postal-codes": { type: "string" },
      places: { type: "string" },
      speeds: { type: "string" },
      demo: { type: "boolean", default: false },
      size: { type: "string", default: "1" },
      world: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, ".wrangler/state") },
      cache: { type: "string", default: resolve(ROOT, GEODATA_CACHE) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || (positionals.length === 0 && !values.world && !values.demo)) return console.log(HELP);
  if ((values.world || values.demo) && positionals.length > 0)
    throw new CommandError(`--${values.world ? "world" : "demo"} takes no files: it is a build of its own.`);

  const reporter = streamReporter(process.stdout);
  const cache = resolve(values.cache);
  const bucket = values["dry-run"]
    ? undefined
    : openGeodataBucket({ remote: values.remote, state: values["persist-to"] });
  try {
    if (values.world) return report(await buildWorld(bucket, cache, reporter), reporter, bucket);
    if (values.demo) positionals.push(await demoExtract(cache, wholeNumber(values.size, "--size", 100), reporter));
    const layers = chooseLayers(values.layers);
    const { extracts, addresses } = await findSources(positionals, { cache, reporter });
    const file = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
    const files: OperatorFiles = {
      dma: file(values.dma),
      postalCodes: file(values["postal-codes"]),
      places: file(values.places),
      speeds: file(values.speeds),
      addresses,
    };
    const name = buildName(values.name ?? (values.demo ? "demo" : undefined), positionals);
    report(await importGeodata({ name, extracts, files, layers, cache, bucket, reporter }), reporter, bucket);
  } finally {
    bucket?.close();
  }
}

/** Writes the demo world as an extract like any other; one that lies there already is the same. */
async function demoExtract(cache: string, size: number, reporter: Reporter): Promise<string> {
  if (size < 1) throw new CommandError("--size goes from 1 to 100.");
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
    throw new CommandError(`No layer "${unknown}". There are: ${allLayers.map(({ name }) => name).join(", ")}`);
  }
  return allLayers.filter(({ name }) => wanted.includes(name));
}

/** "malta-latest.osm.pbf" → "malta". */
function buildName(given: string | undefined, sources: readonly string[]): string {
  if (given === undefined && sources.length > 1)
    throw new CommandError("Several files make one build: name it with --name.");
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
    throw new CommandError(`A build's name has lower-case letters, digits and hyphens, not "${clean}". Use --name.`);
  }
  if (clean === WORLD) throw new CommandError(`"${WORLD}" is the base that --world builds. Choose another --name.`);
  return clean;
}

function report(
  { manifest, elements, notes, published }: ImportResult,
  reporter: Reporter,
  bucket: Bucket | undefined,
): void {
  const lines = Object.entries(manifest.layers).map(([name, layer]) => [
    name,
    `${layer.objects.toLocaleString("en-US")} objects`,
    amount(layer.bytes, "B"),
    Object.entries(layer.counts)
      .map(([what, count]) => `${count.toLocaleString("en-US")} ${what}`)
      .join(", "),
  ]);
  const { nodes, ways, relations } = elements;
  if (nodes + ways + relations > 0)
    reporter.say(`\n${amount(nodes, "nodes")}, ${amount(ways, "ways")}, ${amount(relations, "relations")}`);
  reporter.say(table(lines, ["layer", "objects", "size", "counts"]));
  for (const note of notes) reporter.say(note);
  reporter.say(
    published && bucket
      ? `\n${manifest.name} is live as build ${manifest.id} in ${bucket.where}. A running Worker takes it up within 10 s.`
      : `\nA dry run: ${manifest.name} would be build ${manifest.id}. Nothing was published.`,
  );
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
});
