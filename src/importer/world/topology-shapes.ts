import { type Corner, decodeArcs, type TopoGeometry, type Topology } from "./topojson.ts";

/** A line between two areas, or along several, with the numbers of the geometries on its sides. */
interface SharedArc {
  line: Corner[];
  geometries: readonly number[];
}

/** The arcs that two or more areas of an object have in common: its inner borders, each once. */
export function sharedArcs(atlas: Topology, object: string): SharedArc[] {
  const users = new Map<number, Set<number>>();
  atlas.objects[object].geometries.forEach(({ type, arcs = [] }, geometry) => {
    if (type !== "Polygon" && type !== "MultiPolygon") return;
    for (const arc of (arcs as unknown[]).flat(2) as number[]) {
      const number = arc < 0 ? ~arc : arc;
      const known = users.get(number);
      if (known) known.add(geometry);
      else users.set(number, new Set([geometry]));
    }
  });
  const lines = decodeArcs(atlas);
  return [...users]
    .filter(([, geometries]) => geometries.size > 1)
    .sort(([a], [b]) => a - b)
    .map(([arc, geometries]) => ({ line: lines[arc], geometries: [...geometries] }));
}

/** The polygons of a Polygon or MultiPolygon: outer ring, then its holes; a ring does not repeat its first corner. */
export function polygonsOf({ type, arcs = [] }: TopoGeometry, lines: readonly Corner[][]): Corner[][][] {
  const polygons =
    type === "Polygon" ? [arcs as number[][]] : type === "MultiPolygon" ? (arcs as unknown as number[][][]) : [];
  return polygons.map((rings) =>
    rings.map((ring) => ring.flatMap((arc) => (arc < 0 ? lines[~arc].slice(1).reverse() : lines[arc].slice(0, -1)))),
  );
}
