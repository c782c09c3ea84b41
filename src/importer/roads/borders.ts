import type { OsmNode, OsmRelation, OsmWay } from "../osm/element.ts";

const CELL = 0.02;

/**
 * Where roads cross the border of a country: the ways of `boundary=administrative`, `admin_level=2`, on a grid of
 * 0.02° so that only lines near a road are looked at.
 */
export class BorderLines {
  readonly #lines = new Map<number, readonly number[]>();
  readonly #waiting = new Map<number, readonly number[]>();
  readonly #members = new Set<number>();
  readonly #nodes = new Map<number, [longitude: number, latitude: number] | undefined>();
  #grid: Map<string, [number, number, number, number][]> | undefined;

  addWay({ id, refs, tags }: OsmWay): void {
    if (tags.boundary === "administrative" && tags.admin_level === "2") this.#keep(id, refs);
    else if (this.#members.has(id)) this.#keep(id, refs);
    else if (tags.boundary === "administrative") this.#waiting.set(id, refs);
  }

  /** Member ways of a country's relation count too, where they say of themselves that they are boundaries. */
  addRelation({ members, tags }: OsmRelation): void {
    if (tags.boundary !== "administrative" || tags.admin_level !== "2") return;
    for (const { type, ref } of members) {
      if (type !== "way") continue;
      this.#members.add(ref);
      const refs = this.#waiting.get(ref);
      if (refs) this.#keep(ref, refs);
    }
  }

  #keep(id: number, refs: readonly number[]): void {
    this.#lines.set(id, refs);
    for (const ref of refs) if (!this.#nodes.has(ref)) this.#nodes.set(ref, undefined);
  }

  needs(id: number): boolean {
    return this.#nodes.has(id);
  }

  *unplaced(): Generator<number> {
    for (const [id, place] of this.#nodes) if (!place) yield id;
  }

  addNode({ id, longitude, latitude }: OsmNode): void {
    if (this.#nodes.has(id)) this.#nodes.set(id, [longitude, latitude]);
  }

  /** Does the stretch between two points cross a border? [degrees] */
  crosses(latA: number, lonA: number, latB: number, lonB: number): boolean {
    if (this.#lines.size === 0) return false;
    this.#grid ??= this.#buildGrid();
    for (const key of cellsOf(latA, lonA, latB, lonB)) {
      for (const [y1, x1, y2, x2] of this.#grid.get(key) ?? []) {
        const a = side(lonA, latA, lonB, latB, x1, y1);
        const b = side(lonA, latA, lonB, latB, x2, y2);
        if (a > 0 === b > 0) continue;
        if (side(x1, y1, x2, y2, lonA, latA) > 0 !== side(x1, y1, x2, y2, lonB, latB) > 0) return true;
      }
    }
    return false;
  }

  #buildGrid(): Map<string, [number, number, number, number][]> {
    const grid = new Map<string, [number, number, number, number][]>();
    for (const refs of this.#lines.values()) {
      for (let i = 1; i < refs.length; i++) {
        const a = this.#nodes.get(refs[i - 1]);
        const b = this.#nodes.get(refs[i]);
        if (!a || !b) continue;
        for (const key of cellsOf(a[1], a[0], b[1], b[0])) {
          const list = grid.get(key);
          if (list) list.push([a[1], a[0], b[1], b[0]]);
          else grid.set(key, [[a[1], a[0], b[1], b[0]]]);
        }
      }
    }
    return grid;
  }
}

function* cellsOf(latA: number, lonA: number, latB: number, lonB: number): Generator<string> {
  // A line that spans half the world would fill the grid; borders across the 180th meridian carry no roads.
  if (Math.abs(lonA - lonB) > 10 || Math.abs(latA - latB) > 10) return;
  const top = Math.floor(Math.max(latA, latB) / CELL);
  const right = Math.floor(Math.max(lonA, lonB) / CELL);
  for (let y = Math.floor(Math.min(latA, latB) / CELL); y <= top; y++) {
    for (let x = Math.floor(Math.min(lonA, lonB) / CELL); x <= right; x++) yield `${x},${y}`;
  }
}

const side = (ax: number, ay: number, bx: number, by: number, px: number, py: number) =>
  (bx - ax) * (py - ay) - (by - ay) * (px - ax);
