import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, type ByteWriter } from "../../../../src/core/geo/bytes/bytes.ts";
import {
  BUNDLE_MAGIC,
  BUNDLE_VERSION,
  Bundle,
  TABLES,
  writeBundle,
} from "../../../../src/core/routing/graph/bundle.ts";
import { WEEK } from "../../../../src/core/routing/graph/calendar.ts";
import { DISTRICT_MAGIC, DISTRICT_VERSION } from "../../../../src/core/routing/graph/district.ts";
import { MANIFEST_MAGIC, MANIFEST_VERSION } from "../../../../src/core/routing/graph/manifest.ts";
import type { EdgeProfile, Limit, Passage, Travel } from "../../../../src/core/routing/graph/modes.ts";
import { PACK_MAGIC, PACK_VERSION, Pack, type PackCell, UNREACHABLE } from "../../../../src/core/routing/graph/pack.ts";
import type { GridContent } from "../../../../src/core/routing/graph/road-grid.ts";
import { Tile } from "../../../../src/core/routing/graph/tile.ts";
import { TILE_MAGIC, TILE_VERSION } from "../../../../src/core/routing/graph/tile-counts.ts";
import {
  type DistrictContent,
  type ManifestContent,
  writeDistrict,
  writeManifest,
} from "../../../../src/core/routing/graph/write-manifest.ts";
import { writePack } from "../../../../src/core/routing/graph/write-pack.ts";
import { type TileContent, writeTile } from "../../../../src/core/routing/graph/write-tile.ts";
import { writeZones, ZONES_MAGIC, ZONES_VERSION } from "../../../../src/core/routing/graph/zones.ts";
import { samples } from "../../../support/night.ts";
import { roadsOfTown } from "./road-build.ts";

const read = (payload: ByteWriter) => new ByteReader(payload.finish());
const nat = (max: number) => fc.integer({ min: 0, max });
const times = <T>(count: number, of: fc.Arbitrary<T>) => fc.array(of, { minLength: count, maxLength: count });

const CLOSED: EdgeProfile = {
  passages: [0, 1, 2, 3].map(() => passage(0, 100, 0, false, false, 0)),
  leftHand: false,
};

function passage(
  speed: number,
  preference: number,
  travel: number,
  restricted: boolean,
  drive: boolean,
  avoid: number,
): Passage {
  return { speed, preference, travel: travel as Travel, restricted, private: drive, avoid };
}

const passages = times(
  4,
  fc
    .tuple(nat(65535), fc.integer({ min: 1, max: 255 }), nat(3), fc.boolean(), fc.boolean(), nat(15))
    .map((values) => passage(...values)),
);
const limit = { kind: nat(8), value: nat(65535), speed: nat(65535) };
const hours = fc.array(fc.tuple(nat(WEEK), nat(WEEK)), { minLength: 1, maxLength: 2 }).map((spans) => ({ spans }));
const anyLimited = fc.option(
  fc.record({
    open: passages.map(([first]) => first),
    limits: fc
      .tuple(fc.array(fc.record(limit), { maxLength: 3 }), fc.array(fc.record({ ...limit, hours }), { maxLength: 2 }))
      .map(([always, atTimes]): Limit[] => [...always, ...atTimes]),
  }),
  { nil: undefined },
);
const anyProfile = fc
  .record({ passages, leftHand: fc.boolean(), boarding: nat(127), limited: times(2, anyLimited) })
  .map(
    ({ boarding, limited, ...profile }): EdgeProfile => ({
      ...profile,
      ...(boarding > 0 && { boarding }),
      ...(limited.some((own) => own !== undefined) && { limited }),
    }),
  );
const coordinate = fc.integer({ min: -180_000_000, max: 180_000_000 });

