import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PreviousReading } from "../../osm/read/cached-reading.ts";
import { readMoved } from "../../osm/read/moved-nodes.ts";
import { type Input, programHash } from "../fingerprints.ts";
import { PartCache } from "./part-cache.ts";

/** Under which name it is kept what reading an extract came to. */
const READING = "elements";

/** Results of reading the extract in the previous import. */
export const openReading = async (folder: string): Promise<PartCache> =>
  PartCache.open(folder, READING, await programHash());

/**
 * Cached results for reading one extract; undefined without a cache. `key` identifies them: reading that
 * was interrupted continues with the same alone.
 */
export async function previousReading(
  folder: string | undefined,
  extracts: readonly string[],
  inputs: readonly Input[],
): Promise<{ key: string; open(): Promise<PreviousReading & { parts: PartCache }> } | undefined> {
  if (folder === undefined || extracts.length !== 1) return undefined;
  const [{ sha256: now }] = inputs;
  const { before, nodes: moved } = (await readMoved(extracts[0])) ?? { before: now, nodes: new Float64Array() };
  const there = await readFile(join(folder, `${READING}.index`)).catch(() => new Uint8Array());
  const hash = createHash("sha256").update(before).update(there).digest("hex");
  return {
    key: `-${hash.slice(0, 8)}`,
    open: async () => ({ parts: await openReading(folder), before, now, moved }),
  };
}
