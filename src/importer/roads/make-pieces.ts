import { haversine } from "../../geo/distance.ts";
import { Interned } from "../../geo/interned.ts";
import type { EdgeProfile } from "../../routing/modes.ts";
import type { NodeRecord, RoadRecord } from "../../routing/road-record.ts";
import { BEARING_STEPS } from "../../routing/turn-cost.ts";
import { bearingAlong } from "./bearing.ts";
import type { CollectedRoads, RoadWay } from "./collected-roads.ts";
import { MICRO } from "./micro.ts";
import { NodeEffects } from "./node-effects.ts";
import type { Obstacle } from "./obstacles.ts";
import { roadRecord } from "./road-records.ts";
import { CLOSED_PROFILE, type ProfileFor, profileMaker, vehicleOneway } from "./way-profiles.ts";

/**
 * The ways of an extract cut into pieces, and the junctions between them. Columns by piece, unless they say otherwise.
 */
export interface Pieces {
  /** Number of a node among those collected → junction. */
  nodeOf: ReadonlyMap<number, number>;
  /** By junction. */
  nodeLatitude: number[];
  nodeLongitude: number[];
  nodeBlocked: number[];
  nodeRecords: Map<number, NodeRecord>;
  obstructed: [node: number, obstacle: Obstacle][];
  start: number[];
  end: number[];
  /** [0.1 m]. */
  length: number[];
  /** Into `profiles`, along and against the piece. */
  forward: number[];
  backward: number[];
  /** Into `records`. */
  record: number[];
  bearingStart: number[];
  bearingEnd: number[];
  shapeFirst: number[];
  shapeLatitude: number[];
  shapeLongitude: number[];
  profiles: readonly EdgeProfile[];
  records: readonly RoadRecord[];
  /** Speeds by time: rows, and by piece 0 or row + 1. */
  rows: readonly number[][];
  trafficForward: number[];
  trafficBackward: number[];
  /** Pieces of the ways that a restriction names. */
  piecesOfWay: Map<number, number[]>;
  brokenWays: number;
  missingNodes: number;
}

/** Phase one: every way is cut where roads meet, and where a node does something to traffic that passes it. */
export function makePieces(source: CollectedRoads): Pieces {
  const maker = new PieceMaker(source);
  for (const way of source.ways) maker.addWay(way);
  return maker.pieces();
}

class PieceMaker {
  readonly #source: CollectedRoads;
  readonly #effects: NodeEffects;
  /** Ways that restrictions name. */
  readonly #restricted: ReadonlySet<number>;
  readonly #profiles = new Interned<EdgeProfile>(JSON.stringify, [CLOSED_PROFILE]);
  readonly #records = new Interned<RoadRecord>(JSON.stringify);
  readonly #rows = new Interned<number[]>(String);
  /** OSM ids of nodes by number; only where an operator's speeds ask for them. */
  readonly #ids: readonly number[];
  readonly #nodeOf = new Map<number, number>();
  readonly #nodeLatitude: number[] = [];
  readonly #nodeLongitude: number[] = [];
  readonly #nodeBlocked: number[] = [];
  readonly #nodeRecords = new Map<number, NodeRecord>();
  readonly #obstructed: [node: number, obstacle: Obstacle][] = [];
  readonly #start: number[] = [];
  readonly #end: number[] = [];
  readonly #length: number[] = [];
  readonly #forward: number[] = [];
  readonly #backward: number[] = [];
  readonly #record: number[] = [];
  readonly #bearingStart: number[] = [];
  readonly #bearingEnd: number[] = [];
  readonly #shapeFirst: number[] = [0];
  readonly #shapeLatitude: number[] = [];
  readonly #shapeLongitude: number[] = [];
  readonly #trafficForward: number[] = [];
  readonly #trafficBackward: number[] = [];
  readonly #piecesOfWay = new Map<number, number[]>();
  #brokenWays = 0;
  #missingNodes = 0;

  constructor(source: CollectedRoads) {
    this.#source = source;
    this.#effects = new NodeEffects(source.special);
    this.#restricted = new Set(source.restrictions.flatMap(({ from, viaWays, to }) => [...from, ...viaWays, ...to]));
    this.#ids = source.options.speeds ? idsOf(source.numbers) : [];
  }

  addWay(way: RoadWay): void {
    const { options, uses } = this.#source;
    const nodes = this.#nodesOf(way);
    if (nodes.length < 2) {
      this.#brokenWays++;
      return;
    }
    let length = 0;
    for (let i = 1; i < nodes.length; i++) length += this.#metres(nodes[i - 1], nodes[i]);
    const side = way.tags.driving_side;
    const leftHand = side ? side === "left" : (options.leftHand?.(this.#place(nodes[0])) ?? false);
    const profileFor = profileMaker(way, length, leftHand);
    const record = this.#records.add(roadRecord(way.tags, vehicleOneway(way.rules)));
    let first = 0;
    for (let i = 1; i < nodes.length; i++) {
      if (i < nodes.length - 1 && uses[nodes[i]] <= 1 && !this.#effects.cuts(nodes[i])) continue;
      this.#addPiece(way, nodes.slice(first, i + 1), profileFor, record);
      first = i;
    }
  }

  /** The nodes of a way that the extract has, none twice in a row. */
  #nodesOf({ refs }: RoadWay): number[] {
    const { numbers, latitude } = this.#source;
    const nodes: number[] = [];
    for (const ref of refs) {
      const number = numbers.get(ref)!;
      if (latitude[number] === undefined) this.#missingNodes++;
      else if (nodes[nodes.length - 1] !== number) nodes.push(number);
    }
    return nodes;
  }

  #place(number: number): { latitude: number; longitude: number } {
    const { latitude, longitude } = this.#source;
    return { latitude: latitude[number] / MICRO, longitude: longitude[number] / MICRO };
  }

  #metres(a: number, b: number): number {
    const from = this.#place(a);
    const to = this.#place(b);
    return haversine(from.latitude, from.longitude, to.latitude, to.longitude);
  }

