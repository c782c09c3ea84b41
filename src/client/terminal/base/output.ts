/** What a command prints: tables for people, JSON for programs. */

type Cell = string | number | boolean | undefined | null;
type Rows = readonly Readonly<Record<string, Cell>>[];

export interface Output {
  isJson: boolean;
  /** The data of a program; people get the table instead. */
  show(data: unknown, rows: Rows, empty: string): void;
  /** A line for people; with --json, nothing. */
  say(line: string): void;
  /** A file, or a line for both. */
  write(text: string): void;
}

export function outputTo(print: (text: string) => void, isJson: boolean, width: number | undefined): Output {
  return {
    isJson,
    show(data, rows, empty) {
      if (isJson) print(`${JSON.stringify(data, null, 2)}\n`);
      else print(rows.length === 0 ? `${empty}\n` : tableOf(rows, width));
    },
    say(line) {
      if (!isJson) print(`${line}\n`);
    },
    write: print,
  };
}

/** Characters that would control the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;
export const plainText = (cell: Cell) => String(cell ?? "").replace(CONTROL, "");

/** Columns with spaces between, cut to the width of the terminal. */
function tableOf(rows: Rows, width: number | undefined): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => plainText(row[name]) !== ""),
  );
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => plainText(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => columnsOf(line[column]))));
  return lines
    .map((line) => {
      const text = line
        .map((cell, i) => cell + " ".repeat(widths[i] - columnsOf(cell)))
        .join("  ")
        .trimEnd();
      return `${width && text.length > width ? `${text.slice(0, width - 1)}…` : text}\n`;
    })
    .join("");
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/gu;
/** Columns that a text takes: East Asian characters take two. */
function columnsOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0);
}
