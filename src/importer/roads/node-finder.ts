import type { LayerInput } from "../layer.ts";
import { LACKING, type NodeFinder } from "./way-nodes.ts";

/** The nodes of an import: their places in its column of locations are their numbers. */
export function finderIn({ locations }: Pick<LayerInput, "locations">): NodeFinder {
  const { latitudes, longitudes } = locations.arrays;
  return {
    size: latitudes.length,
    numberOf: (id) => locations.indexOf(id),
    locate({ refs }, nodes) {
      nodes.begin(refs.length);
      for (let i = 0; i < refs.length; i++) {
        const number = locations.indexOf(refs[i]);
        nodes.ids[i] = refs[i];
        nodes.numbers[i] = number;
        nodes.latitude[i] = number === LACKING ? 0 : latitudes[number] / 1e7;
        nodes.longitude[i] = number === LACKING ? 0 : longitudes[number] / 1e7;
      }
    },
  };
}
