import { memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Less than this, and less than this share of the memory, is not worth the tenth of a second that a collection takes [bytes]. */
const MIN_COLLECTED_BYTES = 32e6;
const SHARE = 1 / 8;

let collect: (() => void) | undefined;

/**
 * Gives back the columns that no one holds any more, now. They are outside V8's heap, so that hundreds of megabytes of them may hang
 * on a few small objects that V8 sees no reason to look at: the next step would need its memory in addition.
 * @param memory that the step may hold [bytes]
 */
export function collectGarbage(memory: number): void {
  if (memoryUsage().arrayBuffers < Math.max(MIN_COLLECTED_BYTES, SHARE * memory)) return;
  collectNow();
}

/** Collects the garbage of this thread, whatever it holds. */
export function collectNow(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
