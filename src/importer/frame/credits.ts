import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { shownName } from "../common/shown-name.ts";
import type { DataSource, Extract, OperatorFiles } from "./layer.ts";

export const OPENSTREETMAP: DataSource = {
  name: "OpenStreetMap",
  url: "https://www.openstreetmap.org/copyright",
  licence: "ODbL-1.0",
  licenceUrl: "https://opendatacommons.org/licenses/odbl/1-0/",
  attribution: "© OpenStreetMap contributors",
};

/** The licence of files that no one else has given one. */
const OWN = "the operator's own";
const OPEN_ADDRESSES = "OpenAddresses: ";
/** Maximum length of the first line of a license, which represents its text. */
const MAX_CHARACTERS = 200;
/** Operator files that layers read without naming them as a source. */
const UNNAMED = ["dma", "postalCodes", "speeds"] as const;

/** A layer that is built: its sources, and the operator files that it requested. */
interface CreditedLayer {
  name: string;
  sources: DataSource[];
  asked: (keyof OperatorFiles)[];
}

interface Credited {
  layers: readonly CreditedLayer[];
  extracts: readonly Extract[];
  files: OperatorFiles;
  /** --attribution: the words that the operator's own files ask for. */
  attribution?: string;
}

/** Sources of a build, and of each layer. */
export interface Credits {
  /** By name. */
  sources: DataSource[];
  /** Layer → names of its sources. */
  byLayer: Readonly<Record<string, string[]>>;
}

/** The sources of a build: the extracts with their age, what layers add, and the operator's files with their licences. */
export async function creditsOf({ layers, extracts, files, attribution }: Credited): Promise<Credits> {
  const licences = new Map<string, Partial<DataSource>>();
  for (const path of files.addresses) licences.set(`${OPEN_ADDRESSES}${shownName(path)}`, await licenceBeside(path));
  const ofExtracts = extracts.length > 0 ? [withDate(OPENSTREETMAP, extracts)] : [];
  const all = new Map<string, DataSource>();
  const byLayer: Record<string, string[]> = {};
  let hasOwn = false;
  for (const layer of layers) {
    const unnamed = UNNAMED.flatMap((kind) => (layer.asked.includes(kind) && files[kind]) || []);
    const sources = [
      ...ofExtracts,
      ...layer.sources,
      ...unnamed.map((path): DataSource => ({ name: basename(path), url: "", licence: OWN })),
    ].map((source): DataSource => {
      const known: DataSource = { ...source, ...licences.get(source.name) };
      const own = known.attribution === undefined && (known.licence === OWN || licences.has(source.name));
      hasOwn ||= own;
      return own && attribution !== undefined ? { ...known, attribution } : known;
    });
    for (const source of sources) all.set(source.name, source);
    byLayer[layer.name] = [...new Set(sources.map(({ name }) => name))].sort();
  }
  if (attribution !== undefined && !hasOwn) {
    // The extracts themselves are what the words are about.
    const words: DataSource = { name: "The operator's own data", url: "", licence: OWN, attribution };
    all.set(words.name, words);
    for (const { name } of layers) byLayer[name] = [...byLayer[name], words.name].sort();
  }
  return { sources: [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), byLayer };
}

/** As old as the oldest extract that says how old it is. */
function withDate(source: DataSource, extracts: readonly Extract[]): DataSource {
  const [oldest] = extracts.flatMap(({ timestamp }) => timestamp ?? []).sort();
  return oldest === undefined ? source : { ...source, date: oldest };
}

/**
 * Finds the license of an OpenAddresses file: the definition of its source (`town.json` next to `town.csv`, in the form of
 * the OpenAddresses project) or the first line of a LICENSE.txt in its folder; nothing where neither exists.
 */
async function licenceBeside(path: string): Promise<Partial<DataSource>> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const plain = (name: string) => name.replace(/^\d+-/, "").toLowerCase();
  const wanted = plain(basename(path)).replace(/\.csv$/, ".json");
  const definition = names.find((name) => plain(name) === wanted);
  const told = definition && licenceIn(await readFile(join(folder, definition), "utf8"));
  if (told) return told;
  const text = names.find((name) => /^licen[cs]e(\.txt|\.md)?$/.test(plain(name)));
  const line = text && firstLine(await readFile(join(folder, text), "utf8"));
  return line ? { licence: line } : {};
}

interface Definition {
  license?: unknown;
  website?: unknown;
  layers?: { addresses?: { license?: unknown; website?: unknown }[] };
}

/** {"license": "CC-BY-4.0"}, or {"license": {"text": …, "url": …, "attribution name": …}}, also per layer. */
function licenceIn(json: string): Partial<DataSource> | undefined {
  let definition: Definition;
  try {
    definition = JSON.parse(json) as Definition;
  } catch {
    return undefined;
  }
  const [layer] = definition.layers?.addresses ?? [];
  const license = layer?.license ?? definition.license;
  const website = layer?.website ?? definition.website;
  const text = (value: unknown) => (typeof value === "string" && value.trim() ? firstLine(value) : undefined);
  const told =
    typeof license === "object" && license !== null ? (license as Record<string, unknown>) : { text: license };
  const licence = text(told.text) ?? text(told.url);
  if (licence === undefined) return undefined;
  const licenceUrl = text(told.url) ?? (/^https?:/.test(licence) ? licence : undefined);
  const attribution = text(told["attribution name"]);
  const url = text(website);
  return {
    licence,
    ...(licenceUrl && { licenceUrl }),
    ...(attribution && { attribution }),
    ...(url && /^https?:\/\//.test(url) && { url }),
  };
}

function firstLine(text: string): string {
  const line = text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .find((one) => one !== "");
  return (line ?? "").slice(0, MAX_CHARACTERS);
}
