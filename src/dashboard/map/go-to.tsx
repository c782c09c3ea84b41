import { useEffect } from "preact/hooks";
import { fitTo, type Padding, useShownMap } from "./map-view.tsx";
import type { Bounds } from "./position.ts";

/** Moves the map to a box, once for each box. */
export function GoTo({ bounds, padding }: { bounds: Bounds | undefined; padding?: () => Padding }) {
  const shown = useShownMap();
  const key = bounds?.map((value) => value.toFixed(6)).join();
  // The same box in a new array is no reason to move.
  useEffect(() => {
    if (shown && bounds) fitTo(shown, bounds, padding?.());
  }, [shown?.map, key]);
  return null;
}
