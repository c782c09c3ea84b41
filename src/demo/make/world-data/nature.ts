import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ringCentroid } from "../../../core/geo/shapes/polygon.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { plainEnglish } from "../../../importer/world/english-names.ts";
import { islandsForMaps } from "../../../importer/world/lists.ts";

/** Kinds of regions that people name as where they are; oceans' floors, dragons and continents are not. */
const KINDS = new Set([
  "Island",
  "Island group",
  "Geoarea",
  "Pen/cape",
  "Peninsula",
  "Range/mtn",
  "Coast",
  "Desert",
  "Plateau",
]);
/** Coarser ones are known beyond their neighbors. */
const MAX_RANK = 5;
/** A smaller one is a speck on maps of the world [km]. */
const MIN_WIDTH = 10;
/** The same island in the list of names [degrees]. */
const SAME = 4;
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bI\.(?=$|\s)/, "Island"],
  [/\bIS\.$|\bIs\.$/i, "Islands"],
  [/\bArch\.$/i, "Archipelago"],
  [/\bMts\.$/i, "Mountains"],
  [/\bRa\.$/i, "Range"],
  [/\bPlat\.$/i, "Plateau"],
  [/\bPen\.$/i, "Peninsula"],
];

interface Feature {
  properties: { featurecla: string; name: string | null; scalerank: number };
  geometry: { type: "Polygon" | "MultiPolygon"; coordinates: [number, number][][] | [number, number][][][] };
}

/**
 * regions.txt: width in km, latitude, longitude, name. Islands, groups of islands and natural regions of Natural Earth (public domain,
 * 4 at 1:10m, regions.geojson.gz in the folder natural-earth) that are not among the islands with names in ten languages.
 */
export function* natureRegions(folder: string): Generator<string> {
  const text = gunzipSync(readFileSync(join(folder, "natural-earth/regions.geojson.gz"))).toString();
  const islands = islandsForMaps().map(({ at: [[longitude, latitude]], names }) => ({
    longitude,
    latitude,
    name: fold(names.name),
  }));
  for (const { properties, geometry } of (JSON.parse(text) as { features: Feature[] }).features) {
    const { featurecla, name, scalerank } = properties;
    if (!name || !KINDS.has(featurecla) || scalerank > MAX_RANK) continue;
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    const rings = (polygons as [number, number][][][]).map(([outer]) => outer);
    const largest = rings.reduce((best, ring) => (areaOf(ring) > areaOf(best) ? ring : best));
    const { latitude, longitude } = ringCentroid(largest);
    const own = WORDS.reduce((word, [short, long]) => word.replace(short, long), name.trim().replace(/\s+/g, " "));
    const plain = plainEnglish("US", own).replace(/(?<=\S\s)(?:Of|De|La|Du)(?=\s)/g, (word) => word.toLowerCase());
    const isKnown = islands.some(
      (one) => one.name === fold(plain) && Math.hypot(one.latitude - latitude, one.longitude - longitude) < SAME,
    );
    const width = Math.round(Math.sqrt(rings.reduce((sum, ring) => sum + areaOf(ring), 0)) * 111);
    if (isKnown || width < MIN_WIDTH) continue;
    yield [width, latitude.toFixed(2), longitude.toFixed(2), plain].join("|");
  }
}

/** [square degrees of latitude] */
function areaOf(ring: readonly [number, number][]): number {
  let sum = 0;
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    sum += (x * nextY - nextX * y) * Math.cos((y * Math.PI) / 180);
  }
  return Math.abs(sum) / 2;
}
