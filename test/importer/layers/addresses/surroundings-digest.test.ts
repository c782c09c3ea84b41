import { describe, expect, it } from "vitest";
import { ByteWriter } from "../../../../src/core/geo/bytes/bytes.ts";
import { cellAt } from "../../../../src/core/geo/cells/cells.ts";
import { FINEST_TILE } from "../../../../src/core/geocoding/index/layout.ts";
import { buildTiles } from "../../../../src/core/regions/build-tiles.ts";
import { IMPORT_TILES } from "../../../../src/core/regions/region-index.ts";
import type { RegionShape } from "../../../../src/core/regions/region-shape.ts";
import { numberWithin } from "../../../../src/importer/layers/addresses/jobs/bucket-orders.ts";
import { resolveBucket } from "../../../../src/importer/layers/addresses/jobs/resolve-bucket.ts";
import {
  type SharedSurroundings,
  surroundingsOf,
} from "../../../../src/importer/layers/addresses/jobs/surroundings.ts";
import { joinDigests, SurroundingsDigest } from "../../../../src/importer/layers/addresses/jobs/surroundings-digest.ts";
import { writeRaw } from "../../../../src/importer/layers/addresses/records/raw-record.ts";
import { RegionTiles, type SharedTiles } from "../../../../src/importer/layers/addresses/records/region-tiles.ts";
import { Settlements } from "../../../../src/importer/layers/addresses/records/settlements.ts";
import { randomFrom } from "../../../core/geocoding/sample.ts";

type Corner = [longitude: number, latitude: number];

const shape = (name: string, ...corners: Corner[]): RegionShape => ({
  kind: "locality",
  rank: "import",
  code: "",
  name,
  country: "",
  state: "",
  rings: [[...corners, corners[0]]],
});

/** Houses of a bucket along a parallel, as they lie between two steps of an import. */
function bucketOf(longitudes: readonly number[]): Uint8Array {
  const out = new ByteWriter();
  const record = new ByteWriter();
  const places = longitudes.map((longitude) => ({ latitude: 30, longitude }));
  const houses = places.map((at) => ({ at, cell: cellAt(at, FINEST_TILE) })).sort((a, b) => a.cell - b.cell);
  let before = 0;
  for (const [i, { at, cell }] of houses.entries()) {
    record.length = 0;
    const tags = { "addr:housenumber": `${i}` };
    writeRaw(record, { kind: "house", at, tags, street: "Strand" }, i);
    out.unsigned(cell - before);
    before = cell;
    out.unsigned(record.length);
    out.bytes(record.view());
  }
  return out.finish();
}

/** Two towns, west and east of a border that leans on a corner in the north. */
const towns = (corner: number, border = -40): RegionShape[] => [
  shape("West", [-40.1, 29.9], [border, 29.9], [border, 30.05], [corner, 30.1], [-40.1, 30.1]),
  shape("East", [border, 29.9], [-39.9, 29.9], [-39.9, 30.1], [corner, 30.1], [border, 30.05]),
];

const HOUSES = bucketOf([-40.02, -40.01, -39.99, -39.98]);

function tilesOf(shapes: readonly RegionShape[]): SharedTiles {
  const places: number[] = [];
  let bytes = new Uint8Array(0);
  for (const tile of buildTiles(shapes, IMPORT_TILES)) {
    places.push(tile.cell, bytes.length, tile.bytes.length);
    bytes = Buffer.concat([bytes, tile.bytes]);
  }
  return { places: Float64Array.from(places), bytes };
}

function digestOf(shapes: readonly RegionShape[], settle: (towns: Settlements) => void = () => {}): SurroundingsDigest {
  const settlements = new Settlements();
  settle(settlements);
  return new SurroundingsDigest({
    id: 0,
    tiles: tilesOf(shapes),
    settlements: settlements.encode(),
    drawnCodes: new Uint8Array(0),
  });
}

function nameOf(...around: Parameters<typeof digestOf>): string {
  const records = HOUSES.slice();
  return digestOf(...around).within(numberWithin(records).box, records);
}

