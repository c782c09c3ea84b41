import { LINE, POINT, type Properties } from "../../../../core/maps/tiles/mvt.ts";
import type { Piece } from "./piece.ts";

/** Half of the width that a road has at zoom 18, where a unit is a pixel [units of the finest tiles]. */
const HALF_WIDTHS: Readonly<Record<string, number>> = { minor_road: 9, major_road: 12, highway: 13 };
const HALF_SERVICE_WIDTH = 4;
/** A node is on its road: positions are rounded, and corners nearer than a unit to a straight line are removed [units]. */
const ON_ROAD = 3;
/** A crossing whose way passes here is drawn already [units]. */
const ON_CROSSING = 8;
/** Side of the cells in which points are looked up [units]. */
const CELL = 128;

interface Found {
  distance: number;
  /** Direction of the road, of length 1. */
  dx: number;
  dy: number;
  half: number;
}

/** Points of crossings of the layer roads → lines across the road that each is on; without a road, or with a way of its own, nothing. */
export function layCrossings(pieces: readonly Piece[], propertiesOf: (id: number) => Properties): Piece[] {
  const points = pieces.filter(({ type }) => type === POINT);
  if (points.length === 0) return [...pieces];
  const cells = new Map<number, Piece[]>();
  for (const point of points) {
    const [x, y] = point.parts[0];
    const key = cellKey(cellOf(x), cellOf(y));
    const list = cells.get(key);
    if (list) list.push(point);
    else cells.set(key, [point]);
  }
  const found = new Map<Piece, Found>();
  const drawn = new Set<Piece>();
  for (const piece of pieces) {
    if (piece.type !== LINE) continue;
    const { kind, kind_detail: detail } = propertiesOf(piece.properties);
    const isCrossing = kind === "path" && (detail === "crossing" || detail === "sidewalk");
    const half = detail === "service" ? HALF_SERVICE_WIDTH : HALF_WIDTHS[String(kind)];
    if (!isCrossing && half === undefined) continue;
    const reach = isCrossing ? ON_CROSSING : ON_ROAD;
    eachSegment(piece.parts, (ax, ay, bx, by) => {
      eachNear(
        cells,
        Math.min(ax, bx) - reach,
        Math.min(ay, by) - reach,
        Math.max(ax, bx) + reach,
        Math.max(ay, by) + reach,
        (point) => {
          const [x, y] = point.parts[0];
          const distance = distanceToSegment(x, y, ax, ay, bx, by);
          if (distance > reach) return;
          if (isCrossing) {
            drawn.add(point);
            return;
          }
          const length = Math.hypot(bx - ax, by - ay);
          if (distance < (found.get(point)?.distance ?? Infinity)) {
            found.set(point, { distance, dx: (bx - ax) / length, dy: (by - ay) / length, half });
          }
        },
      );
    });
  }
  return pieces.flatMap((piece) => {
    if (piece.type !== POINT) return [piece];
    const road = found.get(piece);
    if (!road || drawn.has(piece)) return [];
    const [x, y] = piece.parts[0];
    const [acrossX, acrossY] = [Math.round(-road.dy * road.half), Math.round(road.dx * road.half)];
    return [{ ...piece, type: LINE, parts: [[x - acrossX, y - acrossY, x + acrossX, y + acrossY]] }];
  });
}

const cellOf = (value: number) => Math.floor(value / CELL);
const cellKey = (x: number, y: number) => x * 4096 + y;

function eachSegment(
  parts: readonly number[][],
  visit: (ax: number, ay: number, bx: number, by: number) => void,
): void {
  for (const part of parts) {
    for (let i = 2; i < part.length; i += 2) {
      if (part[i] !== part[i - 2] || part[i + 1] !== part[i - 1]) visit(part[i - 2], part[i - 1], part[i], part[i + 1]);
    }
  }
}

function eachNear(
  cells: ReadonlyMap<number, readonly Piece[]>,
  left: number,
  top: number,
  right: number,
  bottom: number,
  visit: (point: Piece) => void,
): void {
  for (let x = cellOf(left); x <= cellOf(right); x++) {
    for (let y = cellOf(top); y <= cellOf(bottom); y++)
      for (const point of cells.get(cellKey(x, y)) ?? []) visit(point);
  }
}

function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
