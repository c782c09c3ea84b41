import type { Metric } from "../graph/modes.ts";
import type { Tile } from "../graph/tile.ts";
import { MAX_WINDOWS, TRAFFIC_MODES } from "../graph/traffic.ts";
import { Findings } from "./findings.ts";
import { TileView } from "./tile-view.ts";

/** Number of views of a tile that are cached, of the 64 and more that are possible; likewise of findings. */
const MAX_VIEWS = 8;

/** Identifies a metric's view of a tile: a number, after the key of the variant if one makes a difference there. */
type ViewKey = number | string;

function keyOf(mode: number, avoid: number, bucket: number, state: number, variant: string): ViewKey {
  const number = ((state * 16 + bucket) * 16 + avoid) * 4 + mode;
  return variant === "" ? number : `${variant} ${number}`;
}

const variantKey = (tile: Tile, { mode, variant }: Metric): string =>
  variant ? variant.keyOf(tile.limitCodes(mode)) : "";

function viewKey(tile: Tile, metric: Metric): ViewKey {
  const { mode, avoid } = metric;
  return keyOf(mode, avoid, bucketOf(tile, metric), stateOf(tile, metric), variantKey(tile, metric));
}

/** Other modes than cars and trucks have the same speeds in all windows. */
const bucketOf = ({ traffic }: Tile, { mode, bucket = 0 }: Metric): number =>
  traffic && TRAFFIC_MODES.includes(mode) ? bucket : 0;

/** Likewise of the metric of its mode and hour that avoids nothing and has default speeds: arcs have the same numbers. */
const baseKey = (tile: Tile, metric: Metric): ViewKey =>
  keyOf(metric.mode, 0, 0, stateOf(tile, metric), variantKey(tile, metric));

/** A view with the same arcs: one of the same mode, hour and vehicle that avoids nothing, in any window. */
function siblingIn(views: ReadonlyMap<ViewKey, TileView>, tile: Tile, metric: Metric): TileView | undefined {
  if (views.size === 0) return undefined;
  const state = stateOf(tile, metric);
  const variant = variantKey(tile, metric);
  for (let bucket = 0; bucket <= MAX_WINDOWS; bucket++) {
    const view = views.get(keyOf(metric.mode, 0, bucket, state, variant));
    if (view) return view;
  }
  return undefined;
}

const stateOf = ({ hours }: Tile, { minutes }: Metric): number => (hours && minutes ? hours.stateAt(minutes) : 0);

/**
 * The views of all tiles of a build; they are dropped with the derived data of a tile, findings with the tile itself.
 */
export class TileViews {
  readonly #views = new WeakMap<Tile["kept"], Map<ViewKey, TileView>>();
  /** By the same keys; there is no view without. */
  readonly #findings = new WeakMap<Tile, Map<ViewKey, Findings>>();

  /** The view of a tile for a metric, if it exists. */
  atHand(tile: Tile, metric: Metric): TileView | undefined {
    const views = this.#views.get(tile.kept);
    const key = viewKey(tile, metric);
    const known = views?.get(key);
    // Moved to the end: the least recently used view is dropped first.
    if (known && views?.size === MAX_VIEWS) this.#foundFor(tile, metric, key);
    return known;
  }

  /** Creates a missing view. */
  make(tile: Tile, metric: Metric): TileView {
    const key = viewKey(tile, metric);
    const own = variantKey(tile, metric);
    const found = this.#foundFor(tile, metric, key);
    // Read only now: reserving memory for findings may have dropped the views.
    let views = this.#views.get(tile.kept);
    if (!views) {
      views = new Map();
      this.#views.set(tile.kept, views);
    }
    const bucket = bucketOf(tile, metric);
    const view = TileView.of(
      tile,
      { ...metric, bucket, variant: own === "" ? undefined : metric.variant },
      found,
      siblingIn(views, tile, metric),
    );
    views.set(key, view);
    // If that exceeds the limit, the tile may drop all its views, including this one.
    tile.resize(view.size);
    return view;
  }

  /**
   * Findings of a tile for a metric, which become the newest of the tile. Beyond MAX_VIEWS the oldest are dropped with
   * their view.
   */
  #foundFor(tile: Tile, metric: Metric, key: ViewKey): Findings {
    let all = this.#findings.get(tile);
    if (!all) {
      all = new Map();
      this.#findings.set(tile, all);
    }
    const known = all.get(key);
    if (known) all.delete(key);
    else if (all.size === MAX_VIEWS) this.#dropOldest(tile, all);
    const found = known ?? new Findings(tile, all.get(baseKey(tile, metric)));
    all.set(key, found);
    return found;
  }

  #dropOldest(tile: Tile, all: Map<ViewKey, Findings>): void {
    const [[oldest, found]] = all;
    all.delete(oldest);
    found.drop();
    const views = this.#views.get(tile.kept);
    const view = views?.get(oldest);
    if (!view) return;
    views?.delete(oldest);
    view.drop();
    tile.resize(-view.size);
    // The others continue to use its arcs.
    const heir = [...(views?.values() ?? [])].find((other) => other.arcs.first === view.arcs.first);
    heir?.inherit(view);
  }

  /** Drops the views of a tile. Current users of a view may continue. */
  drop(tile: Tile): void {
    for (const view of this.#views.get(tile.kept)?.values() ?? []) view.drop();
  }
}
