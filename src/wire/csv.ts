/** A line of a CSV file; `line` is where it starts in the file, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * CSV as RFC 4180 has it: commas, quotes around cells that hold commas, quotes or line breaks, quotes in them doubled. Line
 * ends may be of either kind, a byte order mark and empty lines are passed over.
 */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const end = () => {
    if (cells.length > 1 || cells[0] !== "") rows.push({ line: start, cells });
    cells = [];
  };
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at++;
      while (at < text.length) {
        const quote = text.indexOf('"', at);
        const until = quote < 0 ? text.length : quote;
        cell += text.slice(at, until);
        at = until + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
      for (const character of cell) if (character === "\n") line++;
    }
    // What follows a closing quote up to the next comma belongs to the cell too, as spreadsheets read it.
    let until = at;
    while (until < text.length && text[until] !== "," && text[until] !== "\n" && text[until] !== "\r") until++;
    cells.push(cell + text.slice(at, until));
    at = until;
    if (text[at] === ",") {
      at++;
      if (at === text.length) cells.push("");
      continue;
    }
    end();
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    start = ++line;
  }
  if (cells.length > 0) end();
  return rows;
}
