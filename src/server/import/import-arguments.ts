import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { MAX_LATITUDE } from "../../core/elevation/grid.ts";
import { type Bounds, WORLD } from "../../core/geo/builds/manifest.ts";
import { MAX_WORLD_TOWNSHIPS } from "../../demo/world/demo-world.ts";
import { ImportError } from "../../importer/common/import-error.ts";
import { OVERTURE_KINDS, type OvertureKind } from "../../importer/common/overture-source.ts";
import { type Budget, divide, parseMemory } from "../../importer/frame/budget.ts";
import type { OperatorFiles } from "../../importer/frame/layer.ts";
import { readArguments, UsageError, wholeNumber } from "../base/command.ts";
import { ROOT } from "../base/wrangler.ts";
import { GEODATA_CACHE } from "../geodata/geodata-bucket.ts";

export const USAGE = `npm run import -- FILE_OR_URL… [options]
npm run import -- --update NAME [CHANGES…] [options]
npm run import -- --demo [--size N] [options]
npm run import -- --world [options]
npm run import -- --source elevation FILE_OR_URL --bbox WEST,SOUTH,EAST,NORTH [options]
npm run import -- --source overture-addresses|overture-places|overture-divisions FILE_OR_URL… [--country BR] [--bbox …] [options]`;

/** Parsed arguments, validated without reading the files. */
export interface ImportArguments {
  help: boolean;
  /** Files and addresses. */
  sources: string[];
  /** An archive of elevations, of which this area is imported. */
  elevation?: { bounds: Bounds };
  /** The files must be postal codes. */
  postalCodes: boolean;
  /** Of files of Overture: the area, and the kind that they must have. */
  overture: { kind?: OvertureKind; country?: string; bounds?: Bounds; confidence?: number };
  /** Of the demo world; undefined where it is not asked for. */
  size?: number;
  world: boolean;
  /** Bring the build of this name up to date; `sources` are then its changes. */
  update: boolean;
  /** With `update`: only when the data is older than this [s]. */
  every?: number;
  name: string;
  /** As typed. */
  layers?: string;
  files: OperatorFiles;
  /** --attribution: words that the operator's own files ask for. */
  attribution?: string;
  budget: Budget;
  dryRun: boolean;
  force: boolean;
  /** Nearly nothing does not replace a live build. The size of a demo is asked for. */
  keepsContent: boolean;
  json: boolean;
  remote: boolean;
  state: string;
  cache: string;
}

const OPTIONS = {
  name: { type: "string" },
  source: { type: "string" },
  bbox: { type: "string" },
  country: { type: "string" },
  confidence: { type: "string" },
  layers: { type: "string" },
  dma: { type: "string" },
  "postal-codes": { type: "string" },
  places: { type: "string" },
  speeds: { type: "string" },
  attribution: { type: "string" },
  update: { type: "string" },
  every: { type: "string" },
  demo: { type: "boolean", default: false },
  size: { type: "string" },
  world: { type: "boolean", default: false },
  memory: { type: "string" },
  threads: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  remote: { type: "boolean", default: false },
  "persist-to": { type: "string", default: resolve(ROOT, ".wrangler/state") },
  cache: { type: "string", default: resolve(ROOT, GEODATA_CACHE) },
  help: { type: "boolean", default: false },
} as const;

/** @throws UsageError */
export function importArguments(): ImportArguments {
  const { values, positionals } = readArguments({
    args: withBox(process.argv.slice(2)),
    allowPositionals: true,
    options: OPTIONS,
  });
  if (!values.help) checkWords(values, positionals);
  const { world, demo, help } = values;
  const size = wholeNumber(values.size ?? "1", "--size", { min: 1, max: MAX_WORLD_TOWNSHIPS });
  const file = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  return {
    help,
    sources: positionals,
    ...(values.source === ELEVATION && { elevation: { bounds: boundsOf(values.bbox ?? "") } }),
    postalCodes: values.source === "geonames-postal-codes",
    overture: overtureOf(values),
    ...(demo && { size }),
    world,
    update: values.update !== undefined,
    ...(values.every !== undefined && { every: periodOf(values.every) }),
    name:
      help || world
        ? WORLD
        : buildName(
            values.update ?? values.name ?? (demo ? "demo" : undefined) ?? overtureName(values),
            positionals,
            values.source,
          ),
    ...(values.layers !== undefined && { layers: values.layers }),
    files: {
      dma: file(values.dma),
      postalCodes: file(values["postal-codes"]),
      places: file(values.places),
      speeds: file(values.speeds),
      addresses: [],
    },
    ...(values.attribution !== undefined && { attribution: attributionOf(values.attribution) }),
    budget: budgetOf(values.memory, values.threads),
    dryRun: values["dry-run"],
    force: values.force,
    keepsContent: !demo,
    json: values.json,
    remote: values.remote,
    state: resolve(values["persist-to"]),
    cache: resolve(values.cache),
  };
}

