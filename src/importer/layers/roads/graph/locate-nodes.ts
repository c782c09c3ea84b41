import { NO_PLACE, type OsmWay } from "../../../osm/pbf/element.ts";
import type { WayNodes } from "./way-nodes.ts";

/** The nodes of a way of an import, which brings its line. @throws when it does not */
export function locateOnLine({ id, refs, line }: OsmWay, nodes: WayNodes): void {
  if (!line) throw new Error(`way ${id} came without its line`);
  nodes.begin(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const [longitude, latitude] = [line[2 * i], line[2 * i + 1]];
    nodes.ids[i] = refs[i];
    nodes.longitude[i] = longitude === NO_PLACE ? Number.NaN : longitude / 1e7;
    nodes.latitude[i] = latitude === NO_PLACE ? Number.NaN : latitude / 1e7;
  }
}
