import type { OvertureKind } from "../../common/overture-source.ts";
import type { GroupColumns } from "./columns.ts";
import type { PartBuilder } from "./part-file.ts";

/** Whether a row at a point is in the area that is imported; `country` is "" where the row does not say it. */
export type Keep = (longitude: number, latitude: number, country: string) => boolean;

/** Reads one kind of feature from the columns of a row group. */
export interface RowReader {
  readonly kind: OvertureKind;
  /** Columns and fields that are read ("sources/dataset"); those not required may be absent. */
  readonly columns: readonly string[];
  /** Columns that tell files of this kind from others. */
  readonly required: readonly string[];
  read(columns: GroupColumns, part: PartBuilder, keep: Keep, options: { confidence: number }): void;
}
