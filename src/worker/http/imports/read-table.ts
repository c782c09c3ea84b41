import type { Pace } from "../../../core/geo/pace.ts";
import { invalid } from "../../platform/errors.ts";
import { type CsvRow, readCsvPiece, type Separator, separatorOf } from "../../wire/tables/csv.ts";

/** Characters read at a time, and the cost of that and of each row, also of a skipped one [units of a pace]. */
const PIECE = 32 * 1024;
const PIECE_COST = 1_000;
const ROW_COST = 2;

/** Maximum columns of a table; exports of other programs have up to a few hundred. */
const MAX_COLUMNS = 1_000;

/** The decoder's replacement character for invalid UTF-8. */
const NO_UTF8 = "\uFFFD";

interface Table {
  /** The first row. */
  names: string[];
  rows: CsvRow[];
  separator: Separator;
}

/**
 * Reads the cells of a CSV file piece by piece: a file with too many rows is rejected as soon as the limit is exceeded,
 * and other requests run in between. The separator is the one in the first row: comma, semicolon or tab.
 * @throws ApiError 400 for an invalid file, with the line
 */
export async function readTable(
  csv: string,
  { mostRows, longestRow }: { mostRows: number; longestRow: number },
  pace: Pace,
): Promise<Table> {
  refuseOtherEncodings(csv);
  const separator = separatorOf(csv);
  const rows: CsvRow[] = [];
  let skipped = 0;
  let [rest, line] = ["", 1];
  for (let at = 0; at < csv.length; at += PIECE) {
    const piece = readCsvPiece(rest + csv.slice(at, at + PIECE), line, at + PIECE >= csv.length, separator);
    ({ rest, line } = piece);
    for (const row of piece.rows) rows.push(row);
    if (piece.unclosed !== undefined) throw invalid("csv", `Line ${piece.unclosed}: a quote is not closed.`);
    skipped += piece.skipped;
    if (rows.length + skipped > mostRows + 1) throw invalid("csv", `At most ${mostRows} rows.`);
    if (rest.length > longestRow) {
      throw invalid("csv", `Line ${line}: a row has at most ${longestRow} characters. Is a closing quote missing?`);
    }
    const turn = pace.spend(PIECE_COST + ROW_COST * (piece.rows.length + piece.skipped));
    if (turn) await turn;
  }
  const [head, ...body] = rows;
  if (!head) throw invalid("csv", "The file is empty.");
  if (head.cells.length > MAX_COLUMNS) throw invalid("csv", `At most ${MAX_COLUMNS} columns.`);
  const names = head.cells.map((name) => name.trim());
  const twice = firstTwice(names);
  if (twice !== undefined) throw invalid("csv", `Line ${head.line}: the column ${twice} is duplicated.`);
  return { names, rows: body, separator };
}

/** The first duplicate name; empty names may repeat. */
function firstTwice(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => {
    if (name === "" || !seen.has(name)) {
      seen.add(name);
      return false;
    }
    return true;
  });
}

/** Excel's plain "CSV" uses a legacy encoding: imported text could not be repaired later. */
function refuseOtherEncodings(csv: string): void {
  const strange = csv.search(new RegExp(`[${NO_UTF8}\\u0000]`));
  if (strange < 0) return;
  const line = csv.slice(0, strange).split("\n").length;
  throw invalid("csv", `Line ${line}: the file is not in UTF-8. In Excel, save it as "CSV UTF-8".`);
}
