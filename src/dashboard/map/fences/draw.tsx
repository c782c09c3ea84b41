import { useEffect, useRef } from "preact/hooks";
import { distance } from "../../../core/geo/distance.ts";
import { circleFeature, toCoordinate } from "../layers/features.ts";
import { useShownMap } from "../map-view.tsx";
import { MAP_COLOURS } from "../marks/palette.ts";

/** The drawn shape; one at a time. */
export type Shape =
  | { kind: "polygon"; ring: number[][] }
  | { kind: "circle"; center: [number, number]; radius: number }
  | { kind: "point"; center: [number, number] }
  | { kind: "line"; pairs: number[][] };
export type ShapeKind = Shape["kind"];

const MODES = { polygon: "polygon", circle: "circle", point: "point", line: "linestring" } as const;
type Drawing = import("terra-draw").TerraDraw;

interface DrawProps {
  kind: ShapeKind;
  shape: Shape | undefined;
  onChange: (shape: Shape) => void;
}

/**
 * Draws and edits one shape with terra-draw. Without a shape, clicks draw it; otherwise its corners can be dragged.
 * The form next to the map has the same values, so that a shape can also be typed.
 */
export function Draw({ kind, shape, onChange }: DrawProps) {
  const shown = useShownMap();
  const drawing = useRef<Drawing>(undefined);
  /** The shape that came from the map: what is handed back unchanged need not be drawn again. */
  const own = useRef<string>("");
  /** The shape as it is on the map, rounded as the map has it. */
  const asDrawn = useRef<string>("");
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
      if (!drawn || text === asDrawn.current) return;
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
      made.on("change", () => made.getMode() === "select" && report());
      const { kind, shape } = latest.current;
      own.current = JSON.stringify(shape);
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
    asDrawn.current = drawShape(drawing.current, kind, shape);
    shown?.map.getContainer().setAttribute("data-drawing", kind);
  }, [shown, kind, shape]);
  return null;
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
  return JSON.stringify(shapeOf(kind, geometry)) ?? "";
}

/** terra-draw rejects more than nine decimals, a tenth of a millimeter. */
const roundPairs = (pairs: number[][]) => pairs.map((pair) => pair.map((value) => Math.round(value * 1e7) / 1e7));

function geometryOf(shape: Shape): { type: string; coordinates: unknown } {
  if (shape.kind === "line") return { type: "LineString", coordinates: roundPairs(shape.pairs) };
  if (shape.kind === "point") return { type: "Point", coordinates: roundPairs([shape.center])[0] };
  if (shape.kind === "polygon") return { type: "Polygon", coordinates: [roundPairs(shape.ring)] };
  const { geometry } = circleFeature(toCoordinate(shape.center), shape.radius);
  return { type: "Polygon", coordinates: (geometry.coordinates as number[][][]).map(roundPairs) };
}

function shapeOf(kind: ShapeKind, geometry: { type: string; coordinates: unknown }): Shape | undefined {
  if (kind === "point" && geometry.type === "Point")
    return { kind, center: roundPairs([geometry.coordinates as number[]])[0] as [number, number] };
  if (kind === "line" && geometry.type === "LineString")
    return { kind, pairs: roundPairs(geometry.coordinates as number[][]) };
  if (geometry.type !== "Polygon") return undefined;
  const ring = roundPairs((geometry.coordinates as number[][][])[0]);
  if (kind === "polygon") return { kind, ring };
  if (kind !== "circle") return undefined;
  // The middle of a circle's corners, the closing one left out; the radius is the mean way to them.
  const corners = ring.slice(0, -1);
  const mean = (axis: number) => corners.reduce((sum, pair) => sum + pair[axis], 0) / corners.length;
  const center: [number, number] = [mean(0), mean(1)];
  const metres = corners.reduce((sum, pair) => sum + distance(toCoordinate(center), toCoordinate(pair)), 0);
  return { kind, center: roundPairs([center])[0] as [number, number], radius: Math.round(metres / corners.length) };
}
