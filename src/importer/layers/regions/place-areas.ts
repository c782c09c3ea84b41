import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { METRES_PER_DEGREE } from "../../../core/geo/distance.ts";
import { changed, PackedRings, PackedShape } from "../../../core/regions/packed-shape.ts";
import type { RegionKind } from "../../../core/regions/region.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";
import type { LayerInput } from "../../frame/layer.ts";
import type { OsmNode } from "../../osm/pbf/element.ts";
import { type CountryAt, withCountries } from "./country-of-shape.ts";

/**
 * Boroughs and neighborhoods that OpenStreetMap has as points only (`place=suburb` …): most of them have no boundary. The
 * area of one is what is nearer to its point than to that of another, within its reach.
 */
const PLACES: Readonly<Record<string, { kind?: RegionKind; reach: number }>> = {
  borough: { kind: "borough", reach: 6_000 },
  suburb: { kind: "neighborhood", reach: 2_500 },
  quarter: { kind: "neighborhood", reach: 1_500 },
  neighbourhood: { kind: "neighborhood", reach: 1_000 },
  // These end the areas of neighborhoods, and have none themselves. Of cities the middle is a neighborhood like others.
  town: { reach: 2_500 },
  village: { reach: 2_500 },
  hamlet: { reach: 2_500 },
};
export const PLACE_TAGS: readonly string[] = Object.keys(PLACES).map((place) => `place=${place}`);

/** Corners of the circle that an area is cut from. */
const CORNERS = 12;
/** Side of the squares in which other points are looked up [degrees of latitude]: twice the largest reach, and a little more. */
const SQUARE = 0.11;
/** Nearer points are one place that is there twice [m]. */
const TWICE = 1;
/** Around the poles degrees of longitude are too short to count with. */
const MAX_LATITUDE = 85;

interface PlacePoint extends Coordinate {
  name: string;
  place: string;
}

/**
 * The areas of the points of the extracts. Each is in one country, so that it does not reach across a border: that of the
 * drawn country or state around it, else the country in which the world base has the point.
 */
export async function placeAreas(
  input: LayerInput,
  drawn: readonly RegionShape[],
  countryAt: CountryAt,
): Promise<RegionShape[]> {
  const places: PlacePoint[] = [];
  await input.scan({
    node(node: OsmNode) {
      const { name, place } = node.tags;
      if (!name || !Object.hasOwn(PLACES, place ?? "") || Math.abs(node.latitude) > MAX_LATITUDE) return;
      places.push({ name, place, latitude: node.latitude, longitude: node.longitude });
    },
  });
  const squares = squaresOf(places);
  const shapes: RegionShape[] = [];
  const middles: PlacePoint[] = [];
  for (const point of places) {
    const { kind } = PLACES[point.place];
    if (!kind) continue;
    // A boundary that is drawn is better: the rank puts it first.
    const region = { kind, rank: "base", code: "", name: point.name, country: "", state: "" } as const;
    shapes.push(new PackedShape(region, new PackedRings([areaOf(point, rivalsOf(point, squares))])));
    middles.push(point);
  }
  const bounds = drawn.filter(({ kind }) => kind === "country" || kind === "state");
  // The middle of an area may be across a border that its point is near to.
  const points = shapes.map((shape, i): RegionShape => ({ ...regionOf(shape), rings: [atPoint(middles[i])] }));
  const placed = (await withCountries([...bounds, ...points], async () => "")).slice(bounds.length);
  return Promise.all(
    shapes.map(async (shape, i) => {
      const country = placed[i].country || (await countryAt([middles[i].longitude, middles[i].latitude]));
      return changed(shape, { country });
    }),
  );
}

const regionOf = ({ kind, rank, code, name, country, state }: RegionShape) => ({
  kind,
  rank,
  code,
  name,
  country,
  state,
});

