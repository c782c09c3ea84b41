import { basename } from "node:path";
import { parseCoordinate } from "../../../core/geo/coordinate.ts";
import { rowOfSlug } from "../../../core/places/categories.ts";
import { chainSlug } from "../../../core/places/chains.ts";
import { hash52, placeKey } from "../../../core/places/place.ts";
import type { PlaceRecord } from "../../../core/places/tile.ts";
import { type CsvRow, readCsv } from "../../../worker/wire/tables/csv.ts";
import { readCsvFile } from "../../common/csv-file.ts";
import { ImportError } from "../../common/import-error.ts";
import { POINT_FOOTPRINT } from "./footprint.ts";

/**
 * An operator's own places (`--places FILE`): CSV with a header line, columns in any order, others ignored.
 *
 *     name        required
 *     latitude    required [degrees]
 *     longitude   required [degrees]
 *     categories  slugs of the category table, the most specific ones are enough; blanks, semicolons or | between them
 *     chain       the chain's name; its slug is created as for the chains of OpenStreetMap
 *     id          the operator's id, unique in the file; the place keeps its `_id` as long as this stays.
 *                 Without one, name and position stand for it
 *
 * Anything that cannot be read is an ImportError that names the line.
 */
export function readOperatorPlaces(text: string, file: string): PlaceRecord[] {
  const places = new OperatorPlaces(file);
  const records = readCsv(text).flatMap((row) => places.read(row) ?? []);
  places.finish();
  return records;
}

/** The same from a file, as many at a time as a piece of it holds. */
export async function* operatorPlacesIn(path: string): AsyncGenerator<PlaceRecord[]> {
  const places = new OperatorPlaces(basename(path));
  for await (const rows of readCsvFile(path)) yield rows.flatMap((row) => places.read(row) ?? []);
  places.finish();
}

const COLUMNS = ["name", "latitude", "longitude", "categories", "chain", "id"] as const;

class OperatorPlaces {
  readonly #file: string;
  readonly #seen = new Map<number, number>();
  #columns: Record<string, number> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined for the header. */
  read({ line, cells }: CsvRow): PlaceRecord | undefined {
    const file = this.#file;
    const columns = this.#columns;
    if (!columns) {
      this.#begin(cells);
      return undefined;
    }
    const cell = (name: string) => (columns[name] < 0 ? "" : (cells[columns[name]] ?? "").trim());
    const name = cell("name");
    if (!name) throw new ImportError(`${file}, line ${line}: the place has no name.`);
    const location = parseCoordinate(`${cell("latitude")},${cell("longitude")}`);
    if (!location) {
      throw new ImportError(
        `${file}, line ${line}: "${cell("latitude")}", "${cell("longitude")}" are not a latitude and longitude in degrees.`,
      );
    }
    const number = hash52(cell("id") || `${name} ${cell("latitude")} ${cell("longitude")}`);
    const twin = this.#seen.get(number);
    if (twin !== undefined)
      throw new ImportError(`${file}: lines ${twin} and ${line} are the same place. Set a different id for each.`);
    this.#seen.set(number, line);
    const slug = chainSlug(cell("chain"));
    return {
      key: placeKey("operator", number),
      name,
      ...(slug && { chain: { slug, name: cell("chain") } }),
      categories: categoryRows(cell("categories"), `${file}, line ${line}`),
      location,
      footprint: POINT_FOOTPRINT,
    };
  }

  /** @throws ImportError for a file without a header */
  finish(): void {
    if (!this.#columns) this.#begin([]);
  }

  #begin(cells: readonly string[]): void {
    const found = cells.map((cell) => cell.trim().toLowerCase());
    this.#columns = Object.fromEntries(COLUMNS.map((name) => [name, found.indexOf(name)]));
    const missing = ["name", "latitude", "longitude"].filter((name) => !found.includes(name));
    if (missing.length > 0)
      throw new ImportError(`${this.#file} has no column ${missing.join(", ")}. The first line must name the columns.`);
  }
}

function categoryRows(text: string, where: string): number[] {
  const rows = text
    .split(/[\s;|]+/)
    .filter((slug) => slug !== "")
    .map((slug) => {
      const row = rowOfSlug(slug);
      if (row === undefined) throw new ImportError(`${where}: there is no category "${slug}" to put a place in.`);
      return row;
    });
  return [...new Set(rows)].sort((a, b) => a - b);
}
