import type { Map as MapLibre } from "maplibre-gl";
import { useEffect, useRef } from "preact/hooks";
import { fitTo, type Padding, useShownMap } from "./map-view.tsx";
import { type Bounds, isAnyShown, isShown } from "./position.ts";

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

/** Pause after the last key before the map moves [ms]. */
const TYPING_MS = 500;

/** Moves the map to what is typed in a form, unless it is in view: who types positions sees what they are. */
export function ShowTyped({ bounds }: { bounds: Bounds | undefined }) {
  const shown = useShownMap();
  const key = bounds?.map((value) => value.toFixed(6)).join();
  useEffect(() => {
    if (!shown || !bounds) return;
    const timer = setTimeout(() => {
      if (!isShown(bounds, viewOf(shown.map))) fitTo(shown, bounds);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [shown?.map, key]);
  return null;
}

/** Moves the map to a box when it opens and shows none of these positions, as with an old address. */
export function NeverEmpty({ pairs, bounds }: { pairs: readonly (readonly number[])[]; bounds: Bounds | undefined }) {
  const shown = useShownMap();
  const isDone = useRef(false);
  useEffect(() => {
    if (!shown || !bounds || isDone.current) return;
    isDone.current = true;
    if (!isAnyShown(pairs, viewOf(shown.map))) fitTo(shown, bounds);
  }, [shown, bounds, pairs]);
  return null;
}

function viewOf(map: MapLibre): Bounds {
  const view = map.getBounds();
  return [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
}
