import { useEffect, useState } from "preact/hooks";

/**
 * One clock for everything on the screen that is of now: relative times, states, arrivals. It ticks while the page is looked at, and at once
 * when it is looked at again.
 */

export const EVERY_MS = 15_000;

const ticking = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (document.visibilityState !== "visible") return;
  for (const one of ticking) one();
}

/** @param step precision [ms]: a component is drawn again only when the result changes */
function useClock(step: number): number {
  const read = () => Math.floor(Date.now() / step) * step;
  const [now, setNow] = useState(read);
  useEffect(() => {
    const redraw = () => setNow(read());
    if (ticking.size === 0) {
      timer = setInterval(tick, EVERY_MS);
      document.addEventListener("visibilitychange", tick);
    }
    ticking.add(redraw);
    return () => {
      ticking.delete(redraw);
      if (ticking.size > 0) return;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [step]);
  return now;
}

/** Current time [ms]. */
export const useNow = () => useClock(1);

/** Current minute [ms], for queries that end now. */
export const useMinute = () => useClock(60_000);
