import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { type Coordinate, parseCoordinate } from "../../geo/coordinate.ts";
import { readCsv } from "../../wire/csv.ts";
import { ImportError } from "../import-error.ts";

/** A line of an OpenAddresses file (openaddresses.io, "CSV output"): columns LON, LAT, NUMBER, STREET and more, by header. */
export interface OpenAddress {
  at: Coordinate;
  number: string;
  street: string;
  unit: string;
  city: string;
  region: string;
  postcode: string;
}

/** Characters read at a time; a file may be larger than memory. */
const CHUNK = 1 << 20;

/** The lines of a file that have a number, a street and a position. @throws ImportError when it is no such file */
export async function* readOpenAddresses(path: string): AsyncGenerator<OpenAddress> {
  let columns: Record<string, number> | undefined;
  for await (const text of wholeLines(path)) {
    for (const { cells } of readCsv(text)) {
      if (!columns) {
        columns = Object.fromEntries(cells.map((cell, i) => [cell.trim().toUpperCase(), i]));
        if (["LON", "LAT", "NUMBER", "STREET"].some((name) => columns?.[name] === undefined)) {
          throw new ImportError(`${basename(path)} lacks one of the columns LON, LAT, NUMBER, STREET.`);
        }
        continue;
      }
      const names = columns;
      const cell = (name: string) => (cells[names[name]] ?? "").trim();
      const at = parseCoordinate(`${cell("LAT")},${cell("LON")}`);
      const street = written(cell("STREET"));
      if (!at || street === "" || cell("NUMBER") === "" || /^0+$/.test(cell("NUMBER"))) continue;
      yield {
        at,
        number: cell("NUMBER"),
        street,
        unit: cell("UNIT"),
        city: written(cell("CITY")),
        region: cell("REGION"),
        postcode: cell("POSTCODE"),
      };
    }
  }
}

/** The file in pieces that end with a line; a line break within quotes does not count. */
async function* wholeLines(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: CHUNK })) {
    rest += chunk as string;
    let cut = rest.lastIndexOf("\n");
    while (cut >= 0 && count(rest, '"', cut) % 2 === 1) cut = rest.lastIndexOf("\n", cut - 1);
    if (cut < 0) continue;
    yield rest.slice(0, cut + 1);
    rest = rest.slice(cut + 1);
  }
  if (rest !== "") yield rest;
}

function count(text: string, sign: string, until: number): number {
  let found = 0;
  for (let at = text.indexOf(sign); at >= 0 && at < until; at = text.indexOf(sign, at + 1)) found++;
  return found;
}

/** Many sources shout: "MERIDIAN AVE" → "Meridian Ave", "NE 5TH ST" → "NE 5th St", "MCDONALD" stays one word. */
export function written(text: string): string {
  if (text === "" || text !== text.toUpperCase()) return text;
  return text.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word) => {
    if (/^(n|s|e|w|ne|nw|se|sw)$/.test(word)) return word.toUpperCase();
    return word.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  });
}
