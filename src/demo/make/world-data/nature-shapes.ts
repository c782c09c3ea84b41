import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { inRing } from "../../../core/geo/shapes/in-ring.ts";
import { encodeLine } from "../../../core/geo/shapes/polyline.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { simplify } from "../../../importer/layers/basemap/tiles/simplify.ts";
import { plainEnglish } from "../../../importer/world/english-names.ts";
import { watersForMaps } from "../../../importer/world/lists.ts";
import { withLocalName } from "../../../importer/world/local-names.ts";
import type { Corner } from "../../../importer/world/topojson.ts";

interface Feature {
  properties: { name?: string | null; name_en?: string | null; min_zoom?: number | null; featurecla?: string };
  geometry: { coordinates: never; type: "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon" };
}

interface Shape {
  properties: Feature["properties"];
  /** Lines, or rings of one polygon each, the outer one first. */
  parts: Corner[][][];
}

const KINDS = {
  river: { file: "rivers", tolerance: 0.0018, closed: false },
  lake: { file: "lakes", tolerance: 0.0013, closed: true },
  glacier: { file: "glaciers", tolerance: 0.01, closed: true },
  urban: { file: "urban-areas-50m", tolerance: 0.001, closed: true },
} as const;

/** A river of the list's name this near to its place is that one [degrees]. */
const SAME_NAME = 4;
/** Natural Earth's names of rivers of the list, where none of the list's is among them. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  Dnieper: ["Dnepre"],
  Euphrates: ["Al Furat", "Firat"],
  Irtysh: ["Ertis"],
  "Northern Dvina": ["Severnaya Dvina"],
  Paraguay: ["Paraná"],
  "Peace River": ["Peace"],
  "Rio Negro": ["Negro"],
  "Saint Lawrence": ["St. Lawrence"],
  Tigris: ["Dicle"],
  "Xi Jiang": ["Xi"],
  "Yellow River": ["Huang"],
  Yenisei: ["Yenisey"],
};
const LAKE_REACH = 0.1;

/**
 * nature-shapes.txt, fields between tabs: kind (river, lake, glacier, urban), zoom from which it is drawn, name in waters.txt, local name, English one where it differs,
 * then lines or rings of one polygon as polylines of three decimals. From Natural Earth 4 at 1:10m, urban areas at 1:50m (public
 * domain; rivers, lakes, glaciers and urban-areas-50m.geojson.gz in the folder natural-earth). Lines through lakes are left out.
 */
export function* natureShapes(folder: string): Generator<string> {
  for (const kind of ["river", "lake", "glacier", "urban"] as const) {
    const { file, tolerance, closed } = KINDS[kind];
    const isNamed = kind === "river" || kind === "lake";
    const listed = watersForMaps().filter((water) => water.kind === kind);
    const shapes = shapesOf(folder, file).filter(({ properties }) => !properties.featurecla?.startsWith("Lake Cent"));
    const owners = kind === "river" ? riversListed(shapes) : undefined;
    for (const { properties, parts } of shapes) {
      const { name, name_en: english, min_zoom: minZoom } = properties;
      const own = calm(name);
      const lake =
        kind === "lake" ? listed.find(({ at: [place] }) => parts.some(([outer]) => isAt(outer, place))) : undefined;
      for (const rings of parts) {
        const known = lake ?? owners?.get(rings);
        const encoded = rings
          .map((ring) => encodedLine(ring, tolerance * (kind === "glacier" && isPolar(ring) ? POLAR : 1), closed))
          .filter((text) => text !== "");
        if (encoded.length === 0) continue;
        const zoom = Math.round(10 * (minZoom ?? 6)) / 10;
        const shown = known ? localName(known, own, rings[0]) : own;
        const inEnglish = known || calm(english) === shown ? "" : calm(english);
        const names = isNamed ? [known?.names.name ?? "", shown, inEnglish] : ["", "", ""];
        yield [kind, zoom, ...names, ...encoded].join("\t");
      }
    }
  }
}

/** The list's name in the language of the country, Natural Earth's where the list has only the English one. */
function localName({ kind, names }: Listed, own: string, line: readonly Corner[]): string {
  const local = kind === "river" ? withLocalName(names, someOf(line)).name : names.name;
  return local === names.name && !OTHER_NAMES[local]?.includes(own) && own !== "" ? own : local;
}

/** Some corners, so that a river along a border does not get the name of one village on the other side. */
const someOf = (line: readonly Corner[]) => line.filter((_, i) => i % Math.ceil(line.length / 9) === 0);

/** Maps stretch the ice of the poles, and its outline is that of the coast [degrees of latitude]. */
const isPolar = ([[, latitude]]: readonly Corner[]) => Math.abs(latitude) > 60;
const POLAR = 3;

const calm = (name: string | null | undefined) =>
  plainEnglish("US", (name ?? "").replace(/\s+/g, " ").trim()).replace(/\bL\./, "Lake");

function shapesOf(folder: string, file: string): Shape[] {
  const text = gunzipSync(readFileSync(join(folder, "natural-earth", `${file}.geojson.gz`))).toString();
  return (JSON.parse(text) as { features: Feature[] }).features.map(({ properties, geometry }) => {
    const { type, coordinates } = geometry;
    if (type === "LineString") return { properties, parts: [[coordinates as Corner[]]] };
    if (type === "MultiLineString") return { properties, parts: (coordinates as Corner[][]).map((line) => [line]) };
    return { properties, parts: type === "Polygon" ? [coordinates as Corner[][]] : (coordinates as Corner[][][]) };
  });
}

/** The rivers of the list by parts of shapes; of two with a shape's name the one with the place nearest to the part. */
function riversListed(shapes: readonly Shape[]) {
  const found = new Map<Shape["parts"][number], { river: Listed; away: number }>();
  for (const river of watersForMaps()) {
    if (river.kind !== "river") continue;
    const { name, "name:de": german, "name:fr": french, "name:es": spanish } = river.names;
    const names = new Set(
      [name, german, french, spanish, ...(OTHER_NAMES[name] ?? [])].map((one) => fold(one ?? name)),
    );
    for (const { properties, parts } of shapes) {
      if (![properties.name, properties.name_en].some((one) => one && names.has(fold(calm(one))))) continue;
      const aways = parts.map(([line]) =>
        Math.min(...line.flatMap((corner) => river.at.map((place) => distance(corner, place)))),
      );
      if (Math.min(...aways) > SAME_NAME) continue;
      parts.forEach((part, i) => {
        if (aways[i] < (found.get(part)?.away ?? Number.POSITIVE_INFINITY)) found.set(part, { river, away: aways[i] });
      });
    }
  }
  return new Map([...found].map(([part, { river }]) => [part, river]));
}

type Listed = ReturnType<typeof watersForMaps>[number];

const distance = ([ax, ay]: Corner, [bx, by]: Corner) =>
  Math.hypot((ax - bx) * Math.cos((by * Math.PI) / 180), ay - by);

const isAt = (ring: readonly Corner[], place: Corner): boolean =>
  inRing(ring, ...place) || ring.some((corner) => distance(corner, place) < LAKE_REACH);

function encodedLine(line: readonly Corner[], tolerance: number, closed: boolean): string {
  const corners = closed ? line.slice(0, -1) : line;
  const simple = simplify(corners.flat(), tolerance, closed);
  if (simple.length < (closed ? 6 : 4)) return "";
  return encodeLine(
    Array.from({ length: simple.length / 2 }, (_, i) => ({ longitude: simple[2 * i], latitude: simple[2 * i + 1] })),
    3,
  );
}
