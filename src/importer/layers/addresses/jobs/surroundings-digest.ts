import { createHash } from "node:crypto";
import { type CellBox, cellBox } from "../../../../core/regions/cell-box.ts";
import { GRID, normalLongitude, shorterWay } from "../../../../core/regions/crossing.ts";
import type { PointRegions } from "../../../../core/regions/region.ts";
import type { Bounds } from "../../../frame/layer.ts";
import { RegionTiles, type SharedTiles } from "../records/region-tiles.ts";
import { Settlements } from "../records/settlements.ts";
import { placesIn, type RecordPlace } from "./bucket-orders.ts";
import { RegionDigest } from "./region-digest.ts";
import type { SharedSurroundings } from "./surroundings.ts";

/**
 * Names what the records of a bucket see of regions and towns. Of regions that is in which of them each record is: a border
 * that moves elsewhere, or between two houses, changes nothing here. Of towns it is those that reach into the bucket.
 */
export class SurroundingsDigest {
  readonly #tiles: readonly { reach: CellBox; hash: string }[];
  readonly #settlements: Settlements;
  readonly #regions: RegionTiles;
  readonly #codes: string;

  constructor({ settlements, tiles, drawnCodes }: SharedSurroundings) {
    this.#settlements = Settlements.decode(new Uint8Array(settlements));
    this.#regions = new RegionTiles(tiles);
    this.#tiles = hashed(tiles);
    this.#codes = createHash("sha256").update(Uint8Array.from(drawnCodes)).digest("hex");
  }

  /**
   * Whole tiles of regions and towns around the records: computed quickly. Where it is the same, `within` is the same, too.
   * @param box around the places of the records [degrees]
   */
  around(box: Bounds): string {
    const [west, south, east, north] = box.map((degrees) => degrees * GRID);
    const text = [this.#codes, this.#settlements.describe(box)];
    for (const { reach, hash } of this.#tiles) {
      if (reach.north < south || reach.south > north) continue;
      const away = Math.abs(shorterWay(normalLongitude((west + east) / 2) - normalLongitude(reach.x)));
      if (away <= reach.halfWidth + (east - west) / 2) text.push(hash);
    }
    return text.join("\n");
  }

  /**
   * @param box around the places of the records [degrees]
   * @param records of a bucket, as they are in it
   */
  within(box: Bounds, records: Uint8Array): string {
    const seen = new RegionDigest();
    for (const place of placesIn(records)) seen.add(this.#seenAt(place));
    return joinDigests(this.towns(box), seen.finish());
  }

  /** Of towns and postal codes around the records. */
  towns(box: Bounds): string {
    return `${this.#codes}\n${this.#settlements.describe(box)}`;
  }

  #seenAt({ at, cell }: RecordPlace): PointRegions {
    return cell === undefined ? this.#regions.at(at) : this.#regions.within(at, cell);
  }
}

/** Of regions around the records, and of towns. */
export const joinDigests = (towns: string, regions: string): string =>
  createHash("sha256").update(`${towns}\n${regions}`).digest("hex");

function hashed({ places, bytes }: SharedTiles): { reach: CellBox; hash: string }[] {
  return Array.from({ length: places.length / 3 }, (_, i) => {
    const [cell, start, length] = places.subarray(3 * i, 3 * i + 3);
    // A copy: memory that threads share is not hashed everywhere.
    const own = Uint8Array.from(bytes.subarray(start, start + length));
    return { reach: cellBox(cell), hash: `${cell} ${createHash("sha256").update(own).digest("hex")}` };
  });
}
