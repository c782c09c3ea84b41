import type { OsmWay } from "../../../osm/pbf/element.ts";

/** The nodes of the way at hand, in columns that every way uses again. */
export class WayNodes {
  count = 0;
  /** OSM ids. */
  ids = new Float64Array(2048);
  /** [degrees]; NaN where the extract lacks the node. */
  latitude = new Float64Array(2048);
  longitude = new Float64Array(2048);

  /** Reserves memory for a way of `count` nodes. OSM allows 2,000, other files may hold more. */
  begin(count: number): void {
    this.count = count;
    if (count <= this.ids.length) return;
    this.ids = new Float64Array(count * 2);
    this.latitude = new Float64Array(count * 2);
    this.longitude = new Float64Array(count * 2);
  }

  /** Is node `i` in the extract? */
  has(i: number): boolean {
    return !Number.isNaN(this.latitude[i]);
  }
}

/** Fills in the nodes of a way. */
export type Locate = (way: OsmWay, nodes: WayNodes) => void;
