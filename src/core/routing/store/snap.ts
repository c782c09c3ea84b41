import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { Metric } from "../graph/modes.ts";
import {
  boxDistance2,
  nearest,
  nearestBearing,
  PIECE_GROUP,
  pieceBoxDistance2,
  pieceBoxes,
  project,
  startable,
  stepOf,
} from "../graph/pieces.ts";
import type { Tile } from "../graph/tile.ts";
import { STRUCTURE } from "../graph/tile-records.ts";
import { sharedCells } from "./districts.ts";
import type { RoadStore } from "./road-store.ts";

/** A position on a piece of road near a requested point. */
export interface Snap {
  tile: Tile;
  piece: number;
  /** Share of the piece's length from its start, 0 … 1. */
  share: number;
  location: Coordinate;
  /** From the point to the road [m]. */
  distance: number;
  /** Directions that may be travelled from or to here. */
  forward: boolean;
  backward: boolean;
  /** On a small part of the network cut off from the rest. */
  island: boolean;
  /** On the mainland, although a road of an island is nearer: the distance to that one [m]. */
  nearer?: number;
  /** The other direction of travel is possible too, but has the point across the street; it may be used if there is no other way. */
  isSided: boolean;
}

/** Kinds of roads on which no journey should begin or end. */
export const SNAP_AVOIDS = ["tunnel", "bridge", "motorway", "ferry"] as const;
export type SnapAvoid = (typeof SNAP_AVOIDS)[number];

export interface SnapOptions {
  mode: number;
  /** Maximum distance to a road [m]. */
  reach?: number;
  /** Only roads that can be travelled within ±60°, or ±`range`, of this bearing [degrees]. */
  heading?: number;
  range?: number;
  /** These only where no other road is at most `ORDINARY_REACH` farther. Ferries are never begun on. */
  avoid?: readonly SnapAvoid[] | undefined;
  /** Also roads that are farther than another one. */
  everything?: boolean;
  /** Only the direction of travel that has the point on its own side of the road: no need to cross the street. `preferred`: see `isSided`. */
  curbside?: boolean | "preferred";
  /** Minutes of the week at which the road must be open; at any hour if absent. */
  minutes?: readonly number[];
  /**
   * Metric of the search that will use these roads: when objects are read, the objects that the search needs there are
   * read too.
   */
  metric?: Metric;
}

/** A road farther than this is not the one that was meant [m]. */
const SNAP_REACH = 5000;
/**
 * Most points are on or next to their road: the tiles within this distance are read first [m]. With 30 m one query in
 * eighty needs a third round trip, with 50 m one in 250, for a tenth of a tile more.
 */
const FIRST_REACH = 50;
/**
 * If tables had to be read first, as in a new isolate, more tiles are read with the first ones, so that no further
 * round trip follows: those within the farthest of these [m] …
 */
const WITH_THE_FIRST = [75, 100, 150];
/** … if there are at most this many. */
const MAX_AT_FIRST = 3;
/** A road as near as this is the one that is meant, whatever cannot be read [m]. */
const MEANT = 30;
/** Roads this much farther than the nearest are the same place: the ends of several roads at a junction [m]. */
const SAME_PLACE = 0.05;
/** An ordinary road is used instead of an avoided one if it is at most this much farther [m]: the width of an interchange. */
const ORDINARY_REACH = 100;
/** A point near an island's road ends on the mainland only if that is at most this much farther [m]. */
const ISLAND_REACH = 500;
const HEADING_TOLERANCE = 60;
const MAX_SNAPS = 8;

/** Snaps of one point: the nearest roads, and the nearest on the mainland, which differ only near a small island. */
export interface Snaps {
  nearest: Snap[];
  mainland: Snap[];
  /** A nearer road may be in a tile that cannot be read; both lists are empty then. */
  hidden?: true;
}

/** Whether a journey begins or ends on another island than the one that was asked for, and not only across the street. */
export const isElsewhere = ({ distance, nearer = distance }: Pick<Snap, "distance" | "nearer">) =>
  distance - nearer > ELSEWHERE;
const ELSEWHERE = 100;

const HIDDEN: Snaps = { nearest: [], mainland: [], hidden: true };
/** Cost for one point whose tiles are loaded [µs]. */
const SNAP_COST = 20;

