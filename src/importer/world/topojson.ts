/** The part of TopoJSON (Bostock, Metcalf 2013) that the atlases use: quantised arcs, polygons made of arc numbers. */
export interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: number[][][];
  objects: Record<string, { geometries: TopoGeometry[] }>;
}

export interface TopoGeometry {
  type: string;
  id?: string;
  properties?: { name?: string; gu?: string };
  arcs?: number[][] | number[][][];
}

export type Corner = [longitude: number, latitude: number];

const decoded = new WeakSet<Topology>();

/** Every arc's corners [degrees]: steps on the grid summed up, then scaled. In place and once: an atlas has half a million of them. */
export function decodeArcs(atlas: Topology): Corner[][] {
  const { scale, translate } = atlas.transform;
  const arcs = atlas.arcs as Corner[][];
  if (decoded.has(atlas)) return arcs;
  decoded.add(atlas);
  for (const arc of arcs) {
    let x = 0;
    let y = 0;
    for (const corner of arc) {
      x += corner[0];
      y += corner[1];
      corner[0] = x * scale[0] + translate[0];
      corner[1] = y * scale[1] + translate[1];
    }
    for (const axis of [0, 1] as const) straighten(arc, axis, scale[axis]);
  }
  return arcs;
}

/** Borders along a whole degree: at least so long, and at most so far beside it in an atlas [degrees]. */
const MIN_STRAIGHT = 1;
const MAX_BESIDE = 0.015;

/**
 * Puts borders that were drawn along a parallel or meridian on it: Natural Earth has 49° N, 22° N and 141° W up to 1.2 km beside. The ends of
 * an arc, which other arcs share, stay.
 */
function straighten(arc: readonly Corner[], axis: 0 | 1, step: number): void {
  for (let from = 1, to = 2; from < arc.length - 2; from = to, to++) {
    const degree = Math.round(arc[from][axis]);
    if (Math.abs(arc[from][axis] - degree) > MAX_BESIDE) continue;
    while (to < arc.length - 1 && Math.abs(arc[to][axis] - arc[from][axis]) < 1.5 * step) to++;
    if (Math.abs(arc[to - 1][1 - axis] - arc[from][1 - axis]) < MIN_STRAIGHT) continue;
    for (let k = from; k < to; k++) arc[k][axis] = degree;
  }
}

/** The rings of a Polygon or MultiPolygon, outer ones and holes alike; none for other geometries. */
export function ringsOf(geometry: TopoGeometry, arcs: readonly Corner[][]): Corner[][] {
  const { type, arcs: numbers = [] } = geometry;
  const polygons =
    type === "Polygon" ? [numbers as number[][]] : type === "MultiPolygon" ? (numbers as number[][][]) : [];
  return polygons.flat().map((ring) => ring.flatMap((arc) => walk(arcs, arc)));
}

/** An arc without its last corner, which is the next one's first; a negative number ~i means arc i backwards. */
function walk(arcs: readonly Corner[][], arc: number): Corner[] {
  return arc >= 0 ? arcs[arc].slice(0, -1) : arcs[~arc].slice(1).reverse();
}
