import type { ByteStore } from "../geo/bytes/byte-store.ts";
import { MemoryStore } from "../geo/bytes/byte-store.ts";
import { ByteReader, ByteWriter } from "../geo/bytes/bytes.ts";
import { byKey, inMemory, type MakeSorter, type SortedRecord, type Sorter } from "../geo/bytes/sorter.ts";
import { encodeCellList } from "../geo/cells/cell-list.ts";
import { allCells, cellsTouching } from "../geo/cells/cell-neighbourhood.ts";
import { cellReach } from "../geo/cells/cell-tree.ts";
import { ancestorOf, cellAt, cellCircle, DESCENDANT_REACH, type PackedCell, resolutionOf } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { distance } from "../geo/distance.ts";
import { encodeAirports } from "./airports.ts";
import {
  AIRPORTS_KEY,
  COARSEST_TILE,
  DIRECTORIES_KEY,
  DIRECTORY_RESOLUTION,
  type DirectoryEntry,
  directoryKey,
  encodeDirectory,
  FINEST_TILE,
  MAX_RADIUS,
  tileKey,
} from "./directory.ts";
import { encodeIds, encodeParts, IDS_KEY, idsKey, type PlaceHome, partsFor } from "./ids.ts";
import { encodeKeyFilter, KEY_FILTER_KEY, MAX_FILTERED } from "./key-filter.ts";
import type { PlaceKey } from "./place.ts";
import { NEARBY } from "./place-index.ts";
import { readPlace, writePlace } from "./place-record.ts";
import { encodeTile, type PlaceRecord, sizeOf } from "./tile.ts";

/** A tile is split into its children while its own places are larger than this [bytes]. */
const SPLIT_AT = 192 * 1024;

interface AirportRecord {
  iata: string;
  place: PlaceRecord;
}

/** Result of finding the tiles of places, ready to be written. */
interface HomeTile {
  cell: PackedCell;
  /** Positions of its places in the store, by length; in order. */
  start: number;
  lengths: number[];
}

/**
 * Turns places into objects: tiles, the directories that list them, and the airports by code. The same places give the
 * same bytes, in any input order. Places go through sorters and a store, so that an import may have more of them than
 * fit into memory: only the places of one tile, and the totals of all cells, are held in memory.
 */
export class PlacePacker {
  readonly #sorter: MakeSorter;
  readonly #store: ByteStore;
  readonly #homes: Sorter;
  readonly #bytes = new Map<PackedCell, number>();
  readonly #airports: AirportRecord[] = [];
  readonly #record = new ByteWriter(512);
  count = 0;

  constructor(sorter: MakeSorter = inMemory, store: ByteStore = new MemoryStore()) {
    this.#sorter = sorter;
    this.#store = store;
    this.#homes = sorter("places");
  }