/** Any tile: up to 12 nodes of which some lie outside, and pieces that touch the inside. */
const anyTile: fc.Arbitrary<TileContent> = fc
  .tuple(fc.integer({ min: 1, max: 9 }), nat(3), fc.integer({ min: 1, max: 20 }), nat(3), nat(4), nat(3))
  .chain(([insideCount, outsideCount, pieceCount, windows, profileCount, rowCount]) => {
    const nodeCount = insideCount + outsideCount;
    const bytes = times(pieceCount, nat(255));
    return fc
      .record({
        latitude: times(nodeCount, coordinate),
        longitude: times(nodeCount, coordinate),
        blocked: times(insideCount, nat(31)),
        outside: times(outsideCount, nat(1e6)),
        profiles: times(profileCount, anyProfile),
        inner: times(pieceCount, nat(insideCount - 1)),
        other: times(pieceCount, nat(nodeCount - 1)),
        turned: times(pieceCount, fc.boolean()),
        length: times(pieceCount, nat(2 ** 31 - 1)),
        forward: times(pieceCount, nat(profileCount)),
        backward: times(pieceCount, nat(profileCount)),
        marks: bytes,
        bearingStart: bytes,
        bearingEnd: bytes,
        shapes: times(pieceCount, fc.array(fc.tuple(coordinate, coordinate), { maxLength: 4 })),
        firstEntering: nat(1e6),
        ids: times(pieceCount * 2 + 5, nat(1e6)),
        exceptions: fc.array(fc.record({ from: nat(30_000), to: nat(30_000), modes: nat(15) }), { maxLength: 5 }),
        rows: times(windows > 0 ? rowCount : 0, times(2 * windows, nat(65535))),
        names: fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
        copied: fc.array(nat(1000), { maxLength: 4 }),
      })
      .map((made): TileContent => {
        const start = made.inner.map((node, i) => (made.turned[i] ? made.other[i] : node));
        const end = made.inner.map((node, i) => (made.turned[i] ? node : made.other[i]));
        const ends = edgesOf(start, end, made.forward, made.backward);
        const copies = ends.length > 0 ? made.copied.map((number) => number % ends.length) : [];
        const leaves = [...ends, ...copies.map((edge) => ends[edge])].filter(
          ([tail, head]) => tail < insideCount && head >= insideCount,
        );
        const { inner: _, other: __, turned: ___, ids, names, copied: ____, shapes, rows, ...rest } = made;
        return {
          ...rest,
          insideCount,
          cells: [insideCount - (insideCount >> 1), insideCount >> 1],
          profiles: [CLOSED, ...made.profiles],
          start,
          end,
          record: start.map((__, i) => i % names.length),
          shapes: shapes.map((points) => ({ latitude: points.map(([y]) => y), longitude: points.map(([, x]) => x) })),
          copies,
          leaving: leaves.map((__, i) => ids[i % ids.length]),
          traffic: {
            windows,
            rows,
            along: start.map((__, i) => i % (rows.length + 1)),
            against: start.map((__, i) => (i * 7) % (rows.length + 1)),
          },
          records: names.map((name) => ({ name, class: "primary" as const })),
          nodeRecords: [[0, { trafficSignal: true as const, exitName: names[0] }]],
        };
      });
  });

/** Tail and head of the edges of some pieces, in the order of a tile. */
function edgesOf(
  start: readonly number[],
  end: readonly number[],
  forward: readonly number[],
  backward: readonly number[],
): [tail: number, head: number][] {
  return start.flatMap((node, piece): [number, number][] => [
    ...(forward[piece] !== 0 ? [[node, end[piece]] as [number, number]] : []),
    ...(backward[piece] !== 0 ? [[end[piece], node] as [number, number]] : []),
  ]);
}

const anyClique = fc.tuple(nat(5), nat(5)).chain(([height, width]): fc.Arbitrary<PackCell> => {
  const entries = height * width;
  return fc
    .record({
      ins: times(height, nat(1e6)),
      outs: times(width, nat(1e6)),
      way: times(entries, fc.option(fc.tuple(nat(1e7), nat(1e7), nat(1e8)))),
      codes: fc.array(nat(9 * 65536), { maxLength: 5 }),
    })
    .map(({ ins, outs, way, codes }) => ({
      codes: Int32Array.from(codes).sort(),
      ins: Int32Array.from(ins.sort((a, b) => a - b)),
      outs: Int32Array.from(outs),
      weight: Int32Array.from(way, (one) => one?.[0] ?? UNREACHABLE),
      duration: Int32Array.from(way, (one) => one?.[1] ?? 0),
      distance: Int32Array.from(way, (one) => one?.[2] ?? 0),
    }));
});

