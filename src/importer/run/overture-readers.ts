import { addressRows } from "../layers/addresses/records/overture-rows.ts";
import { divisionRows } from "../sources/overture/division-rows.ts";
import { placeRows } from "../sources/overture/place-rows.ts";
import type { RowReader } from "../sources/overture/row-reader.ts";

/** What is imported of a release of Overture, in order. */
export const overtureReaders: readonly RowReader[] = [addressRows, placeRows, divisionRows];