/**
 * The nearest roads to a point that a mode may start on. Reads the tiles around the point, and farther ones only while
 * a nearer road may still be there. Both lists are empty if no road is within reach. No promise is returned if
 * everything is loaded.
 */
export function snap(store: RoadStore, point: Coordinate, options: SnapOptions): Snaps | Promise<Snaps> {
  const steps = snapSteps(store, point, options);
  const { value, done } = steps.next();
  return done ? value : finish(steps, value);
}

async function finish(steps: SnapSteps, first: Promise<unknown>): Promise<Snaps> {
  for (let waiting = first; ; ) {
    await waiting;
    const { value, done } = steps.next();
    if (done) return value;
    waiting = value;
  }
}

/** A road that was found. `rank`: its distance, and `ORDINARY_REACH` if it is of a kind to avoid [m]. */
interface Ranked extends Snap {
  rank: number;
}

const byRank = (a: Ranked, b: Ranked) => a.rank - b.rank;
const isMainland = ({ island }: Snap) => !island;

function snapsOf(found: readonly Ranked[]): Snaps {
  const nearest = samePlace(found);
  if (nearest.length === 0 || !nearest[0].island) return { nearest, mainland: nearest.filter(isMainland) };
  const nearer = nearest[0].distance;
  const mainland = samePlace(found.filter(isMainland)).filter(({ distance }) => distance <= nearer + ISLAND_REACH);
  return { nearest, mainland: mainland.map((snap) => ({ ...snap, nearer })) };
}

/** Yields what must be awaited: nothing if everything is loaded. */
type SnapSteps = Generator<Promise<unknown>, Snaps, void>;

function* snapSteps(store: RoadStore, point: Coordinate, options: SnapOptions): SnapSteps {
  let reach = options.reach ?? SNAP_REACH;
  const { metric } = options;
  const likely = (cells: Int32Array) => metric && store.prefetchPacks(metric, cells);
  const found: Ranked[] = [];
  const seen: number[] = [];
  const unread: number[] = [];
  let waited = false;
  let opened = false;
  for (let radius = Math.min(FIRST_REACH, reach); ; ) {
    let near: number[] = [];
    for (;;) {
      const known = store.districts.tilesAroundAtHand(point, radius);
      const opening = known ? undefined : store.districts.openAround([point], radius, metric);
      if (opening) {
        likely(store.districts.cellsAroundDistricts(point, radius));
        yield opening;
        opened = true;
      }
      near = known ?? indicesAround(store, point, radius);
      if (seen.length > 0) near = near.filter((index) => !seen.includes(index));
      if (seen.length > 0 || near.length > 0 || radius >= reach) break;
      // Finding that no tile has a road within a circle costs nothing.
      radius = Math.min(reach, radius * 2);
    }
    if (opened && seen.length === 0) [radius, near] = withTheFirst(store, point, radius, reach, near);
    let tiles = near.map((index) => store.tileAtHand(index));
    if (tiles.includes(undefined)) {
      if (!waited) likely(sharedCells(near.map((index) => store.districts.cellsOf(index))));
      waited = true;
      const reading = tiles.map((tile, i) => tile ?? store.tile(near[i]));
      yield Promise.all(reading).then((read) => {
        tiles = read;
      });
    }
    for (let i = 0; i < near.length; i++) {
      seen.push(near[i]);
      const tile = tiles[i];
      if (tile) snapInTile(tile, point, options, reach, found);
      else unread.push(near[i]);
    }
    if (found.length > 1) found.sort(byRank);
    // A road as near as this is the one that is meant; farther off, it may be one that cannot be read.
    if (unread.length > 0 && !(found.length > 0 && found[0].distance <= MEANT)) return HIDDEN;
    if (waited && found.length > 0) likely(found[0].tile.cells);
    const mainland = found.find(isMainland);
    if (found.length > 0) reach = Math.min(reach, found[0].rank + ISLAND_REACH);
    if (radius >= reach || (mainland && mainland.rank <= radius)) break;
    // A road found beyond the radius limits how far a nearer one can be; without one the circle grows.
    radius = Math.min(reach, mainland ? mainland.rank : radius * 3);
  }
  const turn = store.spend(SNAP_COST);
  if (turn) yield turn;
  return snapsOf(found);
}

