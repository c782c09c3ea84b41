import { ancestorOf, cellRange, type PackedCell, resolutionOf } from "../geo/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";
import type { AddressCollector } from "./collector.ts";
import { COVERAGE_KEY, coverageOf, encodeCoverage } from "./coverage.ts";
import { encodeDetails, encodeDetailsTile, type Path } from "./details-tile.ts";
import { GRID, type House, type PropertyType } from "./entry.ts";
import { parseHouseNumber } from "./house-number.ts";
import { COARSEST_TILE, encodeDirectory, FINEST_TILE, housesKey, namesKey, TILES_KEY } from "./layout.ts";
import { encodeNames, type NewEntry } from "./names-tile.ts";
import { packHead } from "./pack-head.ts";
import { WordIndexBuilder } from "./pack-words.ts";
import type { PackedObject } from "./packed-object.ts";

/** A tile is split while its names, or its house numbers, are expected to exceed this [bytes]. */
const TILE_BYTES = 48 * 1024;
/** What an entry takes besides its name, and what a house takes, as measured over towns. */
const ENTRY_BYTES = 14;
const HOUSE_BYTES = 5;
/** Two houses of the same number are one when they are nearer to each other than this [m]. */
const SAME_HOUSE = 100;
/** How well known a street is (0 … 255), and how much more with many houses. */
const STREET_IMPORTANCE = 38;

/**
 * Writes everything the collector holds as objects of a build: tiles, word index, head. The same input gives the same
 * bytes.
 */
export function* packAddresses(collected: AddressCollector): Generator<PackedObject> {
  const groups = tilesOf(collected);
  const words = new WordIndexBuilder();
  for (const [number, group] of groups.entries()) {
    const entries = entriesOf(collected, group);
    const origin = ({ entry }: (typeof entries)[number]) => snapped(entry);
    const parts = entries.map((one) => encodeDetails(origin(one), one.houses, one.lines));
    yield {
      key: namesKey(number),
      bytes: encodeNames(
        entries.map(({ entry }) => entry),
        parts.map((part) => part.length),
      ),
    };
    if (parts.some((part) => part.length > 0)) yield { key: housesKey(number), bytes: encodeDetailsTile(parts) };
    for (const { entry } of entries) words.add(number, entry);
  }
  yield { key: TILES_KEY, bytes: encodeDirectory(groups.map(({ cell }) => cell)) };
  yield* words.finish();
  yield { key: COVERAGE_KEY, bytes: encodeCoverage(coverageOf(collected)) };
  yield* packHead(collected.entries.filter(({ kind }) => kind !== "place"));
}

/** Positions of details are relative to the entry's position as it is stored. */
function snapped({ latitude, longitude }: Coordinate): Coordinate {
  return { latitude: Math.round(latitude * GRID) / GRID, longitude: Math.round(longitude * GRID) / GRID };
}

interface Group {
  cell: PackedCell;
  /** Sorted by cell: houses, then pieces, then entries, by their positions. */
  houses: Uint32Array;
  pieces: readonly number[];
  entries: readonly number[];
  weight: number;
}

