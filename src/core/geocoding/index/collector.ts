import { Interned, internedTexts } from "../../geo/bytes/interned.ts";
import { cellAt, type PackedCell } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { CONTEXT_PARTS, type Context, GRID, type LanguageName, PRECISIONS, type PropertyType } from "../entry/entry.ts";
import type { HouseNumber } from "../words/house-number.ts";
import type { Path } from "./details-tile.ts";
import { FINEST_TILE } from "./layout.ts";
import type { NewEntry } from "./names-tile.ts";

/** A street with its names and position; its houses and lines are in many cells. */
export interface Street {
  name: string;
  context: number;
  postalCode: string;
  names: readonly LanguageName[];
  /** Its houses are in no order along a line: it is a block, a square, a village without streets. */
  isBlock: boolean;
}

/** Houses in columns, so that millions of them fit into memory. */
export interface Houses {
  count: number;
  street: Uint32Array;
  /** Index into `texts`. */
  number: Uint32Array;
  /** Index into `texts`; units separated by line breaks, 0 = "" */
  units: Uint32Array;
  computed: Uint8Array;
  /** Index into `texts`: "1234 residential", either may be missing; 0 = neither. */
  facts: Uint32Array;
  /** 4 × number of its source + that of its precision (PRECISIONS). */
  origin: Uint32Array;
  /** [1e-5 degrees] */
  latitude: Int32Array;
  longitude: Int32Array;
  cell: Float64Array;
}

export interface HouseFacts {
  /** Separated by line breaks. */
  units?: string;
  computed?: boolean;
  plus4?: string;
  propertyType?: PropertyType | "";
  /** Number of its source among those of the build, and of its precision (PRECISIONS). */
  source?: number;
  precision?: number;
}

export interface StreetPiece {
  street: number;
  cell: PackedCell;
  line: Path;
  /** For pedestrians or cyclists only. */
  isPath: boolean;
}

/** An entry other than a street, and its cell. */
export type PlacedEntry = NewEntry & { cell: PackedCell };

/** The collected data, ready to be packed: numbers are indexes into `streets`, `contexts` and `texts`. */
export interface Collected {
  readonly houses: Houses;
  readonly pieces: readonly StreetPiece[];
  readonly entries: readonly PlacedEntry[];
  readonly contexts: readonly Context[];
  readonly streets: readonly Street[];
  readonly texts: readonly string[];
}

/** Collects the data of an import, in any order, in compact form until it is packed (pack.ts). */
export class AddressCollector implements Collected {
  readonly pieces: StreetPiece[] = [];
  readonly entries: PlacedEntry[] = [];
  houses: Houses = columns(1024);
  readonly #contextsSeen = new WeakMap<Context, number>();
  readonly #contexts = new Interned<Context>((context) => CONTEXT_PARTS.map((part) => context[part]).join("\n"));
  readonly #lastStreets = new Map<string, number>();
  readonly #streets = new Interned<Street>(
    ({ name, context, postalCode, isBlock }) => `${name}\n${context}\n${postalCode}${isBlock ? "\n" : ""}`,
  );
  readonly #texts = internedTexts();

  get contexts(): readonly Context[] {
    return this.#contexts.values;
  }

  get streets(): readonly Street[] {
    return this.#streets.values;
  }

  get texts(): readonly string[] {
    return this.#texts.values;
  }

  get isEmpty(): boolean {
    return this.houses.count === 0 && this.pieces.length === 0 && this.entries.length === 0;
  }

  context(context: Context): number {
    const seen = this.#contextsSeen.get(context);
    if (seen !== undefined) return seen;
    const number = this.#contexts.add({ ...context });
    this.#contextsSeen.set(context, number);
    return number;
  }

  street(name: string, context: number, postalCode: string, names: Street["names"] = [], isBlock = false): number {
    // Neighboring houses share a few streets, and their names are the same strings.
    const last = this.#lastStreets.get(name);
    const known = last === undefined ? undefined : this.streets[last];
    const isLast = known?.context === context && known.postalCode === postalCode && known.isBlock === isBlock;
    const number = isLast ? (last as number) : this.#streets.add({ name, context, postalCode, names, isBlock });
    if (!isLast) this.#lastStreets.set(name, number);
    if (names.length > 0 && this.streets[number].names.length === 0) this.streets[number].names = names;
    return number;
  }

  house(
    street: number,
    number: HouseNumber,
    { latitude, longitude }: Coordinate,
    { units = "", computed = false, plus4 = "", propertyType = "", source = 0, precision = 0 }: HouseFacts = {},
    cell = cellAt({ latitude, longitude }, FINEST_TILE),
  ): void {
    if (this.houses.count === this.houses.street.length) this.houses = grown(this.houses);
    const { houses } = this;
    const i = houses.count++;
    houses.street[i] = street;
    houses.number[i] = this.#text(number.text);
    houses.units[i] = this.#text(units);
    houses.computed[i] = computed ? 1 : 0;
    houses.facts[i] = plus4 === "" && propertyType === "" ? 0 : this.#text(`${plus4} ${propertyType}`);
    houses.origin[i] = 4 * source + (computed ? PRECISIONS.indexOf("interpolated") : precision);
    houses.latitude[i] = Math.round(latitude * GRID);
    houses.longitude[i] = Math.round(longitude * GRID);
    houses.cell[i] = cell;
  }

  /** Adds a line of a street; it is cut where it leaves a cell, so that every tile has its own part. */
  line(street: number, points: Path, isPath = false): void {
    cutByCell(points, (cell, line) => this.piece(street, cell, line, isPath));
  }

  /** A part of a line that is in one cell. */
  piece(street: number, cell: PackedCell, line: Path, isPath: boolean): void {
    this.pieces.push({ street, cell, line, isPath });
  }

  /** Anything but a street. */
  entry(entry: NewEntry): void {
    this.entries.push({ ...entry, cell: cellAt(entry, FINEST_TILE) });
  }

  #text(text: string): number {
    return this.#texts.add(text);
  }
}

/** Splits a line into parts by the cells of the midpoints of its edges. */
export function cutByCell(points: Path, part: (cell: PackedCell, line: Path) => void): void {
  let piece: Coordinate[] = [];
  let cell = -1;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const own = cellAt({ latitude: (a.latitude + b.latitude) / 2, longitude: middleLongitude(a, b) }, FINEST_TILE);
    if (own !== cell) {
      if (piece.length > 1) part(cell, piece);
      piece = [a];
      cell = own;
    }
    piece.push(b);
  }
  if (piece.length > 1) part(cell, piece);
}

function middleLongitude(a: Coordinate, b: Coordinate): number {
  return Math.abs(a.longitude - b.longitude) > 180 ? a.longitude : (a.longitude + b.longitude) / 2;
}

function columns(size: number): Houses {
  return {
    count: 0,
    street: new Uint32Array(size),
    number: new Uint32Array(size),
    units: new Uint32Array(size),
    computed: new Uint8Array(size),
    facts: new Uint32Array(size),
    origin: new Uint32Array(size),
    latitude: new Int32Array(size),
    longitude: new Int32Array(size),
    cell: new Float64Array(size),
  };
}

function grown(houses: Houses): Houses {
  const larger = columns(houses.street.length * 2);
  for (const name of [
    "street",
    "number",
    "units",
    "computed",
    "facts",
    "origin",
    "latitude",
    "longitude",
    "cell",
  ] as const)
    larger[name].set(houses[name]);
  larger.count = houses.count;
  return larger;
}
