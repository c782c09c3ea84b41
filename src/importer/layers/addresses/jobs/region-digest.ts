import { createHash } from "node:crypto";
import type { PointRegions } from "../../../../core/regions/region.ts";

/** In which regions the records of a bucket are, in their order. */
export class RegionDigest {
  readonly #hash = createHash("sha256");
  #regions: PointRegions | undefined;
  #text = "";
  #count = 0;

  add(regions: PointRegions): void {
    // Neighbors mostly have the same object.
    if (regions !== this.#regions) {
      const text = JSON.stringify(regions);
      if (text !== this.#text) {
        this.#hash.update(`\n${this.#count} ${this.#text}`);
        this.#text = text;
        this.#count = 0;
      }
      this.#regions = regions;
    }
    this.#count++;
  }

  finish(): string {
    return this.#hash.update(`\n${this.#count} ${this.#text}`).digest("hex");
  }
}
