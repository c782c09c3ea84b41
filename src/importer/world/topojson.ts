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

/** Every arc's corners [degrees]: steps on the grid summed up, then scaled. */
export function decodeArcs({ transform: { scale, translate }, arcs }: Topology): Corner[][] {
  return arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]): Corner => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
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
