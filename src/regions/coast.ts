import type { Coordinate } from "../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import { GRID, normalLongitude, shorterWay } from "./crossing.ts";
import type { Region, RegionRank } from "./region.ts";
import type { DecodedTile, TileEdges } from "./tile-format.ts";

/** The coasts of the world base data are accurate to this distance [m]. */
const SHORE = 5000;

/**
 * Tells coasts from land borders: an edge of the wanted regions is a coast if it bounds no other country or state. An import may lack the
 * neighbors of its region, so such an edge of an import is a coast only along a coast of the world base data, and not where a border of it meets the coast.
 * @returns whether an edge, given by its set and a point of it, is a coast
 */
export function coastTest(
  { sets, regions }: Pick<DecodedTile, "sets" | "regions">,
  edges: TileEdges,
  wanted: readonly Region[],
  rank: RegionRank,
): (set: number, at: Coordinate) => boolean {
  const sides = sets.map((set) => set.map((region) => regions[region]));
  const hasOther = sides.map((set) => set.some((side) => wanted.some((one) => isOther(side, one))));
  if (rank !== "import") return (set) => !hasOther[set];
  const countries = sides.map((set) => set.filter(({ kind, rank }) => kind === "country" && rank !== "import").length);
  const coasts: number[] = [];
  const borders: number[] = [];
  for (const [i, set] of edges.set.entries()) if (countries[set] > 0) (countries[set] > 1 ? borders : coasts).push(i);
  return (set, at) => !hasOther[set] && isNear(at, edges, coasts) && !isNear(at, edges, borders);
}

/** Whether a region is on the other side of a border: of another country, or, for a state, of another state. */
function isOther(side: Region, wanted: Region): boolean {
  const country = countryOf(side);
  if (country !== "" && country !== countryOf(wanted)) return true;
  if (wanted.kind !== "state") return false;
  const state = side.kind === "state" ? side.code : side.state;
  return state !== "" && state !== wanted.code;
}

const countryOf = ({ kind, code, country }: Region) => (kind === "country" ? code : country);

/** Whether one of some edges is within `SHORE` of a point. */
function isNear({ latitude, longitude }: Coordinate, { x, y, dx, dy }: TileEdges, some: readonly number[]): boolean {
  const shrink = Math.cos(latitude * RADIANS);
  const limit = (SHORE / METRES_PER_DEGREE) * GRID;
  const px = normalLongitude(longitude * GRID);
  return some.some((i) => {
    const [east, north] = [shorterWay(normalLongitude(x[i]) - px), y[i] - latitude * GRID];
    const t = nearestOnEdge(east * shrink, north, dx[i] * shrink, dy[i]);
    return Math.hypot((east + t * dx[i]) * shrink, north + t * dy[i]) <= limit;
  });
}

/** Which part of the edge from (x, y) by (dx, dy) is nearest to the origin: 0 its start, 1 its end. */
export function nearestOnEdge(x: number, y: number, dx: number, dy: number): number {
  return Math.max(0, Math.min(1, -(x * dx + y * dy) / (dx * dx + dy * dy)));
}
