import type { Coordinate } from "../../geo/coordinate.ts";
import { BIKE, FOOT, TRAVEL } from "../graph/modes.ts";
import type { RoadRecord } from "../graph/road-record.ts";
import type { Tile } from "../graph/tile.ts";
import type { ManeuverNote } from "../guidance/junction-maneuver.ts";
import type { StatedTurn } from "../guidance/maneuver.ts";
import type { Junction, JunctionRoad, LegPath, PathPiece, Road, RoadNetwork, TravelMode } from "../guidance/types.ts";
import { edgeGeometry, lineOf, type Path, type PathEdge } from "../search/path.ts";
import type { Metric, RoadStore } from "../store/road-store.ts";
import type { TileView } from "../store/tile-view.ts";
import { directionAt } from "./road-direction.ts";

/** Edge ids for guidance: tile × 2^20 + edge. */
const EDGES = 1 << 20;

/** A path as guidance reads it: pieces with their roads, junctions with all roads that meet there. */
export function legView(
  store: RoadStore,
  path: Path,
  destination?: Coordinate,
): { path: LegPath; network: RoadNetwork } {
  const { edges, turns } = path;
  const pieces = edges.map(pieceOf);
  const junctions = turns.map((turn) => new PassedJunction(turn));
  const first = edges[0];
  const drivingSide = first.view.tile.profileOf(first.edge).leftHand ? "left" : "right";
  const metric: Metric = { mode: first.view.arcs.mode, avoid: 0 };
  const network = {
    misses: 0,
    follow(id: number) {
      const tile = store.tileAtHand(Math.floor(id / EDGES));
      const found = tile && follow(store, metric, tile, id % EDGES);
      if (!found) network.misses++;
      return found === "dead end" ? undefined : found;
    },
  };
  return { path: { pieces, junctions, destination, drivingSide }, network };
}

type Followed = NonNullable<ReturnType<RoadNetwork["follow"]>>;

/** The next junction along an edge; undefined if its tile is not loaded. */
function follow(store: RoadStore, metric: Metric, tile: Tile, edge: number): Followed | "dead end" | undefined {
  let here = tile;
  let own = edge;
  if (tile.headOf(edge) >= tile.insideCount) {
    const next = store.tileAtHand(tile.outsideTile[tile.headOf(edge) - tile.insideCount]);
    if (!next) return undefined;
    here = next;
    own = next.entering[tile.crossingOf(edge) - next.firstEntering];
  }
  const junction = junctionAt(store.view(here, metric), own, -1);
  if (junction.roads.length < 2) return "dead end";
  return { junction, distance: here.lengthOf(own) / 10, geometry: edgeGeometry(here, own) };
}

function pieceOf(part: PathEdge): PathPiece {
  const { view, edge, duration, distance: metres } = part;
  return { road: roadOf(view, edge), distance: metres, duration, geometry: lineOf(part) };
}

/**
 * A junction on a path. Most are passed silently, and guidance stores a note of that; so their roads are computed only
 * on request.
 */
class PassedJunction implements Junction {
  readonly #turn: Path["turns"][number];
  #seen: Junction | undefined;

  constructor(turn: Path["turns"][number]) {
    this.#turn = turn;
  }

  joinsTwo(): boolean {
    const { view, from, to } = this.#turn;
    const { tile } = view;
    const [own, next] = [tile.pieceOf(from), tile.pieceOf(to)];
    if (own === next || piecesAt(tile, tile.headOf(from)).length !== 2) return false;
    return tile.startOf(own) !== tile.endOf(own) && tile.startOf(next) !== tile.endOf(next);
  }

  recall(): ManeuverNote | undefined {
    const { view, arc } = this.#turn;
    return view.noteOf(arc);
  }

  note(note: ManeuverNote): void {
    const { view, arc } = this.#turn;
    view.keepNote(arc, note);
  }

  recallInside(): boolean | undefined {
    const { view, arc } = this.#turn;
    return view.insideOf(arc);
  }

  noteInside(inside: boolean): void {
    const { view, arc } = this.#turn;
    view.keepInside(arc, inside);
  }

  stated(): readonly StatedTurn[] {
    const { view, from, to } = this.#turn;
    const { tile } = view;
    const all = tile.nodeRecords.get(tile.headOf(from))?.stated;
    if (!all) return NOTHING_STATED;
    const before = edgeGeometry(tile, from).at(-2);
    const after = edgeGeometry(tile, to)[1];
    return all.filter((turn) => isAt(turn.from, before) && isAt(turn.to, after));
  }

