import type { Progress } from "../../../common/progress.ts";
import { quiet } from "../../../common/progress.ts";
import type { LayerInput } from "../../../frame/layer.ts";
import type { OsmElement, OsmNode, OsmRelation, OsmWay } from "../../../osm/pbf/element.ts";
import { isEmissionZone } from "../profiles/emission-zones.ts";
import { assembleGraph } from "./assemble-graph.ts";
import { CollectedRoads, type GraphOptions, type SortBudget } from "./collected-roads.ts";
import { locateOnLine } from "./locate-nodes.ts";
import { PieceMaker } from "./make-pieces.ts";
import type { RoadGraph } from "./road-graph.ts";
import type { Locate } from "./way-nodes.ts";

/** More is not sooner: runs of a hundred megabytes are merged as fast as they are read [bytes]. */
const SORTED_AT_ONCE = 96e6;

/** The graph of an extract, in four passes over what the layer reads: none of its elements is kept. */
export async function graphOf(
  input: Pick<LayerInput, "scan" | "resources" | "multipolygon">,
  options: GraphOptions = {},
  progress: Progress = quiet,
): Promise<RoadGraph> {
  const { resources } = input;
  const sort = { path: resources.path("nodes"), memory: Math.min(resources.memory / 4, SORTED_AT_ONCE) };
  const roads = new CollectedRoads(locateOnLine, options, sort);
  try {
    await input.scan({
      relation: (relation) => {
        roads.addRelation(relation);
        if (!isEmissionZone(relation.tags)) return;
        const polygons = input.multipolygon(relation, { partial: true }) ?? [];
        roads.zones.add(
          relation.tags,
          polygons.flatMap(({ outer, inner }) => [outer, ...inner]),
        );
      },
    });
    await input.scan({
      way: (way) => {
        roads.addWay(way);
        progress.advance();
      },
    });
    await input.scan({ node: (node) => roads.addNode(node) });
    // Each comes by twice; how many there are is known now.
    progress.expect(2 * roads.waysSeen, "ways");
    const maker = new PieceMaker(roads);
    await input.scan({
      way: (way) => {
        maker.addWay(way);
        progress.advance();
      },
    });
    const graded = options.ground && (await maker.grade(options.ground));
    const graph = assembleGraph(roads, maker.pieces());
    return graded === undefined ? graph : { ...graph, report: { ...graph.report, graded } };
  } finally {
    roads.nodes.close();
  }
}

/** Memory in which no list of elements that a process holds needs files. */
const AMPLE: SortBudget = { path: "", memory: 2 ** 33 };

/** The graph of a plain list of elements, in any order. Of two with the same id the later one counts. */
export function buildGraph(
  elements: Iterable<OsmElement>,
  options: GraphOptions = {},
  resources: SortBudget = AMPLE,
): RoadGraph {
  const nodes = new Map<number, OsmNode>();
  const ways = new Map<number, OsmWay>();
  const relations = new Map<number, OsmRelation>();
  for (const element of elements) {
    if (element.type === "node") nodes.set(element.id, element);
    else if (element.type === "way") ways.set(element.id, element);
    else relations.set(element.id, element);
  }
  const roads = new CollectedRoads(locateAmong(nodes), options, resources);
  for (const relation of ascending(relations)) roads.addRelation(relation);
  for (const way of ascending(ways)) roads.addWay(way);
  for (const node of ascending(nodes)) roads.addNode(node);
  const maker = new PieceMaker(roads);
  for (const way of ascending(ways)) maker.addWay(way);
  return assembleGraph(roads, maker.pieces());
}

const ascending = <T extends OsmElement>(elements: ReadonlyMap<number, T>): T[] =>
  [...elements.values()].sort((a, b) => a.id - b.id);

const locateAmong =
  (list: ReadonlyMap<number, OsmNode>): Locate =>
  ({ refs }, nodes) => {
    nodes.begin(refs.length);
    for (let i = 0; i < refs.length; i++) {
      const node = list.get(refs[i]);
      nodes.ids[i] = refs[i];
      nodes.latitude[i] = node?.latitude ?? Number.NaN;
      nodes.longitude[i] = node?.longitude ?? Number.NaN;
    }
  };
