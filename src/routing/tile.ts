import { type ByteReader, openObject } from "./bytes.ts";
import { AVOID_BITS, type EdgeProfile, type Passage, type Travel } from "./modes.ts";
import type { NodeRecord, RoadRecord } from "./road-record.ts";
import type { Topology, TurnException } from "./topology.ts";
import { TRAFFIC_MODES, type Traffic } from "./traffic.ts";
import { BEARING_STEPS, obstacleMet } from "./turn-cost.ts";

export const TILE_MAGIC = "GRDT";
export const TILE_VERSION = 2;

/**
 * A base tile: the roads of one level-1 cell (at most 1024 junctions). Pieces that lead out of it are in both tiles; their
 * other ends are "outside" nodes. Columns of numbers (u: unsigned, s: signed, b: one byte), see `bytes.ts`:
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
 */
export class Tile implements Topology {
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
  readonly shapeFirst: Int32Array;
  readonly shapeLatitude: Int32Array;
  readonly shapeLongitude: Int32Array;

  readonly edgeCount: number;
  readonly tail: Uint16Array;
  readonly head: Uint16Array;
  readonly piece: Uint16Array;
  readonly along: Uint8Array;
  readonly original: Uint16Array;
  readonly profile: Uint16Array;
  readonly bearingOut: Uint8Array;
  readonly bearingIn: Uint8Array;
  readonly signal: Uint8Array;
  readonly length: Int32Array;
  readonly exceptions: readonly TurnException[];
  readonly traffic: Traffic | undefined;

  /** Id of an edge that crosses the tile's border, −1 for edges within. */
  readonly crossing: Int32Array;
  readonly firstEntering: number;
  /** The edges that come in, by id − firstEntering. */
  readonly entering: Int32Array;
  /** Ids of the edges that leave → edges. */
  readonly leaving: ReadonlyMap<number, number>;

  readonly #recordText: Uint8Array;
  readonly #nodeText: Uint8Array;
  #records: RoadRecord[] | undefined;
  #nodeRecords: Map<number, NodeRecord> | undefined;

  constructor(index: number, reader: ByteReader) {
    this.index = index;
    this.insideCount = reader.number();
    this.nodeCount = reader.number();
    this.pieceCount = reader.number();
    const copyCount = reader.number();
    const exceptionCount = reader.number();
    const profileCount = reader.number();
    this.cellCount = reader.number();
    this.firstEntering = reader.number();

    this.latitude = differences(reader, this.nodeCount);
    this.longitude = differences(reader, this.nodeCount);
    this.nodeCell = new Int16Array(this.nodeCount).fill(-1);
    for (let cell = 0, node = 0; cell < this.cellCount; cell++) {
      for (const end = node + reader.number(); node < end; node++) this.nodeCell[node] = cell;
    }
    this.nodeBlocked = Uint8Array.from({ length: this.insideCount }, () => reader.byte());
    this.outsideTile = unsigned(reader, this.nodeCount - this.insideCount);
    this.profiles = Array.from({ length: profileCount }, () => readProfile(reader));

    const { pieceCount } = this;
    this.pieceStart = Uint16Array.from(differences(reader, pieceCount));
    this.pieceEnd = new Uint16Array(pieceCount);
    for (let piece = 0; piece < pieceCount; piece++) this.pieceEnd[piece] = this.pieceStart[piece] + reader.signed();
    this.pieceLength = unsigned(reader, pieceCount);
    const pieceForward = unsigned(reader, pieceCount);
    const pieceBackward = unsigned(reader, pieceCount);
    this.pieceRecord = Uint16Array.from(unsigned(reader, pieceCount));
    this.pieceMarks = Uint8Array.from({ length: pieceCount }, () => reader.byte());
    const bearingStart = Uint8Array.from({ length: pieceCount }, () => reader.byte());
    const bearingEnd = Uint8Array.from({ length: pieceCount }, () => reader.byte());
    this.shapeFirst = new Int32Array(pieceCount + 1);
    for (let piece = 0; piece < pieceCount; piece++) {
      this.shapeFirst[piece + 1] = this.shapeFirst[piece] + reader.number();
    }
    this.shapeLatitude = this.#shape(reader, this.latitude);
    this.shapeLongitude = this.#shape(reader, this.longitude);
    const copies = unsigned(reader, copyCount);

    this.forwardEdge = new Int16Array(pieceCount).fill(-1);
    this.backwardEdge = new Int16Array(pieceCount).fill(-1);
    let count = 0;
    for (let piece = 0; piece < pieceCount; piece++) {
      if (pieceForward[piece] !== 0) this.forwardEdge[piece] = count++;
      if (pieceBackward[piece] !== 0) this.backwardEdge[piece] = count++;
    }
    const originals = count;
    count += copyCount;
    this.edgeCount = count;
    this.tail = new Uint16Array(count);
    this.head = new Uint16Array(count);
    this.piece = new Uint16Array(count);
    this.along = new Uint8Array(count);
    this.original = new Uint16Array(count);
    this.profile = new Uint16Array(count);
    this.bearingOut = new Uint8Array(count);
    this.bearingIn = new Uint8Array(count);
    this.signal = new Uint8Array(count);
    this.length = new Int32Array(count);
    const fill = (edge: number, piece: number, there: boolean, original: number) => {
      this.tail[edge] = there ? this.pieceStart[piece] : this.pieceEnd[piece];
      this.head[edge] = there ? this.pieceEnd[piece] : this.pieceStart[piece];
      this.piece[edge] = piece;
      this.along[edge] = there ? 1 : 0;
      this.original[edge] = original;
      this.profile[edge] = there ? pieceForward[piece] : pieceBackward[piece];
      this.bearingOut[edge] = there ? bearingStart[piece] : bearingEnd[piece] + BEARING_STEPS / 2;
      this.bearingIn[edge] = there ? bearingEnd[piece] : bearingStart[piece] + BEARING_STEPS / 2;
      this.signal[edge] = obstacleMet(this.pieceMarks[piece], there);
      this.length[edge] = this.pieceLength[piece];
    };
    for (let piece = 0; piece < pieceCount; piece++) {
      if (this.forwardEdge[piece] >= 0) fill(this.forwardEdge[piece], piece, true, this.forwardEdge[piece]);
      if (this.backwardEdge[piece] >= 0) fill(this.backwardEdge[piece], piece, false, this.backwardEdge[piece]);
    }
    copies.forEach((edge, i) => {
      fill(originals + i, this.piece[edge], this.along[edge] === 1, edge);
    });

    this.crossing = new Int32Array(count).fill(-1);
    const entering: number[] = [];
    const leaving = new Map<number, number>();
    let id = 0;
    for (let edge = 0; edge < count; edge++) {
      if (this.tail[edge] >= this.insideCount) {
        this.crossing[edge] = this.firstEntering + entering.length;
        entering.push(edge);
      } else if (this.head[edge] >= this.insideCount) {
        id += reader.signed();
        this.crossing[edge] = id;
        leaving.set(id, edge);
      }
    }
    this.entering = Int32Array.from(entering);
    this.leaving = leaving;
    let from = 0;
    this.exceptions = Array.from({ length: exceptionCount }, () => {
      from += reader.signed();
      return { from, to: reader.number(), modes: reader.byte() };
    });
    this.traffic = this.#readTraffic(reader);
    this.#recordText = reader.textBytes();
    this.#nodeText = reader.textBytes();
  }

