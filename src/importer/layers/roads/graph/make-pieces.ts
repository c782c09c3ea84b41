import { Interned } from "../../../../core/geo/bytes/interned.ts";
import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import { type NodeRecord, speedClass } from "../../../../core/routing/graph/road-record.ts";
import { BEARING_STEPS } from "../../../../core/routing/graph/turn-cost.ts";
import type { OsmWay, Tags } from "../../../osm/pbf/element.ts";
import { gradePieces } from "../grades/grade-pieces.ts";
import { LIE, type Lie } from "../grades/level-structures.ts";
import type { SmoothGround } from "../grades/smooth-ground.ts";
import { inCountry } from "../profiles/access-by-country.ts";
import { keepsLeft } from "../profiles/driving-side.ts";
import { withLegalLimit } from "../profiles/legal-limits.ts";
import { roadRecord } from "../profiles/road-records.ts";
import type { Direction } from "../profiles/tag-values.ts";
import type { WayClass } from "../profiles/way-classes.ts";
import { CLOSED_PROFILE, profileKey, vehicleOneway, withZones } from "../profiles/way-profiles.ts";
import { bearingAlong, MICRO } from "./bearing.ts";
import type { CollectedRoads } from "./collected-roads.ts";
import { Column } from "./column.ts";
import { joinDoubles } from "./join-doubles.ts";
import type { NodeEffect } from "./node-effects.ts";
import { NodeRecords } from "./node-records.ts";
import type { Obstacle } from "./obstacles.ts";
import { PieceColumns, type Pieces, type TimedJunction } from "./piece-columns.ts";
import { RecordTable } from "./record-table.ts";
import { WayLine } from "./way-line.ts";
import { WayNodes } from "./way-nodes.ts";

/** The way at hand. */
interface Road {
  id: number;
  /** Outside towns, and in built-up areas. */
  kind: WayClass;
  kindInTown: WayClass;
  /** [m]. */
  length: number;
  leftHand: boolean;
  /** For speeds by class. */
  roadClass: string;
  record: number;
  lie: Lie;
}

/** A stretch of the line at hand between two cuts: its first and last point, and their numbers among the junctions. */
interface Run {
  from: number;
  to: number;
  fromNode: number;
  toNode: number;
}

/**
 * Phase one: every way is cut where roads meet, and where a node does something to traffic that passes it. All ways come
 * by in the order in which they were collected; pieces and junctions are numbered as they are met.
 */
export class PieceMaker {
  readonly #source: CollectedRoads;
  /** Ways that restrictions and manoeuvres name. */
  readonly #restricted: ReadonlySet<number>;
  readonly #profiles = new Interned<EdgeProfile>(profileKey, [CLOSED_PROFILE]);
  /** Numbers of the profiles that classes of ways keep. */
  readonly #numbers = new WeakMap<EdgeProfile, number>();
  readonly #records: RecordTable;
  readonly #rows = new Interned<number[]>(String);
  readonly #columns: PieceColumns;
  readonly #standing = new Interned<NodeRecord>(JSON.stringify);
  readonly #standingNodes = new Column(Int32Array, "junctions of roads");
  readonly #standingNumbers = new Column(Int32Array, "junctions of roads");
  readonly #obstacles = new Interned<Obstacle>(JSON.stringify);
  readonly #obstructedNodes = new Column(Int32Array, "junctions of roads");
  readonly #obstructedBy = new Column(Int32Array, "junctions of roads");
  readonly #timedBarriers: TimedJunction[] = [];
  readonly #piecesOfWay = new Map<number, readonly number[]>();
  /** Profiles in low-emission zones. */
  readonly #zoned = new Map<EdgeProfile, Map<string, EdgeProfile>>();
  readonly #nodes = new WayNodes();
  readonly #line = new WayLine();
  /** By piece, for `grade`. */
  readonly #lie: Column<Uint8Array>;
  #ways = 0;
  #brokenWays = 0;
  #missingNodes = 0;

  constructor(source: CollectedRoads) {
    source.nodes.finish();
    this.#source = source;
    const named = [...source.restrictions, ...source.manoeuvres];
    this.#restricted = new Set(named.flatMap(({ from, viaWays, to }) => [...from, ...viaWays, ...to]));
    this.#records = new RecordTable(source.ways);
    this.#columns = new PieceColumns(source.refs, source.options.speeds !== undefined);
    this.#lie = new Column(Uint8Array, "pieces of roads", source.refs);
  }

