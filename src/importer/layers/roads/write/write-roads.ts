import { MANIFEST_MAGIC, MANIFEST_VERSION } from "../../../../core/routing/graph/manifest.ts";
import { MODES } from "../../../../core/routing/graph/modes.ts";
import { districtKey, MANIFEST_KEY } from "../../../../core/routing/graph/pack.ts";
import type { TimeWindow } from "../../../../core/routing/graph/traffic.ts";
import { type HourlyTiles, writeManifest } from "../../../../core/routing/graph/write-manifest.ts";
import { writeZones, ZONES_KEY, ZONES_MAGIC, ZONES_VERSION } from "../../../../core/routing/graph/zones.ts";
import { type Progress, quiet } from "../../../common/progress.ts";
import type { LayerResources } from "../../../frame/layer.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import type { Division } from "../partition/division.ts";
import { LEVEL_SIZES } from "../partition/partition.ts";
import { deflatedObject } from "./deflated-object.ts";
import { hourlyTiles } from "./hourly-tiles.ts";
import { manifestContent } from "./manifest-content.ts";
import { type Carrying, type OpenGraph, RoadsSite, type WriteObject } from "./roads-site.ts";
import { divideGraph } from "./step-divide.ts";
import { type OverlayOfMode, writeOverlay } from "./step-overlay.ts";
import { writeTiles } from "./step-tiles.ts";

interface WriteRoadsOptions {
  /** Where memory, threads and files come from; without one all is done in memory, in place. */
  resources?: LayerResources;
  levelSizes?: readonly number[];
  /** The most junctions of a part: for tests that want many. */
  partSize?: number;
  /** Where the division comes from and goes to; those of the resources by default. */
  carrying?: Carrying;
}

/** What the manifest says about times. */
interface Times {
  windows: readonly TimeWindow[];
  hourly: HourlyTiles;
}

/**
 * Divides a graph into tiles, weighs the overlay for every mode and avoid set, and writes it all as objects, in steps that
 * are remembered: after an interruption the first that was not finished begins again. Returns how the graph was divided.
 */
export async function writeRoads(
  graph: RoadGraph | OpenGraph,
  write: WriteObject,
  { resources, levelSizes = LEVEL_SIZES, partSize, carrying }: WriteRoadsOptions = {},
): Promise<Division> {
  const open = typeof graph === "function" ? graph : () => graph;
  const site = new RoadsSite(open, write, resources, { partSize, ...(carrying && { carrying }) });
  const step = <T>(name: string, run: (progress: Progress) => Promise<T>) =>
    resources ? resources.step(name, run) : run(quiet);
  try {
    await step("dividing", (progress) => divideGraph(site, levelSizes, progress));
    const times = await step("tiles", async (progress): Promise<Times> => {
      await writeTiles(site, progress);
      const graph = await site.graph(true);
      const { traffic, zones } = graph;
      if (zones) await write(ZONES_KEY, deflatedObject(ZONES_MAGIC, ZONES_VERSION, writeZones(zones)));
      return { windows: traffic?.windows ?? [], hourly: hourlyTiles(graph, site.division) };
    });
    const overlays: OverlayOfMode[] = [];
    for (let mode = 0; mode < MODES.length; mode++) {
      overlays.push(await step(MODES[mode], (progress) => writeOverlay(site, mode, progress)));
    }
    await step("manifest", async () => {
      let district = 0;
      for (const tables of site.tables()) await write(districtKey(district++), tables);
      const [bits, packs] = [overlays.map((one) => one.bits), overlays.map((one) => one.packs)];
      const content = manifestContent(site.division, bits, packs, times.windows, site.grids, times.hourly);
      await write(MANIFEST_KEY, deflatedObject(MANIFEST_MAGIC, MANIFEST_VERSION, writeManifest(content)));
      await site.carry(levelSizes);
    });
    return site.division;
  } finally {
    await site.close();
  }
}