  #readTraffic(reader: ByteReader): Traffic | undefined {
    const windows = reader.number();
    const rowCount = reader.number();
    if (rowCount === 0) return undefined;
    const rows = Array.from({ length: rowCount }, () =>
      Uint16Array.from(unsigned(reader, TRAFFIC_MODES.length * windows)),
    );
    const along = unsigned(reader, this.pieceCount);
    const against = unsigned(reader, this.pieceCount);
    const ofEdge = Uint16Array.from(this.piece, (piece, edge) => (this.along[edge] === 1 ? along : against)[piece]);
    return { windows, rows, ofEdge };
  }

  #shape(reader: ByteReader, nodes: Int32Array): Int32Array {
    const shape = new Int32Array(this.shapeFirst[this.pieceCount]);
    for (let piece = 0; piece < this.pieceCount; piece++) {
      let last = nodes[this.pieceStart[piece]];
      for (let i = this.shapeFirst[piece]; i < this.shapeFirst[piece + 1]; i++) shape[i] = last += reader.signed();
    }
    return shape;
  }

  get records(): readonly RoadRecord[] {
    this.#records ??= JSON.parse(new TextDecoder().decode(this.#recordText)) as RoadRecord[];
    return this.#records;
  }

  get nodeRecords(): ReadonlyMap<number, NodeRecord> {
    this.#nodeRecords ??= new Map(JSON.parse(new TextDecoder().decode(this.#nodeText)) as [number, NodeRecord][]);
    return this.#nodeRecords;
  }

  passage(edge: number, mode: number): Passage {
    return this.profiles[this.profile[edge]].passages[mode];
  }

  /** The memory a tile takes, about; its records count as if they had been read [bytes]. */
  get size(): number {
    const strings = (this.#recordText.length + this.#nodeText.length) * 3;
    return (
      4000 + this.edgeCount * 34 + this.pieceCount * 72 + this.nodeCount * 12 + this.shapeLatitude.length * 8 + strings
    );
  }
}

/** Throws when the bytes are no tile of a version this reader knows. */
export async function readTile(index: number, bytes: Uint8Array): Promise<Tile> {
  return new Tile(index, await openObject(bytes, TILE_MAGIC, TILE_VERSION));
}

function differences(reader: ByteReader, count: number): Int32Array {
  const values = new Int32Array(count);
  for (let i = 0, last = 0; i < count; i++) values[i] = last += reader.signed();
  return values;
}

function unsigned(reader: ByteReader, count: number): Int32Array {
  const values = new Int32Array(count);
  for (let i = 0; i < count; i++) values[i] = reader.number();
  return values;
}

function readProfile(reader: ByteReader): EdgeProfile {
  const leftHand = reader.byte() === 1;
  const passages = [0, 1, 2, 3].map((): Passage => {
    const speed = reader.number();
    const preference = reader.byte();
    const kind = reader.byte();
    return {
      speed,
      preference,
      travel: (kind & 3) as Travel,
      restricted: (kind & 4) !== 0,
      private: (kind & 128) !== 0,
      avoid: (kind >> 3) & ALL_AVOID,
    };
  });
  return { passages, leftHand };
}

const ALL_AVOID = Object.values(AVOID_BITS).reduce((sum, bit) => sum | bit, 0);
