import { type Layer, MATCHES_PER_FEATURE } from "../tiles/vector-tile.ts";
import type { CompiledLayer } from "./compile-style.ts";
import type { Subject } from "./expression.ts";

/** Which features of a layer of a tile belong to a layer of a style, by their index. */
interface Matches {
  lists: Map<CompiledLayer, Uint32Array>;
  count: number;
}

/** Cached with the tile: the next map of the same tile has the same query. */
const known = new WeakMap<Layer, Matches>();

/** The features that a style's layer draws, as indices into `source.features`. */
export function matchingFeatures(layer: CompiledLayer, source: Layer, zoom: number): Uint32Array {
  if (layer.filterReadsZoom) return matched(layer, source, zoom);
  let matches = known.get(source);
  const found = matches?.lists.get(layer);
  if (found) return found;
  const list = matched(layer, source, zoom);
  // Memory estimates of tiles include space for this many.
  if (!matches || matches.count + list.length > MATCHES_PER_FEATURE * source.features.length) {
    matches = { lists: new Map(), count: 0 };
    known.set(source, matches);
  }
  matches.lists.set(layer, list);
  matches.count += list.length + 1;
  return list;
}

function matched(layer: CompiledLayer, { features }: Layer, zoom: number): Uint32Array {
  const subject: Subject = { zoom, type: 0, tags: {} };
  const list: number[] = [];
  const { filter } = layer;
  for (let i = 0; i < features.length; i++) {
    subject.type = features[i].type;
    subject.tags = features[i].tags;
    if (filter(subject)) list.push(i);
  }
  return Uint32Array.from(list);
}