  add(place: PlaceRecord): void {
    this.count++;
    const cell = cellAt(place.location);
    const size = sizeOf(place);
    for (let resolution = COARSEST_TILE; resolution < FINEST_TILE; resolution++) {
      const ancestor = ancestorOf(cell, resolution);
      this.#bytes.set(ancestor, (this.#bytes.get(ancestor) ?? 0) + size);
    }
    this.#record.length = 0;
    writePlace(this.#record, place);
    this.#homes.add(cell, this.#record.view());
  }

  addAirport(airport: AirportRecord): void {
    this.#airports.push(airport);
  }

  /** @param domainOf the domain of a chain, which is known only after all places */
  *finish(domainOf: (place: PlaceRecord) => string | undefined): Generator<{ key: string; bytes: Uint8Array }> {
    const visitors = this.#sorter("visitors");
    const homes = this.#findTiles(visitors);
    const named = (place: PlaceRecord): PlaceRecord => {
      const domain = domainOf(place);
      return place.chain && domain !== undefined ? { ...place, chain: { ...place.chain, domain } } : place;
    };
    const parts = partsFor(this.count);
    const ids = this.#sorter("ids");
    const cells: PackedCell[] = [];
    const keys: PlaceKey[] = [];
    for (const { cell, home, guests } of byTile(homes, visitors)) {
      const own = home ? this.#placesOf(home) : [];
      if (this.count <= MAX_FILTERED) keys.push(...own.map(({ key }) => key));
      for (const { key } of own) ids.add((key.low % parts) * PART + key.low, homeBytes({ ...key, cell }));
      cells.push(cell);
      yield { key: tileKey(cell), bytes: encodeTile(own.map(named), guests.map(named)) };
    }
    visitors.close();
    yield* this.#ids(ids, parts);
    if (this.count <= MAX_FILTERED) yield { key: KEY_FILTER_KEY, bytes: encodeKeyFilter(keys) };
    yield* directories(cells);
    const sorted = this.#airports
      .map(({ iata, place }) => ({ iata, place: named(place) }))
      .sort((a, b) => (a.iata < b.iata ? -1 : a.iata > b.iata ? 1 : byKeyOf(a.place, b.place)));
    yield { key: AIRPORTS_KEY, bytes: encodeAirports(sorted) };
  }

  /** Writes the places to the store, tile by tile, and those that other tiles also need to `visitors`. */
  #findTiles(visitors: Sorter): HomeTile[] {
    const split = new Set([...this.#bytes].filter(([, size]) => size > SPLIT_AT).map(([cell]) => cell));
    const tileOf = (cell: PackedCell): PackedCell => {
      let resolution = COARSEST_TILE;
      while (resolution < FINEST_TILE && split.has(ancestorOf(cell, resolution))) resolution++;
      return ancestorOf(cell, resolution);
    };
    const homes: HomeTile[] = [];
    const alone = aloneIn(tileOf);
    let own = { cell: -1, ...cellCircle(cellAt({ latitude: 0, longitude: 0 }, 0)) };
    for (const { cell, place, bytes } of inOrder(this.#homes)) {
      // Places are in the order of cells, so each tile's circle is computed once.
      const home = tileOf(cell);
      const start = this.#store.append(bytes);
      if (own.cell !== home) {
        own = { cell: home, ...cellCircle(home) };
        homes.push({ cell: home, start, lengths: [] });
      }
      homes[homes.length - 1].lengths.push(bytes.length);
      if (place.footprint <= ALONE_FOOTPRINT && alone(cell, home)) continue;
      for (const other of reachedTiles(place, own, tileOf)) visitors.add(other, bytes);
    }
    this.#homes.close();
    return homes;
  }

  /** Generates the tile of each place, object by object. */
  *#ids(ids: Sorter, parts: number): Generator<{ key: string; bytes: Uint8Array }> {
    let homes: PlaceHome[] = [];
    let part = 0;
    for (const { key, bytes, start } of ids.sorted()) {
      for (; Math.floor(key / PART) > part; part++) {
        yield { key: idsKey(part), bytes: encodeIds(homes) };
        homes = [];
      }
      homes.push(readHome(bytes, start));
    }
    ids.close();
    for (; part < parts; part++) {
      yield { key: idsKey(part), bytes: encodeIds(homes) };
      homes = [];
    }
    yield { key: IDS_KEY, bytes: encodeParts(parts) };
  }

  #placesOf({ start, lengths }: HomeTile): PlaceRecord[] {
    const length = lengths.reduce((sum, one) => sum + one, 0);
    const reader = new ByteReader(this.#store.read(start, length));
    return lengths.map(() => readPlace(reader));
  }
}

/** Keys of the sorter of ids: the object's number above the lower half of the place's key. */
const PART = 0x100000000;

function homeBytes({ high, low, cell }: PlaceHome): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, high, true);
  view.setUint32(4, low, true);
  view.setFloat64(8, cell, true);
  return bytes;
}

function readHome(bytes: Uint8Array, start: number): PlaceHome {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, 16);
  return { high: view.getUint32(0, true), low: view.getUint32(4, true), cell: view.getFloat64(8, true) };
}

/** The same for places that are all in memory. */
export function* packPlaces(
  places: readonly PlaceRecord[],
  airports: readonly AirportRecord[],
): Generator<{ key: string; bytes: Uint8Array }> {
  const packer = new PlacePacker();
  for (const place of places) packer.add(place);
  for (const airport of airports) packer.addAirport(airport);
  yield* packer.finish(({ chain }) => chain?.domain);
}

const byKeyOf = (a: PlaceRecord, b: PlaceRecord) => a.key.high - b.key.high || a.key.low - b.key.low;

