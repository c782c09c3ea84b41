import type { Progress } from "../../common/progress.ts";
import { BlockWriter, type StoreIndex } from "../store/block-store.ts";
import type { Clusters, FarElement } from "./far-elements.ts";
import { overBlocks, type Reading } from "./pass.ts";

/** As many are named in a note. */
const MAX_NAMED = 5;

/** A store without what lies far from everything else (content-areas.ts), and what that is. */
export async function leaveOutFar(
  reading: Reading,
  kind: "nodes" | "ways",
  index: StoreIndex,
  clusters: Clusters,
  progress: Progress,
): Promise<{ index: StoreIndex; far: FarElement[]; count: number }> {
  const writer = await BlockWriter.create(reading.work.folder, `near-${kind}.blocks`);
  const far: FarElement[] = [];
  let count = 0;
  progress.expect(index.count, kind);
  try {
    await overBlocks(
      reading,
      index,
      (block) => ({ job: "far", kind, block, clusters }),
      async (result) => {
        await writer.append(result);
        const { far: found = [] } = result;
        count += found.length;
        far.push(...found.slice(0, MAX_NAMED - far.length));
        progress.advance(result.count);
      },
    );
  } finally {
    await writer.close();
  }
  return { index: writer.index, far, count };
}

/** A note about all that was left out. */
export function farNote(found: readonly { far: readonly FarElement[]; count: number }[]): string[] {
  const count = found.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return [];
  const named = found.flatMap(({ far }) => far).slice(0, MAX_NAMED);
  const shown = named.map(
    ({ kind, id, latitude, longitude }) =>
      `${kind} ${id} ${kind === "way" ? "where it leads to" : "at"} ${latitude / 1e7}, ${longitude / 1e7}`,
  );
  const more = count > named.length ? `, and ${(count - named.length).toLocaleString("en-US")} more` : "";
  return [
    `Left out, as they are far from everything else: ${shown.join("; ")}${more}. What belongs there can be imported as a file of its own.`,
  ];
}