  get arrivalBearing(): number {
    const { tile } = this.#turn.view;
    const edge = this.#turn.from;
    return bearingAt(tile, tile.pieceOf(edge), !tile.isAlong(edge));
  }

  get departureBearing(): number {
    const { tile } = this.#turn.view;
    const edge = this.#turn.to;
    return bearingAt(tile, tile.pieceOf(edge), tile.isAlong(edge));
  }

  get #all(): Junction {
    this.#seen ??= junctionAt(this.#turn.view, this.#turn.from, this.#turn.to);
    return this.#seen;
  }

  get location() {
    return this.#all.location;
  }
  get roads() {
    return this.#all.roads;
  }
  get arrival() {
    return this.#all.arrival;
  }
  get departure() {
    return this.#all.departure;
  }
  get trafficSignal() {
    return this.#all.trafficSignal;
  }
  /** Read directly: every announced step asks for it, and few of them for the roads. */
  get name() {
    const { tile } = this.#turn.view;
    return tile.nodeRecords.get(tile.headOf(this.#turn.from))?.name;
  }
  get exitRef() {
    return this.#all.exitRef;
  }
  get exitName() {
    return this.#all.exitName;
  }
  get exitTo() {
    return this.#all.exitTo;
  }
  get exitLeft() {
    return this.#all.exitLeft;
  }
  get exitRight() {
    return this.#all.exitRight;
  }
  get miniRoundabout() {
    return this.#all.miniRoundabout;
  }
}

const NOTHING_STATED: readonly StatedTurn[] = [];

const isAt = ([y, x]: StatedTurn["from"], point: Coordinate | undefined): boolean =>
  point !== undefined && Math.round(point.latitude * 1e6) === y && Math.round(point.longitude * 1e6) === x;

/** The junction at the head of `from`, an inside node of the view's tile; `to` is the next edge of the route, or −1. */
function junctionAt(view: TileView, from: number, to: number): Junction {
  const { tile, arcs } = view;
  const node = tile.headOf(from);
  const roads: JunctionRoad[] = [];
  let arrival = -1;
  let departure = -1;
  for (const piece of piecesAt(tile, node)) {
    // A loop meets its junction with both ends.
    for (const start of [true, false]) {
      if ((start ? tile.startOf(piece) : tile.endOf(piece)) !== node) continue;
      const leaving = start ? tile.forwardEdge(piece) : tile.backwardEdge(piece);
      const arriving = start ? tile.backwardEdge(piece) : tile.forwardEdge(piece);
      const taken = to >= 0 && leaving >= 0 && leaving === tile.originalOf(to);
      const leaves = leaving >= 0 && arcs.duration[leaving] > 0 && (taken || mayRide(view, from, leaving));
      const arrives = arriving >= 0 && arcs.duration[arriving] > 0;
      if (!leaves && !arrives) continue;
      const edge = leaves ? leaving : arriving;
      if (arriving >= 0 && arriving === tile.originalOf(from)) arrival = roads.length;
      if (taken) departure = roads.length;
      roads.push({
        road: roadOf(view, edge),
        bearing: bearingAt(tile, piece, start),
        entry: leaves && mayFollow(view, from, leaving),
        leaves,
        edge: leaves ? tile.index * EDGES + leaving : -1,
      });
    }
  }
  const written = tile.nodeRecords.get(node);
  return {
    location: { latitude: tile.latitude[node] / 1e6, longitude: tile.longitude[node] / 1e6 },
    roads,
    arrival,
    departure,
    trafficSignal: written?.trafficSignal,
    name: written?.name,
    exitRef: written?.exitRef,
    exitName: written?.exitName,
    exitTo: written?.exitTo,
    exitLeft: written?.exitLeft,
    exitRight: written?.exitRight,
    miniRoundabout: written?.miniRoundabout,
  };
}

/** A cyclist who rides does not count the roads on which the bike would only be pushed. */
function mayRide({ tile, arcs }: TileView, from: number, edge: number): boolean {
  if (arcs.mode !== BIKE) return true;
  const isPushed = (one: number) => tile.passage(one, BIKE).travel === TRAVEL.pushing;
  return !isPushed(edge) || isPushed(from);
}

function mayFollow({ arcs, tile }: TileView, from: number, to: number): boolean {
  for (let i = arcs.first[from]; i < arcs.first[from + 1]; i++) if (tile.originalOf(arcs.to[i]) === to) return true;
  return false;
}

/** What guidance has found in a tile; it is dropped with the tile's other derived data. */
interface Known {
  bearings: Float32Array | undefined;
  incidence: { first: Uint16Array; pieces: Uint16Array } | undefined;
  /** The distinct roads of the tile, by their distinguishing properties. */
  roads: Map<number, Road>;
}

const knownOfTiles = new WeakMap<Tile["kept"], Known>();
/** Of the tile that was asked for last: most questions in a row are about one tile. */
let lastTile: Tile["kept"] | undefined;
let lastKnown: Known | undefined;

function knownOf({ kept }: Tile): Known {
  if (kept === lastTile && lastKnown) return lastKnown;
  let known = knownOfTiles.get(kept);
  if (!known) {
    known = { bearings: undefined, incidence: undefined, roads: new Map() };
    knownOfTiles.set(kept, known);
  }
  lastTile = kept;
  lastKnown = known;
  return known;
}

/** Bearing at which a piece leaves its start or its end, remembered: junctions are passed again and again. */
function bearingAt(tile: Tile, piece: number, start: boolean): number {
  const own = knownOf(tile);
  let known = own.bearings;
  if (!known) {
    known = new Float32Array(tile.pieceCount * 2).fill(-1);
    own.bearings = known;
    tile.resize(known.byteLength);
  }
  const at = piece * 2 + (start ? 0 : 1);
  if (known[at] < 0) known[at] = directionAt(tile, piece, start, piecesAt);
  return known[at];
}

/** Pieces that meet at an inside node, each once. */
function piecesAt(tile: Tile, node: number): Uint16Array {
  const own = knownOf(tile);
  let known = own.incidence;
  if (!known) {
    const first = new Uint16Array(tile.nodeCount + 1);
    const touch = (visit: (node: number, piece: number) => void) => {
      for (let piece = 0; piece < tile.pieceCount; piece++) {
        visit(tile.startOf(piece), piece);
        if (tile.endOf(piece) !== tile.startOf(piece)) visit(tile.endOf(piece), piece);
      }
    };
    touch((at) => first[at + 1]++);
    for (let i = 0; i < tile.nodeCount; i++) first[i + 1] += first[i];
    const next = first.slice(0, tile.nodeCount);
    const pieces = new Uint16Array(first[tile.nodeCount]);
    touch((at, piece) => (pieces[next[at]++] = piece));
    known = { first, pieces };
    own.incidence = known;
    tile.resize(first.byteLength + pieces.byteLength);
  }
  return known.pieces.subarray(known.first[node], known.first[node + 1]);
}

/** The road of an edge; edges with equal tags share one object. */
function roadOf({ tile, arcs }: TileView, edge: number): Road {
  const known = knownOf(tile).roads;
  const piece = tile.pieceOf(edge);
  const there = tile.isAlong(edge);
  const opposite = there ? tile.backwardEdge(piece) : tile.forwardEdge(piece);
  const oneway = opposite < 0 || arcs.duration[opposite] === 0;
  const { travel } = tile.passage(edge, arcs.mode);
  const record = tile.recordOf(piece);
  // Most roads have no signs: both directions are the same.
  const along = there || (record.forward === undefined && record.backward === undefined);
  const key = (((tile.pieceRecord[piece] * 2 + (along ? 1 : 0)) * 2 + (oneway ? 1 : 0)) * 4 + travel) * 4 + arcs.mode;
  let road = known.get(key);
  if (!road) {
    road = makeRoad(record, along, oneway, travelMode(arcs.mode, travel));
    known.set(key, road);
    tile.resize(ROAD_BYTES);
  }
  return road;
}

const ROAD_BYTES = 200;

/** Each field is written, there or not: guidance reads roads everywhere, and fields of one shape are found without a look-up. */
function makeRoad(record: RoadRecord, there: boolean, oneway: boolean, mode: TravelMode): Road {
  const signs = (there ? record.forward : record.backward) ?? {};
  return {
    name: record.name ?? "",
    ref: record.ref ?? "",
    class: record.class,
    link: record.link ?? false,
    mode,
    oneway,
    roundabout: record.junction,
    destination: signs.destination,
    destinationRef: signs.destinationRef,
    destinationLanes: signs.destinationLanes,
    destinationRefLanes: signs.destinationRefLanes,
    exitRef: signs.exitRef,
    lanes: signs.lanes,
    turnLanes: signs.turnLanes,
    minor: record.minor,
    tunnel: record.tunnel,
    bridge: record.bridge,
  };
}

function travelMode(mode: number, travel: number): TravelMode {
  if (travel === TRAVEL.ferry) return "ferry";
  if (travel === TRAVEL.train) return "train";
  if (travel === TRAVEL.pushing) return "pushing";
  return mode === FOOT ? "walking" : mode === BIKE ? "cycling" : "driving";
}