/** The nearest roads to a point, at most `count`, nearest first; fewer if there are not so many within reach. */
export async function nearestRoads(
  store: RoadStore,
  point: Coordinate,
  options: SnapOptions,
  count: number,
): Promise<Snap[]> {
  const reach = options.reach ?? SNAP_REACH;
  for (let radius = Math.min(FIRST_REACH, reach); ; radius = Math.min(reach, radius * 2)) {
    const opening = store.districts.openAround([point], radius, options.metric);
    if (opening) await opening;
    const found: Ranked[] = [];
    for (const index of indicesAround(store, point, radius)) {
      const tile = store.tileAtHand(index) ?? (await store.tile(index));
      if (tile) snapInTile(tile, point, { ...options, everything: true }, radius, found);
      const turn = store.spend(SNAP_COST);
      if (turn) await turn;
    }
    const roads = distinct(found.filter(({ distance }) => distance <= radius).sort(byRank));
    if (roads.length >= count || radius >= reach) return roads.slice(0, count);
  }
}

/** The largest circle around a point with few tiles, and these tiles; at least `near`, which are within `radius`. */
function withTheFirst(
  store: RoadStore,
  point: Coordinate,
  radius: number,
  reach: number,
  near: number[],
): [radius: number, near: number[]] {
  let widest: [number, number[]] = [radius, near];
  for (const wider of WITH_THE_FIRST) {
    if (wider <= radius) continue;
    // The tables of one more district are not worth another round trip.
    if (wider > reach || !store.districts.knowsAround(point, wider)) break;
    const tiles = indicesAround(store, point, wider);
    if (tiles.length > MAX_AT_FIRST) break;
    widest = [wider, tiles];
  }
  return widest;
}

/** Tiles that may have roads within a circle, ascending. */
function indicesAround(store: RoadStore, point: Coordinate, radius: number): number[] {
  const near = store.districts.tilesAround(point, radius);
  return [...near].sort((a, b) => a - b);
}

function samePlace(snaps: readonly Ranked[]): Ranked[] {
  if (snaps.length === 0) return [];
  if (snaps.length === 1) return [snaps[0]];
  const bound = snaps[0].rank + SAME_PLACE;
  return distinct(snaps.filter(({ rank }) => rank <= bound)).slice(0, MAX_SNAPS);
}

/** A piece that crosses a tile's border is found in both tiles; once is enough. */
function distinct<T extends Snap>(snaps: readonly T[]): T[] {
  const kept: T[] = [];
  for (const one of snaps) {
    const crosses =
      one.tile.startOf(one.piece) >= one.tile.insideCount || one.tile.endOf(one.piece) >= one.tile.insideCount;
    const twin =
      crosses &&
      kept.some(
        (other) =>
          other.tile !== one.tile &&
          other.distance === one.distance &&
          other.share === one.share &&
          crossingOf(other) === crossingOf(one),
      );
    if (!twin) kept.push(one);
  }
  return kept;
}

function crossingOf({ tile, piece }: Snap): number {
  const edge = tile.forwardEdge(piece) >= 0 ? tile.forwardEdge(piece) : tile.backwardEdge(piece);
  return tile.crossingOf(edge);
}

