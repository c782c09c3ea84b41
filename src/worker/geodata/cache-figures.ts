import { BoundedCache } from "../../core/geo/bounded-cache.ts";

/** How often a layer's objects were found in the isolate's memory, and how often they had to be read. */
interface LayerFigures {
  hits: number;
  misses: number;
}

const layers = new Map<string, LayerFigures>();

/** The statistics of a layer, by its folder in the bucket: there are as many as there are formats. */
export function cacheFiguresOf(layer: string): LayerFigures {
  let figures = layers.get(layer);
  if (!figures) {
    figures = { hits: 0, misses: 0 };
    layers.set(layer, figures);
  }
  return figures;
}

/** All layers with requests, by name. */
export function cacheFigures(): [layer: string, figures: LayerFigures][] {
  return [...layers].filter(([, { hits, misses }]) => hits + misses > 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * A layer's view of a cache, which counts lookups: a found entry is a hit, an added one had to be read. For layers that
 * look things up themselves.
 */
export class CountedCache extends BoundedCache {
  readonly #cache: BoundedCache;
  readonly #figures: LayerFigures;

  constructor(layer: string, cache: BoundedCache) {
    super(cache.limit);
    this.#cache = cache;
    this.#figures = cacheFiguresOf(layer);
  }

  override get weight(): number {
    return this.#cache.weight;
  }

  override get(key: string): { readonly value: unknown } | undefined {
    const found = this.#cache.get(key);
    if (found) this.#figures.hits++;
    return found;
  }

  override put(key: string, value: unknown, weight?: number, shrink?: () => number): void {
    this.#figures.misses++;
    this.#cache.put(key, value, weight, shrink);
  }

  /** Data derived from a source is added afterwards, but was not read. */
  override source(key: string): Uint8Array | undefined {
    const found = this.#cache.source(key);
    if (found) this.#figures.misses--;
    return found;
  }

  override putSource(key: string, bytes: Uint8Array): void {
    this.#cache.putSource(key, bytes);
  }

  override resize(key: string, value: unknown, weight: number): void {
    this.#cache.resize(key, value, weight);
  }

  override claim(what: string, weight: number): void {
    this.#cache.claim(what, weight);
  }

  override delete(key: string): void {
    this.#cache.delete(key);
  }

  override clear(): void {
    this.#cache.clear();
  }
}