const quickNameOf = (...around: Parameters<typeof digestOf>): string =>
  digestOf(...around).around(numberWithin(HOUSES.slice()).box);

describe("what the houses of a bucket see", () => {
  const before = nameOf(towns(-40));

  it("is the same when a corner of their border moves elsewhere, though the tile of regions is another", () => {
    expect(nameOf(towns(-40.001))).toBe(before);
    expect(nameOf(towns(-40, -40.005))).toBe(before);
  });

  it("is something else when the border moves over one of them, or a region around them has another name", () => {
    expect(nameOf(towns(-40, -39.985))).not.toBe(before);
    expect(nameOf(towns(-40, -40.015))).not.toBe(before);
    const [west, east] = towns(-40);
    expect(nameOf([west, { ...east, name: "Orient" }])).not.toBe(before);
    expect(nameOf([west])).not.toBe(before);
  });

  it("is told quickly by whole tiles around them, whatever lies in others", () => {
    const quick = quickNameOf(towns(-40));
    const far = shape("Far", [20, 40], [21, 40], [21, 41], [20, 41]);
    expect(quickNameOf([...towns(-40), far])).toBe(quick);
    expect(quickNameOf(towns(-40.001))).not.toBe(quick);
    expect(
      quickNameOf(towns(-40), (all) => all.add({ place: "village", name: "Thule" }, { latitude: 30, longitude: -40 })),
    ).not.toBe(quick);
  });

  it("is something else when a town comes that reaches to them, and the same where it does not", () => {
    const town = (longitude: number) => (all: Settlements) =>
      all.add({ place: "village", name: "Thule" }, { latitude: 30, longitude });
    expect(nameOf(towns(-40), town(-40))).not.toBe(before);
    expect(nameOf(towns(-40), town(-41))).toBe(before);
  });

  it("is the same as it is noted while the bucket is worked on", () => {
    const [records, settlements] = [HOUSES.slice(), new Settlements()];
    const { box } = numberWithin(records);
    const around: SharedSurroundings = {
      id: -1,
      tiles: tilesOf(towns(-40)),
      settlements: settlements.encode(),
      drawnCodes: new Uint8Array(0),
    };
    const digest = new SurroundingsDigest(around);
    const { seen = "" } = resolveBucket(records, surroundingsOf(around), true);
    expect(joinDigests(digest.towns(box), seen)).toBe(digest.within(box, records));
    expect(joinDigests(digest.towns(box), seen)).toBe(before);
  });

  it("is told by squares that no border passes through as it is point by point", () => {
    const draw = randomFrom(9);
    const round = (turns: number, of: number) => Math.round((turns / of) * 1e5) / 1e5;
    for (const [south, west] of [
      [29.9, -40.1],
      [-0.1, 179.9],
      [69.9, 10],
      [89.7, 10],
    ]) {
      const moved = (one: RegionShape): RegionShape => ({
        ...one,
        rings: one.rings.map((ring) => ring.map(([x, y]) => [x + 40.1 + west, y - 29.9 + south])),
      });
      const star = shape(
        "Star",
        ...Array.from({ length: 40 }, (_, i): Corner => {
          const reach = 0.02 + 0.07 * draw();
          return [
            -40 + reach * Math.cos(round(i, 40) * 2 * Math.PI),
            30 + reach * Math.sin(round(i, 40) * 2 * Math.PI),
          ];
        }),
      );
      const tiles = tilesOf([...towns(-40), { ...star, kind: "postalCode", code: "1" } as RegionShape].map(moved));
      const [quick, plain] = [new RegionTiles(tiles), new RegionTiles(tiles)];
      for (let i = 0; i < 2000; i++) {
        const at = { latitude: south + draw() * 0.2, longitude: west + draw() * 0.2 };
        expect(quick.within(at, cellAt(at, FINEST_TILE))).toEqual(plain.at(at));
      }
    }
  });
});
