import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ROADS_VERSION } from "../../../core/routing/graph/manifest.ts";
import type { GroundPlan } from "../../common/ground-plan.ts";
import type { Progress } from "../../common/progress.ts";
import type { Layer, LayerInput, LayerOutput } from "../../frame/layer.ts";
import { blocksOfPlan, SmoothGround } from "./grades/smooth-ground.ts";
import { graphOf } from "./graph/build-graph.ts";
import { minMemoryOfGraph } from "./graph/graph-memory.ts";
import { GraphReader } from "./graph/graph-reader.ts";
import type { RoadGraph } from "./graph/road-graph.ts";
import { OperatorSpeeds } from "./profiles/apply-speeds.ts";
import { countryFinder } from "./profiles/driving-side.ts";
import { readSpeedFile } from "./profiles/speed-file.ts";
import { MANOEUVRES } from "./turns/manoeuvres.ts";
import { minMemoryOfCells } from "./write/cells-memory.ts";
import { writeRoads } from "./write/write-roads.ts";

/** The road network for car, truck, foot and bike: tiles, overlay packs and a manifest. */
export const roadsLayer: Layer = {
  name: "roads",
  formatVersion: ROADS_VERSION,
  summary: "roads, paths and ferries for routing by car, truck, foot and bike",
  reads: {
    nodes: [
      "barrier",
      "highway=traffic_signals",
      "highway=stop",
      "highway=give_way",
      "highway=motorway_junction",
      "highway=mini_roundabout",
      "highway=elevator",
      "highway=crossing",
      "access",
      "vehicle",
      "motor_vehicle",
      "motorcar",
      "hgv",
      "bicycle",
      "foot",
    ],
    ways: [
      "highway",
      "route=ferry",
      "route=shuttle_train",
      "man_made=pier",
      "railway",
      "public_transport=platform",
      "amenity=parking",
      "amenity=parking_entrance",
      "leisure=track",
      "bridge=movable",
      "boundary=administrative",
      "boundary=low_emission_zone",
    ],
    relations: [
      "type=restriction",
      ...MANOEUVRES.map((type) => `type=${type}`),
      "boundary=administrative",
      "boundary=low_emission_zone",
    ],
  },

  files: ["speeds", "ground"],
  checks: { speeds: (path) => readSpeedFile(path, () => {}) },
  minMemory: (counts) => Math.max(minMemoryOfGraph(counts), minMemoryOfCells(counts)),

  async build(input, out) {
    const door = new GraphReader(input.resources.path("graph.columns"));
    const { junctions } = await input.resources.step("graph", async (ofStep) => {
      const graph = await collectGraph(input, out, ofStep);
      await door.save(graph);
      return { junctions: graph.nodeCount };
    });
    if (junctions === 0) return;
    const open = (wanted: { shapes: boolean }) => door.open(wanted);
    await writeRoads(open, (key, bytes) => out.write(key, bytes), { resources: input.resources });
  },
};

/** The graph of the extract, and what the report says of it. */
async function collectGraph(input: LayerInput, out: LayerOutput, progress: Progress): Promise<RoadGraph> {
  const speeds = await readSpeeds(input.files.speeds, out);
  const ground = await readGround(input.files.ground, out);
  const options = { country: countryFinder(), ...(speeds && { speeds }), ...(ground && { ground }) };
  const graph = await graphOf(input, options, progress);
  const { report } = graph;
  out.count("ways", report.ways);
  out.count("junctions", graph.nodeCount);
  out.count("directed edges", graph.edges.count);
  out.count("turn restrictions", report.restrictions - report.brokenRestrictions);
  if (graph.zones) out.count("low-emission zones", graph.zones.length);
  if (report.graded !== undefined) out.count("pieces of road with slopes", report.graded);
  if (report.brokenRestrictions > 0) out.count("left out: restrictions that fit no road", report.brokenRestrictions);
  if (report.unfollowedTurns > 0) out.count("left out: turns over too many roads", report.unfollowedTurns);
  if (report.skippedConditions > 0) {
    out.count("left out: conditions that are not understood", report.skippedConditions);
    for (const [text, count] of report.frequentlySkipped) out.note(`Not understood: ${text} (${count} times).`);
  }
  if (report.brokenWays > 0) out.count("left out: ways without nodes", report.brokenWays);
  if (report.missingNodes > 0) out.count("nodes missing from roads", report.missingNodes);
  if (speeds && input.files.speeds) reportUnused(speeds, basename(input.files.speeds), out);
  return graph;
}

async function readGround(path: string | undefined, out: LayerOutput): Promise<SmoothGround | undefined> {
  if (path === undefined) return undefined;
  const plan = JSON.parse(await readFile(path, "utf8")) as GroundPlan;
  for (const source of plan.sources) out.source(source);
  return new SmoothGround(blocksOfPlan(path, plan));
}

const PASSED_OVER = "left out: lines of the speeds that cannot be read";
const NO_ROAD = "left out: speeds of roads that are not here";

async function readSpeeds(path: string | undefined, out: LayerOutput): Promise<OperatorSpeeds | undefined> {
  if (path === undefined) return undefined;
  const table = await readSpeedFile(path, (line, reason) => {
    out.count(PASSED_OVER);
    out.note(`${basename(path)}, line ${line}: ${reason}.`);
  });
  out.count("windows of time with speeds of their own", table.windows.length);
  return new OperatorSpeeds(table);
}

function reportUnused(speeds: OperatorSpeeds, file: string, out: LayerOutput): void {
  for (const line of speeds.unused()) {
    out.count(NO_ROAD);
    out.note(`${file}, line ${line}: the extract has no road for cars with these ids.`);
  }
}
