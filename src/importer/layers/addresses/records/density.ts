import { ancestorOf, cellRange, type PackedCell } from "../../../../core/geo/cells/cells.ts";
import { COARSEST_TILE } from "../../../../core/geocoding/index/layout.ts";
import { HOUSE_BYTES, TILE_BYTES } from "../../../../core/geocoding/index/tile-groups.ts";

/** Resolution at which is counted how much there is: cells of 5 km². */
export const DENSITY = 7;

/**
 * Counts what will be in every cell, so that work can be cut into buckets anywhere but within a tile: a cell that surely
 * holds more than one tile may is cut into its children, whatever else it holds.
 */
export class Density {
  readonly #cells = new Map<PackedCell, { houses: number; entries: number }>();
  #split: ReadonlySet<PackedCell> | undefined;

  /** Cell, houses and points of lines, bytes of entries, one after the other. */
  add(counts: Float64Array): void {
    for (let i = 0; i < counts.length; i += 3) {
      const known = this.#cells.get(counts[i]);
      if (known) {
        known.houses += counts[i + 1];
        known.entries += counts[i + 2];
      } else this.#cells.set(counts[i], { houses: counts[i + 1], entries: counts[i + 2] });
    }
  }

  /**
   * Where a bucket may end between two cells: the first key of what comes after. Every cell that holds both has to be one
   * that is split; undefined where one is not.
   */
  cutBetween(before: PackedCell, after: PackedCell): number | undefined {
    this.#split ??= this.#surelySplit();
    for (let resolution = COARSEST_TILE; resolution <= DENSITY; resolution++) {
      const cell = ancestorOf(after, resolution);
      if (cell !== ancestorOf(before, resolution)) return cellRange(cell)[0];
      if (!this.#split.has(cell)) return undefined;
    }
    // Two finest cells: a tile each.
    return before === after ? undefined : cellRange(after)[0];
  }

  #surelySplit(): ReadonlySet<PackedCell> {
    const split = new Set<PackedCell>();
    let level = this.#cells;
    for (let resolution = DENSITY; resolution >= COARSEST_TILE; resolution--) {
      const coarser = new Map<PackedCell, { houses: number; entries: number }>();
      for (const [cell, { houses, entries }] of level) {
        if (Math.max(houses * HOUSE_BYTES, entries) > TILE_BYTES) split.add(cell);
        const parent = ancestorOf(cell, resolution - 1);
        const sum = coarser.get(parent) ?? { houses: 0, entries: 0 };
        coarser.set(parent, { houses: sum.houses + houses, entries: sum.entries + entries });
      }
      level = coarser;
    }
    return split;
  }
}