function overtureOf(values: {
  source?: string;
  country?: string;
  bbox?: string;
  confidence?: string;
}): ImportArguments["overture"] {
  return {
    ...(overtureKind(values.source) !== undefined && { kind: overtureKind(values.source) }),
    ...(values.country !== undefined && { country: countryOf(values.country) }),
    ...(values.source !== ELEVATION && values.bbox !== undefined && { bounds: boundsOf(values.bbox) }),
    ...(values.confidence !== undefined && { confidence: shareOf(values.confidence) }),
  };
}

/** @throws UsageError for words that a map could not show */
function attributionOf(text: string): string {
  const words = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a line of text may not hold
  if (words === "" || words.length > 200 || /[\x00-\x1f\x7f]/.test(words)) {
    throw new UsageError("--attribution must be one line of 1 to 200 characters.");
  }
  return words;
}

function budgetOf(memory: string | undefined, threads: string | undefined): Budget {
  try {
    return divide(
      memory === undefined ? undefined : parseMemory(memory),
      threads === undefined ? availableParallelism() : wholeNumber(threads, "--threads", { min: 1, max: 256 }),
    );
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error;
  }
}

/** Options for builds of files. World base data and the demo have their own options. */
const OF_FILES = ["dma", "postal-codes", "places", "speeds", "layers", "attribution"] as const;

const ELEVATION = "elevation";
/** Kinds of files that are not recognized by their content, or that must be of this kind. */
const SOURCES = [ELEVATION, "geonames-postal-codes", ...OVERTURE_KINDS.map((kind) => `overture-${kind}`)] as const;

const overtureKind = (source: string | undefined): OvertureKind | undefined =>
  OVERTURE_KINDS.find((kind) => source === `overture-${kind}`);

/** A release has the same names of files each month, so its builds are named after kind and country. */
function overtureName({ source, country }: { source?: string; country?: string }): string | undefined {
  if (overtureKind(source) === undefined) return undefined;
  return [source, country?.toLowerCase()].filter((part) => part !== undefined).join("-");
}

/** @throws UsageError */
function countryOf(text: string): string {
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase();
  throw new UsageError(`--country must be the two letters of a country (ISO 3166-1), such as BR, not "${text}".`);
}

/** @throws UsageError */
function shareOf(text: string): number {
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new UsageError(`--confidence must be a number from 0 to 1, not "${text}".`);
}

/** The words after --bbox as its value, as people type it: "-9,38,-8,39", "-9, 38, -8, 39" and "-9 38 -8 39". */
function withBox(words: readonly string[]): string[] {
  const at = words.indexOf("--bbox");
  if (at < 0) return [...words];
  const edges: string[] = [];
  let end = at + 1;
  // U+2212 is the minus sign of texts and tables.
  for (; edges.length < 4 && /^[-+\d.,\s\u2212]+$/.test(words[end] ?? ""); end++)
    edges.push(...words[end].replaceAll("\u2212", "-").trim().replace(/,$/, "").split(","));
  return edges.length === 0
    ? [...words]
    : [...words.slice(0, at), `--bbox=${edges.map((edge) => edge.trim()).join(",")}`, ...words.slice(end)];
}

/** "west,south,east,north" in degrees. @throws UsageError */
function boundsOf(text: string): Bounds {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [west, south, east, north] = numbers;
  const isArea = numbers.length === 4 && west >= -180 && west < east && east <= 180 && south < north;
  if (!isArea || south < -MAX_LATITUDE || north > MAX_LATITUDE)
    throw new UsageError(
      `--bbox must be west,south,east,north in degrees, with west < east, south < north and latitudes up to ${MAX_LATITUDE}, not "${text}".`,
    );
  return [west, south, east, north];
}

