import { availableParallelism } from "node:os";
import { wholeNumber } from "../base/command.ts";
import { usableMemory } from "./cache-size.ts";

/** The most processes: beyond, the main one has all it can do with what they pass on. */
const MOST = 16;
/** What each needs of the machine's memory [bytes], and the least with which there is more than one. */
const [MEMORY_EACH, MEMORY_FOR_TWO] = [1e9, 2e9];

/**
 * How many processes answer requests: as an operator set it, or one per core, as far as there is memory. @throws UsageError
 */
export function processCount(set: string, cores = availableParallelism(), memory = usableMemory()): number {
  if (set !== "auto") return wholeNumber(set, "--processes", { min: 1, max: MOST });
  if (memory < MEMORY_FOR_TWO) return 1;
  return Math.max(1, Math.min(MOST, cores, Math.floor(memory / MEMORY_EACH)));
}
