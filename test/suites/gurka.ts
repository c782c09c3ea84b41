import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memorySource } from "../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { METRES_PER_DEGREE } from "../../src/core/geo/distance.ts";
import type { Mode } from "../../src/core/routing/graph/modes.ts";
import { maneuverWord } from "../../src/core/routing/guidance/steps/maneuver-word.ts";
import { guide } from "../../src/core/routing/guidance/steps/steps.ts";
import { NoRoad, type Route, Router } from "../../src/core/routing/route/router.ts";
import { buildGraph } from "../../src/importer/layers/roads/graph/build-graph.ts";
import { writeRoads } from "../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement, OsmMember } from "../../src/importer/osm/pbf/element.ts";
import { parseTags } from "../core/routing/scenario.ts";
import { differenceOf } from "./differences.ts";
import type { FileResult, SuiteOptions } from "./suite.ts";

/**
 * A town of Valhalla's tests (test/gurka/*.cc), written as JSON by hand: the drawing, tags as "highway=primary oneway=yes",
 * restrictions, and what is asked. The name of a way is its letters.
 */
interface GurkaTown {
  title: string;
  map: string[];
  grid: number;
  ways: Record<string, string>;
  nodes?: Record<string, string>;
  /** `via`: a node, or ways joined by +. Other keys are tags. */
  relations?: { from: string; via: string; to: string; [tag: string]: string }[];
  rows: GurkaRow[];
}

interface GurkaRow {
  /** "A D": from, to. */
  ask: string;
  /** Valhalla's costings, by a blank. */
  modes: string;
  /** Names of the ways, each once in a row; "" where there is no way. */
  path?: string;
  /** Valhalla's maneuver types as the API's words. */
  maneuvers?: string;
  /** Local time: "2020-04-15T06:00". */
  at?: string;
  /** Why it is not compared. */
  not?: string;
}

const MODES: Record<string, Mode> = { auto: "car", truck: "truck", bicycle: "bike", pedestrian: "foot" };

/** The towns of the JSON files in a folder whose names contain one of `parts`, file by file. */
export async function* runGurka(
  folder: string,
  parts: readonly string[],
  { verbose, left }: SuiteOptions,
): AsyncGenerator<FileResult> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".json") && (parts.length === 0 || parts.some((part) => file.includes(part))))
    .sort();
  for (const file of files) {
    const result: FileResult = { file: file.replace(/\.json$/, ""), passed: 0, comparable: 0, left: 0 };
    const { towns } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { towns: GurkaTown[] };
    for (const town of towns) {
      const { router, places } = await build(town);
      for (const row of town.rows) {
        for (const costing of row.modes.split(" ")) {
          const label = `${file} | ${town.title} | ${row.ask} | ${costing}`;
          const mode = MODES[costing];
          const difference = () => differenceOf(`gurka/${result.file}`, town.title, `${row.ask} ${costing}`);
          const not = row.not ?? (mode ? difference() : `no mode ${costing}`);
          if (not) {
            result.left++;
            if (left) console.error(`LEFT ${label} | ${not}`);
            continue;
          }
          result.comparable++;
          const wrong = await wrongOf(router, places, row, mode);
          if (wrong === undefined) result.passed++;
          else if (verbose) console.error(`FAIL ${label}\n    ${wrong}`);
        }
      }
    }
    yield result;
  }
}

async function wrongOf(
  router: Router,
  places: ReadonlyMap<string, Coordinate>,
  { ask, path, maneuvers, at }: GurkaRow,
  mode: Mode,
): Promise<string | undefined> {
  const locations = ask.split(" ").map((name) => placeOf(places, name));
  const departure = at ? localTime(at) : undefined;
  let route: Route | undefined;
  try {
    route = await router.route(locations, departure ? { mode, departure } : { mode });
  } catch (error) {
    if (!(error instanceof NoRoad)) throw error;
  }
  const told = route ? toldOf(router, route, locations) : { path: "", maneuvers: "" };
  const wanted = { path: path ?? told.path, maneuvers: maneuvers?.split(",").map(plain).join() ?? told.maneuvers };
  if (told.path !== wanted.path) return `${told.path}\n    ${wanted.path} (expected)`;
  return told.maneuvers === wanted.maneuvers ? undefined : `${told.maneuvers}\n    ${wanted.maneuvers} (expected)`;
}

function toldOf(router: Router, route: Route, locations: readonly Coordinate[]) {
  const names: string[] = [];
  const words: string[] = [];
  route.legs.forEach((leg, index) => {
    const { path, network } = router.view(leg, locations[index + 1]);
    for (const { road, distance } of path.pieces) {
      if (distance > 0.5 && names[names.length - 1] !== road.name) names.push(road.name);
    }
    const steps = guide(path, network);
    steps.forEach((step, at) => {
      words.push(maneuverWord(step, steps[at - 1]));
    });
  });
  return { path: names.join(), maneuvers: words.map(plain).join() };
}

/** Sides of the road at the ends are left out, and "keep right" is a slight right: Valhalla bears right there. */
const plain = (word: string): string => word.replace(/^(start|destination)-.*/, "$1").replace(/^stay-/, "slight-");

function placeOf(places: ReadonlyMap<string, Coordinate>, name: string): Coordinate {
  const place = places.get(name);
  if (!place) throw new Error(`no place ${name}`);
  return place;
}

function localTime(at: string) {
  const date = new Date(`${at}:00Z`);
  return { day: (date.getUTCDay() + 6) % 7, minute: date.getUTCHours() * 60 + date.getUTCMinutes() };
}

async function build(town: GurkaTown): Promise<{ router: Router; places: Map<string, Coordinate> }> {
  const { elements, places } = elementsOf(town);
  const objects = new Map<string, Uint8Array>();
  await writeRoads(buildGraph(elements), (key, bytes) => void objects.set(key, bytes));
  const router = await Router.open(memorySource(objects));
  if (!router) throw new Error(`${town.title}: a town without roads`);
  return { router, places };
}

function elementsOf({ map, grid, ways, nodes = {}, relations = [] }: GurkaTown) {
  const step = grid / METRES_PER_DEGREE;
  const places = new Map<string, Coordinate>();
  const elements: OsmElement[] = [];
  map.forEach((line, row) => {
    [...line].forEach((name, column) => {
      if (!/[a-z0-9]/i.test(name)) return;
      const at = { latitude: 1 - row * step, longitude: 1 + (column * step) / Math.cos(Math.PI / 180) };
      places.set(name, at);
      elements.push({ type: "node", id: places.size, ...at, tags: parseTags(nodes[name] ?? "") });
    });
  });
  const ids = new Map([...places.keys()].map((name, index) => [name, index + 1]));
  const wayIds = new Map(Object.keys(ways).map((letters, index) => [letters, 1000 + index]));
  for (const [letters, text] of Object.entries(ways)) {
    const refs = [...letters].map((name) => ids.get(name)!);
    elements.push({ type: "way", id: wayIds.get(letters)!, refs, tags: { name: letters, ...parseTags(text) } });
  }
  relations.forEach(({ from, via, to, ...tags }, index) => {
    const way = (letters: string, role: string): OsmMember => ({ type: "way", ref: wayIds.get(letters)!, role });
    const middle: OsmMember[] =
      via.length === 1
        ? [{ type: "node", ref: ids.get(via)!, role: "via" }]
        : via.split("+").map((part) => way(part, "via"));
    const members = [way(from, "from"), ...middle, way(to, "to")];
    elements.push({ type: "relation", id: 5000 + index, members, tags: { type: "restriction", ...tags } });
  });
  return { elements, places };
}
