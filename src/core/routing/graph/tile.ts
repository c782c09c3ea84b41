import { addSteps, ColumnReader } from "./columns.ts";
import { AVOID_BITS, CAR, type EdgeProfile, type Passage, type Variant } from "./modes.ts";
import { openPayload } from "./object.ts";
import type { NodeRecord, RoadRecord } from "./road-record.ts";
import { OLDER_VERSIONS, TILE_COUNTS, TILE_MAGIC, TILE_VERSION, type TileCount, WIDE } from "./tile-counts.ts";
import { type HoursOfTile, readHours } from "./tile-hours.ts";
import { readProfiles } from "./tile-profiles.ts";
import { STRUCTURE, TileRecords } from "./tile-records.ts";
import type { Topology, TurnException } from "./topology.ts";
import { fastestInTraffic, TRAFFIC_MODES, type Traffic } from "./traffic.ts";
import { BEARING_STEPS, obstacleMet } from "./turn-cost.ts";
import { limitCodes } from "./vehicle.ts";

/**
 * A base tile: the roads of one level-1 cell (at most 1024 junctions). Pieces that lead out of it are in both tiles;
 * their other ends are "outside" nodes. The columns, one after the other (described in docs/formats/roads.md):
 *
 *     counts      i32      TILE_COUNTS
 *     latitude    i32      nodes, as steps; then longitude, likewise
 *     outside     i32      outside nodes
 *     leaving     i32      as steps
 *     length      u16      pieces; i32 where WIDE.length
 *     shapes      i16      points, all latitudes, then all longitudes; i32 where WIDE.shapes
 *     shapeFirst  u16      pieces + 1, as steps; i32 where WIDE.shapeFirst
 *     cells       u16      search cells
 *     ends        u16 × 2  pieces
 *     record      u16      pieces
 *     copies      u16
 *     exceptions  u16, u16 from, to: one column each
 *     rows        u16      2 × windows each; where there are any: along, against: u16 per piece, one column each
 *     forward     u8       pieces; u16 where WIDE.profiles; then backward, likewise
 *     blocked     u8       inside nodes
 *     marks       u8       pieces; then bearingStart, bearingEnd
 *     modes       u8       exceptions
 *     profiles, records, hours    see there
 *
 * Columns are read in place, so a tile is available as soon as it is inflated, and takes little more memory than its
 * bytes. The number of tiles that an isolate can hold determines how often they are read again.
 */
export class Tile {
  readonly index: number;
  readonly nodeCount: number;
  readonly insideCount: number;
  readonly latitude: Int32Array;
  readonly longitude: Int32Array;
  readonly nodeBlocked: Uint8Array;
  readonly cellCount: number;
  /** Search cell of each node, −1 outside. */
  readonly nodeCell: Int8Array | Int16Array;
  /** Tile of each outside node, from `insideCount` on. */
  readonly outsideTile: Int32Array;
  readonly profiles: readonly EdgeProfile[];

  readonly pieceCount: number;
  /** Of piece p: the start at 2 p, the end at 2 p + 1. */
  readonly ends: Uint16Array;
  readonly pieceLength: Uint16Array | Int32Array;
  readonly pieceRecord: Uint16Array;
  readonly pieceMarks: Uint8Array;
  /** Points between the ends of piece p: shapeFirst[p] ≤ i < shapeFirst[p + 1], as differences to the point before. */
  readonly shapeFirst: Uint16Array | Int32Array;
  readonly shapeNorth: Int16Array | Int32Array;
  readonly shapeEast: Int16Array | Int32Array;

  readonly edgeCount: number;
  /** For each edge, 2 × its piece, + 1 along the piece: the index of its head in `ends`; its tail is at ^ 1. */
  readonly side: Uint16Array;
  /** Edges from here on are copies, created by restrictions. */
  readonly firstCopy: number;
  /** Edges before this one stay in one search cell; those before the other one stay in the tile. */
  readonly firstBetween: number;
  readonly firstBorder: number;
  readonly exceptions: readonly TurnException[];
  readonly traffic: Traffic | undefined;
  /** Undefined if nothing depends on the hour. */
  readonly hours: HoursOfTile | undefined;

  readonly firstEntering: number;
  /** The incoming edges, by id − firstEntering. */
  readonly entering: Uint16Array;
  /** Ids of the edges that leave → edges. */
  readonly leaving: ReadonlyMap<number, number>;

