import type { Progress } from "../../../common/progress.ts";
import { divisionOf } from "../partition/division.ts";
import { followedDivision } from "../partition/followed-division.ts";
import { partition } from "../partition/partition.ts";
import type { RoadsSite } from "./roads-site.ts";

/** The first step: which junction is in which cell. An update continues with the cells of the previous import. */
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
  let reported = 0;
  const step = (done: number) => {
    progress.advance(done - reported);
    reported = done;
  };
  const { threads } = site;
  site.division = divisionOf(
    await partition(nodeLatitude, nodeLongitude, pieceStart, pieceEnd, { sizes, threads, step }),
  );
}
