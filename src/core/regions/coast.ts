import type { Coordinate } from "../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import { GRID, normalLongitude, shorterWay } from "./crossing.ts";
import type { Region, RegionRank } from "./region.ts";
import type { DecodedTile, TileEdges } from "./tile-format.ts";

/** The coasts of the world base data are accurate to this distance [m]. */
const SHORE = 5000;

/**
 * Tells coasts from land borders: an edge of the wanted regions is a coast if it bounds no other country or state, and no edge of one is
 * near: outlines of two sources share no edges. An import may lack the neighbors of its region, so such an edge of an import is a coast only
 * along a coast of the world base data.
 * @returns whether an edge, given by its set and a point of it, is a coast
 */
function coastTest(
  { sets, regions }: Pick<DecodedTile, "sets" | "regions">,
  edges: TileEdges,
  wanted: readonly Region[],
  rank: RegionRank,
): (set: number, at: Coordinate) => boolean {
  const sides = sets.map((set) => set.map((region) => regions[region]));
  const hasOther = sides.map((set) => set.some((side) => wanted.some((one) => isOther(side, one))));
  const ofOneCountry = sides.map(
    (set) => set.filter(({ kind, rank }) => kind === "country" && rank !== "import").length === 1,
  );
  const others = edgesOf(edges, hasOther);
  const coasts = edgesOf(edges, ofOneCountry);
  return (set, at) => !hasOther[set] && !isNear(at, edges, others) && (rank !== "import" || isNear(at, edges, coasts));
}

/**
 * Tells whether a point of an edge is on a land border of the wanted regions, also where outlines lie in each other instead of side by side:
 * Italy is drawn without a hole for the Vatican. Then the border is the outline of the smaller one.
 * @param regionsAt all regions that contain a point
 * @returns the sets of edges to look at, and the test of an edge of one of them, given by its set and a point of it
 */
export function landBorders(
  tile: Pick<DecodedTile, "sets" | "regions">,
  edges: TileEdges,
  wanted: readonly Region[],
  regionsAt: (at: Coordinate) => readonly Region[],
): { counts: boolean[]; isBorder: (set: number, at: Coordinate) => boolean } {
  const [{ rank }] = wanted;
  const isForeign = (side: Region) =>
    (side.kind === "country" || side.kind === wanted[0].kind) && wanted.some((one) => isOther(side, one));
  const sides = tile.sets.map((set) => set.map((region) => tile.regions[region]));
  const isOwn = sides.map((set) => set.some((side) => wanted.includes(side)));
  const counts = sides.map((set, i) => isOwn[i] || set.some((side) => side.rank === rank && isForeign(side)));
  const isCoast = coastTest(tile, edges, wanted, rank);
  const isBorder = (set: number, at: Coordinate) =>
    isOwn[set]
      ? !isCoast(set, at) || regionsAt(at).some(isForeign)
      : regionsAt(at).some((region) => wanted.includes(region));
  return { counts, isBorder };
}

function edgesOf({ set }: TileEdges, wanted: readonly boolean[]): number[] {
  const some: number[] = [];
  for (let i = 0; i < set.length; i++) if (wanted[set[i]]) some.push(i);
  return some;
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
    const north = y[i] - latitude * GRID;
    // Most edges are far: decided by their latitude alone.
    if (Math.abs(north) > limit + Math.abs(dy[i])) return false;
    const east = shorterWay(normalLongitude(x[i]) - px);
    const t = nearestOnEdge(east * shrink, north, dx[i] * shrink, dy[i]);
    return Math.hypot((east + t * dx[i]) * shrink, north + t * dy[i]) <= limit;
  });
}

/** Which part of the edge from (x, y) by (dx, dy) is nearest to the origin: 0 its start, 1 its end. */
export function nearestOnEdge(x: number, y: number, dx: number, dy: number): number {
  return Math.max(0, Math.min(1, -(x * dx + y * dy) / (dx * dx + dy * dy)));
}