/** Adds to `found` the pieces of a tile within `reach` of the point that the mode may start on. */
function snapInTile(tile: Tile, point: Coordinate, options: SnapOptions, reach: number, found: Ranked[]): void {
  const { groups, pieces } = pieceBoxes(tile);
  const { mode, minutes, metric, heading, range, everything = false } = options;
  const avoided = structuresOf(options.avoid);
  const open = startable(tile, { mode, minutes, variant: metric?.variant });
  const y = point.latitude * 1e6;
  const x = point.longitude * 1e6;
  const ky = METRES_PER_DEGREE / 1e6;
  const kx = ky * Math.cos(point.latitude * RADIANS);
  // Distant roads are useless once a near one on the mainland is known; roads as near as that are always kept.
  let within = Number.POSITIVE_INFINITY;
  if (!everything) for (const { island, rank } of found) if (!island) within = Math.min(within, rank + SAME_PLACE);
  let bound = Math.min(reach, within) ** 2;
  const lookAt = (piece: number) => {
    const directions = open[piece];
    if (directions === 0 || project(tile, piece, y, x, ky, kx) > bound) return;
    let allowed = heading === undefined ? directions : directions & headed(nearestBearing(), heading, range);
    if (allowed === 0) return;
    const hasSides = options.curbside !== undefined && options.curbside !== false && allowed === BOTH;
    if (hasSides) allowed = beside(tile, piece, point, nearestBearing());
    const distance = Math.sqrt(nearest.distance2);
    const rank = distance + (avoided !== 0 && tile.structureOf(piece) & avoided ? ORDINARY_REACH : 0);
    if (rank > within) return;
    const island = (tile.pieceMarks[piece] & (16 << options.mode)) !== 0;
    if (!everything && !island && rank + SAME_PLACE < within) {
      within = rank + SAME_PLACE;
      bound = Math.min(reach, within) ** 2;
    }
    found.push({
      tile,
      piece,
      share: nearest.share,
      location: { latitude: nearest.y / 1e6, longitude: nearest.x / 1e6 },
      distance,
      rank,
      forward: (allowed & 1) !== 0,
      backward: (allowed & 2) !== 0,
      island,
      isSided: hasSides && options.curbside === "preferred" && allowed !== BOTH,
    });
  };
  const lookAtGroup = (group: number) => {
    const corner = group * 4;
    const stepY = stepOf(groups[corner], groups[corner + 2]);
    const stepX = stepOf(groups[corner + 1], groups[corner + 3]);
    // The point, and meters, in the steps of the boxes of pieces.
    const ownY = (y - groups[corner]) / stepY;
    const ownX = (x - groups[corner + 1]) / stepX;
    const end = Math.min(tile.pieceCount, (group + 1) * PIECE_GROUP);
    for (let piece = group * PIECE_GROUP; piece < end; piece++) {
      if (pieceBoxDistance2(pieces, piece, ownY, ownX, ky * stepY, kx * stepX) <= bound) lookAt(piece);
    }
  };
  // The nearest group first: its roads exclude most of the others.
  const first = nearestGroup(groups, y, x, ky, kx, bound);
  if (first < 0) return;
  lookAtGroup(first);
  for (let group = 0; group < groups.length / 4; group++)
    if (group !== first && away[group] <= bound) lookAtGroup(group);
}

/** Bits of `STRUCTURE`. */
const structuresOf = (avoid: readonly SnapAvoid[] = []): number =>
  avoid.reduce((bits, kind) => bits | (kind === "ferry" ? 0 : STRUCTURE[kind]), 0);

/** The group nearest to a point within a squared distance, or -1; writes all distances to `away`. */
function nearestGroup(groups: Int32Array, y: number, x: number, ky: number, kx: number, bound: number): number {
  const count = groups.length / 4;
  if (count > away.length) away = new Float64Array(2 * count);
  let first = -1;
  let least = bound;
  for (let group = 0; group < count; group++) {
    away[group] = boxDistance2(groups, group * 4, y, x, ky, kx);
    if (away[group] > least || (away[group] === least && first >= 0)) continue;
    first = group;
    least = away[group];
  }
  return first;
}

/** Squared distances from a point to the groups of a tile [m²]; nothing yields while it is in use. */
let away = new Float64Array(256);

/** Bits of the directions of a piece: along it 1, against it 2. */
const BOTH = 3;
/** A point this near to the center line is on neither side [m]. */
const ON_THE_ROAD = 1;

/** The direction of travel along a piece that has the point on the side of the traffic: right, or left in Malta. */
function beside(tile: Tile, piece: number, point: Coordinate, bearing: number): number {
  const north = (point.latitude - nearest.y / 1e6) * METRES_PER_DEGREE;
  const east = (point.longitude - nearest.x / 1e6) * METRES_PER_DEGREE * Math.cos(point.latitude * RADIANS);
  // Meters to the right of the line, seen along it.
  const right = east * Math.cos(bearing * RADIANS) - north * Math.sin(bearing * RADIANS);
  if (Math.abs(right) < ON_THE_ROAD) return BOTH;
  const { leftHand } = tile.profileOf(tile.forwardEdge(piece));
  return right > 0 !== leftHand ? 1 : 2;
}

/** Returns the directions of a road that runs at `bearing` [degrees] that are within the tolerance of a heading. */
function headed(bearing: number, heading: number, range = HEADING_TOLERANCE): number {
  const off = Math.abs(((bearing - heading + 540) % 360) - 180);
  return (off <= range ? 1 : 0) | (180 - off <= range ? 2 : 0);
}