const PERIODS: Readonly<Record<string, number>> = { hour: 3600, day: 86_400, week: 604_800 };

/** @throws UsageError */
function periodOf(word: string): number {
  if (Object.hasOwn(PERIODS, word)) return PERIODS[word];
  throw new UsageError(`--every must be one of ${Object.keys(PERIODS).join(", ")}, not "${word}".`);
}

/** @throws UsageError for words and options that do not belong together */
function checkWords(values: Readonly<Record<string, unknown>>, words: readonly string[]): void {
  const { world, demo, update } = values;
  if (update !== undefined) {
    const foreign = [...OF_FILES, "name", "size", "source", "bbox", "country", "confidence"].find(
      (option) => values[option] !== undefined,
    );
    if (foreign)
      throw new UsageError(`--update does not accept --${foreign}. It uses the options of the original import.`);
    if (world || demo) throw new UsageError("--update requires the name of an import, without --world or --demo.");
    return;
  }
  checkSource(values, words);
  if (values.every !== undefined) throw new UsageError("--every requires --update NAME.");
  if (world && demo) throw new UsageError("--world and --demo are separate builds. Specify only one.");
  if (words.length === 0 && !world && !demo) throw new UsageError("Specify a file or a URL to import.");
  const own = world ? "--world" : "--demo";
  if ((world || demo) && words.length > 0)
    throw new UsageError(`${own} does not accept files. It is a separate build.`);
  const foreign = world ? [...OF_FILES, "name"].find((option) => values[option] !== undefined) : undefined;
  if (foreign) throw new UsageError(`${own} does not accept --${foreign}. It uses bundled data.`);
  if (!demo && values.size !== undefined) throw new UsageError("--size requires --demo.");
}

/** @throws UsageError for options that do not belong to the kind of the source */
function checkSource(values: Readonly<Record<string, unknown>>, words: readonly string[]): void {
  const { source, bbox } = values;
  if (values.world || values.demo) {
    const foreign = ["bbox", "country", "confidence"].find((option) => values[option] !== undefined);
    if (foreign) throw new UsageError(`--${foreign} requires files of Overture, or --source elevation.`);
  }
  if (source === undefined) return;
  if (!(SOURCES as readonly unknown[]).includes(source))
    throw new UsageError(`--source must be one of ${SOURCES.join(", ")}, not "${source}".`);
  if (values.world || values.demo)
    throw new UsageError("--source requires a file or a URL, without --world or --demo.");
  if (source === "geonames-postal-codes") {
    const foreign = ["bbox", "country", "confidence"].find((option) => values[option] !== undefined);
    if (foreign) throw new UsageError(`--source geonames-postal-codes does not accept --${foreign}.`);
  }
  if (source !== ELEVATION) return;
  const foreign = [...OF_FILES, "country", "confidence"].find(
    (option) => option !== "attribution" && values[option] !== undefined,
  );
  if (foreign) throw new UsageError(`--source elevation does not accept --${foreign}. It is a separate build.`);
  if (words.length > 1) throw new UsageError("--source elevation accepts one file or URL.");
  if (bbox === undefined) throw new UsageError("--source elevation requires --bbox west,south,east,north.");
}

/** "malta-latest.osm.pbf" → "malta"; elevations are a build next to that of the roads, not in place of it. */
function buildName(given: string | undefined, sources: readonly string[], kind?: string): string {
  if (given === undefined && sources.length > 1)
    throw new UsageError("Several files form one build. Specify its name with --name.");
  const base =
    (given ?? sources[0])
      .replace(/[?#].*$/, "")
      .split(/[\\/]/)
      .pop() ?? "";
  const name =
    given ??
    base
      .replace(/\.gz$/i, "")
      .replace(/(\.osm)?\.(pbf|osm|xml|csv|txt|geojson|zip|parquet)$/i, "")
      .replace(/-latest$/, "")
      .toLowerCase();
  const plain = name.replace(/\.pmtiles$/, "");
  const clean =
    given ?? (kind === ELEVATION ? `${ELEVATION}-${plain}` : name).replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(clean)) {
    throw new UsageError(
      `A build name may contain only lowercase letters, digits and hyphens, not "${clean}". Use --name.`,
    );
  }
  if (clean === WORLD) throw new UsageError(`"${WORLD}" is reserved for --world. Choose another --name.`);
  return clean;
}
