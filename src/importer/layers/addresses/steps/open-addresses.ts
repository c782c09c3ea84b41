import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { CsvRow } from "../../../../worker/wire/tables/csv.ts";
import { readCsvFile } from "../../../common/csv-file.ts";
import { ImportError } from "../../../common/import-error.ts";
import { isPlaced } from "../../../common/placed.ts";
import { shownName } from "../../../common/shown-name.ts";
import { unshouted } from "../../../sources/unshouted.ts";

/**
 * A line of an OpenAddresses file (openaddresses.io, "CSV output"): columns LON, LAT, NUMBER, STREET and more, by
 * header.
 */
export interface OpenAddress {
  at: Coordinate;
  number: string;
  street: string;
  unit: string;
  city: string;
  region: string;
  postcode: string;
}

/** The rows of a file, as many at a time as a piece of it holds. */
interface OpenAddressBatch {
  addresses: OpenAddress[];
  /** Lines without a position on Earth, and those without a street or a number. */
  unplaced: number;
  unnamed: number;
  /** The number of a last line that ends before its columns do: the file was cut. It is skipped. */
  cut?: number;
}

/**
 * The rows of a file with a number, a street and a position, in batches: waiting for each row would take as long as reading it.
 * @throws ImportError if the file is not an OpenAddresses file
 */
export async function* readOpenAddressBatches(path: string): AsyncGenerator<OpenAddressBatch> {
  let columns: Columns | undefined;
  let width = 0;
  const names = new Map<string, string>();
  const batchOf = (rows: readonly CsvRow[], isLast: boolean): OpenAddressBatch => {
    const batch: OpenAddressBatch = { addresses: [], unplaced: 0, unnamed: 0 };
    for (const [i, { cells, line }] of rows.entries()) {
      if (!columns) {
        columns = columnsOf(cells, path);
        width = cells.length;
        continue;
      }
      // The last piece holds what has no line break after it.
      if (isLast && i === rows.length - 1 && cells.length < width) {
        batch.cut = line;
        continue;
      }
      const address = addressOf(cells, columns, names);
      if (typeof address === "string") batch[address]++;
      else batch.addresses.push(address);
    }
    return batch;
  };
  let before: CsvRow[] | undefined;
  for await (const rows of readCsvFile(path)) {
    if (before) yield batchOf(before, false);
    before = rows;
  }
  yield batchOf(before ?? [], true);
}

const COLUMNS = ["LON", "LAT", "NUMBER", "STREET", "UNIT", "CITY", "REGION", "POSTCODE"] as const;
/** Where each is in a line; −1 where a file has none. */
type Columns = Record<(typeof COLUMNS)[number], number>;

function columnsOf(cells: readonly string[], path: string): Columns {
  const found = cells.map((cell) => cell.trim().toUpperCase());
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, found.indexOf(name)])) as Columns;
  if (columns.LON < 0 || columns.LAT < 0 || columns.NUMBER < 0 || columns.STREET < 0)
    throw new ImportError(`${shownName(path)} lacks one of the columns LON, LAT, NUMBER, STREET.`);
  return columns;
}

function addressOf(
  cells: readonly string[],
  columns: Columns,
  names: Map<string, string>,
): OpenAddress | "unplaced" | "unnamed" {
  const cell = (at: number) => (cells[at] ?? "").trim();
  const name = (at: number) => unshouted(cell(at), names);
  const number = cell(columns.NUMBER);
  const street = name(columns.STREET);
  const [north, east] = [cell(columns.LAT), cell(columns.LON)];
  const [latitude, longitude] = [Number(north), Number(east)];
  if (north === "" || east === "" || !isPlaced(latitude, longitude)) return "unplaced";
  if (street === "" || number === "" || /^0+$/.test(number)) return "unnamed";
  return {
    at: { latitude, longitude },
    number,
    street,
    unit: cell(columns.UNIT),
    city: name(columns.CITY),
    region: cell(columns.REGION),
    postcode: cell(columns.POSTCODE),
  };
}
