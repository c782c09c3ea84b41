import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { type CsvRow, readCsvPiece } from "../../worker/wire/tables/csv.ts";
import { ImportError } from "./import-error.ts";

/** Characters read at a time; a file may be larger than memory. */
const CHUNK = 1 << 20;
/** The longest row [characters]: a longer one lacks a closing quote, and the rest of the file would be one cell. */
const MAX_ROW_CHARACTERS = 8 << 20;

/**
 * The rows of a CSV file, as many at a time as a piece of it holds, because waiting for each row takes as long as
 * reading it.
 * @throws ImportError when a quote is opened and never closed
 */
export async function* readCsvFile(path: string): AsyncGenerator<CsvRow[]> {
  let rest = "";
  let line = 1;
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: CHUNK })) {
    const piece = readCsvPiece(rest + (chunk as string), line, false);
    ({ rest, line } = piece);
    if (rest.length > MAX_ROW_CHARACTERS)
      throw new ImportError(`${basename(path)}, line ${line}: a quote is opened here and never closed.`);
    yield piece.rows;
  }
  yield readCsvPiece(rest, line, true).rows;
}
