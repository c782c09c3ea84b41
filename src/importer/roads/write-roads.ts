import { DISTRICT_MAGIC, DISTRICT_VERSION } from "../../routing/district.ts";
import { MANIFEST_MAGIC, MANIFEST_VERSION } from "../../routing/manifest.ts";
import { MODES } from "../../routing/modes.ts";
import { districtKey, MANIFEST_KEY } from "../../routing/pack.ts";
import type { TimeWindow } from "../../routing/traffic.ts";
import { writeDistrict, writeManifest } from "../../routing/write-manifest.ts";
import type { Workroom } from "../layer.ts";
import { type Progress, quiet } from "../progress.ts";
import { deflatedObject } from "./deflated-object.ts";
import type { Division } from "./division.ts";
import { districtContents, manifestContent } from "./manifest-content.ts";
import { LEVEL_SIZES } from "./partition.ts";
import type { RoadGraph } from "./road-graph.ts";
import { type OpenGraph, RoadsSite, type WriteObject } from "./roads-site.ts";
import { divideGraph } from "./step-divide.ts";
import { type BitsOfMode, writeOverlay } from "./step-overlay.ts";
import { writeTiles } from "./step-tiles.ts";
import type { RoadGrids } from "./tile-grid.ts";

export type { OpenGraph, WriteObject };

export interface WriteRoadsOptions {
  /** Where memory, threads and files come from; without one all is done in memory, in place. */
  room?: Workroom;
  levelSizes?: readonly number[];
  /** The most junctions of a part: for tests that want many. */
  partSize?: number;
}

/**
 * Divides a graph into tiles, weighs the overlay for every mode and avoid set, and writes it all as objects, in steps that
 * are remembered: after an interruption the first that was not finished begins again. Answers how the graph was divided.
 */
export async function writeRoads(
  graph: RoadGraph | OpenGraph,
  write: WriteObject,
  { room, levelSizes = LEVEL_SIZES, partSize }: WriteRoadsOptions = {},
): Promise<Division> {
  const site = new RoadsSite(typeof graph === "function" ? graph : () => graph, write, room, partSize);
  const step = <T>(name: string, run: (progress: Progress) => Promise<T>) => (room ? room.step(name, run) : run(quiet));
  try {
    await step("dividing", (progress) => divideGraph(site, levelSizes, progress));
    const windows = await step("tiles", async (progress): Promise<readonly TimeWindow[]> => {
      await writeTiles(site, progress);
      return (await site.graph(true)).traffic?.windows ?? [];
    });
    const bits: BitsOfMode[] = [];
    for (let mode = 0; mode < MODES.length; mode++) {
      bits.push(await step(MODES[mode], (progress) => writeOverlay(site, mode, progress)));
    }
    await step("manifest", async () => {
      const grids = JSON.parse(site.store.text("grids")) as RoadGrids;
      let district = 0;
      for (const own of districtContents(site.division, bits, grids)) {
        const payload = writeDistrict(own, windows.length);
        await write(districtKey(district++), deflatedObject(DISTRICT_MAGIC, DISTRICT_VERSION, payload));
      }
      const content = manifestContent(site.division, bits, windows, grids);
      await write(MANIFEST_KEY, deflatedObject(MANIFEST_MAGIC, MANIFEST_VERSION, writeManifest(content)));
    });
    return site.division;
  } finally {
    await site.close();
  }
}
