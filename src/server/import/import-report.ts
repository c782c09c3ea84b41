import { amount } from "../../importer/report/reporter.ts";
import type { ImportResult } from "../../importer/run/import.ts";
import { table } from "../base/table.ts";

/** Counts that describe how a layer is stored: useful to developers (they are in the manifest), not to an operator. */
const OF_STORAGE = /^(objects of |tiles$|different tiles$|regions: |directed edges$)/;
/** Counts of what was left out, for which there may be a reason in the data. */
const PASSED_OVER = /^(left out: |skipped: |nodes missing |relations (cut|that)|roads without|lines )/;

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
    .filter(([what]) => !OF_STORAGE.test(what) && !PASSED_OVER.test(what))
    .map(([what, count]) => `${count.toLocaleString("en-US")} ${named(what, count)}`)
    .join(", ");
}

function passedOver(counts: Readonly<Record<string, number>>): string {
  return entries(counts)
    .filter(([what]) => PASSED_OVER.test(what))
    .map(([what, count]) => `${count.toLocaleString("en-US")} × ${what.replace(/^(left out|skipped): /, "")}`)
    .join(", ");
}

function entries(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function named(what: string, count: number): string {
  const known = NAMES[what];
  if (known) return known[count === 1 ? 0 : 1];
  // "1 airports with a code": the first word, where it is a plural.
  return count === 1 ? what.replace(/^(\w+[^s\s])s\b/, "$1") : what;
}