describe("a tile", () => {
  it("comes back as it was written", () => {
    fc.assert(
      fc.property(anyTile, (content) => {
        const tile = new Tile(3, writeTile(content).finish());
        expect([...tile.latitude]).toEqual(content.latitude);
        expect([...tile.longitude]).toEqual(content.longitude);
        expect([...tile.nodeBlocked]).toEqual(content.blocked);
        expect([...tile.outsideTile]).toEqual(content.outside);
        expect([...tile.nodeCell].filter((cell) => cell === 0)).toHaveLength(content.cells[0]);
        expect(tile.profiles).toEqual(content.profiles);
        expect([...tile.ends]).toEqual(content.start.flatMap((node, piece) => [node, content.end[piece]]));
        expect([...tile.pieceLength]).toEqual(content.length);
        expect([...tile.pieceRecord]).toEqual(content.record);
        expect([...tile.pieceMarks]).toEqual(content.marks);
        expect(tile.firstEntering).toBe(content.firstEntering);
        expect(tile.exceptions).toEqual(content.exceptions);
        const ends = edgesOf(content.start, content.end, content.forward, content.backward);
        for (const edge of content.copies) ends.push(ends[edge]);
        expect(Array.from(tile.side, (_, edge) => [tile.tailOf(edge), tile.headOf(edge)])).toEqual(ends);
        const { profile, bearingOut } = tile.topology();
        content.start.forEach((_, piece) => {
          const edge = tile.forwardEdge(piece);
          expect(edge >= 0).toBe(content.forward[piece] !== 0);
          if (edge >= 0) {
            expect([profile[edge], bearingOut[edge]]).toEqual([content.forward[piece], content.bearingStart[piece]]);
          }
          expect(tile.recordOf(piece)).toEqual(content.records[content.record[piece]]);
          let [y, x] = [content.latitude[content.start[piece]], content.longitude[content.start[piece]]];
          const { latitude, longitude } = content.shapes[piece];
          for (let i = 0; i < latitude.length; i++) {
            y += tile.shapeNorth[tile.shapeFirst[piece] + i];
            x += tile.shapeEast[tile.shapeFirst[piece] + i];
            expect([y, x]).toEqual([latitude[i], longitude[i]]);
          }
        });
        const left = Array.from(tile.side, (_, edge) => tile.crossingOf(edge)).filter(
          (id, edge) => id >= 0 && tile.tailOf(edge) < content.insideCount && tile.headOf(edge) >= content.insideCount,
        );
        expect(left).toEqual(content.leaving);
        expect([...tile.nodeRecords]).toEqual(content.nodeRecords);
        const { traffic } = content;
        if (traffic.rows.length === 0) expect(tile.traffic).toBeUndefined();
        else {
          expect(tile.traffic?.rows.map((row) => [...row])).toEqual(traffic.rows);
          for (let edge = 0; edge < tile.edgeCount; edge++) {
            const own = tile.isAlong(edge) ? traffic.along : traffic.against;
            expect(tile.traffic?.ofEdge[edge]).toBe(own[tile.pieceOf(edge)]);
          }
        }
      }),
      { numRuns: samples(100, 300) },
    );
  });
});

describe("a pack", () => {
  it("comes back as it was written", () => {
    fc.assert(
      fc.property(fc.array(anyClique, { maxLength: 4 }), (cells) => {
        const pack = new Pack(read(writePack(cells)));
        expect(pack.cliques).toHaveLength(cells.length);
        expect(pack.codes).toEqual(cells.map(({ codes }) => codes));
        pack.cliques.forEach((clique, i) => {
          const { ins, outs, weight, duration, distance } = cells[i];
          const wide = Int32Array.from(clique.weight, (one) => (one === clique.none ? UNREACHABLE : one));
          expect([clique.ins, clique.outs, wide]).toEqual([ins, outs, weight]);
          weight.forEach((one, at) => {
            if (one === UNREACHABLE) return;
            expect([clique.duration[at], clique.distance[at]]).toEqual([duration[at], distance[at]]);
          });
        });
      }),
      { numRuns: samples(100, 300) },
    );
  });
});

