import { formatLiveList, type LiveBuild } from "../../src/core/geo/builds/manifest.ts";
import { seal } from "../../src/core/geo/builds/sealed.ts";
import { encodeCellList } from "../../src/core/geo/cells/cell-list.ts";
import { cellAt, cellCircle } from "../../src/core/geo/cells/cells.ts";
import type { House } from "../../src/core/geocoding/entry/entry.ts";
import { NO_CONTEXT } from "../../src/core/geocoding/entry/entry.ts";
import { encodeCoverage } from "../../src/core/geocoding/index/coverage.ts";
import { encodeDetails, encodeDetailsTile } from "../../src/core/geocoding/index/details-tile.ts";
import { encodePrefixes } from "../../src/core/geocoding/index/layout.ts";
import { encodeNames, type NewEntry } from "../../src/core/geocoding/index/names-tile.ts";
import { encodeDirectory as encodeAddressTiles } from "../../src/core/geocoding/index/tile-directory.ts";
import { encodePositions } from "../../src/core/geocoding/index/tile-positions.ts";
import { encodeWordBlock } from "../../src/core/geocoding/index/word-block.ts";
import { parseHouseNumber } from "../../src/core/geocoding/words/house-number.ts";
import { encodeAirports } from "../../src/core/places/airports.ts";
import { encodeDirectory as encodePlaceTiles } from "../../src/core/places/directory.ts";
import { encodeTile as encodePlaces, type PlaceRecord } from "../../src/core/places/tile.ts";
import { encodeTile as encodeRegions } from "../../src/core/regions/tile-format.ts";

/**
 * One small object of every format, of things that never change: what their bytes are is what the format is. Everything a
 * format can say is said in it once.
 */
const HERE = { latitude: 48.99, longitude: -111.2 };
const CELL = cellAt(HERE, 4);

export const ENTRIES: NewEntry[] = [
  {
    kind: "street",
    name: "Straße des 17. Juni",
    context: { ...NO_CONTEXT, city: "Berlin", neighborhood: "Tiergarten", countryCode: "DE" },
    isBlock: true,
    postalCode: "10785",
    latitude: 52.51,
    longitude: 13.35,
    importance: 38,
    names: [["en", "17th of June Street"]],
  },
  {
    kind: "locality",
    name: "東京",
    context: NO_CONTEXT,
    postalCode: "",
    latitude: -1,
    longitude: 179.99,
    importance: 255,
  },
];

export const HOUSES: House[] = ["20", "20 bis", "217-04", "217-14", "A 7"].map((text, i) => ({
  number: parseHouseNumber(text)!,
  location: { latitude: 48.99 + i / 1e3, longitude: -111.2 },
  units: i === 0 ? ["4B", "12"] : [],
  computed: i === 1,
  origin: { precision: i === 1 ? ("interpolated" as const) : ("rooftop" as const), sources: i === 2 ? [1, 0] : [0] },
  ...(i === 2 && { plus4: "0042" }),
  ...(i > 2 && { propertyType: "commercial" as const }),
}));

export const PLACES: PlaceRecord[] = [
  {
    key: { high: 0x706c6163, low: 7 },
    name: "Gridline Grocers",
    chain: { slug: "gridline-grocers", name: "Gridline" },
    categories: [1, 2],
    location: HERE,
    footprint: 30,
  },
  {
    key: { high: 1, low: 2 },
    name: "Bäckerei",
    categories: [],
    location: { latitude: -33, longitude: 151 },
    footprint: 15,
  },
];

const REGION = { rank: "import", country: "US", state: "MT" } as const;

const LIVE: LiveBuild = {
  name: "montana",
  id: "0123456789abcdef",
  areas: [[-116, 44, -104, 49]],
  layers: { regions: 1, addresses: 2 },
  layerAreas: { addresses: [[-112, 48, -110, 49]] },
  checksum: "crc32c",
  sources: [{ name: "OpenStreetMap", url: "https://www.openstreetmap.org/copyright", licence: "ODbL-1.0" }],
  previous: ["fedcba9876543210"],
};

export const OBJECTS: Record<string, () => Uint8Array> = {
  seal: () => seal(new Uint8Array([1, 2, 3])),
  "cell list": () => encodeCellList([CELL, cellAt({ latitude: 0, longitude: 0 }, 4)]),
  "live.json": () => new TextEncoder().encode(formatLiveList([LIVE])),
  "tile of regions": () =>
    encodeRegions({
      cell: CELL,
      regions: [
        { kind: "county", code: "30101", name: "Toole", dma: { code: "755", name: "Great Falls" }, ...REGION },
        { kind: "postalCode", code: "59474", name: "59474", ...REGION },
      ],
      sets: [[], [0], [0, 1]],
      tree: [1, 2 + 2, 3 + 4, 0, 0, 0, 0, 0],
      chains: [{ set: 1, xs: [-11_120_000, -11_119_990, -11_119_995], ys: [4_899_000, 4_899_003, 4_898_000] }],
    }),
  "tile of places": () => encodePlaces([PLACES[0]], [PLACES[1]]),
  "directory of places": () => encodePlaceTiles([{ cell: CELL, ...cellCircle(CELL) }]),
  airports: () => encodeAirports([{ iata: "QMX", place: PLACES[1] }]),
  "address tiles": () => encodeAddressTiles([cellAt(HERE, 5), CELL]),
  "address positions": () => encodePositions([CELL, cellAt({ latitude: 47.1, longitude: -110 }, 5), cellAt(HERE, 5)]),
  "address names": () => encodeNames(ENTRIES, [12, 0]),
  "address details": () =>
    encodeDetailsTile([encodeDetails(HERE, HOUSES, [[HERE, { latitude: 49, longitude: -111 }]])]),
  "address prefixes": () => encodePrefixes(["ber", "東"]),
  "address words": () =>
    encodeWordBlock(["lind", "linden", "straße", "weg"], (word) => (word === "weg" ? [0, 1, 9] : [word.length, 300])),
  "address coverage": () => encodeCoverage(new Map([["US-MT", 12_345]])),
};