/** Cells from the coarsest down, split while they are too full; those with most in them first. */
function tilesOf(collected: AddressCollector): Group[] {
  const { houses, pieces, entries } = collected;
  const byCell = new Uint32Array(houses.count).map((_, i) => i);
  byCell.sort((a, b) => houses.cell[a] - houses.cell[b] || a - b);
  const piecesByCell = pieces.map((_, i) => i).sort((a, b) => pieces[a].cell - pieces[b].cell || a - b);
  const entriesByCell = entries.map((_, i) => i).sort((a, b) => entries[a].cell - entries[b].cell || a - b);
  const out: Group[] = [];
  const roots = new Set<PackedCell>();
  for (let i = 0; i < houses.count; i++) roots.add(ancestorOf(houses.cell[i], COARSEST_TILE));
  for (const { cell } of [...pieces, ...entries]) roots.add(ancestorOf(cell, COARSEST_TILE));

  const within = <T extends Uint32Array | readonly number[]>(
    list: T,
    cellOf: (i: number) => number,
    cell: PackedCell,
  ) => {
    const [low, high] = cellRange(cell);
    return list.slice(firstNotBelow(list, cellOf, low), firstNotBelow(list, cellOf, high)) as T;
  };
  const split = (cell: PackedCell, group: Omit<Group, "cell" | "weight">) => {
    const size = sizeOf(collected, group);
    const resolution = resolutionOf(cell);
    if (resolution === FINEST_TILE || Math.max(size.names, size.houses) <= TILE_BYTES) {
      out.push({ cell, ...group, weight: group.houses.length + size.entries });
      return;
    }
    const children = new Set<PackedCell>();
    for (const i of group.houses) children.add(ancestorOf(houses.cell[i], resolution + 1));
    for (const i of group.pieces) children.add(ancestorOf(pieces[i].cell, resolution + 1));
    for (const i of group.entries) children.add(ancestorOf(entries[i].cell, resolution + 1));
    for (const child of [...children].sort((a, b) => a - b)) split(child, part(group, child));
  };
  const part = (group: Omit<Group, "cell" | "weight">, cell: PackedCell) => ({
    houses: within(group.houses, (i) => houses.cell[i], cell),
    pieces: within(group.pieces, (i) => pieces[i].cell, cell),
    entries: within(group.entries, (i) => entries[i].cell, cell),
  });
  const all = { houses: byCell, pieces: piecesByCell, entries: entriesByCell };
  for (const root of [...roots].sort((a, b) => a - b)) split(root, part(all, root));
  return out.sort((a, b) => b.weight - a.weight || a.cell - b.cell);
}

