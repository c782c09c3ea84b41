import { encodeCellList } from "../geo/cell-list.ts";
import { allCells, cellsTouching } from "../geo/cell-neighbourhood.ts";
import { cellReach } from "../geo/cell-tree.ts";
import { ancestorOf, cellAt, cellCircle, type PackedCell, resolutionOf } from "../geo/cells.ts";
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
import { NEARBY } from "./place-index.ts";
import { encodeTile, type PlaceRecord, sizeOf } from "./tile.ts";

/** A tile is split into its children while its own places take more than this [bytes]. */
const SPLIT_AT = 192 * 1024;

export interface AirportRecord {
  iata: string;
  place: PlaceRecord;
}

/**
 * Turns places into objects: tiles, the directories that list them, and the airports by code. The same places give the
 * same bytes, in whatever order they come; of two places with the same key the first stays.
 */
export function* packPlaces(
  places: readonly PlaceRecord[],
  airports: readonly AirportRecord[],
): Generator<{ key: string; bytes: Uint8Array }> {
  const homes = places
    .map((place) => ({ place, cell: cellAt(place.location) }))
    .sort((a, b) => a.cell - b.cell || byKey(a.place, b.place));
  const split = new Set<PackedCell>();
  const tiles = new Map<PackedCell, { home: PlaceRecord[]; visitors: PlaceRecord[] }>();
  const tileOf = (cell: PackedCell): PackedCell => {
    let resolution = COARSEST_TILE;
    while (resolution < FINEST_TILE && split.has(ancestorOf(cell, resolution))) resolution++;
    return ancestorOf(cell, resolution);
  };
  const open = (cell: PackedCell) => {
    let tile = tiles.get(cell);
    if (!tile) {
      tile = { home: [], visitors: [] };
      tiles.set(cell, tile);
    }
    return tile;
  };

  for (const cell of crowded(homes)) split.add(cell);
  for (const { place, cell } of homes) open(tileOf(cell)).home.push(place);
  let own = { cell: -1, ...cellCircle(cellAt({ latitude: 0, longitude: 0 }, 0)) };
  for (const { place, cell } of homes) {
    // Places come cell by cell, so each tile's circle is computed once.
    const home = tileOf(cell);
    if (own.cell !== home) own = { cell: home, ...cellCircle(home) };
    for (const other of reachedTiles(place, own, tileOf)) open(other).visitors.push(place);
  }

  const cells = [...tiles.keys()].sort((a, b) => a - b);
  for (const cell of cells) {
    const { home, visitors } = tiles.get(cell)!;
    yield { key: tileKey(cell), bytes: encodeTile(home, visitors) };
  }
  yield* directories(cells);
  const sorted = [...airports].sort((a, b) => (a.iata < b.iata ? -1 : a.iata > b.iata ? 1 : byKey(a.place, b.place)));
  yield { key: AIRPORTS_KEY, bytes: encodeAirports(sorted) };
}

const byKey = (a: PlaceRecord, b: PlaceRecord) => a.key.high - b.key.high || a.key.low - b.key.low;

/** Cells whose own places are too many for one tile. */
function crowded(homes: readonly { place: PlaceRecord; cell: PackedCell }[]): PackedCell[] {
  const bytes = new Map<PackedCell, number>();
  for (const { place, cell } of homes) {
    for (let resolution = COARSEST_TILE; resolution < FINEST_TILE; resolution++) {
      const ancestor = ancestorOf(cell, resolution);
      bytes.set(ancestor, (bytes.get(ancestor) ?? 0) + sizeOf(place));
    }
  }
  return [...bytes].filter(([, size]) => size > SPLIT_AT).map(([cell]) => cell);
}

/**
 * Within this share of a cell's radius from its centre no other cell's descendants can lie: neighbours are √3 edges
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
