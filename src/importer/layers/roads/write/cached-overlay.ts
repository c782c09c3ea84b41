import { cachedOrMade } from "./cached-parts.ts";
import type { OverlayResult, RoadsWorld } from "./roads-job.ts";
import type { RoadsSite } from "./roads-site.ts";

/** The overlay of all parts for a mode, in their order: unchanged parts come from the cache. */
export async function* overlayOfParts(site: RoadsSite, world: RoadsWorld, mode: number): AsyncGenerator<OverlayResult> {
  const { crossings, kept } = site;
  const digests = await site.digests(world);
  const keys = kept ? digests.map((digest) => kept.key("overlay", `${mode}`, digest)) : [];
  const results = cachedOrMade<OverlayResult>(site, world, keys, (part) => ({
    kind: "overlay",
    world,
    part,
    mode,
    crossings,
  }));
  for await (const { cells, ...rest } of results) {
    // Copies: what is read is in one piece of memory, and each cell may go to another thread.
    yield { ...rest, cells: cells.map((cell) => (cell.byteLength === cell.buffer.byteLength ? cell : cell.slice())) };
  }
}