  addWay(way: OsmWay): void {
    if (!this.#source.isRoad(this.#ways++)) return;
    this.#cut(way);
  }

  #cut(way: OsmWay): void {
    const { locate, nodes, options, classes } = this.#source;
    const line = this.#line;
    locate(way, this.#nodes);
    line.take(this.#nodes);
    this.#missingNodes += line.missing;
    if (line.count < 2) {
      this.#brokenWays++;
      return;
    }
    const side = way.tags.driving_side;
    const country = options.country?.({ latitude: line.latitude[0] / MICRO, longitude: line.longitude[0] / MICRO });
    const { rural, builtUp } = withLegalLimit(inCountry(way.tags, country), country);
    const kind = classes.of(rural);
    if (!kind) return;
    const kindInTown = builtUp === rural ? kind : (classes.of(builtUp) ?? kind);
    const leftHand = side ? side === "left" : keepsLeft(country);
    const record = roadRecord(way.tags, vehicleOneway(kind.rules));
    const roadClass = speedClass(record);
    const { length } = line;
    const road: Road = { id: way.id, kind, kindInTown, length, leftHand, roadClass, record: 0, lie: lieOf(way.tags) };
    road.record = this.#records.add(record);
    const firstPiece = this.#columns.start.length;
    let from = 0;
    let fromNode = nodes.numberOf(line.ids[0]);
    for (let i = 1; i < line.count; i++) {
      const node = nodes.numberOf(line.ids[i]);
      if (node < 0) continue;
      this.#addPiece(road, { from, to: i, fromNode, toNode: node });
      from = i;
      fromNode = node;
    }
    if (!this.#restricted.has(way.id)) return;
    const count = this.#columns.start.length - firstPiece;
    this.#piecesOfWay.set(
      way.id,
      Array.from({ length: count }, (_, i) => firstPiece + i),
    );
  }

  #addPiece(road: Road, { from, to, fromNode, toNode }: Run): void {
    const { nodes, borders } = this.#source;
    const { latitude, longitude, metres } = this.#line;
    const columns = this.#columns;
    let length = 0;
    let crossesBorder = false;
    for (let i = from + 1; i <= to; i++) {
      length += metres[i];
      crossesBorder ||= borders.crosses(
        latitude[i - 1] / MICRO,
        longitude[i - 1] / MICRO,
        latitude[i] / MICRO,
        longitude[i] / MICRO,
      );
    }
    const atStart = nodes.effectOf(fromNode);
    const atEnd = nodes.effectOf(toNode);
    const border = crossesBorder || atStart.border || atEnd.border;
    const toll = atStart.toll || atEnd.toll;
    columns.start.push(this.#junction(from, fromNode, atStart));
    columns.end.push(this.#junction(to, toNode, atEnd));
    columns.length.push(Math.round(length * 10));
    const kind = this.#kindOf(road, from, to);
    const { leftHand } = road;
    const zones = this.#zonesBetween(from, to);
    const profile = (direction: Direction) =>
      this.#inZones(kind.profile(direction, road.length, leftHand, border, toll), zones);
    const there = profile("forward");
    const back = profile("backward");
    this.#addProfiles(road, from, to, there, back);
    columns.record.push(road.record);
    this.#lie.push(road.lie);
    columns.bearingStart.push(bearingAlong(latitude, longitude, from, to));
    columns.bearingEnd.push((bearingAlong(latitude, longitude, to, from) + BEARING_STEPS / 2) % BEARING_STEPS);
    for (let i = from + 1; i < to; i++) {
      columns.shapeLatitude.push(latitude[i]);
      columns.shapeLongitude.push(longitude[i]);
    }
    columns.shapeFirst.push(columns.shapeLatitude.length);
  }

  /** What the law says of a piece depends on whether its middle is in a town. */
  #kindOf({ kind, kindInTown }: Road, from: number, to: number): WayClass {
    if (kind === kindInTown) return kind;
    const [latitude, longitude] = this.#middle(from, to);
    return this.#source.builtUp.has(latitude / MICRO, longitude / MICRO) ? kindInTown : kind;
  }

  /** Zones in which the middle of a piece is. */
  #zonesBetween(from: number, to: number): readonly number[] {
    const { zones } = this.#source;
    return zones.isEmpty ? [] : zones.at(...this.#middle(from, to));
  }

  #middle(from: number, to: number): [latitude: number, longitude: number] {
    const { latitude, longitude } = this.#line;
    const [before, after] = [(from + to) >> 1, (from + to + 1) >> 1];
    return [(latitude[before] + latitude[after]) / 2, (longitude[before] + longitude[after]) / 2];
  }

  #inZones(profile: EdgeProfile, zones: readonly number[]): EdgeProfile {
    if (zones.length === 0 || profile === CLOSED_PROFILE) return profile;
    let all = this.#zoned.get(profile);
    if (!all) {
      all = new Map();
      this.#zoned.set(profile, all);
    }
    const key = zones.join();
    const known = all.get(key);
    if (known) return known;
    const made = withZones(profile, zones);
    all.set(key, made);
    return made;
  }

