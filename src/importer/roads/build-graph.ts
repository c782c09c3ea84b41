import type { OsmElement, OsmNode, OsmRelation, OsmWay, Tags } from "../osm/element.ts";
import { assembleGraph } from "./assemble-graph.ts";
import { BorderLines } from "./borders.ts";
import type { CollectedRoads, GraphOptions, RoadWay } from "./collected-roads.ts";
import { MICRO } from "./micro.ts";
import { mayBeRoad, rulesOf } from "./profile.ts";
import { parseRestriction, type Restriction } from "./restrictions.ts";
import type { RoadGraph } from "./road-graph.ts";

/** The graph of a plain list of elements, in any order. */
export function buildGraph(elements: Iterable<OsmElement>, options: GraphOptions = {}): RoadGraph {
  const builder = new GraphBuilder(options);
  const list = [...elements];
  for (const element of list) {
    if (element.type === "way") builder.addWay(element);
    else if (element.type === "relation") builder.addRelation(element);
  }
  for (const element of list) if (element.type === "node") builder.addNode(element);
  return builder.finish();
}

/**
 * Builds the graph in two passes over an extract: first ways and relations (in any order), then nodes.
 * `needs(id)` says between the passes which nodes matter; others may be left out.
 */
export class GraphBuilder implements CollectedRoads {
  readonly options: GraphOptions;
  readonly ways: RoadWay[] = [];
  readonly restrictions: Restriction[] = [];
  readonly borders = new BorderLines();
  /** Node id → its number here; ends and crossings of roads have uses > 1. */
  readonly numbers = new Map<number, number>();
  readonly uses: number[] = [];
  readonly latitude: number[] = [];
  readonly longitude: number[] = [];
  readonly special = new Map<number, Tags>();

  constructor(options: GraphOptions = {}) {
    this.options = options;
  }

  addWay(way: OsmWay): void {
    this.borders.addWay(way);
    if (way.refs.length < 2 || !mayBeRoad(way.tags)) return;
    const rules = rulesOf(way.tags);
    if (!rules) return;
    this.ways.push({ id: way.id, refs: way.refs, tags: way.tags, rules });
    const last = way.refs.length - 1;
    for (let i = 0; i <= last; i++) {
      const number = this.numbers.get(way.refs[i]);
      const more = i === 0 || i === last ? 2 : 1;
      if (number === undefined) {
        this.numbers.set(way.refs[i], this.uses.length);
        this.uses.push(more);
      } else this.uses[number] += more;
    }
  }

  addRelation(relation: OsmRelation): void {
    this.borders.addRelation(relation);
    this.restrictions.push(...parseRestriction(relation));
  }

  needs(id: number): boolean {
    return this.numbers.has(id) || this.borders.needs(id);
  }

  /** Nodes that matter and have not been added. */
  *unplaced(): Generator<number> {
    for (const [id, number] of this.numbers) if (this.latitude[number] === undefined) yield id;
    yield* this.borders.unplaced();
  }

  addNode(node: OsmNode): void {
    this.borders.addNode(node);
    const number = this.numbers.get(node.id);
    if (number === undefined) return;
    this.latitude[number] = Math.round(node.latitude * MICRO);
    this.longitude[number] = Math.round(node.longitude * MICRO);
    if (Object.keys(node.tags).length > 0) this.special.set(number, node.tags);
  }

  finish(): RoadGraph {
    this.ways.sort((a, b) => a.id - b.id);
    return assembleGraph(this);
  }
}
