import { isContent, isPassedOver } from "../../importer/report/contents.ts";
import { amount } from "../../importer/report/reporter.ts";
import type { ImportResult } from "../../importer/run/import.ts";
import { table } from "../base/table.ts";

/** Work folders smaller than this are not reported [bytes]. */
const MIN_REPORTED_BYTES = 100e6;

/** Names of counted kinds → singular, plural. */
const NAMES: Readonly<Record<string, [one: string, several: string]>> = {
  country: ["country", "countries"],
  state: ["state or province", "states and provinces"],
  county: ["county", "counties"],
  dma: ["market area", "market areas"],
  locality: ["town", "towns"],
  localities: ["town", "towns"],
  city: ["city", "cities"],
  postalCode: ["postal code", "postal codes"],
  pois: ["point of interest", "points of interest"],
  earth: ["land polygon", "land polygons"],
  water: ["water polygon", "water polygons"],
  landuse: ["land use polygon", "land use polygons"],
  airport: ["airport", "airports"],
  district: ["district", "districts"],
  "island or region": ["island or region", "islands and regions"],
  "town or part of a city": ["town or part of a city", "towns and parts of cities"],
  landcover: ["land cover polygon", "land cover polygons"],
};

/** Returns the import report: a line per layer, skipped elements, and where the build is live. */
export function importReport(
  { manifest, elements, notes, published, sent, workFolder, parts }: ImportResult,
  where: string | undefined,
): string {
  const layers = Object.entries(manifest.layers);
  const holds = layers.map(([name, { bytes, counts }]) => [name, amount(bytes, "B"), contents(counts)]);
  const passed = layers.map(([name, { counts }]) => [name, passedOver(counts)]).filter(([, what]) => what !== "");
  const { nodes, ways, relations } = elements;
  const read = nodes + ways + relations;
  return [
    ...(read > 0
      ? ["", `Read: ${amount(nodes, "nodes")}, ${amount(ways, "ways")}, ${amount(relations, "relations")}.`]
      : []),
    "",
    table(holds, ["layer", "size", "contents"]),
    ...(passed.length > 0 ? ["", "Skipped:", table(passed)] : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
    "",
    ...(workFolder.largest > MIN_REPORTED_BYTES
      ? [`Peak size of the work folder: ${amount(workFolder.largest, "B")}.`]
      : []),
    ...(published && workFolder.left > 0
      ? [
          `${amount(workFolder.left, "B")} remain there: layers of the same files that were built but not published. The next import reuses them.`,
        ]
      : []),
    ...(parts.found > 0
      ? [
          `${parts.found.toLocaleString("en-US")} layer parts were unchanged and reused from the previous import; ${parts.made.toLocaleString("en-US")} were created.`,
        ]
      : []),
    ...(sent && sent.shared.objects > 0
      ? [
          `${sent.uploaded.objects.toLocaleString("en-US")} objects (${amount(sent.uploaded.bytes, "B")}) were uploaded; ${sent.shared.objects.toLocaleString("en-US")} (${amount(sent.shared.bytes, "B")}) already existed in previous builds.`,
        ]
      : []),
    published && where !== undefined
      ? `${manifest.name} is live as build ${manifest.id} in ${where}. A running Worker uses it within 10 s.`
      : `A dry run: ${manifest.name} would be build ${manifest.id}. Nothing was published.`,
  ].join("\n");
}

/** "16,367 addresses, 2,744 addresses between known ones": the largest first. */
function contents(counts: Readonly<Record<string, number>>): string {
  return entries(counts)
    .filter(([what]) => isContent(what))
    .map(([what, count]) => `${count.toLocaleString("en-US")} ${named(what, count)}`)
    .join(", ");
}

function passedOver(counts: Readonly<Record<string, number>>): string {
  return entries(counts)
    .filter(([what]) => isPassedOver(what))
    .map(([what, count]) => `${count.toLocaleString("en-US")} × ${what.replace(/^(left out|skipped): /, "")}`)
    .join(", ");
}

function entries(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** What comes before these words is counted: "airports with a code", "pieces of road with slopes". */
const REST = /^(.+?)( (?:of|with|in|without|that|around)\b.*)?$/;

/** "1 address in US", "2 counties around a point". */
export function named(what: string, count: number): string {
  const whole = NAMES[what];
  if (whole) return whole[count === 1 ? 0 : 1];
  const [, head = what, rest = ""] = REST.exec(what) ?? [];
  const known = NAMES[head];
  if (known) return known[count === 1 ? 0 : 1] + rest;
  return count === 1 ? head.replace(/\w+$/, singular) + rest : what;
}

/** "addresses" → "address", "boundaries" → "boundary", "roads" → "road"; others stay. */
function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
