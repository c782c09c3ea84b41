import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ImportError } from "../../common/import-error.ts";
import { textOf } from "../../common/text-file.ts";

/**
 * OpenAddresses' GeoJSON, its form since 2020: a Feature a line, with the properties number, street, unit, city, district, region,
 * postcode, id and hash. Also as a FeatureCollection with a Feature a line, as GDAL writes it.
 */

const COLUMNS = ["number", "street", "unit", "city", "district", "region", "postcode", "id", "hash"] as const;
const HEADER = `LON,LAT,${COLUMNS.join(",").toUpperCase()}\n`;
/** A line with one address is 300 characters long. */
const MAX_LINE_CHARACTERS = 8 << 20;

interface Feature {
  type?: unknown;
  properties?: Record<string, unknown> | null;
  geometry?: { type?: unknown; coordinates?: unknown } | null;
  features?: unknown;
}

/** Of a collection around the features: its beginning, other members of it, and its end. */
const AROUND = /^(?:\{\s*"type"\s*:\s*"FeatureCollection".*|"(?:type|name|crs|features|bbox|\w+)"\s*:.*|[{}[\]]*)$/;

/** GeoJSON text sequences (RFC 8142) have a record separator before each feature. */
const withoutMark = (text: string) => (text.startsWith("\x1e") ? text.slice(1) : text);

/** Whether a file begins with features, and whether these are addresses. What was read may end within a line. */
export function geoJsonKind(start: string): "addresses" | "other" | undefined {
  const text = withoutMark(start.trimStart());
  if (!text.startsWith("{") || !/"(?:Feature|FeatureCollection)"/.test(text)) return undefined;
  return /"number"\s*:/.test(text) && /"street"\s*:/.test(text) ? "addresses" : "other";
}

/** Writes the addresses as a table of OpenAddresses' columns. @throws ImportError naming the line */
export async function geoJsonToCsv(path: string, name: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await pipeline(Readable.from(rowsOf(path, name)), createWriteStream(`${to}.part`));
    await rename(`${to}.part`, to);
  } catch (error) {
    await rm(`${to}.part`, { force: true });
    throw error;
  }
}

async function* rowsOf(path: string, name: string): AsyncGenerator<string> {
  yield HEADER;
  let number = 0;
  let features = 0;
  let rest = "";
  const take = (line: string, isLast: boolean) => {
    number++;
    const rows = rowsOfLine(line, isLast, `${basename(name)}, line ${number}`);
    features += rows.length;
    return rows.join("");
  };
  for await (const text of textOf(path)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS) throw tooLong(name);
    yield lines.map((line) => take(line, false)).join("");
  }
  yield take(rest, true);
  if (features === 0) throw new ImportError(`${basename(name)} holds no address.`);
}

const tooLong = (name: string) =>
  new ImportError(
    `${basename(name)} has a line of more than 8 million characters. Write a feature a line (ogr2ogr -f GeoJSONSeq out.geojson in.geojson).`,
  );

function rowsOfLine(line: string, isLast: boolean, where: string): string[] {
  const text = withoutMark(line.trim()).replace(/,$/, "");
  if (text === "") return [];
  let parsed: Feature;
  try {
    parsed = JSON.parse(text) as Feature;
  } catch {
    if (AROUND.test(text)) return [];
    // Tables end so where they were cut: the line is left out with a note.
    if (isLast && text.startsWith("{")) return ['""'];
    throw new ImportError(`${where} is no GeoJSON feature, or not a whole one. Download the file again.`);
  }
  const features = parsed?.type === "FeatureCollection" && Array.isArray(parsed.features) ? parsed.features : [parsed];
  return (features as Feature[]).map((feature) => {
    if (feature?.type !== "Feature") throw new ImportError(`${where} is no GeoJSON feature.`);
    return rowOf(feature);
  });
}

function rowOf({ properties, geometry }: Feature): string {
  const at = geometry?.type === "Point" && Array.isArray(geometry.coordinates) ? geometry.coordinates : [];
  const cells = [at[0], at[1], ...COLUMNS.map((column) => properties?.[column])];
  return `${cells.map(cellOf).join(",")}\n`;
}

function cellOf(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
