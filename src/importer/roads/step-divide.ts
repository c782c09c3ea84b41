import type { Progress } from "../progress.ts";
import { divisionOf } from "./division.ts";
import { partition } from "./partition.ts";
import type { RoadsSite } from "./roads-site.ts";

/** The first step: which junction lies in which cell. */
export async function divideGraph(site: RoadsSite, sizes: readonly number[], progress: Progress): Promise<void> {
  const { nodeCount, nodeLatitude, nodeLongitude, pieceStart, pieceEnd } = await site.graph(false);
  progress.expect(nodeCount, "junctions");
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
