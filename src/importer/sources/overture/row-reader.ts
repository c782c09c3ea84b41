import type { DecodedArray } from "hyparquet";
import type { OvertureKind } from "../../common/overture-source.ts";
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
  /** What becomes of a column as soon as it is read: rows with the same value share it, so that little is held. */
  readonly compact?: Readonly<Record<string, (values: DecodedArray) => DecodedArray>>;
  read(
    columns: Record<string, DecodedArray>,
    rows: number,
    part: PartBuilder,
    keep: Keep,
    options: { confidence: number },
  ): Promise<void>;
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

export interface RowSource {
  dataset: string;
  license: string | undefined;
}

/** The dataset of the whole row. */
export function sourceOf(sources: DecodedArray[number]): RowSource {
  const list = Array.isArray(sources)
    ? (sources as { property?: unknown; dataset?: unknown; license?: unknown }[])
    : [];
  const whole = list.find((source) => textOf(source?.property) === "") ?? list[0];
  return { dataset: textOf(whole?.dataset) || "unknown", license: textOf(whole?.license) || undefined };
}

/** The dataset of each row; rows of one dataset share it. */
export function sourcesOf(values: DecodedArray): RowSource[] {
  const known = new Map<string, RowSource>();
  return Array.from(values, (value) => {
    const source = sourceOf(value);
    const key = `${source.dataset}\n${source.license}`;
    const same = known.get(key);
    if (same) return same;
    known.set(key, source);
    return source;
  });
}