/** By cell, those in one cell by their keys. */
function* inOrder(sorter: Sorter): Generator<{ cell: PackedCell; place: PlaceRecord; bytes: Uint8Array }> {
  let same: { place: PlaceRecord; bytes: Uint8Array }[] = [];
  const take = ({ bytes, start, end }: SortedRecord) => {
    const own = bytes.slice(start, end);
    same.push({ place: readPlace(new ByteReader(own)), bytes: own });
  };
  for (const cell of byKey(sorter, take)) {
    if (same.length > 1) same.sort((a, b) => byKeyOf(a.place, b.place));
    for (const one of same) yield { cell, ...one };
    same = [];
  }
}

/** Both lists as one by ascending cell. */
function* byTile(
  homes: readonly HomeTile[],
  visitors: Sorter,
): Generator<{ cell: PackedCell; home?: HomeTile; guests: PlaceRecord[] }> {
  let next = 0;
  let guests: PlaceRecord[] = [];
  const take = ({ bytes, start }: SortedRecord) => void guests.push(readPlace(new ByteReader(bytes, start)));
  for (const cell of byKey(visitors, take)) {
    const own = guests;
    guests = [];
    while (next < homes.length && homes[next].cell < cell)
      yield { cell: homes[next].cell, home: homes[next++], guests: [] };
    const home = homes[next]?.cell === cell ? homes[next++] : undefined;
    yield { cell, home, guests: own };
  }
  while (next < homes.length) yield { cell: homes[next].cell, home: homes[next++], guests: [] };
}

/**
 * Within this share of a cell's radius from its center there can be no other cell's descendants: neighbors are √3 edges
 * away and their descendants reach 1.05 edges out.
 */
const SURE = 0.5;

/** Tiles other than its own in which `at` must find the place: those that its footprint, and 75 m around it, touch. */
function reachedTiles(
  place: PlaceRecord,
  own: { cell: PackedCell; center: Coordinate; radius: number },
  tileOf: (cell: PackedCell) => PackedCell,
): PackedCell[] {
  const reach = place.footprint + NEARBY + 1;
  if (distance(place.location, own.center) + reach < SURE * own.radius) return [];
  // Cells about as large as the reach follow the circle closely enough; they must not be coarser than a tile.
  const resolution = reach > 4000 ? FINEST_TILE : reach > 900 ? 8 : reach > 300 ? 9 : 10;
  const out = new Set<PackedCell>();
  for (const cell of cellsTouching(place.location, reach, resolution)) out.add(tileOf(cell));
  out.delete(own.cell);
  return [...out].sort((a, b) => a - b);
}

/** Of most places: those that are points. */
const ALONE_FOOTPRINT = 15;
/** Cells in which places are so near to each other that they reach the same tiles, mostly only their own. */
const ALONE_RESOLUTION = 9;

/** Whether no place of such a footprint in the cell around a place reaches another tile: for places in the order of their cells. */
function aloneIn(tileOf: (cell: PackedCell) => PackedCell): (cell: PackedCell, home: PackedCell) => boolean {
  let last = -1;
  let isAlone = false;
  return (cell, home) => {
    const around = ancestorOf(cell, ALONE_RESOLUTION);
    if (around !== last) {
      last = around;
      const { center, radius } = cellCircle(around);
      // The cell of a place may reach a tenth beyond its circle.
      const reach = radius * DESCENDANT_REACH + ALONE_FOOTPRINT + NEARBY + 1;
      isAlone = cellsTouching(center, reach, ALONE_RESOLUTION + 1).every((one) => tileOf(one) === home);
    }
    return isAlone;
  };
}

/** A directory for every cell of the Earth from which a tile can be reached, and the list of them. */
function* directories(tiles: readonly PackedCell[]): Generator<{ key: string; bytes: Uint8Array }> {
  const entries: DirectoryEntry[] = tiles.map((cell) => ({ cell, ...cellReach(cell) }));
  const made: PackedCell[] = [];
  for (const cell of allCells(DIRECTORY_RESOLUTION).sort((a, b) => a - b)) {
    const { center, radius } = cellReach(cell);
    const near = entries.filter(
      (entry) =>
        ancestorOf(entry.cell, resolutionOf(cell)) === cell ||
        distance(entry.center, center) <= entry.radius + radius + MAX_RADIUS + 1,
    );
    if (near.length === 0) continue;
    yield { key: directoryKey(cell), bytes: encodeDirectory(near) };
    made.push(cell);
  }
  yield { key: DIRECTORIES_KEY, bytes: encodeCellList(made) };
}
