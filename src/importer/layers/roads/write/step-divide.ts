import type { Progress } from "../../../common/progress.ts";
import { divisionOf } from "../partition/division.ts";
import { followedDivision } from "../partition/followed-division.ts";
import { partition } from "../partition/partition.ts";
import type { RoadsSite } from "./roads-site.ts";

/** The first step: which junction lies in which cell. An update goes on with the cells of the import before. */
export async function divideGraph(site: RoadsSite, sizes: readonly number[], progress: Progress): Promise<void> {
  const graph = await site.graph(false);
  const { nodeCount, nodeLatitude, nodeLongitude, pieceStart, pieceEnd } = graph;
  progress.expect(nodeCount, "junctions");
  const carried = site.carried();
  const followed = carried && followedDivision(graph, carried, sizes);
  site.entering = followed ? carried.firstEntering : new Int32Array(0);
  if (followed) {
    site.division = followed;
    progress.advance(nodeCount);
    return;
  }
  let told = 0;
  const step = (done: number) => {
    progress.advance(done - told);
    told = done;
  };
  const { threads } = site;
  site.division = divisionOf(
    await partition(nodeLatitude, nodeLongitude, pieceStart, pieceEnd, { sizes, threads, step }),
  );
}
