import type { Coordinate } from "../../geo/coordinate.ts";
import { type PackClique, UNREACHABLE } from "../graph/pack.ts";
import type { Router } from "../route/router.ts";
import { startsOf } from "../search/end-points.ts";
import { OverlayWindow } from "../search/overlay.ts";
import type { RoadStore } from "../store/road-store.ts";
import { overlayLabels, takeWork } from "../store/search-labels.ts";
import { snap } from "../store/snap.ts";
import type { KnownCells, ReachOptions } from "./reach.ts";
import { spreadInto } from "./reach-search.ts";

/** Up to this many tiles are examined one by one: an hour's drive crosses several thousand. */
const FEW_TILES = 200;
/** Likewise of those along the edges, as a share of that. */
const EDGE_SHARE = 0.5;
/**
 * A road within a cell may be reached this share of the longest way across the cell before the end of the first edge that leads
 * into it, and at the latest a way across after the last of its edges.
 */
const BEFORE = 0.25;
/** If the edges of a tile are all reached within this share of the time needed to get there, their mean is used. */
const COARSE = 0.15;
/** Times and lengths of searches are tenths. */
const UNITS = 10;

const [labels] = overlayLabels;

export interface CellReachOptions
  extends Pick<ReachOptions, "mode" | "avoid" | "departure" | "vehicle" | "zones" | "byLength"> {
  /** Times [s], with `byLength` lengths [m], that separate the areas; positions beyond the last get no value. */
  limits: readonly number[];
  /** No relevant position is farther away [m]. */
  radius: number;
}

/** Time span in which a cell is reached. */
interface Span {
  /** If all its positions are on the same side of every limit, a time of one of them; otherwise undefined. */
  settled: number | undefined;
  /** Approximate time of the cell, if it is precise enough to draw a distant edge through it. */
  about: number | undefined;
}

/**
 * Finds the cells of the network that are entirely between two time limits from a place: isochrones can be drawn
 * without examining them. The search uses the cliques of the largest cells, then those inside the cells that a limit
 * crosses, and so on down to tiles. The tiles along the edges remain. If these are many, distant ones, for which a tile
 * is small compared with the route there, get the mean time at which their borders are reached.
 */
export class CellReach implements KnownCells {
  readonly #store: RoadStore;
  readonly #limits: readonly number[];
  /** By level and cell. */
  readonly #settled: readonly Map<number, number>[];
  /** By tile. */
  readonly #about: ReadonlyMap<number, number>;

  private constructor(
    store: RoadStore,
    limits: readonly number[],
    settled: readonly Map<number, number>[],
    about: ReadonlyMap<number, number>,
  ) {
    this.#store = store;
    this.#limits = limits;
    this.#settled = settled;
    this.#about = about;
  }

  /** Undefined if only a few tiles are relevant, no road is near, or some required object cannot be read. */
  static async around(
    router: Router,
    origin: Coordinate,
    { radius, limits, byLength = false, ...travel }: CellReachOptions,
    few = FEW_TILES,
  ): Promise<CellReach | undefined> {
    const { store } = router;
    const opening = store.openAround([origin], radius);
    if (opening) await opening;
    if (store.tilesAround(origin, radius).size < few) return undefined;
    const metric = router.metric(travel);
    // The cliques of large cells are those of the default vehicle.
    if (metric.variant) return undefined;
    const { mainland, nearest } = await snap(store, origin, { mode: metric.mode, metric });
    const starts = await startsOf(store, mainland.length > 0 ? mainland : nearest);
    if (starts.length === 0) return undefined;
    const window = new OverlayWindow(store, metric);
    await window.load(starts.map(({ tile }) => tile));
    const within = Math.max(...limits);
    const levels: Map<number, number>[] = [];
    const about = new Map<number, number>();
    const opened: [level: number, cell: number][] = [];
    let parents = [0];
    for (let level = store.manifest.levels - 1; level >= 1; level--) {
      const packs = await Promise.all(parents.map((parent) => store.pack(metric, level, parent)));
      for (const loaded of packs) if (loaded) window.add(level, loaded);
      if (store.isDamaged) return undefined;
      spreadInto(window, starts, opened, within, byLength);
      const settled = new Map<number, number>();
      const next: number[] = [];
      for (const loaded of packs) {
        for (let i = 0; loaded && i < loaded.pack.cliques.length; i++) {
          const cell = loaded.firstCell + i;
          const holdsStart = starts.some(({ tile }) => tile.cells[level] === cell);
          const clique = window.cliqueOf(window.numbering.cellAt(level, cell));
          const span = holdsStart || !clique ? undefined : spanOf(clique, limits, byLength);
          if (span?.settled !== undefined) settled.set(cell, span.settled);
          else next.push(cell);
          if (level === 1 && span?.about !== undefined) about.set(cell, span.about);
        }
      }
      levels[level] = settled;
      for (const cell of next) opened.push([level, cell]);
      parents = next;
      const turn = store.spend(takeWork());
      if (turn) await turn;
    }
    return new CellReach(store, limits, levels, parents.length > few * EDGE_SHARE ? about : new Map());
  }

