import type { OverlayWindow } from "./overlay.ts";

/**
 * Cells that hold an end of a search: inside them one goes a level down. The marks of a store are stamps, so the newest
 * Marks make older ones void; searches run one after the other.
 */
export class Marks {
  private readonly window: OverlayWindow;
  private readonly stamps: readonly Int32Array[];
  private readonly cellOf: readonly Int32Array[];
  private readonly top: number;
  private readonly stamp: number;
  /** Search cells as view × 65536 + cell; there are a handful. */
  private readonly searchCells: number[] = [];

  constructor(window: OverlayWindow) {
    const { store } = window;
    this.window = window;
    this.stamps = store.markStamps;
    this.cellOf = store.manifest.cellOf;
    this.top = store.manifest.levels - 1;
    this.stamp = store.nextMark();
  }

  add(view: number, node: number): void {
    const { tile } = this.window.views[view];
    for (let level = 1; level <= this.top; level++) {
      this.stamps[level][this.cellOf[level][tile.index]] = this.stamp;
    }
    const cell = view * 65536 + tile.nodeCell[node];
    if (!this.searchCells.includes(cell)) this.searchCells.push(cell);
  }

  /** The highest level at which the tile's cell holds no end; 0 when the tile itself holds one. */
  level(tile: number): number {
    const { stamps, cellOf, stamp } = this;
    for (let level = this.top; level >= 1; level--) if (stamps[level][cellOf[level][tile]] !== stamp) return level;
    return 0;
  }

  hasSearchCell(view: number, cell: number): boolean {
    const { searchCells } = this;
    const wanted = view * 65536 + cell;
    for (let i = 0; i < searchCells.length; i++) if (searchCells[i] === wanted) return true;
    return false;
  }
}
