import type { BoundedCache } from "../../geo/bounded-cache.ts";
import { BoundedMap } from "../../geo/bounded-map.ts";
import { hoursOfArcs } from "../graph/hours-of-arcs.ts";
import type { Metric, Variant } from "../graph/modes.ts";
import { type NarrowTable, narrowed, scratchFor, tableBytes } from "../graph/narrow.ts";
import { metricName, type Pack, type PackClique } from "../graph/pack.ts";
import type { Tile } from "../graph/tile.ts";
import { joinCliques } from "./join-cliques.ts";
import { makeClique } from "./search-cells.ts";
import { takeWork } from "./search-labels.ts";
import type { TileView } from "./tile-view.ts";

/** A pack with the number of its first cell, the others follow. */
interface NumberedPack {
  pack: Pack;
  firstCell: number;
}

/** What cliques are computed from: a `RoadStore`. */
interface CellSource {
  pack(metric: Metric, level: number, parent: number): Promise<NumberedPack | undefined>;
  tileAtHand(index: number): Tile | undefined;
  tile(index: number): Promise<Tile | undefined>;
  view(tile: Tile, metric: Metric): TileView;
  spend(units: number): Promise<void> | undefined;
}

/** Variants whose cells a pack remembers: those of the requests in progress. */
const MAX_REMEMBERED = 4;
/** Searches of a vehicle in a cell before its clique is computed, and how many cells are counted. */
const SEARCHED_BEFORE = 2;
const MAX_COUNTED = 4096;
/** Objects of a table, in addition to its numbers [bytes]. */
const OBJECTS = 500;

/** The cells of a pack for a variant. */
export interface VariantPack {
  /** By cell, with the ids of edges; a stored clique where it is not computed yet, which may be wrong. */
  readonly tables: readonly NarrowTable[];
  /** By cell: whether its table may be wrong. */
  readonly isApproximate: readonly boolean[];
}

interface Remembered extends VariantPack {
  keys: readonly string[];
  version: number;
}

/**
 * Cliques of cells for vehicles unlike the default one (`Variant`), computed from those of the cells inside on demand and cached
 * like what is read. A cell without a limit that makes a difference has its stored clique; vehicles for which the same
 * limits make a difference in a cell share one.
 */
export class VariantCells {
  readonly #cache: BoundedCache;
  readonly #prefix: string;
  /** Raised by each table that is computed: packs remember until then. */
  #version = 0;
  readonly #packs = new WeakMap<NumberedPack, Map<string, Remembered>>();
  readonly #searches = new BoundedMap<string, number>(MAX_COUNTED);

  constructor(cache: BoundedCache, prefix: string) {
    this.#cache = cache;
    this.#prefix = prefix;
  }

