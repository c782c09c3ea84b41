import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCsvFile } from "../../../src/importer/common/csv-file.ts";
import { type CsvRow, readCsv, readCsvPiece } from "../../../src/worker/wire/tables/csv.ts";
import { samples } from "../../support/night.ts";

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells);

describe("a table in CSV", () => {
  it.each<[text: string, rows: string[][]]>([
    [
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "\uFEFFa,b\r\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a\rb\r", [["a"], ["b"]]],
    ['"a ""b"", c",d\n', [['a "b", c', "d"]]],
    ['"two\nlines",x\n', [["two\nlines", "x"]]],
    [
      "a,\n,b\n",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ["a,", [["a", ""]]],
    ["\n\n \na\n\n", [[" "], ["a"]]],
    ['"a" b,c', [["a b", "c"]]],
    ['a "quoted" word,c', [['a "quoted" word', "c"]]],
    ['"never closed,\nb', [["never closed,\nb"]]],
    ["", []],
  ])("%j", (text, rows) => {
    expect(cellsOf(text)).toEqual(rows);
  });

  it("says of each row in which line it starts", () => {
    const rows = readCsv('a\n\n"two\nlines"\n"three\r\n\r\nlines",x\nlast');
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 5, 8]);
  });

  const cell = fc.string({ unit: fc.constantFrom("a", "ü", '"', ",", "\n", "\r", " ", "\uFEFF"), maxLength: 6 });
  const written = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }).map((rows) => ({
    rows,
    text: rows.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(",")).join("\n"),
  }));

  it("is read back as it was written", () => {
    fc.assert(
      fc.property(written, ({ rows, text }) => {
        expect(cellsOf(text)).toEqual(rows);
      }),
    );
  });

  it("is the same in pieces, wherever they are cut, whatever the text is", () => {
    const any = fc.oneof(
      written.map(({ text }) => text),
      fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r"), maxLength: 30 }),
    );
    fc.assert(
      fc.property(any, fc.array(fc.nat(40), { maxLength: 4 }), (text, cuts) => {
        const bounds = [...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        let [rest, line, from] = ["", 1, 0];
        const rows = [];
        for (const until of bounds) {
          const piece = readCsvPiece(rest + text.slice(from, until), line, false);
          rows.push(...piece.rows);
          ({ rest, line } = piece);
          from = until;
        }
        rows.push(...readCsvPiece(rest, line, true).rows);
        expect(rows).toEqual(readCsv(text));
      }),
      { numRuns: samples(150, 500) },
    );
  });
});

describe("a file of CSV", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "csv-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const linesOf = async (path: string) => {
    const all: CsvRow[] = [];
    for await (const rows of readCsvFile(path)) all.push(...rows);
    return all;
  };

  it("larger than a piece keeps its rows and their lines", async () => {
    const path = join(folder, "large.csv");
    const lines = Array.from({ length: 60_000 }, (_, i) => (i % 3 === 0 ? `${i},"Straße\n${i}"` : `${i},"x ""${i}"""`));
    await writeFile(path, lines.join("\r\n"));
    const rows = await linesOf(path);
    expect(rows.map(({ cells }) => Number(cells[0]))).toEqual(lines.map((_, i) => i));
    expect(rows[59_999]).toEqual({ line: 80_000, cells: ["59999", 'x "59999"'] });
  });

  it("with a quote that is never closed is refused by the line, and not read to its end", async () => {
    const path = join(folder, "open.csv");
    await writeFile(path, `a,b\n1,"2\n${"3,4\n".repeat(5_000_000)}`);
    await expect(linesOf(path)).rejects.toThrow("open.csv, line 2: a quote is opened here and never closed.");
  });
});
