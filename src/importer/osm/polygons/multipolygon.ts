import { ringContains } from "../../../core/geo/shapes/polygon.ts";
import type { Line, Polygon } from "./polygon.ts";
import { joinWays } from "./rings.ts";

/**
 * The polygons that member ways bound. Which ring is outer and which inner follows from where they are (a ring inside
 * an odd number of others is a hole), not from the roles, which are often missing or wrong.
 *
 * `locate` returns [longitude, latitude] of a node or undefined; nodes without a location are skipped of their ring.
 * `open` counts chains of ways that did not close, `missing` nodes skipped: the relation is cut or broken.
 */
export function assemblePolygons(
  ways: readonly (readonly number[])[],
  locate: (node: number) => [number, number] | undefined,
): { polygons: Polygon[]; open: number; missing: number } {
  const { rings, open } = joinWays(ways);
  let missing = 0;
  const lines: { line: Line; area: number; box: Box }[] = [];
  for (const ring of rings) {
    const line: Line = [];
    for (const node of ring) {
      const place = locate(node);
      if (place) line.push(place);
      else missing++;
    }
    if (line.length > 0 && (line[0][0] !== line[line.length - 1][0] || line[0][1] !== line[line.length - 1][1])) {
      line.push(line[0]);
    }
    const area = signedArea(line);
    if (line.length >= 4 && area !== 0) lines.push({ line, area, box: boxOf(line) });
  }
  // Large rings first: whatever holds a ring stands before it. Equal areas keep the order of the members.
  lines.sort((a, b) => Math.abs(b.area) - Math.abs(a.area));

  const depths: number[] = [];
  const outers = new Map<number, { outer: Line; inner: Line[] }>();
  lines.forEach(({ line, area, box }, index) => {
    let parent = -1;
    for (let i = index - 1; i >= 0 && parent < 0; i--) {
      if (boxHolds(lines[i].box, box) && ringHolds(lines[i].line, line)) parent = i;
    }
    depths[index] = parent < 0 ? 0 : depths[parent] + 1;
    if (depths[index] % 2 === 0) {
      outers.set(index, { outer: area > 0 ? line : line.slice().reverse(), inner: [] });
    } else outers.get(parent)?.inner.push(area < 0 ? line : line.slice().reverse());
  });
  return { polygons: [...outers.values()], open, missing };
}

/** Twice the area in square degrees, positive when counter-clockwise; walks across the 180th meridian in one piece. */
function signedArea(line: Line): number {
  let area = 0;
  let x = 0;
  let previous = line.length > 0 ? line[0][0] : 0;
  for (let i = 1; i < line.length; i++) {
    let step = line[i][0] - previous;
    if (step > 180) step -= 360;
    else if (step < -180) step += 360;
    const y0 = line[i - 1][1] - line[0][1];
    const y1 = line[i][1] - line[0][1];
    area += x * y1 - (x + step) * y0;
    x += step;
    previous = line[i][0];
  }
  return area;
}

type Box = [west: number, south: number, east: number, north: number];

function boxOf(line: Line): Box {
  const box: Box = [180, 90, -180, -90];
  for (const [longitude, latitude] of line) {
    box[0] = Math.min(box[0], longitude);
    box[1] = Math.min(box[1], latitude);
    box[2] = Math.max(box[2], longitude);
    box[3] = Math.max(box[3], latitude);
  }
  return box;
}

function boxHolds(outer: Box, inner: Box): boolean {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
}

/**
 * Rings of a valid area touch but never cross, so one point of the inner ring decides, if it does not lie on the outer
 * one: the first vertex they do not share, else the middle of an edge.
 */
function ringHolds(outer: Line, inner: Line): boolean {
  const shared = new Set(outer.map(([longitude, latitude]) => `${longitude} ${latitude}`));
  const free = inner.find(([longitude, latitude]) => !shared.has(`${longitude} ${latitude}`));
  if (free) return ringContains(outer, free[1], free[0]);
  return ringContains(outer, (inner[0][1] + inner[1][1]) / 2, (inner[0][0] + inner[1][0]) / 2);
}