  /** The cells of a pack, for a metric with a variant. */
  pack(metric: Metric, level: number, loaded: NumberedPack): VariantPack {
    const name = `${metricName(metric)} ${metric.variant!.id}`;
    let all = this.#packs.get(loaded);
    if (!all) {
      all = new Map();
      this.#packs.set(loaded, all);
    }
    const known = all.get(name);
    if (known?.version === this.#version) return known;
    const { pack, firstCell } = loaded;
    const keys = known?.keys ?? keysOf(pack, metric.variant!);
    const own = keys.map((key, i) => (key === "" ? pack.cliques[i] : this.#known(metric, level, firstCell + i, key)));
    const tables = own.map((table, i) => table ?? pack.cliques[i]);
    const found = { keys, tables, isApproximate: own.map((table) => table === undefined), version: this.#version };
    if (!known && all.size === MAX_REMEMBERED) all.delete(all.keys().next().value as string);
    all.set(name, found);
    return found;
  }

  /**
   * Returns whether so few searches have needed a cell's clique that they should look inside instead: computing one costs as much
   * as several searches. Called once for each of them.
   */
  isNew(metric: Metric, level: number, cell: number, key: string): boolean {
    const name = this.#keyOf(metric, level, cell, key);
    const count = this.#searches.get(name) ?? 0;
    this.#searches.set(name, count + 1);
    return count < SEARCHED_BEFORE;
  }

  /**
   * Computes a cell's clique, and those of the cells inside that it needs; undefined if an object cannot be read.
   * `stored`: its stored clique, for its edges.
   */
  async make(
    store: CellSource,
    metric: Metric,
    level: number,
    cell: number,
    stored: PackClique,
    key: string,
  ): Promise<NarrowTable | undefined> {
    const known = this.#known(metric, level, cell, key);
    if (known) return known;
    const made =
      level > 1 ? await this.#join(store, metric, level, cell, stored) : await tileTable(store, metric, cell, stored);
    const turn = store.spend(takeWork());
    if (turn) await turn;
    if (!made) return undefined;
    this.#version++;
    this.#cache.put(this.#keyOf(metric, level, cell, key), made, OBJECTS + tableBytes(made));
    return made;
  }

  async #join(
    store: CellSource,
    metric: Metric,
    level: number,
    cell: number,
    { ins, outs }: PackClique,
  ): Promise<NarrowTable | undefined> {
    const children = await store.pack(metric, level - 1, cell);
    if (!children) return undefined;
    const { pack, firstCell } = children;
    const keys = keysOf(pack, metric.variant!);
    // All tiles that will be needed, together.
    if (level === 2) await Promise.all(keys.map((key, i) => (key === "" ? undefined : store.tile(firstCell + i))));
    const tables: NarrowTable[] = [];
    for (const [i, key] of keys.entries()) {
      const stored = pack.cliques[i];
      const table = key === "" ? stored : await this.make(store, metric, level - 1, firstCell + i, stored, key);
      if (!table) return undefined;
      tables.push(table);
    }
    const labelOf = new Map<number, number>();
    const childOf: number[] = [];
    const rowOf: number[] = [];
    for (const [child, clique] of pack.cliques.entries()) {
      clique.ins.forEach((id, row) => {
        labelOf.set(id, childOf.push(child) - 1);
        rowOf.push(row);
      });
    }
    const inner = childOf.length;
    const starts = Array.from(ins, (id) => labelOf.get(id) ?? -1);
    outs.forEach((id, column) => {
      labelOf.set(id, inner + column);
    });
    const labels = pack.cliques.map((clique) => clique.outs.map((id) => labelOf.get(id)!));
    return joined(starts, outs.length, childOf, rowOf, labels, tables);
  }

  #known(metric: Metric, level: number, cell: number, key: string): NarrowTable | undefined {
    return this.#cache.get(this.#keyOf(metric, level, cell, key))?.value as NarrowTable | undefined;
  }

  /** With the complete metric: a window that changes nothing for the default vehicle may matter to another one. */
  #keyOf(metric: Metric, level: number, cell: number, key: string): string {
    return `${this.#prefix}variants/${metricName(metric)}/${level}/${cell}/${key}`;
  }
}

/** By cell: the limits that make a difference; of packs that do not list them, every vehicle is a case of its own. */
export const keysOf = ({ codes, cliques }: Pack, variant: Variant): string[] =>
  codes ? codes.map((own) => variant.keyOf(own)) : cliques.map(() => variant.id);

/** The clique of a tile, across its search cells. */
async function tileTable(
  store: CellSource,
  metric: Metric,
  index: number,
  stored: PackClique,
): Promise<NarrowTable | undefined> {
  const tile = store.tileAtHand(index) ?? (await store.tile(index));
  return tile && acrossTile(tile, metric, store.view(tile, metric), stored);
}

function acrossTile(tile: Tile, metric: Metric, view: TileView, { ins, outs }: PackClique): NarrowTable {
  const { cells } = view;
  const hours = tile.hours && hoursIn(tile, metric, view);
  // All of them first: they share the scratch memory.
  const tables = cells.ins.map((_, cell) =>
    hours?.cells.has(cell) ? makeClique(tile, cells, view.arcs, view.weight, cell, hours.arcs) : view.clique(cell),
  );
  const labelOf = new Int32Array(tile.edgeCount).fill(-1);
  const childOf: number[] = [];
  const rowOf: number[] = [];
  for (const [cell, edges] of cells.ins.entries()) {
    edges.forEach((edge, row) => {
      labelOf[edge] = childOf.push(cell) - 1;
      rowOf.push(row);
    });
  }
  const inner = childOf.length;
  // An edge that the vehicle may not use enters no search cell.
  const starts = Array.from(ins, (id) => labelOf[tile.entering[id - tile.firstEntering]]);
  outs.forEach((id, column) => {
    labelOf[tile.leaving.get(id)!] = inner + column;
  });
  const labels = cells.outs.map((edges) => Int32Array.from(edges, (edge) => labelOf[edge]));
  return joined(starts, outs.length, childOf, rowOf, labels, tables);
}

/** The bits of a vehicle's arcs, and the search cells that contain such an arc; undefined if it has none. */
function hoursIn(tile: Tile, { mode, variant }: Metric, { arcs }: TileView) {
  const stored = tile.topology();
  const topology = variant ? { ...stored, profiles: tile.profilesFor(variant, mode) } : stored;
  const bits = hoursOfArcs(topology, arcs);
  if (!bits) return undefined;
  const cells = new Set<number>();
  for (let edge = 0; edge < tile.edgeCount; edge++) {
    const isHourly = bits.subarray(arcs.first[edge], arcs.first[edge + 1]).some((own) => own !== 0);
    if (isHourly) cells.add(tile.nodeCell[tile.headOf(edge)]);
  }
  return { arcs: bits, cells };
}

function joined(
  starts: readonly number[],
  width: number,
  childOf: readonly number[],
  rowOf: readonly number[],
  labels: readonly Int32Array[],
  tables: readonly NarrowTable[],
): NarrowTable {
  const entries = starts.length * width;
  const hours = tables.some((own) => own.hours) ? new Uint8Array(entries) : undefined;
  const scratch = scratchFor(entries);
  joinCliques(
    starts,
    width,
    { childOf: Int32Array.from(childOf), rowOf: Int32Array.from(rowOf), labels, tables },
    { ...scratch, hours },
  );
  const table = narrowed(scratch, entries);
  return hours ? { ...table, hours } : table;
}
