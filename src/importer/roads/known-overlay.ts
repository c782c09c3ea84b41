import { deserialize, serialize } from "node:v8";
import type { OverlayJob, OverlayResult, RoadsWorld } from "./roads-job.ts";
import type { RoadsSite } from "./roads-site.ts";

/** The overlay of all parts for a mode, in their order: of parts that are as they were in the import before it is taken from there. */
export async function* overlayOfParts(site: RoadsSite, world: RoadsWorld, mode: number): AsyncGenerator<OverlayResult> {
  const { crossings, kept } = site;
  const digests = await site.digests(world);
  const keys = kept ? digests.map((digest) => kept.key("overlay", `${mode}`, digest)) : [];
  const toJob = (part: number): OverlayJob => ({ kind: "overlay", world, part, mode, crossings });
  const numbers = Array.from({ length: world.parts.count }, (_, part) => part);
  const isKnown = numbers.map((part) => kept?.has(keys[part]) ?? false);
  const made = site.inOrder<number, OverlayResult>(
    numbers.filter((part) => !isKnown[part]),
    toJob,
  );
  const next = async (results: AsyncGenerator<OverlayResult>): Promise<OverlayResult> => {
    const { value } = await results.next();
    return value as OverlayResult;
  };
  try {
    for (const part of numbers) {
      const known = isKnown[part] ? kept?.find(keys[part]) : undefined;
      if (known) {
        const { cells, ...rest } = deserialize(known) as OverlayResult;
        // Copies: what is read lies in one piece of memory, and each cell may go to another thread.
        yield { ...rest, cells: cells.map((cell) => cell.slice()) };
        continue;
      }
      // One that was cut off in its file is made by itself.
      const result = await next(isKnown[part] ? site.inOrder<number, OverlayResult>([part], toJob) : made);
      kept?.put(keys[part], serialize(result));
      yield result;
    }
  } finally {
    await made.return(undefined);
  }
}
