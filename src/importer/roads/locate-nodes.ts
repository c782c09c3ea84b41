import type { LayerInput } from "../layer.ts";
import type { Locate } from "./way-nodes.ts";

/** Where the nodes of an import's ways are. */
export function locateIn({ locations }: Pick<LayerInput, "locations">): Locate {
  return ({ refs }, nodes) => {
    const { latitudes, longitudes } = locations.arrays;
    nodes.begin(refs.length);
    for (let i = 0; i < refs.length; i++) {
      const at = locations.indexOf(refs[i]);
      nodes.ids[i] = refs[i];
      nodes.latitude[i] = at < 0 ? Number.NaN : latitudes[at] / 1e7;
      nodes.longitude[i] = at < 0 ? Number.NaN : longitudes[at] / 1e7;
    }
  };
}
