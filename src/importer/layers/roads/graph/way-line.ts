import { haversine } from "../../../../core/geo/distance.ts";
import { MICRO } from "./bearing.ts";
import type { WayNodes } from "./way-nodes.ts";

/** The line of the way at hand as the graph sees it: the nodes that the extract has, none twice in a row. */
export class WayLine {
  count = 0;
  /** Nodes of the way that the extract lacks. */
  missing = 0;
  /** [m]. */
  length = 0;
  ids = new Float64Array(0);
  /** Units of MICRO. */
  latitude = new Int32Array(0);
  longitude = new Int32Array(0);
  /** From the point before to this one [m]. */
  metres = new Float64Array(0);

  /** Takes the place of the way before. */
  take(nodes: WayNodes): void {
    if (nodes.count > this.ids.length) this.#enlarge(nodes.ids.length);
    this.count = 0;
    this.missing = 0;
    this.length = 0;
    for (let i = 0; i < nodes.count; i++) {
      if (!nodes.has(i)) this.missing++;
      else if (this.count === 0 || this.ids[this.count - 1] !== nodes.ids[i]) this.#add(nodes, i);
    }
  }

  #add(nodes: WayNodes, i: number): void {
    const at = this.count++;
    this.ids[at] = nodes.ids[i];
    this.latitude[at] = Math.round(nodes.latitude[i] * MICRO);
    this.longitude[at] = Math.round(nodes.longitude[i] * MICRO);
    if (at === 0) return;
    this.metres[at] = haversine(
      this.latitude[at - 1] / MICRO,
      this.longitude[at - 1] / MICRO,
      this.latitude[at] / MICRO,
      this.longitude[at] / MICRO,
    );
    this.length += this.metres[at];
  }

  #enlarge(length: number): void {
    this.ids = new Float64Array(length);
    this.latitude = new Int32Array(length);
    this.longitude = new Int32Array(length);
    this.metres = new Float64Array(length);
  }
}
