import type { Arterial } from "./arterial.ts";
import type { Ground } from "./ground.ts";
import { type Side, sideOf } from "./layout.ts";
import { postalCode, type StreetBook } from "./names.ts";
import type { PlanPoint } from "./plane.ts";
import type { Random } from "./random.ts";
import type { MutableTags, Sheet } from "./sheet.ts";
import type { ShopShelf } from "./shops.ts";

/** Everything that the builders of a township use. */
export interface Site {
  seed: number;
  index: number;
  sheet: Sheet;
  ground: Ground;
  draw: Random;
  book: StreetBook;
  shops: ShopShelf;
  /** Town names by country, postal areas by quarter of the township. */
  towns: Record<Side, string>;
  postalAreaAt(u: number, v: number): string;
}

/** A rectangle between arterials; a side without an arterial is open country, rail or water. */
export interface Cell {
  u0: number;
  u1: number;
  v0: number;
  v1: number;
  west?: Arterial;
  east?: Arterial;
  south?: Arterial;
  north?: Arterial;
  /** Number of the cell in its township: picks the block of a Canadian postal code. */
  block: number;
}

export const STATES: Record<Side, { code: string; name: string }> = {
  US: { code: "MT", name: "Montana" },
  CA: { code: "AB", name: "Alberta" },
};

/** The address tags of a house, but for its number and street. */
export function cityTags(site: Site, cell: Cell, [u, v]: PlanPoint): MutableTags {
  const side = sideOf(v);
  const tags: MutableTags = {
    "addr:city": site.towns[side],
    "addr:postcode": postalCode(side, site.postalAreaAt(u, v), cell.block),
  };
  if (side === "US") tags["addr:state"] = STATES.US.code;
  else tags["addr:province"] = STATES.CA.code;
  return tags;
}
