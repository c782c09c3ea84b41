import { memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import { guide } from "../../../../src/core/routing/guidance/steps/steps.ts";
import type { Step } from "../../../../src/core/routing/guidance/types.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { writeRoads } from "../../../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { type Drawing, lines, parseTags, World } from "./drawing.ts";

/** The same drawings the whole way: as OpenStreetMap elements through the importer, the tiles and the engine. */
export class EngineWorld {
  private readonly router: Router;
  private readonly places: ReadonlyMap<string, Coordinate>;
  private readonly mode: Mode;

  private constructor(router: Router, places: ReadonlyMap<string, Coordinate>, mode: Mode) {
    this.router = router;
    this.places = places;
    this.mode = mode;
  }

  static async of(drawing: Drawing): Promise<EngineWorld> {
    const { places } = new World(drawing);
    const graph = buildGraph(elementsOf(drawing, places), {
      country: () => (drawing.drivingSide === "left" ? "MT" : undefined),
    });
    const objects = new Map<string, Uint8Array>();
    await writeRoads(graph, (key, bytes) => {
      objects.set(key, bytes);
    });
    const router = await Router.open(memorySource(objects));
    if (!router) throw new Error("a drawing without roads");
    const mode = drawing.mode === "walking" ? "foot" : drawing.mode === "cycling" ? "bike" : "car";
    return new EngineWorld(router, places, mode);
  }

  async steps(from: string, to: string): Promise<Step[]> {
    const [start, goal] = [from, to].map((place) => this.places.get(place));
    if (!start || !goal) throw new Error(`no place ${from} or ${to}`);
    const route = await this.router.route([start, goal], { mode: this.mode });
    if (!route) throw new Error(`no way from ${from} to ${to}`);
    const { path, network } = this.router.view(route.legs[0], goal);
    return guide(path, network);
  }
}

function elementsOf(drawing: Drawing, places: ReadonlyMap<string, Coordinate>): OsmElement[] {
  const ids = new Map([...places.keys()].map((letter, index) => [letter, index + 1]));
  const id = (letter: string) => ids.get(letter) ?? 0;
  const tagsOfNode = new Map(
    lines(drawing.nodes).map((line) => {
      const [letter, ...words] = line.split(/\s+/);
      return [letter, parseTags(words)];
    }),
  );
  const elements: OsmElement[] = [...places].map(([letter, at]) => ({
    type: "node",
    id: id(letter),
    ...at,
    tags: tagsOfNode.get(letter) ?? {},
  }));
  const ways = lines(drawing.ways).map((line) => line.split(/\s+/));
  ways.forEach(([letters, ...words], index) => {
    const { mode, name = letters, ...tags } = parseTags(words);
    if (!tags.highway && !tags.route) tags.highway = "primary";
    if (name) tags.name = name;
    if (mode === "pushing") tags.bicycle = "dismount";
    elements.push({ type: "way", id: 1000 + index, refs: [...letters].map(id), tags });
  });
  lines(drawing.forbidden).forEach((line, index) => {
    const [from, via, to] = line.split(/\s+/);
    const wayWith = (a: string, b: string) => {
      const at = ways.findIndex(([letters]) => letters.includes(a + b) || letters.includes(b + a));
      return { type: "way" as const, ref: 1000 + at };
    };
    elements.push({
      type: "relation",
      id: 5000 + index,
      tags: { type: "restriction", restriction: "no_straight_on" },
      members: [
        { ...wayWith(from, via), role: "from" },
        { type: "node", ref: id(via), role: "via" },
        { ...wayWith(via, to), role: "to" },
      ],
    });
  });
  return elements;
}
