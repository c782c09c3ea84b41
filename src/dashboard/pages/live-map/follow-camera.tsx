import { useEffect } from "preact/hooks";
import { useShownMap } from "../../map/map-view.tsx";

/** Zoom level for following a user. */
const NEAR = 14;

/** Keeps the map over who is followed. */
export function FollowCamera({ location: [longitude, latitude] }: { location: number[] }) {
  const shown = useShownMap();
  useEffect(() => {
    if (!shown) return;
    const { map } = shown;
    map.easeTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), NEAR), duration: 600 });
  }, [shown, longitude, latitude]);
  return null;
}
