import { useEffect, useRef, useState } from "preact/hooks";
import { useShownMap } from "../map-view.tsx";
import { MAP_COLOURS } from "../marks/palette.ts";
import { UndoButton } from "./undo.tsx";

/** The drawn shape; one at a time. Circles have a tool of their own (circle.tsx). */
export type Shape =
  | { kind: "polygon"; ring: number[][] }
  | { kind: "point"; center: [number, number] }
  | { kind: "line"; pairs: number[][] };
export type ShapeKind = Shape["kind"];

const MODES = { polygon: "polygon", point: "point", line: "linestring" } as const;
type Drawing = import("terra-draw").TerraDraw;

interface DrawProps {
  kind: ShapeKind;
  shape: Shape | undefined;
  onChange: (shape: Shape) => void;
  /** Takes back the last change of the finished shape; undefined: there is none. */
  onUndo?: () => void;
}

/**
 * Draws and edits one shape with terra-draw. Without a shape, clicks draw it; otherwise its corners can be dragged.
 * The form next to the map has the same values, so that a shape can also be typed.
 */
export function Draw({ kind, shape, onChange, onUndo }: DrawProps) {
  const shown = useShownMap();
  const drawing = useRef<Drawing>(undefined);
  /** The shape that came from the map: what is handed back unchanged need not be drawn again. */
  const own = useRef<string>("");
  /** The shape as it is on the map, rounded as the map has it; undefined while it is put there. */
  const asDrawn = useRef<string | undefined>(undefined);
  /** Whether an unfinished shape has a corner that can be taken back. */
  const [hasCorner, setHasCorner] = useState(false);
  const latest = useRef({ kind, shape, onChange });
  latest.current = { kind, shape, onChange };

  useEffect(() => {
    if (!shown) return;
    let isOver = false;
    // For tests: clicks draw from now on.
    const sayReady = (kind: ShapeKind) => shown.map.getContainer().setAttribute("data-drawing", kind);
    const report = () => {
      const [feature] = drawing.current?.getSnapshot().filter(isShape) ?? [];
      const drawn = feature && shapeOf(latest.current.kind, feature.geometry);
      const text = JSON.stringify(drawn);
      // Report only changes of the shape: handles appear and disappear, and the initial shape is not a change.
      if (!drawn || asDrawn.current === undefined || text === asDrawn.current) return;
      own.current = asDrawn.current = text;
      latest.current.onChange(drawn);
    };
    const start = async () => {
      const { makeDrawing } = await import("./drawing.ts");
      if (isOver) return;
      const made = makeDrawing(shown.map, MAP_COLOURS[shown.theme]);
      drawing.current = made;
      made.start();
      made.on("finish", (id) => {
        report();
        if (made.getMode() !== "select") {
          made.setMode("select");
          made.selectFeature(id);
        }
      });
      // The library reports before its own state has changed.
      const noteCorners = () =>
        queueMicrotask(() => setHasCorner(!isOver && made.getMode() !== "select" && made.canUndo()));
      made.on("history", noteCorners);
      made.on("change", () => {
        noteCorners();
        if (made.getMode() === "select") report();
      });
      const { kind, shape } = latest.current;
      own.current = JSON.stringify(shape);
      asDrawn.current = undefined;
      asDrawn.current = drawShape(made, kind, shape);
      sayReady(kind);
    };
    void start();
    return () => {
      isOver = true;
      try {
        drawing.current?.stop();
      } catch {
        // The style it drew on is gone, and its layers with it.
      }
      drawing.current = undefined;
    };
  }, [shown]);

  useEffect(() => {
    if (!drawing.current || (shape && JSON.stringify(shape) === own.current)) return;
    own.current = JSON.stringify(shape);
    asDrawn.current = undefined;
    asDrawn.current = drawShape(drawing.current, kind, shape);
    shown?.map.getContainer().setAttribute("data-drawing", kind);
  }, [shown, kind, shape]);
  // A corner of an unfinished shape is taken back before the changes of a finished one.
  return <UndoButton onUndo={hasCorner ? () => drawing.current?.undo() : onUndo} />;
}

/** terra-draw keeps the handles of a selected shape in the same store; a shape is what is no handle. */
function isShape({ properties }: { properties: Record<string, unknown> }): boolean {
  return !["selectionPoint", "midPoint", "closingPoint", "coordinatePoint"].some((mark) => properties[mark]);
}

/** @returns the shape as it then is on the map, as text */
function drawShape(drawing: Drawing, kind: ShapeKind, shape: Shape | undefined): string {
  drawing.clear();
  if (!shape || shape.kind !== kind) {
    drawing.setMode(MODES[kind]);
    return "";
  }
  const id = drawing.getFeatureId();
  const geometry = geometryOf(shape);
  const [added] = drawing.addFeatures([{ id, type: "Feature", geometry, properties: { mode: MODES[kind] } } as never]);
  drawing.setMode("select");
  if (added?.valid) drawing.selectFeature(id);
  // The library may turn the ring the other way round.
  const put = drawing.getSnapshot().find((feature) => feature.id === id)?.geometry ?? geometry;
  return JSON.stringify(shapeOf(kind, put)) ?? "";
}

/** terra-draw rejects more than nine decimals, a tenth of a millimeter. */
const roundPairs = (pairs: number[][]) => pairs.map((pair) => pair.map((value) => Math.round(value * 1e7) / 1e7));

function geometryOf(shape: Shape): { type: string; coordinates: unknown } {
  if (shape.kind === "line") return { type: "LineString", coordinates: roundPairs(shape.pairs) };
  if (shape.kind === "point") return { type: "Point", coordinates: roundPairs([shape.center])[0] };
  return { type: "Polygon", coordinates: [roundPairs(shape.ring)] };
}

function shapeOf(kind: ShapeKind, geometry: { type: string; coordinates: unknown }): Shape | undefined {
  if (kind === "point" && geometry.type === "Point")
    return { kind, center: roundPairs([geometry.coordinates as number[]])[0] as [number, number] };
  if (kind === "line" && geometry.type === "LineString")
    return { kind, pairs: roundPairs(geometry.coordinates as number[][]) };
  return kind === "polygon" && geometry.type === "Polygon"
    ? { kind, ring: roundPairs((geometry.coordinates as number[][][])[0]) }
    : undefined;
}