  timeAmong(tiles: Iterable<number>): number | undefined {
    let [sum, count, sides, isCoarse] = [0, 0, 0, false];
    for (const tile of tiles) {
      const settled = this.#settledAround(tile);
      const time = settled ?? this.#about.get(tile);
      if (time === undefined) return undefined;
      isCoarse ||= settled === undefined;
      sides |= 1 << beyond(this.#limits, time);
      // Values far beyond the last limit are clamped to just beyond it: a mean that includes them is then near the
      // edge.
      sum += Math.min(time, Math.max(...this.#limits) * (1 + COARSE));
      count++;
    }
    const areAlike = (sides & (sides - 1)) === 0;
    if (count === 0 || (areAlike && sides === 1 << this.#limits.length)) return Number.POSITIVE_INFINITY;
    return areAlike || isCoarse ? sum / count : undefined;
  }

  /** Returns whether no road of a tile is reached within the last limit. */
  isBeyond(tile: number): boolean {
    return this.#settledAround(tile) === Number.POSITIVE_INFINITY;
  }

  #settledAround(tile: number): number | undefined {
    const cells = this.#store.cellsOf(tile);
    for (let level = cells.length - 1; level >= 1; level--) {
      const time = this.#settled[level].get(cells[level]);
      if (time !== undefined) return time;
    }
    return undefined;
  }
}

/** How many of the limits a time is beyond. */
const beyond = (limits: readonly number[], time: number) =>
  limits.reduce((sum, limit) => sum + (time > limit ? 1 : 0), 0);

/** By the labels at the edges into a cell and out of it. */
function spanOf(clique: PackClique, limits: readonly number[], byLength: boolean): Span {
  const { ins, outs, weight, none } = clique;
  const { key, duration } = labels;
  const times = (some: Int32Array) =>
    Array.from(some, (label) => (key[label] < UNREACHABLE ? duration[label] / UNITS : Number.POSITIVE_INFINITY));
  const into = times(ins);
  const first = Math.min(...into);
  // An unreached edge is beyond the last limit, and then others are close to it; or no route leads to its start.
  const known = [...into, ...times(outs)].filter(Number.isFinite);
  const last = Math.max(...known);
  const across = byLength ? clique.distance : clique.duration;
  let longest = 0;
  for (let i = 0; i < weight.length; i++) if (weight[i] !== none && across[i] > longest) longest = across[i];
  longest /= UNITS;
  const before = beyond(limits, first - longest * BEFORE);
  if (before === limits.length) return { settled: Number.POSITIVE_INFINITY, about: undefined };
  const mean = known.reduce((sum, time) => sum + time, 0) / known.length;
  return {
    settled: before === beyond(limits, last + longest) ? mean : undefined,
    about: last - first <= COARSE * first ? mean : undefined,
  };
}