  /** Speeds of both directions: those of the operator's file where it has any, else those of the map. */
  #addProfiles({ id, roadClass }: Road, from: number, to: number, there: EdgeProfile, back: EdgeProfile): void {
    const columns = this.#columns;
    const { speeds } = this.#source.options;
    if (!speeds) {
      columns.forward.push(this.#numberOf(there));
      columns.backward.push(this.#numberOf(back));
      return;
    }
    const ids = Array.from(this.#line.ids.subarray(from, to + 1));
    const lengths = Array.from(this.#line.metres.subarray(from + 1, to + 1));
    const along = speeds.apply(id, true, ids, lengths, there, roadClass);
    const against = speeds.apply(id, false, ids.toReversed(), lengths.toReversed(), back, roadClass);
    columns.forward.push(this.#profiles.add(along.profile));
    columns.backward.push(this.#profiles.add(against.profile));
    columns.trafficForward.push(along.row ? this.#rows.add(along.row) + 1 : 0);
    columns.trafficBackward.push(against.row ? this.#rows.add(against.row) + 1 : 0);
  }

  #numberOf(profile: EdgeProfile): number {
    let number = this.#numbers.get(profile);
    if (number === undefined) {
      number = this.#profiles.add(profile);
      this.#numbers.set(profile, number);
    }
    return number;
  }

  /** The junction at a point of the line at hand, made when its node is first met. */
  #junction(at: number, node: number, { blocked, timed, record, obstacle }: NodeEffect): number {
    const { nodes } = this.#source;
    const known = nodes.junctionAt(node);
    if (known >= 0) return known;
    const columns = this.#columns;
    const junction = columns.nodeLatitude.length;
    nodes.setJunction(node, junction);
    columns.nodeLatitude.push(this.#line.latitude[at]);
    columns.nodeLongitude.push(this.#line.longitude[at]);
    columns.nodeBlocked.push(blocked);
    if (timed) this.#timedBarriers.push({ node: junction, closed: timed });
    if (record) {
      this.#standingNodes.push(junction);
      this.#standingNumbers.push(this.#standing.add(record));
    }
    if (obstacle) {
      this.#obstructedNodes.push(junction);
      this.#obstructedBy.push(this.#obstacles.add(obstacle));
    }
    return junction;
  }

  /** Gives walkers and bikes the speeds of the slopes. Returns the number of pieces that are not flat. */
  grade(ground: SmoothGround): Promise<number> {
    const columns = this.#columns;
    const pieces = {
      count: columns.start.length,
      nodeCount: columns.nodeLatitude.length,
      nodeLatitude: columns.nodeLatitude.values,
      nodeLongitude: columns.nodeLongitude.values,
      start: columns.start.values,
      end: columns.end.values,
      length: columns.length.values,
      shapeFirst: columns.shapeFirst.values,
      shapeLatitude: columns.shapeLatitude.values,
      shapeLongitude: columns.shapeLongitude.values,
      lie: this.#lie.values,
      forward: columns.forward.values,
      backward: columns.backward.values,
    };
    return gradePieces(pieces, this.#profiles, ground);
  }

  pieces(): Pieces {
    const columns = this.#columns;
    const pieces: Pieces = {
      count: columns.start.length,
      nodeCount: columns.nodeLatitude.length,
      nodeLatitude: columns.nodeLatitude.values,
      nodeLongitude: columns.nodeLongitude.values,
      nodeBlocked: columns.nodeBlocked.values,
      nodeRecords: new NodeRecords({
        nodes: this.#standingNodes.values,
        numbers: this.#standingNumbers.values,
        records: this.#standing.values,
      }),
      obstructed: {
        nodes: this.#obstructedNodes.values,
        numbers: this.#obstructedBy.values,
        obstacles: this.#obstacles.values,
      },
      timedBarriers: this.#timedBarriers,
      start: columns.start.values,
      end: columns.end.values,
      length: columns.length.values,
      forward: columns.forward.values,
      backward: columns.backward.values,
      record: columns.record.values,
      bearingStart: columns.bearingStart.values,
      bearingEnd: columns.bearingEnd.values,
      shapeFirst: columns.shapeFirst.values,
      shapeLatitude: columns.shapeLatitude.values,
      shapeLongitude: columns.shapeLongitude.values,
      profiles: this.#profiles.values,
      records: this.#records,
      rows: this.#rows.values,
      trafficForward: columns.trafficForward.values,
      trafficBackward: columns.trafficBackward.values,
      piecesOfWay: this.#piecesOfWay,
      brokenWays: this.#brokenWays,
      missingNodes: this.#missingNodes,
    };
    return joinDoubles(pieces, this.#profiles, this.#records);
  }
}

function lieOf(tags: Tags): Lie {
  if (tags.highway === "elevator" || (tags.conveying && tags.conveying !== "no")) return LIE.lift;
  const isRaised = (value: string | undefined) => value !== undefined && value !== "no";
  const isInside = tags.indoor === "yes" || tags.highway === "corridor";
  return isInside || isRaised(tags.bridge) || isRaised(tags.tunnel) ? LIE.structure : LIE.ground;
}
