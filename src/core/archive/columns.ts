import type { SchemaElement } from "hyparquet";

/**
 * The columns of an object of events, in their order in each row group. For their content, see docs/formats/archive.md.
 */
const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
const DOUBLE = { type: "DOUBLE" } as const;

const COLUMNS = [
  { name: "id", repetition_type: "REQUIRED", ...TEXT },
  { name: "type", repetition_type: "REQUIRED", ...TEXT },
  { name: "user", repetition_type: "REQUIRED", ...TEXT },
  {
    name: "created_at",
    repetition_type: "REQUIRED",
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  { name: "doc", repetition_type: "REQUIRED", ...TEXT },
  { name: "confidence", repetition_type: "OPTIONAL", type: "INT32" },
  { name: "user_id", repetition_type: "OPTIONAL", ...TEXT },
  { name: "device_id", repetition_type: "OPTIONAL", ...TEXT },
  { name: "latitude", repetition_type: "OPTIONAL", ...DOUBLE },
  { name: "longitude", repetition_type: "OPTIONAL", ...DOUBLE },
  { name: "geofence_tag", repetition_type: "OPTIONAL", ...TEXT },
  { name: "geofence_external_id", repetition_type: "OPTIONAL", ...TEXT },
] as const satisfies SchemaElement[];

export type ColumnName = (typeof COLUMNS)[number]["name"];

export const COLUMN_NAMES = COLUMNS.map(({ name }) => name);

/** The columns read by the Worker; they come first, so that they are one range in each group. */
export const READ_COLUMNS: ColumnName[] = ["id", "type", "user", "created_at", "doc"];

export const SCHEMA: SchemaElement[] = [{ name: "event", num_children: COLUMNS.length }, ...COLUMNS];
