import type { Marker } from "maplibre-gl";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { destination, distance } from "../../../core/geo/distance.ts";
import { metres } from "../../parts/values/format.tsx";
import { circleFeature, EMPTY, featureCollection, toCoordinate } from "../layers/features.ts";
import { useLayers } from "../layers/use-layers.ts";
import { useShownMap } from "../map-view.tsx";

export interface CircleShape {
  kind: "circle";
  center: [number, number];
  /** [m] */
  radius: number;
}

interface CircleDrawProps {
  shape: CircleShape | undefined;
  /** Radius of a circle whose center is clicked [m]. */
  firstRadius: number;
  /** Least and most of the radius [m]. */
  bounds: readonly [number, number];
  onChange: (shape: CircleShape) => void;
}

/** Steps of a handle that is moved by arrow keys, as a share of the radius. */
const STEP = 0.1;
const EAST = 90;

/**
 * A circle with two handles: its center, and one on its edge with the radius beside it. A click sets the center; the arrow keys move what
 * has the focus.
 */
export function CircleDraw({ shape, firstRadius, bounds: [least, most], onChange }: CircleDrawProps) {
  const shown = useShownMap();
  /** The circle while a handle is dragged: the form gets it at the end of each move. */
  const [dragged, setDragged] = useState<CircleShape>();
  const now = dragged ?? shape;
  const latest = useRef({ shape: now, onChange });
  latest.current = { shape: now, onChange };
  const handles = useRef<{ center: Marker; edge: Marker }>(undefined);
  const area = useMemo(
    () => (now ? featureCollection([circleFeature(toCoordinate(now.center), now.radius)]) : EMPTY),
    [now],
  );
  useLayers("drawn-circle", area, ({ accent }) => [
    { id: "drawn-circle-area", type: "fill", paint: { "fill-color": accent, "fill-opacity": 0.2 } },
    { id: "drawn-circle-edge", type: "line", paint: { "line-color": accent, "line-width": 3 } },
  ]);
  const clamp = (radius: number) => Math.round(Math.max(least, Math.min(most, radius)));

  useEffect(() => {
    if (!shown || shape) return;
    const { map } = shown;
    map.getContainer().setAttribute("data-drawing", "circle");
    const click = ({ lngLat }: { lngLat: { wrap(): { lng: number; lat: number } } }) => {
      const { lng, lat } = lngLat.wrap();
      latest.current.onChange({ kind: "circle", center: rounded([lng, lat]), radius: clamp(firstRadius) });
    };
    map.on("click", click);
    return () => {
      map.off("click", click);
    };
  }, [shown, shape === undefined, firstRadius]);

  const isThere = now !== undefined;
  useEffect(() => {
    if (!shown || !isThere) return;
    let isOver = false;
    const put = async () => {
      const { maplibre } = await import("../engine.ts");
      const { shape: first } = latest.current;
      if (isOver || !first) return;
      const handle = (name: string) => {
        const element = document.createElement("button");
        element.type = "button";
        element.className = `circle-handle ${name}`;
        return new maplibre.Marker({ element, draggable: true });
      };
      const [center, edge] = [handle("center"), handle("edge")];
      const read = (): CircleShape => {
        const { lng, lat } = center.getLngLat().wrap();
        return { kind: "circle", center: rounded([lng, lat]), radius: latest.current.shape?.radius ?? firstRadius };
      };
      const resized = (): CircleShape => {
        const { lng, lat } = edge.getLngLat().wrap();
        const own = read();
        return { ...own, radius: clamp(distance(toCoordinate(own.center), toCoordinate([lng, lat]))) };
      };
      for (const [marker, shapeNow] of [
        [center, read],
        [edge, resized],
      ] as const) {
        marker.on("drag", () => setDragged(shapeNow()));
        marker.on("dragend", () => {
          latest.current.onChange(shapeNow());
          setDragged(undefined);
        });
      }
      center.getElement().addEventListener("keydown", (event) => {
        const direction = DIRECTIONS[event.key];
        const { shape: before } = latest.current;
        if (direction === undefined || !before) return;
        event.preventDefault();
        event.stopPropagation();
        const to = destination(toCoordinate(before.center), direction, before.radius * STEP);
        latest.current.onChange({ ...before, center: rounded([to.longitude, to.latitude]) });
      });
      edge.getElement().addEventListener("keydown", (event) => {
        const direction = DIRECTIONS[event.key];
        const { shape: before } = latest.current;
        if (direction === undefined || !before) return;
        event.preventDefault();
        event.stopPropagation();
        const factor = direction === 0 || direction === EAST ? 1 + STEP : 1 - STEP;
        latest.current.onChange({ ...before, radius: clamp(before.radius * factor) });
      });
      handles.current = { center, edge };
      place(handles.current, first);
      center.addTo(shown.map);
      edge.addTo(shown.map);
    };
    void put();
    return () => {
      isOver = true;
      handles.current?.center.remove();
      handles.current?.edge.remove();
      handles.current = undefined;
    };
  }, [shown, isThere]);

  useEffect(() => {
    if (handles.current && now) place(handles.current, now);
  }, [now]);
  return null;
}

const DIRECTIONS: Readonly<Record<string, number>> = { ArrowUp: 0, ArrowRight: EAST, ArrowDown: 180, ArrowLeft: 270 };

const rounded = (pair: readonly number[]) => pair.map((value) => Math.round(value * 1e7) / 1e7) as [number, number];

/** Moves the handles to a circle, and writes its radius beside the one on its edge. */
function place({ center, edge }: { center: Marker; edge: Marker }, { center: at, radius }: CircleShape): void {
  center.setLngLat(at);
  center.getElement().setAttribute("aria-label", "Center of the circle: arrow keys move it");
  const { longitude, latitude } = destination(toCoordinate(at), EAST, radius);
  edge.setLngLat([longitude, latitude]);
  const element = edge.getElement();
  element.setAttribute("aria-label", `Radius of ${metres(radius)}: arrow keys change it`);
  element.dataset.radius = metres(radius);
}
