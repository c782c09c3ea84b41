import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { OsmNode, OsmRelation, OsmWay } from "../../../osm/pbf/element.ts";
import type { SmoothGround } from "../grades/smooth-ground.ts";
import type { OperatorSpeeds } from "../profiles/apply-speeds.ts";
import { EmissionZones, isEmissionZone } from "../profiles/emission-zones.ts";
import { isTouristBoat } from "../profiles/ferries.ts";
import { mayBeRoad } from "../profiles/profile.ts";
import { SkippedConditions } from "../profiles/skipped-conditions.ts";
import { isReadByRules, WayClasses } from "../profiles/way-classes.ts";
import { type Manoeuvre, parseManoeuvre } from "../turns/manoeuvres.ts";
import { parseRestriction, type Restriction } from "../turns/restrictions.ts";
import { decidesWhoPasses } from "./barriers.ts";
import { BorderLines } from "./borders.ts";
import { BuiltUp } from "./built-up.ts";
import { Column } from "./column.ts";
import { Junctions } from "./junctions.ts";
import { type Locate, WayNodes } from "./way-nodes.ts";

export interface GraphOptions {
  /** The country of a place (ISO 3166-1): its law, and the side of the road, unless tags say otherwise. */
  country?: (at: Coordinate) => string | undefined;
  /** An operator's speeds on roads. */
  speeds?: OperatorSpeeds;
  /** Elevations of the ground, if any are imported. */
  ground?: SmoothGround;
}

/**
 * Data of an extract that is needed to cut its ways into pieces. Filled in three passes, in this order:
 * relations, ways, nodes; the ways come by once more afterwards (`PieceMaker`) and none of them is kept.
 */
export class CollectedRoads {
  readonly options: GraphOptions;
  readonly locate: Locate;
  readonly nodes: Junctions;
  readonly classes = new WayClasses();
  readonly restrictions: Restriction[] = [];
  readonly manoeuvres: Manoeuvre[] = [];
  readonly borders = new BorderLines();
  readonly zones = new EmissionZones();
  readonly builtUp = new BuiltUp();
  readonly skipped = new SkippedConditions();
  /** Ways that some mode may use, and their nodes. */
  ways = 0;
  refs = 0;
  /** All ways that came by: 1 where it is a road. */
  readonly #roads = new Column(Uint8Array, "ways");
  readonly #way = new WayNodes();

  /** `resources`: the file and the memory [bytes] of the sort of node ids. */
  constructor(locate: Locate, options: GraphOptions, resources: SortBudget) {
    this.locate = locate;
    this.options = options;
    this.nodes = new Junctions(resources);
  }

  get waysSeen(): number {
    return this.#roads.length;
  }

  addRelation(relation: OsmRelation): void {
    this.borders.addRelation(relation);
    if (relation.tags.type === "restriction") this.skipped.add(relation.tags, isRestriction);
    for (const restriction of parseRestriction(relation)) this.restrictions.push(restriction);
    const manoeuvre = parseManoeuvre(relation);
    if (manoeuvre) this.manoeuvres.push(manoeuvre);
  }

  /** Counts the roads at each node. */
  addWay(way: OsmWay): void {
    if (this.borders.wants(way)) {
      this.locate(way, this.#way);
      this.borders.addLine(this.#way);
    }
    if (isEmissionZone(way.tags) && way.refs[0] === way.refs[way.refs.length - 1]) {
      this.locate(way, this.#way);
      this.zones.add(way.tags, [ringOf(this.#way)]);
    }
    const isRoad =
      way.refs.length >= 2 && mayBeRoad(way.tags) && !isTouristBoat(way) && this.classes.of(way.tags) !== undefined;
    this.#roads.push(isRoad ? 1 : 0);
    if (!isRoad) return;
    this.ways++;
    this.skipped.add(way.tags, isReadByRules);
    this.refs += way.refs.length;
    this.locate(way, this.#way);
    this.#count(this.#way);
    if (this.options.country && way.tags.highway) this.builtUp.add(way.tags.highway, this.#way);
  }

  /** Was the way a road that came by as number `index` of all? */
  isRoad(index: number): boolean {
    return this.#roads.at(index) === 1;
  }

  addNode(node: OsmNode): void {
    this.nodes.stands(node);
    this.skipped.add(node.tags, decidesWhoPasses);
  }

  /** Ends and crossings are cut. A way that the extract's edge cut begins and ends at nodes that it has. */
  #count(way: WayNodes): void {
    let first = -1;
    let last = -1;
    for (let i = 0; i < way.count; i++) {
      if (!way.has(i)) continue;
      if (first < 0) first = i;
      last = i;
      this.nodes.use(way.ids[i], i === 0 || i === way.count - 1 ? 2 : 1);
    }
    if (first > 0) this.nodes.use(way.ids[first], 1);
    if (last >= 0 && last < way.count - 1) this.nodes.use(way.ids[last], 1);
  }
}

const isRestriction = (key: string) => key.startsWith("restriction");

/** The nodes of a closed way, those that the extract lacks left out. */
function ringOf(nodes: WayNodes): [longitude: number, latitude: number][] {
  const ring: [number, number][] = [];
  for (let i = 0; i < nodes.count; i++) if (nodes.has(i)) ring.push([nodes.longitude[i], nodes.latitude[i]]);
  return ring;
}

/** File and memory of an external sort. */
export interface SortBudget {
  path: string;
  memory: number;
}
