import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { METRES_PER_DEGREE } from "../../../src/core/geo/distance.ts";
import type { Mode } from "../../../src/core/routing/graph/modes.ts";
import { NoRoad, type Route, type RouteOptions, Router } from "../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { writeRoads } from "../../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement, Tags } from "../../../src/importer/osm/pbf/element.ts";
import { type RoadsBuild, wholeGraph } from "./graph/whole-graph.ts";

/**
 * A drawing is the map: letters and digits are nodes, a step right or down is 100 m; lines are for the eye only.
 *
 *     a--b--c          ways: { abc: "", bd: "oneway=yes" }      a way goes through its nodes in order; its name is its letters,
 *        |                                                      highway=primary unless it says otherwise
 *        d             turns: { "abc b bd": "no_right_turn" }   from, via (a node, or ways joined by +; both in type=manoeuvre), to
 */
export interface Scenario {
  map: string;
  /** Nodes → tags, as text: "highway=service access=private". */
  ways: Readonly<Record<string, string>>;
  nodes?: Readonly<Record<string, string>>;
  turns?: Readonly<Record<string, string>>;
  /** Metres between characters. */
  grid?: number;
  leftHand?: boolean;
  /** Of tiles and cells, for small ones [junctions]. */
  levelSizes?: readonly number[];
}

/** A working day between the rush hours. */
export const TUESDAY_AT_TEN = { day: 1, minute: 600 };

const ORIGIN: Coordinate = { latitude: 1, longitude: 1 };

export class World {
  readonly router: Router;
  readonly build: RoadsBuild;
  private readonly places: ReadonlyMap<string, Coordinate>;
  private readonly step: number;

  constructor(router: Router, build: RoadsBuild, places: ReadonlyMap<string, Coordinate>, step: number) {
    this.router = router;
    this.build = build;
    this.places = places;
    this.step = step;
  }

  /** "a", "ab" (halfway from a to b), "aab" (a third of the way), "a+0.5,-0.2" (grid steps right and down of a). */
  at(place: string): Coordinate {
    const [letters, offset] = place.split("+");
    const points = [...letters].map((letter) => {
      const point = this.places.get(letter);
      if (!point) throw new Error(`no node ${letter} in the drawing`);
      return point;
    });
    const [right, down] = (offset ?? "0,0").split(",").map(Number);
    const mean = (pick: (point: Coordinate) => number) => points.reduce((sum, p) => sum + pick(p), 0) / points.length;
    return {
      latitude: mean((point) => point.latitude) - down * this.step,
      longitude: mean((point) => point.longitude) + (right * this.step) / Math.cos((ORIGIN.latitude * Math.PI) / 180),
    };
  }

  async find(places: readonly string[], options: RouteOptions): Promise<Route | undefined> {
    try {
      return await this.router.route(
        places.map((place) => this.at(place)),
        options,
      );
    } catch (error) {
      if (error instanceof NoRoad) return undefined;
      throw error;
    }
  }

  /** The names of the roads travelled, each once in a row: "ab,bc". "" when there is no way. */
  async names(places: string, options: Partial<RouteOptions> = {}): Promise<string> {
    const route = await this.find(places.split(" "), { mode: "car", ...options });
    const names: string[] = [];
    for (const leg of route?.legs ?? []) {
      for (const { road, distance } of this.router.view(leg).path.pieces) {
        if (distance > 0.5 && names[names.length - 1] !== road.name) names.push(road.name);
      }
    }
    return names.join();
  }
}