/** A ring as small as the grid allows: a point as a shape. */
function atPoint({ longitude, latitude }: Coordinate): [number, number][] {
  const step = 1e-6;
  const corner: [number, number] = [longitude - step, latitude - step];
  return [corner, [longitude + step, latitude - step], [longitude, latitude + step], corner];
}

type Squares = ReadonlyMap<number, ReadonlyMap<number, readonly PlacePoint[]>>;

const rowOf = (latitude: number) => Math.floor(latitude / SQUARE);
/** Squares of a row: as wide as high at its edge that is nearer to the pole. */
const columnsIn = (row: number) => {
  const latitude = Math.min(89, Math.max(Math.abs(row), Math.abs(row + 1)) * SQUARE);
  return Math.max(1, Math.floor((360 * Math.cos((latitude * Math.PI) / 180)) / SQUARE));
};
const columnOf = (longitude: number, columns: number) =>
  Math.min(columns - 1, Math.floor(((longitude + 180) / 360) * columns));

function squaresOf(points: readonly PlacePoint[]): Squares {
  const rows = new Map<number, Map<number, PlacePoint[]>>();
  for (const point of points) {
    const row = rowOf(point.latitude);
    const columns = rows.get(row) ?? new Map<number, PlacePoint[]>();
    rows.set(row, columns);
    const column = columnOf(point.longitude, columnsIn(row));
    const list = columns.get(column);
    if (list) list.push(point);
    else columns.set(column, [point]);
  }
  return rows;
}

/** The points that may end the area of one: those of its kind and those without an area, each once. */
function rivalsOf(point: PlacePoint, squares: Squares): PlacePoint[] {
  const { kind } = PLACES[point.place];
  const found: PlacePoint[] = [];
  for (let row = rowOf(point.latitude) - 1; row <= rowOf(point.latitude) + 1; row++) {
    const columns = columnsIn(row);
    const middle = columnOf(point.longitude, columns);
    const around = new Set([-1, 0, 1].map((step) => (middle + step + columns) % columns));
    for (const column of around) {
      for (const other of squares.get(row)?.get(column) ?? []) {
        const own = PLACES[other.place].kind;
        const isRival = own === kind || (own === undefined && kind === "neighborhood");
        if (isRival && other !== point) found.push(other);
      }
    }
  }
  return found;
}

type Flat = readonly [x: number, y: number];

/** A circle around the point, cut along the middle lines between it and its rivals: a closed ring of [longitude, latitude]. */
function areaOf(point: PlacePoint, rivals: readonly PlacePoint[]): [number, number][] {
  const { reach } = PLACES[point.place];
  const north = METRES_PER_DEGREE;
  const east = north * Math.cos((point.latitude * Math.PI) / 180);
  let corners: Flat[] = Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  });
  for (const rival of rivals) {
    const turn = ((rival.longitude - point.longitude + 540) % 360) - 180;
    const [x, y] = [turn * east, (rival.latitude - point.latitude) * north];
    const apart = Math.hypot(x, y);
    if (apart > TWICE && apart < 2 * reach) corners = cut(corners, [x, y]);
  }
  const ring = corners.map(([x, y]): [number, number] => {
    const longitude = point.longitude + x / east;
    return [onGrid(((longitude + 540) % 360) - 180), onGrid(point.latitude + y / north)];
  });
  return [...ring, ring[0]];
}

const onGrid = (degrees: number) => Math.round(degrees * 1e7) / 1e7;

/** What of a convex polygon around (0, 0) is nearer to there than to the rival. */
function cut(corners: readonly Flat[], [x, y]: Flat): Flat[] {
  /** Beyond the middle line: above 0. */
  const beyond = ([a, b]: Flat) => a * x + b * y - (x * x + y * y) / 2;
  return corners.flatMap((corner, i) => {
    const next = corners[(i + 1) % corners.length];
    const [here, there] = [beyond(corner), beyond(next)];
    const kept = here <= 0 ? [corner] : [];
    if (here <= 0 === there <= 0) return kept;
    const share = here / (here - there);
    return [...kept, [corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])] as const];
  });
}
