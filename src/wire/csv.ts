/**
 * CSV by RFC 4180: cells separated by commas; cells with commas, quotes or line breaks are quoted, and quotes in them
 * doubled. Both kinds of line ends are read; a byte order mark and empty lines are skipped.
 *
 * Why not a library, measured 2026-11-22 on 200,000 lines of OpenAddresses (two cores, load 11 to 18, rows per second
 * of CPU): this 375,000 to 880,000; papaparse 5.7.1 330,000 to 1,300,000, without the line a row stands in, which every
 * message to an operator names; csv-parse 7.0.3, which can tell it, 170,000 to 275,000, and 31 KB more in the Worker,
 * where beacons are imported.
 */

const QUOTE = 34;
const COMMA = 44;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A row; `line` is where it starts in the file, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** The rows of a whole text. */
export function readCsv(text: string): CsvRow[] {
  return readCsvPiece(text, 1, true).rows;
}

export interface CsvPiece {
  rows: CsvRow[];
  /** The beginning of a row that the next piece continues, and the line it begins in. */
  rest: string;
  line: number;
}

/**
 * The rows of a piece of a file.
 * @param line the line in which the piece begins
 * @param last nothing follows: what is there is the last row, also without a line end
 */
export function readCsvPiece(text: string, line: number, last: boolean): CsvPiece {
  const rows: CsvRow[] = [];
  let at = line === 1 && text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    // Skips empty lines here, so that megabytes of them do not make a row each.
    while (text.charCodeAt(at) === LINE_FEED) {
      at++;
      line++;
    }
    const start = at;
    const cells: string[] = [];
    let lines = 1;
    let more = true;
    while (more) {
      let cell = "";
      if (text.charCodeAt(at) === QUOTE) {
        at++;
        while (at < text.length) {
          const quote = text.indexOf('"', at);
          const until = quote < 0 ? text.length : quote;
          cell += text.slice(at, until);
          at = until + 1;
          if (text.charCodeAt(at) !== QUOTE) break;
          cell += '"';
          at++;
        }
        for (let i = cell.indexOf("\n"); i >= 0; i = cell.indexOf("\n", i + 1)) lines++;
      }
      // Text between a closing quote and the next comma belongs to the cell too, as in spreadsheets.
      let until = at;
      for (; until < text.length; until++) {
        const sign = text.charCodeAt(until);
        if (sign === COMMA || sign === LINE_FEED || sign === CARRIAGE_RETURN) break;
      }
      cells.push(cell === "" ? text.slice(at, until) : cell + text.slice(at, until));
      at = until;
      more = text.charCodeAt(at) === COMMA;
      if (more) at++;
    }
    // After a carriage return at the end, the next piece may begin with its line feed.
    const complete = at < text.length && !(text.charCodeAt(at) === CARRIAGE_RETURN && at === text.length - 1);
    if (!complete && !last) return { rows, rest: text.slice(start), line };
    if (cells.length > 1 || cells[0] !== "") rows.push({ line, cells });
    if (at >= text.length) return { rows, rest: "", line };
    if (text.charCodeAt(at) === CARRIAGE_RETURN) at++;
    if (text.charCodeAt(at) === LINE_FEED) at++;
    line += lines;
  }
}