  #addPiece(way: RoadWay, run: readonly number[], profileFor: ProfileFor, record: number): void {
    const { latitude, longitude, borders } = this.#source;
    const piece = this.#start.length;
    const lengths: number[] = [];
    let crossesBorder = false;
    for (let i = 1; i < run.length; i++) {
      const a = this.#place(run[i - 1]);
      const b = this.#place(run[i]);
      lengths.push(haversine(a.latitude, a.longitude, b.latitude, b.longitude));
      crossesBorder ||= borders.crosses(a.latitude, a.longitude, b.latitude, b.longitude);
    }
    const atStart = this.#effects.of(run[0]);
    const atEnd = this.#effects.of(run[run.length - 1]);
    const border = crossesBorder || atStart.border || atEnd.border;
    const toll = atStart.toll || atEnd.toll;
    this.#start.push(this.#junction(run[0]));
    this.#end.push(this.#junction(run[run.length - 1]));
    this.#length.push(Math.round(lengths.reduce((sum, metres) => sum + metres, 0) * 10));
    this.#addProfiles(way.id, run, lengths, profileFor("forward", border, toll), profileFor("backward", border, toll));
    this.#record.push(record);
    this.#bearingStart.push(bearingAlong(run, latitude, longitude));
    this.#bearingEnd.push((bearingAlong(run.toReversed(), latitude, longitude) + BEARING_STEPS / 2) % BEARING_STEPS);
    for (let i = 1; i < run.length - 1; i++) {
      this.#shapeLatitude.push(latitude[run[i]]);
      this.#shapeLongitude.push(longitude[run[i]]);
    }
    this.#shapeFirst.push(this.#shapeLatitude.length);
    if (!this.#restricted.has(way.id)) return;
    const list = this.#piecesOfWay.get(way.id);
    if (list) list.push(piece);
    else this.#piecesOfWay.set(way.id, [piece]);
  }

  /** Speeds of both directions: those of the operator's file where it has any, else those of the map. */
  #addProfiles(way: number, run: readonly number[], lengths: readonly number[], there: EdgeProfile, back: EdgeProfile) {
    const { speeds } = this.#source.options;
    if (!speeds) {
      this.#forward.push(this.#profiles.add(there));
      this.#backward.push(this.#profiles.add(back));
      return;
    }
    const nodes = run.map((number) => this.#ids[number]);
    const along = speeds.apply(way, true, nodes, lengths, there);
    const against = speeds.apply(way, false, nodes.toReversed(), lengths.toReversed(), back);
    this.#forward.push(this.#profiles.add(along.profile));
    this.#backward.push(this.#profiles.add(against.profile));
    this.#trafficForward.push(along.row ? this.#rows.add(along.row) + 1 : 0);
    this.#trafficBackward.push(against.row ? this.#rows.add(against.row) + 1 : 0);
  }

  /** The junction at a node, made when it is first met. */
  #junction(number: number): number {
    let known = this.#nodeOf.get(number);
    if (known === undefined) {
      known = this.#nodeLatitude.length;
      this.#nodeOf.set(number, known);
      this.#nodeLatitude.push(this.#source.latitude[number]);
      this.#nodeLongitude.push(this.#source.longitude[number]);
      const { blocked, record, obstacle } = this.#effects.of(number);
      this.#nodeBlocked.push(blocked);
      if (record) this.#nodeRecords.set(known, record);
      if (obstacle) this.#obstructed.push([known, obstacle]);
    }
    return known;
  }

  pieces(): Pieces {
    return {
      nodeOf: this.#nodeOf,
      nodeLatitude: this.#nodeLatitude,
      nodeLongitude: this.#nodeLongitude,
      nodeBlocked: this.#nodeBlocked,
      nodeRecords: this.#nodeRecords,
      obstructed: this.#obstructed,
      start: this.#start,
      end: this.#end,
      length: this.#length,
      forward: this.#forward,
      backward: this.#backward,
      record: this.#record,
      bearingStart: this.#bearingStart,
      bearingEnd: this.#bearingEnd,
      shapeFirst: this.#shapeFirst,
      shapeLatitude: this.#shapeLatitude,
      shapeLongitude: this.#shapeLongitude,
      profiles: this.#profiles.values,
      records: this.#records.values,
      rows: this.#rows.values,
      trafficForward: this.#trafficForward,
      trafficBackward: this.#trafficBackward,
      piecesOfWay: this.#piecesOfWay,
      brokenWays: this.#brokenWays,
      missingNodes: this.#missingNodes,
    };
  }
}

function idsOf(numbers: ReadonlyMap<number, number>): number[] {
  const ids: number[] = new Array(numbers.size);
  for (const [id, number] of numbers) ids[number] = id;
  return ids;
}