describe("a bundle", () => {
  const anyObject = fc.record({
    level: fc.integer({ min: 0, max: 5 }),
    parent: fc.nat(1e9),
    bytes: fc.uint8Array({ maxLength: 40 }),
  });
  const place = ({ level, parent }: { level: number; parent: number }) => `${level} ${parent}`;

  it("has every object where it was put, wherever it lies in memory, and no other", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyObject, { selector: place, maxLength: 9 }), fc.nat(5), (objects, before) => {
        const written = writeBundle(objects);
        const moved = new Uint8Array(before + written.length);
        moved.set(written, before);
        const bundle = new Bundle(moved.subarray(before));
        for (const { level, parent, bytes } of objects) expect(bundle.find(level, parent)).toEqual(bytes);
        expect(bundle.find(7, 0)).toBeUndefined();
      }),
    );
  });

  it("is refused, by name, when it is of another kind or version, and when it is cut short anywhere", () => {
    const written = writeBundle([{ level: TABLES, parent: 0, bytes: Uint8Array.of(1, 2, 3) }]);
    const changed = (at: number, byte: number) => Uint8Array.from(written, (one, i) => (i === at ? byte : one));
    expect(() => new Bundle(changed(0, 65))).toThrow("expected GRDB, found");
    expect(() => new Bundle(changed(4, 9))).toThrow("GRDB: version 9, this reader knows 1");
    for (let length = 0; length < written.length; length++)
      expect(() => new Bundle(written.subarray(0, length))).toThrow();
  });
});

/**
 * What the writers make of fixed contents, by version. A change of a layout changes its hash: then its version is raised, so
 * that old objects are refused and not misread, the table gets a line, and docs/formats/roads.md tells what changed.
 */
const LAYOUTS: Record<string, string> = {
  "GRDT 6": "a44c6ef6ed575987",
  "GRDP 4": "7aeb88d532e5b49f",
  "GRDM 6": "73af6f9d8dd8a475",
  "GRDD 2": "7d92465aa6bc23b4",
  "GRDB 1": "46398b12f40547c0",
  "GRDZ 1": "4554716f6640708e",
};

