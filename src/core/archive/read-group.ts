import { type FileMetaData, parquetReadObjects, type RowGroup } from "hyparquet";
import { COLUMN_NAMES, READ_COLUMNS, SCHEMA } from "./columns.ts";
import type { Group } from "./directory.ts";
import type { EventRow } from "./event-row.ts";

/** The byte range of a group that the Worker reads. */
export function rangeOf({ offset, sizes }: Group): { offset: number; length: number } {
  return { offset, length: sizes.slice(0, READ_COLUMNS.length).reduce((a, b) => a + b) };
}

/**
 * Reads the events of a group, using the directory: the object's footer is not needed.
 * @param bytes those of `rangeOf`
 * @throws Error if the bytes are not those of the group
 */
export async function readGroup(group: Group, bytes: Uint8Array): Promise<EventRow[]> {
  const { offset, length } = rangeOf(group);
  if (bytes.byteLength !== length) throw new Error(`a group of ${length} bytes has ${bytes.byteLength}`);
  const file = {
    byteLength: offset + length,
    slice: (from: number, to?: number) => bytes.slice(from - offset, to === undefined ? undefined : to - offset).buffer,
  };
  const rows = await parquetReadObjects({ file, metadata: metadataOf(group), columns: [...READ_COLUMNS] });
  return rows.map(({ id, type, user, created_at: at, doc }) => {
    if (typeof id !== "string" || typeof doc !== "string" || !(at instanceof Date))
      throw new Error("an event without its columns");
    return { id, time: at.getTime(), type: String(type), user: String(user), doc };
  });
}

/** The footer metadata of this one group. */
function metadataOf({ rows, offset, sizes }: Group): FileMetaData {
  let at = offset;
  const columns = COLUMN_NAMES.map((name, i): RowGroup["columns"][number] => {
    const start = at;
    at += sizes[i];
    const { type } = SCHEMA[i + 1];
    if (!type) throw new Error(`column ${name} has no type`);
    return {
      file_offset: 0n,
      meta_data: {
        type,
        encodings: [],
        path_in_schema: [name],
        codec: "SNAPPY",
        num_values: BigInt(rows),
        total_uncompressed_size: 0n,
        total_compressed_size: BigInt(sizes[i]),
        // If the column has a dictionary, it comes first, and has its own header.
        data_page_offset: BigInt(start),
      },
    };
  });
  const group: RowGroup = { columns, total_byte_size: 0n, num_rows: BigInt(rows) };
  return { version: 2, schema: SCHEMA, num_rows: BigInt(rows), row_groups: [group], metadata_length: 0 };
}
