import type { OsmWay } from "../osm/element.ts";

/** Number of a node that the extract lacks. */
export const LACKING = -1;

/** The nodes of the way at hand, in columns that every way uses again. */
export class WayNodes {
  count = 0;
  /** OSM ids. */
  ids = new Float64Array(2048);
  /** As `NodeFinder` numbers them, or LACKING. */
  numbers = new Float64Array(2048);
  /** [degrees]. */
  latitude = new Float64Array(2048);
  longitude = new Float64Array(2048);

  /** Makes room for a way of `count` nodes. OSM allows 2,000, other files may hold more. */
  begin(count: number): void {
    this.count = count;
    if (count <= this.ids.length) return;
    const length = count * 2;
    this.ids = new Float64Array(length);
    this.numbers = new Float64Array(length);
    this.latitude = new Float64Array(length);
    this.longitude = new Float64Array(length);
  }
}

/** Knows the nodes of an extract: a small number for each, and where those of a way are. */
export interface NodeFinder {
  /** All numbers are below. */
  readonly size: number;
  /** Rises with the id; LACKING where the extract has no such node. */
  numberOf(id: number): number;
  /** Fills in the nodes of a way. */
  locate(way: OsmWay, nodes: WayNodes): void;
}
