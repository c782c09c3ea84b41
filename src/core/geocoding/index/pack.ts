import type { Coordinate } from "../../geo/coordinate.ts";
import { GRID } from "../entry/entry.ts";
import type { AddressCollector, Collected } from "./collector.ts";
import { COVERAGE_KEY, coverageOf, encodeCoverage } from "./coverage.ts";
import { encodeDetails, encodeDetailsTile } from "./details-tile.ts";
import { housesKey, namesKey } from "./layout.ts";
import { encodeNames, NamesTile } from "./names-tile.ts";
import { packDirectories } from "./pack-directories.ts";
import { packHead } from "./pack-head.ts";
import { WordIndexBuilder } from "./pack-words.ts";
import type { PackedObject } from "./packed-object.ts";
import { encodeSources, SOURCES_KEY } from "./sources.ts";
import { entriesOf, type StreetNames } from "./tile-entries.ts";
import { byWeight, type Group, tilesOf } from "./tile-groups.ts";
import { wordsOfTile } from "./tile-words.ts";

/**
 * Writes the collected data as objects of a build: tiles, word index, head. The same input gives the same bytes. An
 * import, which may have more data than fits into memory, does the same bucket by bucket (importer/layers/addresses).
 */
export function* packAddresses(
  collected: AddressCollector,
  sources: readonly string[] = ["OpenStreetMap"],
): Generator<PackedObject> {
  const groups = tilesOf(collected).sort(byWeight);
  const words = new WordIndexBuilder();
  const lent = new Map<number, ReturnType<StreetNames["get"]>>();
  const translated: StreetNames = {
    get: (street) => lent.get(street) ?? collected.streets[street].names,
    set: (street, names) => void lent.set(street, names),
  };
  for (const [number, group] of groups.entries()) {
    const { names, houses } = packTile(collected, group, translated);
    yield { key: namesKey(number), bytes: names };
    if (houses) yield { key: housesKey(number), bytes: houses };
    words.addTile(number, wordsOfTile(new NamesTile(names)));
  }
  yield* packDirectories(groups.map(({ cell }) => cell));
  yield* words.finish();
  yield { key: SOURCES_KEY, bytes: encodeSources(sources) };
  yield { key: COVERAGE_KEY, bytes: encodeCoverage(coverageOf(collected)) };
  yield* packHead(collected.entries.filter(({ kind }) => kind !== "place"));
}

/** The two objects of one tile; no houses where it has neither houses nor lines. */
export function packTile(
  collected: Collected,
  group: Group,
  translated: StreetNames,
): { names: Uint8Array; houses?: Uint8Array } {
  const entries = entriesOf(collected, group, translated);
  const parts = entries.map((one) => encodeDetails(snapped(one.entry), one.houses, one.lines));
  const names = encodeNames(
    entries.map(({ entry }) => entry),
    parts.map((part) => part.length),
  );
  return parts.some((part) => part.length > 0) ? { names, houses: encodeDetailsTile(parts) } : { names };
}

/** Positions of details are relative to the entry's position as it is stored. */
function snapped({ latitude, longitude }: Coordinate): Coordinate {
  return { latitude: Math.round(latitude * GRID) / GRID, longitude: Math.round(longitude * GRID) / GRID };
}