export function parseTags(text: string): Tags {
  const tags: Record<string, string> = {};
  for (const [, key, quoted, plain] of text.matchAll(/(\S+?)=(?:"([^"]*)"|(\S*))/g)) tags[key] = quoted ?? plain;
  return tags;
}

export function elementsOf({ map, ways, nodes = {}, turns = {}, grid = 100 }: Scenario): {
  elements: OsmElement[];
  places: Map<string, Coordinate>;
} {
  const step = grid / METRES_PER_DEGREE;
  const elements: OsmElement[] = [];
  const places = new Map<string, Coordinate>();
  const ids = new Map<string, number>();
  map.split("\n").forEach((line, row) => {
    [...line].forEach((letter, column) => {
      if (!/[a-z0-9]/.test(letter)) return;
      const latitude = ORIGIN.latitude - row * step;
      const longitude = ORIGIN.longitude + (column * step) / Math.cos((ORIGIN.latitude * Math.PI) / 180);
      places.set(letter, { latitude, longitude });
      ids.set(letter, ids.size + 1);
      elements.push({ type: "node", id: ids.size, latitude, longitude, tags: parseTags(nodes[letter] ?? "") });
    });
  });
  const wayIds = new Map<string, number>();
  for (const [letters, text] of Object.entries(ways)) {
    const own = parseTags(text);
    const tags: Record<string, string> = { name: letters, ...own };
    if (!("highway" in own) && !KINDS.some((key) => key in own)) tags.highway = "primary";
    if (tags.highway === "") delete tags.highway;
    wayIds.set(letters, 1000 + wayIds.size);
    elements.push({
      type: "way",
      id: 1000 + wayIds.size - 1,
      refs: [...letters].map((letter) => {
        const id = ids.get(letter);
        if (id === undefined) throw new Error(`way ${letters}: no node ${letter}`);
        return id;
      }),
      tags,
    });
  }
  const wayId = (letters: string) => {
    const id = wayIds.get(letters);
    if (id === undefined) throw new Error(`no way ${letters}`);
    return id;
  };
  let relation = 1;
  for (const [turn, text] of Object.entries(turns)) {
    const [from, via, to] = turn.split(" ");
    const tags = text.includes("=") ? parseTags(text) : { restriction: text };
    elements.push({
      type: "relation",
      id: relation++,
      tags: { type: "restriction", ...tags },
      members: [
        { type: "way", ref: wayId(from), role: "from" },
        ...via
          .split("+")
          .map((name) =>
            ids.has(name)
              ? { type: "node" as const, ref: ids.get(name)!, role: "via" }
              : { type: "way" as const, ref: wayId(name), role: "via" },
          ),
        { type: "way", ref: wayId(to), role: "to" },
      ],
    });
  }
  return { elements, places };
}

/** Ways that are roads without a `highway`. */
const KINDS = ["route", "railway", "man_made", "amenity", "public_transport", "leisure", "bridge"];

/** Builds the map as an import would: elements, graph, tiles, packs, and a router that reads them. */
export async function build(scenario: Scenario): Promise<World> {
  const { elements, places } = elementsOf(scenario);
  const graph = buildGraph(elements, { country: () => (scenario.leftHand ? "MT" : undefined) });
  const objects = new Map<string, Uint8Array>();
  const { levelSizes } = scenario;
  const write = (key: string, bytes: Uint8Array) => void objects.set(key, bytes);
  const division = await writeRoads(graph, write, levelSizes && { levelSizes });
  const router = await Router.open(memorySource(objects));
  if (!router) throw new Error("the build has no manifest");
  return new World(router, wholeGraph(graph, division), places, (scenario.grid ?? 100) / METRES_PER_DEGREE);
}

/**
 * May a mode use a road with these tags? ">" along it, "<" against it, "x" both, "" neither. `node`: tags of a node that
 * stands in the middle.
 */
export async function accessOf(tags: string, mode: Mode, node = ""): Promise<string> {
  const world = await roadWith(tags, node);
  const open = async (from: string, to: string) => {
    const route = await world.find([from, to], { mode });
    return route !== undefined && route.distance > 800;
  };
  const forward = await open("ab", "bc");
  const backward = await open("bc", "ab");
  return forward ? (backward ? "x" : ">") : backward ? "<" : "";
}

/** The modes of a row of a table share the road. */
const roads = new Map<string, Promise<World>>();

function roadWith(tags: string, node: string): Promise<World> {
  const key = `${tags}|${node}`;
  const known = roads.get(key) ?? build({ map: "a--------b--------c", ways: { abc: tags }, nodes: { b: node } });
  roads.set(key, known);
  return known;
}

/** Speed along a road with these tags [km/h, one decimal], forward and backward; 0 where closed. */
export async function speedsOf(tags: string, mode: Mode): Promise<[forward: number, backward: number]> {
  const world = await build({ map: "a--------b", ways: { ab: tags }, grid: 1000 });
  const speed = async (from: string, to: string) => {
    const route = await world.find([from, to], { mode });
    return route ? Math.round((route.distance / route.duration) * 36) / 10 : 0;
  };
  return [await speed("aaab", "abbb"), await speed("abbb", "aaab")];
}
