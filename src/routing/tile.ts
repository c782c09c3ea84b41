import type { ByteReader } from "../geo/bytes.ts";
import { AVOID_BITS, type EdgeProfile, type Passage, type Travel } from "./modes.ts";
import { fill, fillBySteps, openObject } from "./object.ts";
import type { NodeRecord, RoadRecord } from "./road-record.ts";
import type { Topology, TurnException } from "./topology.ts";
import { TRAFFIC_MODES, type Traffic } from "./traffic.ts";
import { BEARING_STEPS, obstacleMet } from "./turn-cost.ts";

export const TILE_MAGIC = "GRDT";
export const TILE_VERSION = 2;

/**
 * A base tile: the roads of one level-1 cell (at most 1024 junctions). Pieces that lead out of it are in both tiles;
 * their other ends are "outside" nodes. Columns of numbers (u: unsigned, s: signed, b: one byte), see
 * docs/formats/roads.md:
 *
 *     counts      u × 8    inside nodes, nodes, pieces, copies, exceptions, profiles, cells, id of the first entering edge
 *     latitude    s each   difference to the node before [1e-6 degrees]; then longitude, likewise
 *     cells       u each   number of inside nodes per search cell (level 0): nodes lie in the order of their cells
 *     blocked     b each   inside nodes: modes (bits) a barrier stops
 *     outside     u each   outside nodes: the tile they lie in
 *     profiles             b left hand, then per mode: u speed [0.1 km/h], b preference [%], b travel + 4 restricted + 8 avoid + 128 private
 *     start       s each   pieces: start node, difference to the piece before; end node: s, difference to the start
 *     length      u each   [0.1 m]
 *     forward     u each   profile along, 0 = closed; then backward, likewise
 *     record      u each
 *     marks       b each   what is met at the end (bits 1, 4) and at the start (2, 8): `obstacleMet`; 16 … 128: a small island for mode 0 … 3
 *     bearings    b × 2    at the start, at the end [1/256 turn]
 *     shapes      u each   number of points between the ends; then all latitudes and all longitudes, s, differences that
 *                          begin at the piece's start node
 *     copies      u each   the edge that is copied
 *     leaving     s each   ids of the edges that leave the tile, in the order of edges, difference to the one before
 *     exceptions  s u b    from (difference to the one before), to, modes
 *     traffic     u × 2    windows of time, rows of speeds; where there are rows: per row u × 2 × windows (see Traffic), then
 *                          u each: row + 1 along each piece (0 = none), then against it
 *     records     text     JSON: RoadRecord[]
 *     nodes       text     JSON: [node, NodeRecord][]
 *
 * Edges are not written: piece by piece, along and then against it where a profile is there, then the copies.
 * Edges that come in from outside have the ids first, first + 1 … in that order.
 *
 * How many tiles an isolate can hold decides how often they are decoded anew, so in memory columns are as narrow as
 * their numbers, and what an edge has in common with its piece is kept with the piece alone.
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
  readonly nodeCell: Int16Array;
  /** Tile in which each outside node lies, from `insideCount` on. */
  readonly outsideTile: Int32Array;
  readonly profiles: readonly EdgeProfile[];

  readonly pieceCount: number;
  readonly pieceStart: Uint16Array;
  readonly pieceEnd: Uint16Array;
  readonly pieceLength: Int32Array;
  readonly pieceRecord: Uint16Array;
  readonly pieceMarks: Uint8Array;
  /** The edge along a piece and the one against it, −1 where closed. */
  readonly forwardEdge: Int16Array;
  readonly backwardEdge: Int16Array;
  /** Points between the ends of piece p: shapeFirst[p] ≤ i < shapeFirst[p + 1], as differences to the point before. */
  readonly shapeFirst: Int32Array;
  readonly shapeNorth: Int16Array | Int32Array;
  readonly shapeEast: Int16Array | Int32Array;

  readonly edgeCount: number;
  readonly tail: Uint16Array;
  readonly head: Uint16Array;
  readonly piece: Uint16Array;
  /** 1 = along the piece, 0 = against it. */
  readonly along: Uint8Array;
  /** Edges from here on are copies, which restrictions made. */
  readonly firstCopy: number;
  readonly exceptions: readonly TurnException[];
  readonly traffic: Traffic | undefined;

  /** Id of an edge that crosses the tile's border, −1 for edges within. */
  readonly crossing: Int32Array;
  readonly firstEntering: number;
  /** The edges that come in, by id − firstEntering. */
  readonly entering: Uint16Array;
  /** Ids of the edges that leave → edges. */
  readonly leaving: ReadonlyMap<number, number>;

  /** Called when the tile, or what is kept with it, takes more memory or less than before. */
  onResize: (() => void) | undefined;
  #extra = 0;
  readonly #forwardProfile: Uint16Array;
  readonly #backwardProfile: Uint16Array;
  readonly #bearingStart: Uint8Array;
  readonly #bearingEnd: Uint8Array;
  readonly #copyOf: Uint16Array;
  readonly #recordText: Uint8Array;
  readonly #nodeText: Uint8Array;
  #recordEnds: Uint32Array | undefined;
  readonly #records: RoadRecord[] = [];
  #nodeRecords: Map<number, NodeRecord> | undefined;

  constructor(index: number, reader: ByteReader) {
    this.index = index;
    this.insideCount = reader.unsigned();
    this.nodeCount = reader.unsigned();
    this.pieceCount = reader.unsigned();
    const copyCount = reader.unsigned();
    const exceptionCount = reader.unsigned();
    const profileCount = reader.unsigned();
    this.cellCount = reader.unsigned();
    this.firstEntering = reader.unsigned();

    this.latitude = fillBySteps(reader, new Int32Array(this.nodeCount));
    this.longitude = fillBySteps(reader, new Int32Array(this.nodeCount));
    this.nodeCell = new Int16Array(this.nodeCount).fill(-1);
    for (let cell = 0, node = 0; cell < this.cellCount; cell++) {
      const end = node + reader.unsigned();
      this.nodeCell.fill(cell, node, end);
      node = end;
    }
    this.nodeBlocked = reader.copy(this.insideCount);
    this.outsideTile = fill(reader, new Int32Array(this.nodeCount - this.insideCount));
    this.profiles = Array.from({ length: profileCount }, () => readProfile(reader));

    const { pieceCount } = this;
    this.pieceStart = fillBySteps(reader, new Uint16Array(pieceCount));
    this.pieceEnd = new Uint16Array(pieceCount);
    for (let piece = 0; piece < pieceCount; piece++) this.pieceEnd[piece] = this.pieceStart[piece] + reader.signed();
    this.pieceLength = fill(reader, new Int32Array(pieceCount));
    this.#forwardProfile = fill(reader, new Uint16Array(pieceCount));
    this.#backwardProfile = fill(reader, new Uint16Array(pieceCount));
    this.pieceRecord = fill(reader, new Uint16Array(pieceCount));
    this.pieceMarks = reader.copy(pieceCount);
    this.#bearingStart = reader.copy(pieceCount);
    this.#bearingEnd = reader.copy(pieceCount);
    this.shapeFirst = new Int32Array(pieceCount + 1);
    for (let piece = 0; piece < pieceCount; piece++) {
      this.shapeFirst[piece + 1] = this.shapeFirst[piece] + reader.unsigned();
    }
    this.shapeNorth = readShape(reader, this.shapeFirst[pieceCount]);
    this.shapeEast = readShape(reader, this.shapeFirst[pieceCount]);
    this.#copyOf = fill(reader, new Uint16Array(copyCount));

    this.forwardEdge = new Int16Array(pieceCount).fill(-1);
    this.backwardEdge = new Int16Array(pieceCount).fill(-1);
    let count = 0;
    for (let piece = 0; piece < pieceCount; piece++) {
      if (this.#forwardProfile[piece] !== 0) this.forwardEdge[piece] = count++;
      if (this.#backwardProfile[piece] !== 0) this.backwardEdge[piece] = count++;
    }
    this.firstCopy = count;
    this.edgeCount = count + copyCount;
    this.tail = new Uint16Array(this.edgeCount);
    this.head = new Uint16Array(this.edgeCount);
    this.piece = new Uint16Array(this.edgeCount);
    this.along = new Uint8Array(this.edgeCount);
    this.#fillEdges();
    this.crossing = new Int32Array(this.edgeCount).fill(-1);
    this.leaving = new Map();
    this.entering = this.#readCrossings(reader, this.leaving as Map<number, number>);
    let from = 0;
    this.exceptions = Array.from({ length: exceptionCount }, () => {
      from += reader.signed();
      return { from, to: reader.unsigned(), modes: reader.byte() };
    });
    this.traffic = this.#readTraffic(reader);
    this.#recordText = reader.copy(reader.unsigned());
    this.#nodeText = reader.copy(reader.unsigned());
  }

  #fillEdges(): void {
    const { tail, head, piece: pieces, along, pieceStart, pieceEnd, forwardEdge, backwardEdge, firstCopy } = this;
    for (let piece = 0; piece < this.pieceCount; piece++) {
      const there = forwardEdge[piece];
      if (there >= 0) {
        tail[there] = pieceStart[piece];
        head[there] = pieceEnd[piece];
        pieces[there] = piece;
        along[there] = 1;
      }
      const back = backwardEdge[piece];
      if (back >= 0) {
        tail[back] = pieceEnd[piece];
        head[back] = pieceStart[piece];
        pieces[back] = piece;
      }
    }
    for (let i = 0; i < this.#copyOf.length; i++) {
      const edge = this.#copyOf[i];
      tail[firstCopy + i] = tail[edge];
      head[firstCopy + i] = head[edge];
      pieces[firstCopy + i] = pieces[edge];
      along[firstCopy + i] = along[edge];
    }
  }

  /** Names the edges that cross the border; answers those that come in. */
  #readCrossings(reader: ByteReader, leaving: Map<number, number>): Uint16Array {
    const { tail, head, crossing, insideCount, firstEntering } = this;
    const entering: number[] = [];
    let id = 0;
    for (let edge = 0; edge < this.edgeCount; edge++) {
      if (tail[edge] >= insideCount) {
        crossing[edge] = firstEntering + entering.length;
        entering.push(edge);
      } else if (head[edge] >= insideCount) {
        id += reader.signed();
        crossing[edge] = id;
        leaving.set(id, edge);
      }
    }
    return Uint16Array.from(entering);
  }

  #readTraffic(reader: ByteReader): Traffic | undefined {
    const windows = reader.unsigned();
    const rowCount = reader.unsigned();
    if (rowCount === 0) return undefined;
    const rows = Array.from({ length: rowCount }, () => fill(reader, new Uint16Array(TRAFFIC_MODES.length * windows)));
    const along = fill(reader, new Uint16Array(this.pieceCount));
    const against = fill(reader, new Uint16Array(this.pieceCount));
    const ofEdge = this.piece.map((piece, edge) => (this.along[edge] === 1 ? along : against)[piece]);
    return { windows, rows, ofEdge };
  }

  /** What is written on a piece of road. Read when first asked for: most roads of a tile never are. */
  recordOf(piece: number): RoadRecord {
    const number = this.pieceRecord[piece];
    let record = this.#records[number];
    if (!record) {
      this.#recordEnds ??= elementEnds(this.#recordText);
      const from = number === 0 ? 1 : this.#recordEnds[number - 1] + 1;
      const text = this.#recordText.subarray(from, this.#recordEnds[number]);
      record = JSON.parse(new TextDecoder().decode(text)) as RoadRecord;
      this.#records[number] = record;
      this.resize(text.length * PARSED);
    }
    return record;
  }

  get nodeRecords(): ReadonlyMap<number, NodeRecord> {
    if (!this.#nodeRecords) {
      this.#nodeRecords = new Map(JSON.parse(new TextDecoder().decode(this.#nodeText)) as [number, NodeRecord][]);
      this.resize(this.#nodeText.length * PARSED);
    }
    return this.#nodeRecords;
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
    return this.pieceLength[this.piece[edge]];
  }

  profileOf(edge: number): EdgeProfile {
    const of = this.along[edge] === 1 ? this.#forwardProfile : this.#backwardProfile;
    return this.profiles[of[this.piece[edge]]];
  }

  passage(edge: number, mode: number): Passage {
    return this.profileOf(edge).passages[mode];
  }

  /** Everything by edge, as the rules of turning read it. Made anew: nobody should keep it. */
  topology(): Topology {
    const { edgeCount, tail, head, piece, along } = this;
    const profile = new Uint16Array(edgeCount);
    const bearingOut = new Uint8Array(edgeCount);
    const bearingIn = new Uint8Array(edgeCount);
    const obstacle = new Uint8Array(edgeCount);
    const length = new Int32Array(edgeCount);
    const original = new Uint16Array(edgeCount);
    for (let edge = 0; edge < edgeCount; edge++) {
      const own = piece[edge];
      const there = along[edge] === 1;
      profile[edge] = there ? this.#forwardProfile[own] : this.#backwardProfile[own];
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

  /** What is kept with the tile has grown, or shrunk, by so many bytes. */
  resize(bytes: number): void {
    this.#extra += bytes;
    this.onResize?.();
  }

  /** The memory it takes with all that is kept with it, about [bytes]. */
  get size(): number {
    const text = this.#recordText.length + this.#nodeText.length;
    const shapes = this.shapeNorth.byteLength * 2;
    return OBJECTS + this.edgeCount * 11 + this.pieceCount * 23 + this.nodeCount * 11 + shapes + text + this.#extra;
  }
}

/** Arrays and maps beside their numbers [bytes]. */
const OBJECTS = 6000;
/** Bytes that a byte of JSON takes once it is read, about. */
const PARSED = 3;

/** Throws when the bytes are no tile of a version this reader knows. */
export async function readTile(index: number, bytes: Uint8Array): Promise<Tile> {
  return new Tile(index, await openObject(bytes, TILE_MAGIC, TILE_VERSION));
}

const [QUOTE, BACKSLASH, COMMA, OPENING, CLOSING] = [0x22, 0x5c, 0x2c, 0x7b, 0x7d];

/** Where the elements of a JSON array of objects end. */
function elementEnds(text: Uint8Array): Uint32Array {
  const ends: number[] = [];
  let depth = 0;
  let quoted = false;
  for (let at = 1; at < text.length - 1; at++) {
    const byte = text[at];
    if (quoted) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === OPENING) depth++;
    else if (byte === CLOSING) depth--;
    else if (byte === COMMA && depth === 0) ends.push(at);
  }
  ends.push(text.length - 1);
  return Uint32Array.from(ends);
}

/** Differences between points: 16 bits (3.6 km) nearly always. */
function readShape(reader: ByteReader, count: number): Int16Array | Int32Array {
  const wide = new Int32Array(count);
  let fits = true;
  for (let i = 0; i < count; i++) {
    wide[i] = reader.signed();
    if (wide[i] !== (wide[i] << 16) >> 16) fits = false;
  }
  return fits ? new Int16Array(wide) : wide;
}

/** Profiles of all tiles, each once: there are some hundred kinds of roads. */
const profilesByKey = new Map<string, EdgeProfile>();
const MOST_PROFILES = 10_000;

function readProfile(reader: ByteReader): EdgeProfile {
  const numbers = [reader.byte()];
  for (let mode = 0; mode < 4; mode++) numbers.push(reader.unsigned(), reader.byte(), reader.byte());
  const key = numbers.join();
  let profile = profilesByKey.get(key);
  if (!profile) {
    const passages = [1, 4, 7, 10].map((at) => passageOf(numbers[at], numbers[at + 1], numbers[at + 2]));
    profile = { passages, leftHand: numbers[0] === 1 };
    if (profilesByKey.size === MOST_PROFILES) profilesByKey.clear();
    profilesByKey.set(key, profile);
  }
  return profile;
}

function passageOf(speed: number, preference: number, kind: number): Passage {
  return {
    speed,
    preference,
    travel: (kind & 3) as Travel,
    restricted: (kind & 4) !== 0,
    private: (kind & 128) !== 0,
    avoid: (kind >> 3) & ALL_AVOID,
  };
}

const ALL_AVOID = Object.values(AVOID_BITS).reduce((sum, bit) => sum | bit, 0);