  /** Its ancestor cells, by level from 1 on, itself first; from the tables of its district (`RoadStore.tile`). */
  cells: Int32Array = NO_CELLS;
  /**
   * Key of the weak maps that hold the data derived from the tile while it is in use (views, boxes, directions …):
   * replacing it drops all of that. Findings stay as long as the tile.
   */
  kept: object = {};
  /** Called when the memory size of the tile or its derived data changes. */
  onResize: (() => void) | undefined;
  #extra = 0;
  #found = 0;
  readonly #codes: Int32Array[] = [];
  readonly #bytes: number;
  /** Ids of the edges that cross the border, from `firstBorder` on; −1 for copies within. */
  readonly #crossing: Int32Array;
  /** By piece: its edge along it, or where that is closed, against it. */
  readonly #firstEdge: Uint16Array;
  readonly #forward: Uint8Array | Uint16Array;
  readonly #backward: Uint8Array | Uint16Array;
  readonly #bearingStart: Uint8Array;
  readonly #bearingEnd: Uint8Array;
  readonly #copyOf: Uint16Array;
  readonly #records: TileRecords;

  /** `payload` becomes the tile's own: it must not be read again. */
  constructor(index: number, payload: Uint8Array) {
    this.index = index;
    this.#bytes = payload.length;
    const columns = new ColumnReader(payload);
    const counts = countsOf(columns.i32(TILE_COUNTS.length));
    const { inside, nodes, pieces } = counts;
    const isWide = (column: number) => (counts.wide & column) !== 0;
    this.insideCount = inside;
    this.nodeCount = nodes;
    this.cellCount = counts.cells;
    this.pieceCount = pieces;
    this.firstEntering = counts.firstEntering;
    this.latitude = addSteps(columns.i32(nodes));
    this.longitude = addSteps(columns.i32(nodes));
    this.outsideTile = columns.i32(nodes - inside);
    const leaving = addSteps(columns.i32(counts.leaving));
    this.pieceLength = isWide(WIDE.length) ? columns.i32(pieces) : columns.u16(pieces);
    this.shapeNorth = isWide(WIDE.shapes) ? columns.i32(counts.points) : columns.i16(counts.points);
    this.shapeEast = isWide(WIDE.shapes) ? columns.i32(counts.points) : columns.i16(counts.points);
    this.shapeFirst = addSteps(isWide(WIDE.shapeFirst) ? columns.i32(pieces + 1) : columns.u16(pieces + 1));
    this.nodeCell = cellsOfNodes(columns.u16(counts.cells), nodes);
    this.ends = columns.u16(pieces * 2);
    this.pieceRecord = columns.u16(pieces);
    this.#copyOf = columns.u16(counts.copies);
    const from = columns.u16(counts.exceptions);
    const to = columns.u16(counts.exceptions);
    const rows = Array.from({ length: counts.rows }, () => columns.u16(TRAFFIC_MODES.length * counts.windows));
    const rowsOf = rows.length > 0 ? { along: columns.u16(pieces), against: columns.u16(pieces) } : undefined;
    this.#forward = isWide(WIDE.profiles) ? columns.u16(pieces) : columns.u8(pieces);
    this.#backward = isWide(WIDE.profiles) ? columns.u16(pieces) : columns.u8(pieces);
    this.nodeBlocked = columns.u8(inside);
    this.pieceMarks = columns.u8(pieces);
    this.#bearingStart = columns.u8(pieces);
    this.#bearingEnd = columns.u8(pieces);
    const modes = columns.u8(counts.exceptions);
    this.exceptions = Array.from(from, (edge, i) => ({ from: edge, to: to[i], modes: modes[i] }));
    const profiles = readProfiles(columns, counts.profiles, isWide(WIDE.limits));
    this.profiles = profiles;
    this.#records = new TileRecords(columns, { ...counts, nodes: counts.nodeText }, (bytes) => this.resize(bytes));
    this.hours = readHours(columns.rest(), profiles, this.exceptions);

    this.#firstEdge = new Uint16Array(pieces);
    const { side, edgeCount } = this.#numberEdges();
    this.side = side;
    this.edgeCount = edgeCount;
    this.firstCopy = edgeCount - counts.copies;
    this.firstBetween = counts.between < pieces ? this.#firstEdge[counts.between] : this.firstCopy;
    this.firstBorder = counts.border < pieces ? this.#firstEdge[counts.border] : this.firstCopy;
    this.#crossing = new Int32Array(edgeCount - this.firstBorder).fill(-1);
    this.leaving = new Map();
    this.entering = this.#nameCrossings(leaving, this.leaving as Map<number, number>);
    this.traffic = rowsOf && { windows: counts.windows, rows, ofEdge: this.#trafficOf(rowsOf) };
  }

  /** Piece by piece, along and then against it where a profile exists, then the copies. */
  #numberEdges(): { side: Uint16Array; edgeCount: number } {
    const forward = this.#forward;
    const backward = this.#backward;
    const firstEdge = this.#firstEdge;
    const copyOf = this.#copyOf;
    let count = 0;
    for (let piece = 0; piece < this.pieceCount; piece++) {
      firstEdge[piece] = count;
      count += (forward[piece] !== 0 ? 1 : 0) + (backward[piece] !== 0 ? 1 : 0);
    }
    const side = new Uint16Array(count + copyOf.length);
    for (let piece = 0, edge = 0; piece < this.pieceCount; piece++) {
      if (forward[piece] !== 0) side[edge++] = 2 * piece + 1;
      if (backward[piece] !== 0) side[edge++] = 2 * piece;
    }
    for (let i = 0; i < copyOf.length; i++) side[count + i] = side[copyOf[i]];
    return { side, edgeCount: side.length };
  }