/** Cells carry their resolution in the last bits; all here are of one resolution, so order is that of their keys. */
function firstNotBelow(list: Uint32Array | readonly number[], cellOf: (i: number) => number, key: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cellOf(list[middle]) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sizeOf({ houses, streets, pieces, entries }: AddressCollector, group: Omit<Group, "cell" | "weight">) {
  const seen = new Set<number>();
  for (const i of group.houses) seen.add(houses.street[i]);
  for (const i of group.pieces) seen.add(pieces[i].street);
  let names = 0;
  for (const street of seen) names += ENTRY_BYTES + 1.5 * streets[street].name.length;
  for (const i of group.entries) names += ENTRY_BYTES + 2 * entries[i].name.length;
  let points = 0;
  for (const i of group.pieces) points += pieces[i].line.length;
  return { names, houses: HOUSE_BYTES * (group.houses.length + points), entries: seen.size + group.entries.length };
}

interface TileEntry {
  entry: NewEntry;
  houses: House[];
  lines: Path[];
}

/** The entries of one tile: streets with their houses and lines put together, then the rest; best first. */
function entriesOf(collected: AddressCollector, group: Group): TileEntry[] {
  const { houses, streets, contexts, texts, entries } = collected;
  const byStreet = new Map<number, { houses: House[]; lines: Path[] }>();
  const of = (street: number) => {
    let found = byStreet.get(street);
    if (!found) {
      found = { houses: [], lines: [] };
      byStreet.set(street, found);
    }
    return found;
  };
  for (const i of group.houses) {
    const number = parseHouseNumber(texts[houses.number[i]]);
    if (!number) continue;
    of(houses.street[i]).houses.push({
      number,
      location: { latitude: houses.latitude[i] / GRID, longitude: houses.longitude[i] / GRID },
      units: houses.units[i] === 0 ? [] : texts[houses.units[i]].split("\n"),
      computed: houses.computed[i] === 1,
      ...factsOf(texts[houses.facts[i]]),
    });
  }
  joinLines(collected, group, of, byStreet);
  const out: TileEntry[] = [];
  for (const [street, found] of byStreet) {
    const { name, context, postalCode, names } = streets[street];
    const own = onceEach(found.houses);
    const at = middleOf(own, found.lines);
    const importance = STREET_IMPORTANCE + Math.min(26, 4 * Math.log2(1 + own.length));
    const entry: NewEntry = { kind: "street", name, context: contexts[context], postalCode, ...at, importance, names };
    out.push({ entry, houses: own, lines: found.lines });
  }
  for (const i of group.entries) out.push({ entry: entries[i], houses: [], lines: [] });
  return out.sort(
    (a, b) =>
      Math.round(b.entry.importance) - Math.round(a.entry.importance) ||
      compare(a.entry.name, b.entry.name) ||
      compare(a.entry.postalCode, b.entry.postalCode) ||
      a.entry.latitude - b.entry.latitude ||
      a.entry.longitude - b.entry.longitude,
  );
}

/** "1234 residential" → both, as the collector keeps them. */
function factsOf(text: string): Pick<House, "plus4" | "propertyType"> {
  const [plus4, propertyType] = text.split(" ");
  return {
    ...(plus4 && { plus4 }),
    ...(propertyType && { propertyType: propertyType as PropertyType }),
  };
}

/**
 * Lines have no postal code: each is added to the street of its name and context with the most houses here, or makes a
 * street of its own where there is none.
 */
function joinLines(
  { pieces, streets }: AddressCollector,
  group: Group,
  of: (street: number) => { lines: Path[] },
  byStreet: ReadonlyMap<number, { houses: House[] }>,
): void {
  const best = new Map<string, number>();
  const key = (street: number) => `${streets[street].name}\n${streets[street].context}`;
  for (const [street, { houses }] of byStreet) {
    const known = best.get(key(street));
    if (known === undefined || houses.length > byStreet.get(known)!.houses.length) best.set(key(street), street);
  }
  for (const i of group.pieces) {
    const { street, line } = pieces[i];
    const target = best.get(key(street)) ?? street;
    const { names } = streets[street];
    if (names.length > 0 && streets[target].names.length === 0) streets[target].names = names;
    of(target).lines.push(line);
  }
}

/** Two sources, or a building and its entrance, may describe the same house: surveyed ones win over computed ones. */
function onceEach(houses: readonly House[]): House[] {
  const kept = new Map<string, House[]>();
  const out: House[] = [];
  for (const house of [...houses].sort((a, b) => Number(a.computed) - Number(b.computed))) {
    const twins = kept.get(house.number.key) ?? [];
    const twin = twins.find(({ location }) => metres(location, house.location) < SAME_HOUSE);
    if (twin) {
      twin.plus4 ??= house.plus4;
      twin.propertyType ??= house.propertyType;
      twin.units = [...new Set([...twin.units, ...house.units])];
      continue;
    }
    twins.push(house);
    kept.set(house.number.key, twins);
    out.push(house);
  }
  return out;
}

/** Where a street is shown: at the house, or the vertex, nearest to the mean of them all. */
function middleOf(houses: readonly House[], lines: readonly Path[]): Coordinate {
  const points = houses.length > 0 ? houses.map(({ location }) => location) : lines.flat();
  const { longitude: zero } = points[0];
  const turn = (longitude: number) => {
    const d = longitude - zero;
    return d > 180 ? d - 360 : d < -180 ? d + 360 : d;
  };
  const latitude = points.reduce((sum, point) => sum + point.latitude, 0) / points.length;
  const longitude = zero + points.reduce((sum, point) => sum + turn(point.longitude), 0) / points.length;
  let best = points[0];
  let nearest = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const d = metres(point, { latitude, longitude });
    if (d < nearest) {
      nearest = d;
      best = point;
    }
  }
  return best;
}

const metres = (a: Coordinate, b: Coordinate) => haversine(a.latitude, a.longitude, b.latitude, b.longitude);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
