import type { Coordinate } from "../../geo/coordinate.ts";
import type { OsmNode, OsmRelation, OsmWay, Tags } from "../osm/element.ts";
import type { OperatorSpeeds } from "./apply-speeds.ts";
import { BorderLines } from "./borders.ts";
import { Column } from "./column.ts";
import { mayBeRoad, rulesOf } from "./profile.ts";
import { parseRestriction, type Restriction } from "./restrictions.ts";
import { RoadNodes } from "./road-nodes.ts";
import type { Rules } from "./rules.ts";
import { LACKING, type NodeFinder, WayNodes } from "./way-nodes.ts";

export interface GraphOptions {
  /** Does traffic keep left here? A `driving_side` tag goes before it. Right when absent. */
  leftHand?: (at: Coordinate) => boolean;
  /** What an operator knows of the speeds on roads. */
  speeds?: OperatorSpeeds;
}

export interface RoadWay {
  id: number;
  tags: Tags;
  rules: Rules[];
}

/**
 * What must be known of an extract before its ways can be cut into pieces. Filled in three passes, in this order:
 * relations, ways, nodes; the ways come by once more afterwards (`PieceMaker`) and none of them is kept.
 */
export class CollectedRoads {
  readonly options: GraphOptions;
  readonly finder: NodeFinder;
  readonly nodes: RoadNodes;
  readonly restrictions: Restriction[] = [];
  readonly borders = new BorderLines();
  /** Ways that some mode may use, and their nodes. */
  ways = 0;
  refs = 0;
  /** All ways that came by: 1 where it is a road. */
  readonly #roads = new Column(Uint8Array, "ways");
  readonly #way = new WayNodes();

  constructor(finder: NodeFinder, options: GraphOptions = {}) {
    this.finder = finder;
    this.options = options;
    this.nodes = new RoadNodes(finder.size);
  }

  get waysSeen(): number {
    return this.#roads.length;
  }

  addRelation(relation: OsmRelation): void {
    this.borders.addRelation(relation);
    for (const restriction of parseRestriction(relation)) this.restrictions.push(restriction);
  }

  /** Counts the roads at each node. */
  addWay(way: OsmWay): void {
    if (this.borders.wants(way)) {
      this.finder.locate(way, this.#way);
      this.borders.addLine(this.#way);
    }
    const isRoad = way.refs.length >= 2 && mayBeRoad(way.tags) && rulesOf(way.tags) !== undefined;
    this.#roads.push(isRoad ? 1 : 0);
    if (!isRoad) return;
    this.ways++;
    this.refs += way.refs.length;
    this.finder.locate(way, this.#way);
    this.#count(this.#way);
  }

  /** Was the way a road that came by as number `index` of all? */
  isRoad(index: number): boolean {
    return this.#roads.at(index) === 1;
  }

  addNode({ id, tags }: OsmNode): void {
    const number = this.finder.numberOf(id);
    if (number !== LACKING) this.nodes.stands(number, tags);
  }

  /** Ends and crossings are cut. A way that the extract's edge cut begins and ends at nodes that it has. */
  #count({ count, numbers }: WayNodes): void {
    let first = -1;
    let last = -1;
    for (let i = 0; i < count; i++) {
      if (numbers[i] === LACKING) continue;
      if (first < 0) first = i;
      last = i;
      this.nodes.use(numbers[i], i === 0 || i === count - 1 ? 2 : 1);
    }
    if (first < 0) return;
    this.nodes.use(numbers[first], 2);
    this.nodes.use(numbers[last], 2);
  }
}