  /** Numbers the edges that cross the border; returns the incoming ones. */
  #nameCrossings(ids: Int32Array, leaving: Map<number, number>): Uint16Array {
    const { firstBorder, insideCount, firstEntering } = this;
    const entering: number[] = [];
    for (let edge = firstBorder, left = 0; edge < this.edgeCount; edge++) {
      if (this.tailOf(edge) >= insideCount) {
        this.#crossing[edge - firstBorder] = firstEntering + entering.length;
        entering.push(edge);
      } else if (this.headOf(edge) >= insideCount) {
        const id = ids[left++];
        this.#crossing[edge - firstBorder] = id;
        leaving.set(id, edge);
      }
    }
    return Uint16Array.from(entering);
  }

  #trafficOf({ along, against }: { along: Uint16Array; against: Uint16Array }): Uint16Array {
    return this.side.map((side) => ((side & 1) === 1 ? along : against)[side >> 1]);
  }

  /** Nodes at the ends of an edge. */
  tailOf(edge: number): number {
    return this.ends[this.side[edge] ^ 1];
  }

  headOf(edge: number): number {
    return this.ends[this.side[edge]];
  }

  pieceOf(edge: number): number {
    return this.side[edge] >> 1;
  }

  isAlong(edge: number): boolean {
    return (this.side[edge] & 1) === 1;
  }

  /** The edge along a piece and the one against it, −1 where closed. */
  forwardEdge(piece: number): number {
    return this.#forward[piece] !== 0 ? this.#firstEdge[piece] : -1;
  }

  backwardEdge(piece: number): number {
    if (this.#backward[piece] === 0) return -1;
    return this.#firstEdge[piece] + (this.#forward[piece] !== 0 ? 1 : 0);
  }

  startOf(piece: number): number {
    return this.ends[2 * piece];
  }

  endOf(piece: number): number {
    return this.ends[2 * piece + 1];
  }

  /** Id of an edge that crosses the tile's border, −1 for edges within. */
  crossingOf(edge: number): number {
    return edge < this.firstBorder ? -1 : this.#crossing[edge - this.firstBorder];
  }

  /** Record of a piece of road. Read on first use: most roads of a tile are never requested. */
  recordOf(piece: number): RoadRecord {
    return this.#records.at(this.pieceRecord[piece]);
  }

  /** Bits of `STRUCTURE` of a piece of road; a road that is built like a motorway (`motorroad=yes`) is one. */
  structureOf(piece: number): number {
    const own = this.#records.structureOf(this.pieceRecord[piece]);
    const { avoid } = this.passage(this.#firstEdge[piece], CAR);
    return avoid & AVOID_BITS.highways ? own | STRUCTURE.motorway : own;
  }

  get nodeRecords(): ReadonlyMap<number, NodeRecord> {
    return this.#records.nodes;
  }

  /** The edge of which this is a copy, or itself. */
  originalOf(edge: number): number {
    return edge < this.firstCopy ? edge : this.#copyOf[edge - this.firstCopy];
  }

  /** Copies of an edge, and first itself. */
  withCopies(edge: number): number[] {
    const edges = [edge];
    this.#copyOf.forEach((original, i) => {
      if (original === edge) edges.push(this.firstCopy + i);
    });
    return edges;
  }

  /** [0.1 m]. */
  lengthOf(edge: number): number {
    return this.pieceLength[this.side[edge] >> 1];
  }

  profileOf(edge: number): EdgeProfile {
    return this.profiles[(this.isAlong(edge) ? this.#forward : this.#backward)[this.pieceOf(edge)]];
  }

  passage(edge: number, mode: number): Passage {
    return this.profileOf(edge).passages[mode];
  }

  /** Its profiles, with the passages of another vehicle than the default one of the mode. */
  profilesFor(variant: Variant, mode: number): EdgeProfile[] {
    return this.profiles.map((profile) => ({
      ...profile,
      passages: profile.passages.map((own, i) => (i === mode ? variant.passage(profile, mode) : own)),
    }));
  }

  /** What `Variant.keyOf` decides by. */
  limitCodes(mode: number): Int32Array {
    let codes = this.#codes[mode];
    if (!codes) {
      let fastest = 0;
      if (this.traffic) {
        for (let edge = 0; edge < this.edgeCount; edge++)
          fastest = Math.max(fastest, fastestInTraffic(this, edge, mode));
      }
      codes = limitCodes(this.profiles, mode, fastest);
      this.#codes[mode] = codes;
    }
    return codes;
  }

  /** All columns by edge, as the turn rules read them. Recomputed on each call: do not store it. */
  topology(): Topology {
    const { edgeCount, side, ends } = this;
    const tail = new Uint16Array(edgeCount);
    const head = new Uint16Array(edgeCount);
    const piece = new Uint16Array(edgeCount);
    const along = new Uint8Array(edgeCount);
    const profile = new Uint16Array(edgeCount);
    const bearingOut = new Uint8Array(edgeCount);
    const bearingIn = new Uint8Array(edgeCount);
    const obstacle = new Uint8Array(edgeCount);
    const length = new Int32Array(edgeCount);
    const original = new Uint16Array(edgeCount);
    for (let edge = 0; edge < edgeCount; edge++) {
      const own = side[edge] >> 1;
      const there = (side[edge] & 1) === 1;
      tail[edge] = ends[side[edge] ^ 1];
      head[edge] = ends[side[edge]];
      piece[edge] = own;
      along[edge] = there ? 1 : 0;
      profile[edge] = there ? this.#forward[own] : this.#backward[own];
      bearingOut[edge] = there ? this.#bearingStart[own] : this.#bearingEnd[own] + BEARING_STEPS / 2;
      bearingIn[edge] = there ? this.#bearingEnd[own] : this.#bearingStart[own] + BEARING_STEPS / 2;
      obstacle[edge] = obstacleMet(this.pieceMarks[own], there);
      length[edge] = this.pieceLength[own];
      original[edge] = this.originalOf(edge);
    }
    const { nodeCount, insideCount, nodeBlocked, profiles, exceptions, traffic } = this;
    const nodes = { nodeCount, insideCount, nodeBlocked };
    const edges = { edgeCount, tail, head, piece, along, original, profile, bearingOut, bearingIn, obstacle, length };
    return { ...nodes, ...edges, profiles, exceptions, traffic };
  }

  /** The derived data of the tile has grown or shrunk by this many bytes. */
  resize(bytes: number): void {
    this.#extra += bytes;
    this.onResize?.();
  }

  /** The findings of the tile, which stay as long as it does, have grown or shrunk by this many bytes. */
  find(bytes: number): void {
    this.#found += bytes;
    this.onResize?.();
  }

  /** Drops all derived data. */
  shrink(): void {
    this.kept = {};
    this.#extra = 0;
    this.#records.forget();
  }

  /** Approximate memory size, including derived data [bytes]. */
  get size(): number {
    const made = this.edgeCount * 2 + this.pieceCount * 2 + this.nodeCell.byteLength + this.#crossing.byteLength;
    const { traffic, exceptions, entering, leaving } = this;
    const lists = exceptions.length * EXCEPTION + entering.length * 2 + leaving.size * MAP_ENTRY;
    return OBJECTS + this.#bytes + made + lists + (traffic ? this.edgeCount * 2 : 0) + this.#extra + this.#found;
  }
}

const NO_CELLS = new Int32Array(0);

/** The tile, its arrays and maps, in addition to their numbers [bytes]. */
const OBJECTS = 3500;
const EXCEPTION = 40;
const MAP_ENTRY = 40;

/** Throws if the bytes are not a tile of a supported version. */
export async function readTile(index: number, bytes: Uint8Array): Promise<Tile> {
  return new Tile(index, await openPayload(bytes, TILE_MAGIC, TILE_VERSION, OLDER_VERSIONS));
}

function countsOf(numbers: Int32Array): Record<TileCount, number> {
  return Object.fromEntries(TILE_COUNTS.map((name, i) => [name, numbers[i]])) as Record<TileCount, number>;
}

/** Inside nodes are ordered by cell; `sizes`: number of nodes in each cell. */
function cellsOfNodes(sizes: Uint16Array, nodeCount: number): Int8Array | Int16Array {
  const cells = (sizes.length < 128 ? new Int8Array(nodeCount) : new Int16Array(nodeCount)).fill(-1);
  for (let cell = 0, node = 0; cell < sizes.length; cell++) {
    cells.fill(cell, node, node + sizes[cell]);
    node += sizes[cell];
  }
  return cells;
}
