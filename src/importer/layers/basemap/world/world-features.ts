import { clipAxis } from "../../../../core/maps/tiles/clip.ts";
import { WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import { countryName } from "../../../../core/regions/region.ts";
import type { Line } from "../../../frame/layer.ts";
import { worldCities } from "../../../world/cities.ts";
import { countryCodeOf, localCountryName } from "../../../world/countries.ts";
import { readAtlas } from "../../../world/package-file.ts";
import { type Corner, decodeArcs, type Topology } from "../../../world/topojson.ts";
import { polygonsOf, sharedArcs } from "../../../world/topology-shapes.ts";
import {
  type BasemapFeature,
  backwards,
  LINE,
  lineParts,
  POINT,
  POLYGON,
  pointParts,
  properties,
  walk,
} from "../features/feature.ts";
import { labelPoint, widestAt } from "../features/label-point.ts";
import { MAP_LANGUAGES } from "../features/names.ts";
import type { Sea } from "../steps/sea-tiles.ts";
import { landCover } from "./world-land-cover.ts";
import { polygonPartsOf, turned } from "./world-shapes.ts";
import { stateBorders, stateNames } from "./world-states.ts";
import { townsOfWorld } from "./world-towns.ts";
import { islandNames, natureOnMaps, seaNames } from "./world-waters.ts";

/** The finest tiles of the world base; beyond they are magnified. */
export const WORLD_MAX_ZOOM = 6;

/** Everything the map shows where nothing is imported (Natural Earth, US Census Bureau, GeoNames). */
export function* worldFeatures(): Generator<BasemapFeature> {
  yield* land();
  yield* landCover();
  yield* natureOnMaps();
  yield* seaNames();
  yield* islandNames();
  yield* countryBorders();
  yield* stateBorders();
  const countries = [...countryNames()];
  yield* countries;
  yield* stateNames();
  yield* townsOfWorld(countries);
}

/** As far from the 180th meridian as the atlas rounds [units of the plane]: 30 m. */
const SEAM = 100;

const WORLD: number[][] = [[0, 0, WORLD_SIZE, 0, WORLD_SIZE, WORLD_SIZE, 0, WORLD_SIZE]];

function* land(): Generator<BasemapFeature> {
  yield { layer: "earth", type: POLYGON, parts: WORLD, minZoom: 0, properties: { kind: "earth" } };
}

/** The sea of the whole world (Natural Earth 1:10m). */
export function worldSea(): Sea {
  const atlas = readAtlas("world-atlas/land-10m.json");
  const arcs = decodeArcs(atlas);
  const coastlines: number[][] = [];
  // The square without continents and islands, and the seas within land.
  const rings: number[][] = [...WORLD];
  for (const geometry of atlas.objects.land.geometries) {
    for (const polygon of polygonsOf(geometry, arcs)) {
      polygon.forEach((ring, i) => {
        const corners = walk(ring, ring.length);
        const coast = aroundPole(corners) ? coastOfPole(corners) : closed(turned(corners, i === 0 ? -1 : 1));
        // The atlas walks across the 180th meridian; the square ends there.
        for (const shift of [-WORLD_SIZE, 0, WORLD_SIZE]) {
          const moved = coast.map((value, k) => (k % 2 === 0 ? value + shift : value));
          coastlines.push(...clipAxis(LINE, [moved], 0, 0, WORLD_SIZE).filter(leavesMeridian));
          const area = aroundPole(corners) ? withPole(moved) : moved.slice(0, -2);
          rings.push(...clipAxis(POLYGON, [area], 0, 0, WORLD_SIZE));
        }
      });
    }
  }
  return { box: { left: 0, top: 0, right: WORLD_SIZE, bottom: WORLD_SIZE }, rings, coastlines };
}

/** Where the atlas sewed land together at the 180th meridian, seams of no width are left. They are no coast. */
function leavesMeridian(line: readonly number[]): boolean {
  return line.some((x, k) => k % 2 === 0 && x > SEAM && x < WORLD_SIZE - SEAM);
}

/** Does a ring go all the way round the Earth? Its end is then a world away from its beginning. */
function aroundPole(ring: readonly number[]): boolean {
  return Math.abs(ring[ring.length - 2] - ring[0]) > WORLD_SIZE / 2;
}

/** The coast of Antarctica as an open line, westwards, so that land is on the left. */
function coastOfPole(ring: readonly number[]): number[] {
  const westwards = ring[ring.length - 2] < ring[0] ? [...ring] : backwards(ring);
  return [...westwards, westwards[0] - WORLD_SIZE, westwards[1]];
}

function withPole(coast: readonly number[]): number[] {
  const below = 2 * WORLD_SIZE;
  return [...coast, coast[coast.length - 2], below, coast[0], below];
}

function closed(ring: readonly number[]): number[] {
  return [...ring, ring[0], ring[1]];
}

function* countryBorders(): Generator<BasemapFeature> {
  const atlas = readAtlas("world-atlas/countries-10m.json");
  const codes = atlas.objects.countries.geometries.map(countryCodeOf);
  for (const { line, geometries } of sharedArcs(atlas, "countries")) {
    const sides = new Set(geometries.map((geometry) => codes[geometry]));
    // A line within one country of ISO 3166-1, or around an area without a country, is drawn as disputed.
    const disputed = sides.size === 1 || sides.has(undefined) || undefined;
    yield {
      layer: "boundaries",
      type: LINE,
      parts: lineParts(line as Line),
      minZoom: 0,
      properties: properties({ kind: "country", kind_detail: 2, disputed }),
      order: -2,
    };
  }
}

function* countryNames(): Generator<BasemapFeature> {
  const atlas = readAtlas("world-atlas/countries-10m.json");
  const arcs = decodeArcs(atlas);
  const named = new Set<string>();
  const latestZoom = latestZooms(atlas, arcs);
  const capitals = new Map(
    worldCities().flatMap(({ rank, country, longitude, latitude }) =>
      rank === "capital" ? [[country, pointParts(longitude, latitude)[0]] as const] : [],
    ),
  );
  const metropolises = worldCities()
    .filter(({ rank, population }) => rank !== "capital" && population >= METROPOLIS)
    .map(({ longitude, latitude }) => pointParts(longitude, latitude)[0]);
  for (const geometry of atlas.objects.countries.geometries) {
    const code = countryCodeOf(geometry);
    if (!code || named.has(code)) continue;
    // A part that the atlas draws separately does not carry its country's name; Kosovo has no number, but a name.
    if (!geometry.id && code !== "XK") continue;
    const parts = polygonPartsOf(geometry, arcs);
    const label = code === "AQ" ? ANTARCTICA : labelPoint(parts);
    const name = countryName(code);
    if (!label || !name || name === code) continue;
    named.add(code);
    const names: Record<string, string> = { name: localCountryName(code) };
    for (const language of MAP_LANGUAGES) {
      const translated = countryName(code, language);
      if (translated && translated !== names.name) names[`name:${language}`] = translated;
    }
    // Named once the country is some 35 pixels wide; an outline in the far north looks larger than it is.
    const byWidth = 14.2 - Math.log2(Math.sqrt(label.area) / 480);
    const minZoom = Math.max(0, Math.min(latestZoom(code, label), Math.ceil(byWidth)));
    // A small country's name is as large as the country: it would hide a large town in it, too.
    const towns = minZoom < SMALL_COUNTRY_ZOOM ? [] : metropolises;
    const near = [...(capitals.has(code) ? [capitals.get(code) ?? []] : []), ...towns];
    const [x, y] = besideTown(parts, label, near, minZoom);
    yield {
      layer: "places",
      type: POINT,
      parts: [[(x + WORLD_SIZE) % WORLD_SIZE, y]],
      minZoom,
      // Larger ones are placed first.
      properties: properties({ kind: "country", ...names, iso_code: code, min_zoom: minZoom, rank: rankOf(byWidth) }),
      order: 1e8 - minZoom,
    };
  }
}

/** The smallest countries are named from here on; those of islands earlier, as nothing else is near. */
const MAX_COUNTRY_ZOOM = 6;
const MAX_ISLANDS_ZOOM = 4;
/** Islands are alone if no larger country is this near: ten degrees. */
const ALONE = WORLD_SIZE / 36;
const MAX_LONELY_ZOOM = 3;

/** Around the pole an outline has no middle: the east of Antarctica. */
const ANTARCTICA = { ...planePoint(35, -80), area: 1e14 };

function planePoint(longitude: number, latitude: number): { x: number; y: number } {
  const [[x, y]] = pointParts(longitude, latitude);
  return { x, y };
}

const rankOf = (zoom: number) => Math.round(100 - 8 * Math.max(0, zoom));

/** Returns the function that finds the zoom from which a country is named at the latest. */
function latestZooms(atlas: Topology, arcs: readonly Corner[][]) {
  const codes = atlas.objects.countries.geometries.map(countryCodeOf);
  const bordered = new Set(
    sharedArcs(atlas, "countries").flatMap(({ geometries }) => {
      const sides = new Set(geometries.map((geometry) => codes[geometry]));
      return sides.size > 1 ? [...sides].flatMap((code) => code ?? []) : [];
    }),
  );
  const labels = atlas.objects.countries.geometries.flatMap(
    (geometry) => labelPoint(polygonPartsOf(geometry, arcs)) ?? [],
  );
  return (code: string, { x, y, area }: { x: number; y: number; area: number }): number => {
    if (bordered.has(code)) return MAX_COUNTRY_ZOOM;
    const isAlone = labels.every((other) => other.area <= area || Math.hypot(other.x - x, other.y - y) > ALONE);
    return isAlone ? MAX_LONELY_ZOOM : MAX_ISLANDS_ZOOM;
  };
}

/** Half of what the names of a country and of its capital need next to each other, and above each other [pixels]. */
const NAME_WIDTH = 75;
const NAME_HEIGHT = 26;

/** People of a town that is no capital, and that the name of a small country does not hide; and the zoom such a name appears at. */
const METROPOLIS = 500_000;
const SMALL_COUNTRY_ZOOM = 5;

/**
 * Label point of a country: in its middle, or, where its capital is, so far above or below that both names fit once
 * both are shown. Spain's would hide Madrid, or Madrid Spain.
 * @param towns its capital first
 */
function besideTown(
  parts: readonly (readonly number[])[],
  { x, y }: { x: number; y: number },
  towns: readonly (readonly number[])[],
  minZoom: number,
): [x: number, y: number] {
  const pixel = WORLD_SIZE / (512 * 2 ** Math.max(3, minZoom));
  const capital = towns.find(
    (town) => Math.abs(town[0] - x) <= NAME_WIDTH * pixel && Math.abs(town[1] - y) <= NAME_HEIGHT * pixel,
  );
  if (!capital) return [x, y];
  const minWidth = (NAME_HEIGHT * pixel) / (minZoom < SMALL_COUNTRY_ZOOM ? 1 : 2);
  const sides = [-1, 1].flatMap((side) => {
    const row = capital[1] + side * NAME_HEIGHT * pixel;
    const at = widestAt(parts, row);
    return at && at.width > minWidth ? [{ ...at, row }] : [];
  });
  const [best] = sides.sort((a, b) => b.width - a.width);
  return best ? [best.x, best.row] : [x, y];
}
