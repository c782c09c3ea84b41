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
  }
  return arcs;
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
