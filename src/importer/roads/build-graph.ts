import type { LayerInput } from "../layer.ts";
import type { OsmElement, OsmNode, OsmRelation, OsmWay } from "../osm/element.ts";
import type { Progress } from "../progress.ts";
import { quiet } from "../progress.ts";
import { assembleGraph } from "./assemble-graph.ts";
import { CollectedRoads, type GraphOptions } from "./collected-roads.ts";
import { PieceMaker } from "./make-pieces.ts";
import { finderIn } from "./node-finder.ts";
import type { RoadGraph } from "./road-graph.ts";
import { LACKING, type NodeFinder, type WayNodes } from "./way-nodes.ts";

/** The graph of an extract, in four passes over what the layer reads: none of its elements is kept. */
export async function graphOf(
  input: Pick<LayerInput, "scan" | "locations">,
  options: GraphOptions = {},
  progress: Progress = quiet,
): Promise<RoadGraph> {
  const roads = new CollectedRoads(finderIn(input), options);
  await input.scan({ relation: (relation) => roads.addRelation(relation) });
  await input.scan({ way: (way) => roads.addWay(way) });
  await input.scan({ node: (node) => roads.addNode(node) });
  progress.expect(roads.waysSeen, "ways");
  const maker = new PieceMaker(roads);
  await input.scan({
    way: (way) => {
      maker.addWay(way);
      progress.advance();
    },
  });
  return assembleGraph(roads, maker.pieces());
}

/** The graph of a plain list of elements, in any order. Of two with the same id the later one counts. */
export function buildGraph(elements: Iterable<OsmElement>, options: GraphOptions = {}): RoadGraph {
  const nodes = new Map<number, OsmNode>();
  const ways = new Map<number, OsmWay>();
  const relations = new Map<number, OsmRelation>();
  for (const element of elements) {
    if (element.type === "node") nodes.set(element.id, element);
    else if (element.type === "way") ways.set(element.id, element);
    else relations.set(element.id, element);
  }
  const roads = new CollectedRoads(new ListedNodes(nodes), options);
  for (const relation of ascending(relations)) roads.addRelation(relation);
  for (const way of ascending(ways)) roads.addWay(way);
  for (const node of ascending(nodes)) roads.addNode(node);
  const maker = new PieceMaker(roads);
  for (const way of ascending(ways)) maker.addWay(way);
  return assembleGraph(roads, maker.pieces());
}

const ascending = <T extends OsmElement>(elements: ReadonlyMap<number, T>): T[] =>
  [...elements.values()].sort((a, b) => a.id - b.id);

/** Nodes of a list, numbered by ascending id. */
class ListedNodes implements NodeFinder {
  readonly size: number;
  readonly #nodes: ReadonlyMap<number, OsmNode>;
  readonly #numbers: ReadonlyMap<number, number>;

  constructor(nodes: ReadonlyMap<number, OsmNode>) {
    this.size = nodes.size;
    this.#nodes = nodes;
    this.#numbers = new Map([...nodes.keys()].sort((a, b) => a - b).map((id, number) => [id, number]));
  }

  numberOf(id: number): number {
    return this.#numbers.get(id) ?? LACKING;
  }

  locate({ refs }: OsmWay, nodes: WayNodes): void {
    nodes.begin(refs.length);
    for (let i = 0; i < refs.length; i++) {
      const node = this.#nodes.get(refs[i]);
      nodes.ids[i] = refs[i];
      nodes.numbers[i] = node ? this.numberOf(node.id) : LACKING;
      nodes.latitude[i] = node?.latitude ?? 0;
      nodes.longitude[i] = node?.longitude ?? 0;
    }
  }
}