describe("the layout of routing objects", () => {
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const profile = (speed: number): EdgeProfile => ({
    passages: [1, 2, 3, 0].map((travel) => passage(speed * travel, 90, travel, travel > 1, travel > 2, travel * 5)),
    leftHand: speed > 500,
    boarding: speed > 500 ? 12 : undefined,
    ...(speed > 500 && {
      limited: [
        undefined,
        { open: passage(900, 80, 0, false, true, 3), limits: [{ kind: 3, value: 750, speed: 640 }] },
      ],
    }),
  });
  const [first, ...others] = profile(1234).passages;
  const byHour: EdgeProfile = {
    ...profile(1234),
    passages: [
      {
        ...first,
        hours: {
          calendar: [
            {
              after: 1,
              years: [[2026, 2028, 2]],
              dates: [
                [
                  [0, 11, 15, 0, 0],
                  [0, 0, -2, 0, 0],
                ],
              ],
              weeks: [[1, 53, 2]],
              weekdays: [[6, -1]],
            },
          ],
          entries: [
            { ...first, from: 0 },
            { ...first, from: 420, speed: 0 },
          ],
        },
      },
      ...others,
    ],
  };
  const tile: TileContent = {
    insideCount: 2,
    latitude: [10_000_000, 10_000_500, 9_999_000],
    longitude: [-500, 700, 20_000],
    cells: [1, 1],
    blocked: [0, 17],
    outside: [9],
    profiles: [CLOSED, profile(500), byHour],
    start: [0, 1, 1],
    end: [1, 2, 0],
    length: [1300, 21_500, 70],
    forward: [1, 2, 0],
    backward: [1, 1, 2],
    record: [0, 1, 0],
    marks: [1, 16, 130],
    bearingStart: [64, 3, 200],
    bearingEnd: [64, 250, 12],
    shapes: [
      { latitude: [10_000_250], longitude: [90] },
      { latitude: [], longitude: [] },
      { latitude: [5], longitude: [6] },
    ],
    copies: [0],
    firstEntering: 40,
    leaving: [77],
    exceptions: [
      {
        from: 0,
        to: 5,
        modes: 3,
        hours: {
          entries: [
            { from: 0, modes: 3 },
            { from: 9000, modes: 1 },
          ],
        },
      },
    ],
    traffic: { windows: 1, rows: [[300, 250]], along: [1, 0, 0], against: [0, 1, 0] },
    records: [{ name: "Straße", class: "primary" }, { class: "ferry" }],
    nodeRecords: [[1, { trafficSignal: true }]],
  };
  const clique = {
    codes: Int32Array.of(350, 196_608 + 750),
    ins: Int32Array.of(3, 300),
    outs: Int32Array.of(90, 5),
    weight: Int32Array.of(100, UNREACHABLE, 250, 70),
    duration: Int32Array.of(90, 0, 250, 60),
    distance: Int32Array.of(9000, 0, 1, 70_000),
    hours: Uint8Array.of(0, 0, 255, 8),
  };
  const bits = [0, 1, 2, 3].map((mode) => [[mode, 15], [mode * 2]]);
  const traffic = { windows: [{ days: 31, from: 420, until: 570 }], traffic: bits, avoid: bits };
  const grid: GridContent = {
    step: 1000,
    firstRow: -5,
    firstColumn: 170,
    lists: [[], [7], [8, 9]],
    rows: [
      [[3, 1]],
      [],
      [
        [1, 2],
        [200, 0],
        [70_000, 1],
      ],
    ],
  };
  const manifest: ManifestContent = {
    ...{
      districtLevel: 3,
      cells: [9, 4, 2],
      first: [
        [0, 5, 9],
        [0, 2, 4],
      ],
      children: [[2]],
      grid,
      ...traffic,
      packs: [[10, 20], [30], [], [40]],
    },
    windows: [{ days: 31, from: 420, until: 570 }],
    hourly: [
      [2, 1],
      [300, 15],
    ],
  };
  const district: DistrictContent = { children: [[3, 2]], grid, firstTile: 5 };

  it.each([
    [`${TILE_MAGIC} ${TILE_VERSION}`, writeTile(tile)],
    [`${PACK_MAGIC} ${PACK_VERSION}`, writePack([clique])],
    [`${MANIFEST_MAGIC} ${MANIFEST_VERSION}`, writeManifest(manifest)],
    [`${DISTRICT_MAGIC} ${DISTRICT_VERSION}`, writeDistrict(district)],
    [`${ZONES_MAGIC} ${ZONES_VERSION}`, writeZones(["", "Umweltzone"])],
  ])("of %s is the one its version stands for", (version, payload) => {
    expect(hash(payload.finish())).toBe(LAYOUTS[version]);
  });

  it("of a bundle is the one its version stands for", () => {
    const objects = [
      { level: TABLES, parent: 0, bytes: Uint8Array.of(1, 2, 3) },
      { level: 2, parent: 300, bytes: Uint8Array.of(4) },
    ];
    expect(hash(writeBundle(objects))).toBe(LAYOUTS[`${BUNDLE_MAGIC} ${BUNDLE_VERSION}`]);
  });

  it("is told in docs/formats/roads.md, version by version", () => {
    const page = readFileSync(new URL("../../../../docs/formats/roads.md", import.meta.url), "utf8");
    for (const version of Object.keys(LAYOUTS)) expect(page).toContain(`\`${version}\``);
  });
});

it("a tile of more search cells than a byte numbers has each of them", async () => {
  const { router } = await roadsOfTown(30, 7, [3, 900]);
  const tile = (await router.store.tile(0))!;
  expect(tile.cellCount).toBeGreaterThan(128);
  const inside = new Set(tile.nodeCell.slice(0, tile.insideCount));
  expect([...inside].sort((a, b) => a - b)).toEqual(Array.from({ length: tile.cellCount }, (_, cell) => cell));
});
