import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * Gives back what nobody holds any more, now. Columns lie outside V8's heap, so that hundreds of megabytes of them may hang
 * on a few small objects that V8 sees no reason to look at: the step that comes next would stand beside them.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
