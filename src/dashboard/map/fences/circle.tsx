import type { MapMouseEvent, Marker } from "maplibre-gl";
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
export function CircleDraw({ shape, firstRadius, bounds, onChange }: CircleDrawProps) {
  const shown = useShownMap();
  /** The circle while a handle is dragged: the form gets it at the end of each move. */
  const [dragged, setDragged] = useState<CircleShape>();
  const now = dragged ?? shape;
  const latest = useRef<Latest>({ shape: now, bounds, onChange, onDrag: setDragged });
  latest.current = { shape: now, bounds, onChange, onDrag: setDragged };
  const handles = useRef<Handles>(undefined);
  const area = useMemo(
    () => (now ? featureCollection([circleFeature(toCoordinate(now.center), now.radius)]) : EMPTY),
    [now],
  );
  useLayers("drawn-circle", area, ({ accent }) => [
    { id: "drawn-circle-area", type: "fill", paint: { "fill-color": accent, "fill-opacity": 0.2 } },
    { id: "drawn-circle-edge", type: "line", paint: { "line-color": accent, "line-width": 3 } },
  ]);
  const isThere = now !== undefined;
  useEffect(() => {
    if (!shown || isThere) return;
    const { map } = shown;
    map.getContainer().setAttribute("data-drawing", "circle");
    const click = ({ lngLat }: MapMouseEvent) => {
      const { lng, lat } = lngLat.wrap();
      latest.current.onChange({ kind: "circle", center: rounded([lng, lat]), radius: firstRadius });
    };
    map.on("click", click);
    return () => {
      map.off("click", click);
    };
  }, [shown, isThere, firstRadius]);
  useEffect(() => {
    if (!shown || !isThere) return;
    let isOver = false;
    void import("../engine.ts").then(({ maplibre }) => {
      const { shape: first } = latest.current;
      if (isOver || !first) return;
      handles.current = makeHandles(maplibre.Marker, latest);
      place(handles.current, first);
      for (const marker of Object.values(handles.current)) marker.addTo(shown.map);
    });
    return () => {
      isOver = true;
      for (const marker of Object.values(handles.current ?? {})) marker.remove();
      handles.current = undefined;
    };
  }, [shown, isThere]);
  useEffect(() => {
    if (handles.current && now) place(handles.current, now);
  }, [now]);
  return null;
}

interface Latest extends Pick<CircleDrawProps, "shape" | "bounds" | "onChange"> {
  onDrag: (shape: CircleShape | undefined) => void;
}
type Handles = Record<"center" | "edge", Marker>;

/** The two handles, which can be dragged, and moved by arrow keys. */
function makeHandles(Made: typeof Marker, latest: { current: Latest }): Handles {
  const handle = (name: string) => {
    const element = document.createElement("button");
    element.type = "button";
    element.className = `circle-handle ${name}`;
    return new Made({ element, draggable: true });
  };
  const handles = { center: handle("center"), edge: handle("edge") };
  const pairOf = (marker: Marker) => {
    const { lng, lat } = marker.getLngLat().wrap();
    return rounded([lng, lat]);
  };
  const withRadius = (shape: CircleShape, radius: number): CircleShape => {
    const [least, most] = latest.current.bounds;
    return { ...shape, radius: Math.round(Math.max(least, Math.min(most, radius))) };
  };
  const moved = (shape: CircleShape): CircleShape => ({ ...shape, center: pairOf(handles.center) });
  const resized = (shape: CircleShape) =>
    withRadius(shape, distance(toCoordinate(shape.center), toCoordinate(pairOf(handles.edge))));
  const stepped = (shape: CircleShape, direction: number): CircleShape => {
    const { longitude, latitude } = destination(toCoordinate(shape.center), direction, shape.radius * STEP);
    return { ...shape, center: rounded([longitude, latitude]) };
  };
  const grown = (shape: CircleShape, direction: number) =>
    withRadius(shape, shape.radius * (direction <= EAST ? 1 + STEP : 1 - STEP));
  for (const [marker, change, step] of [
    [handles.center, moved, stepped],
    [handles.edge, resized, grown],
  ] as const) {
    marker.on("drag", () => latest.current.shape && latest.current.onDrag(change(latest.current.shape)));
    marker.on("dragend", () => {
      if (latest.current.shape) latest.current.onChange(change(latest.current.shape));
      latest.current.onDrag(undefined);
    });
    marker.getElement().addEventListener("keydown", (event) => {
      const direction = DIRECTIONS[event.key];
      if (direction === undefined || !latest.current.shape) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current.onChange(step(latest.current.shape, direction));
    });
  }
  return handles;
}

const DIRECTIONS: Readonly<Record<string, number>> = { ArrowUp: 0, ArrowRight: EAST, ArrowDown: 180, ArrowLeft: 270 };

const rounded = (pair: readonly number[]) => pair.map((value) => Math.round(value * 1e7) / 1e7) as [number, number];

/** Moves the handles to a circle, and writes its radius beside the one on its edge. */
function place({ center, edge }: Handles, { center: at, radius }: CircleShape): void {
  center.setLngLat(at);
  center.getElement().setAttribute("aria-label", "Center of the circle: arrow keys move it");
  const { longitude, latitude } = destination(toCoordinate(at), EAST, radius);
  edge.setLngLat([longitude, latitude]);
  const element = edge.getElement();
  element.setAttribute("aria-label", `Radius of ${metres(radius)}: arrow keys change it`);
  element.dataset.radius = metres(radius);
}
