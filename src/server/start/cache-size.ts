import { totalmem } from "node:os";
import { wholeNumber } from "../base/command.ts";

const MB = 1024 * 1024;
/** Of the machine's memory: a sixteenth, within these bounds [MB]. The least is what an isolate on Cloudflare caches. */
const SHARE = 1 / 16;
const [LEAST, MOST] = [52, 256];
/** What an operator may set [MB]. */
const BOUNDS = { min: 16, max: 16_384 };

/** The memory that this process may use: of the machine, or of its container [bytes]. */
export function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}

/**
 * GEODATA_CACHE_MB of a Worker on this machine: how much geodata each process caches, as an operator set it, or by the machine's memory,
 * which the processes share. workerd limits an isolate only by the memory that there is.
 * @throws UsageError
 */
export function cacheMegabytes(
  processes = 1,
  set = process.env.GEODATA_CACHE_MB,
  memoryBytes = usableMemory(),
): string {
  if (set) return String(wholeNumber(set, "GEODATA_CACHE_MB", BOUNDS));
  return String(Math.min(MOST, Math.max(LEAST, Math.floor((memoryBytes * SHARE) / processes / MB))));
}
