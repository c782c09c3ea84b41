/**
 * CSV by RFC 4180: cells separated by commas or another separator; cells with commas, quotes or line breaks are quoted,
 * and quotes in them doubled. Both kinds of line ends are accepted; a byte order mark and empty lines are skipped.
 *
 * Why not a library, measured 2026-11-22 on 200,000 lines of OpenAddresses (two cores, load 11 to 18, rows per second
 * of CPU): this code 375,000 to 880,000; papaparse 5.7.1 330,000 to 1,300,000, without the line number of a row, which
 * every message to an operator contains; csv-parse 7.0.3, which provides it, 170,000 to 275,000, and 31 KB more in the
 * Worker, where beacons are imported.
 */

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A row; `line` is where it starts in the file, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** Separators of cells: Excel writes semicolons if the comma is the decimal sign, and tabs on request. */
const SEPARATORS = [",", ";", "\t"] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The separator is detected in this many characters at the start of a file. */
const MAX_HEAD = 64 * 1024;

/** The most frequent separator in the first row, outside of quotes; a comma if it has none. */
export function separatorOf(text: string): Separator {
  const counts = new Map<string, number>();
  let quoted = false;
  for (let i = 0; i < Math.min(text.length, MAX_HEAD); i++) {
    const sign = text[i];
    if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign !== "\n" && sign !== "\r") counts.set(sign, (counts.get(sign) ?? 0) + 1);
    else if (counts.size > 0) break;
  }
  const count = (separator: Separator) => counts.get(separator) ?? 0;
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * The index after the line end that begins at an index; the index itself if there is none, or if the next piece may
 * continue it.
 */
function endOfLine(text: string, at: number, last: boolean): number {
  const code = text.charCodeAt(at);
  if (code === LINE_FEED) return at + 1;
  if (code !== CARRIAGE_RETURN || (at === text.length - 1 && !last)) return at;
  return text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
}

/** The rows of a complete text. */
export function readCsv(text: string): CsvRow[] {
  return readCsvPiece(text, 1, true).rows;
}

interface CsvPiece {
  rows: CsvRow[];
  /** Rows skipped because they contain only one empty quoted cell. */
  skipped: number;
  /** The beginning of a row that the next piece continues, and the line where it begins. */
  rest: string;
  line: number;
  /** The line of the last row, if it has an unclosed quote. */
  unclosed?: number;
}

/**
 * The rows of a piece of a file.
 * @param line the line in which the piece begins
 * @param last nothing follows: the rest is the last row, even without a line end
 */
export function readCsvPiece(text: string, line: number, last: boolean, separator: Separator = ","): CsvPiece {
  const between = separator.charCodeAt(0);
  const rows: CsvRow[] = [];
  let skipped = 0;
  let at = line === 1 && text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    // Skips empty lines here, so that megabytes of them don't create a row each.
    for (let end = endOfLine(text, at, last); end > at; end = endOfLine(text, at, last)) {
      at = end;
      line++;
    }
    const start = at;
    const cells: string[] = [];
    let lines = 1;
    let more = true;
    let closed = true;
    while (more) {
      let cell = "";
      if (text.charCodeAt(at) === QUOTE) {
        at++;
        while (at < text.length) {
          const quote = text.indexOf('"', at);
          closed = quote >= 0;
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
        if (sign === between || sign === LINE_FEED || sign === CARRIAGE_RETURN) break;
      }
      cells.push(cell === "" ? text.slice(at, until) : cell + text.slice(at, until));
      at = until;
      more = text.charCodeAt(at) === between;
      if (more) at++;
    }
    // After a carriage return at the end, the next piece may begin with its line feed.
    const complete = at < text.length && !(text.charCodeAt(at) === CARRIAGE_RETURN && at === text.length - 1);
    if (!complete && !last) return { rows, skipped, rest: text.slice(start), line };
    if (cells.length > 1 || cells[0] !== "") rows.push({ line, cells });
    else if (at > start) skipped++;
    if (at >= text.length) return { rows, skipped, rest: "", line, ...(closed ? {} : { unclosed: line }) };
    if (text.charCodeAt(at) === CARRIAGE_RETURN) at++;
    if (text.charCodeAt(at) === LINE_FEED) at++;
    line += lines;
  }
}
