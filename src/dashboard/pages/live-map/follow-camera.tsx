import { useEffect, useRef } from "preact/hooks";
import { useShownMap } from "../../map/map-view.tsx";

/** Zoom level for a selected user, if the map is farther away. */
const NEAR = 14;
/** Share of the map's width and height at each edge in which a user counts as leaving the view. */
const EDGE = 0.15;

interface FollowCameraProps {
  location: number[];
  isFollowed: boolean;
}

/**
 * Moves the map to the selected user, and keeps the user in view: in the center while followed, else on the map. A viewer who moves the
 * map by hand looks elsewhere, until the user is followed or selected again.
 */
export function FollowCamera({ location: [longitude, latitude], isFollowed }: FollowCameraProps) {
  const shown = useShownMap();
  const map = shown?.map;
  const hasMoved = useRef(false);
  const isElsewhere = useRef(false);
  useEffect(() => {
    if (!map) return;
    const onDrag = () => {
      isElsewhere.current = true;
    };
    map.on("dragstart", onDrag);
    return () => {
      map.off("dragstart", onDrag);
    };
  }, [map]);
  useEffect(() => {
    if (!map) return;
    const center: [number, number] = [longitude, latitude];
    if (!hasMoved.current || isFollowed) {
      hasMoved.current = true;
      isElsewhere.current = false;
      map.easeTo({ center, zoom: Math.max(map.getZoom(), NEAR), duration: 600 });
      return;
    }
    if (isElsewhere.current) return;
    const { x, y } = map.project(center);
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    const isInView = x > width * EDGE && x < width * (1 - EDGE) && y > height * EDGE && y < height * (1 - EDGE);
    if (!isInView) map.easeTo({ center, duration: 600 });
  }, [map, longitude, latitude, isFollowed]);
  return null;
}
