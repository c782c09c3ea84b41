import { describe, expect, it } from "vitest";
import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import { fenceOfRow } from "../../../src/worker/objects/fences/fence-row.ts";
import { FenceStore, type NearQuery } from "../../../src/worker/objects/fences/fence-store.ts";
import {
  fencesAt,
  KnownFences,
  MAX_IN_AREA,
  reachOf,
  searchArea,
} from "../../../src/worker/objects/fences/known-fences.ts";
import { type BenchFence, fenceRow, makeFences, randomPoint } from "../../bench/support/fences.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { memorySql } from "../../bench/support/sqlite.ts";
import { samples } from "../../support/night.ts";

const SCOPE = 2;
const random = seededRandom(8);
const homes = Array.from({ length: 20 }, () => randomPoint(random));
const fences = makeFences(samples(1_000, 3_000), homes, random);
const rowOf = (fence: BenchFence) => fenceRow(SCOPE, fence, coverCircle(fence.center, fence.radius));

const sql = memorySql();
const store = new FenceStore(sql);
sql.transaction(() => {
  for (const fence of fences) store.put(rowOf(fence));
});

/** An isolate beside the index: how often it asked, and what it knows around a point. */
function isolate(epoch = 1) {
  const known = new KnownFences();
  let asked = 0;
  const areaAt = (point: BenchFence["center"], at = epoch) => {
    for (let found = known.around(SCOPE, point); ; found = known.around(SCOPE, point)) {
      if (found.ask === undefined) return found.area;
      asked++;
      const { center, radius } = reachOf(found.ask);
      known.put(SCOPE, found.ask, { center, epoch: at, ...store.area(center, radius, MAX_IN_AREA) });
    }
  };
  return { known, areaAt, asked: () => asked };
}

describe("what an isolate knows of geofences", () => {
  it("answers as the index does, and asks once per area", () => {
    const { areaAt, asked } = isolate();
    for (let i = 0; i < 300; i++) {
      const point = i % 2 === 0 ? homes[i % homes.length] : randomPoint(random);
      const area = areaAt(point);
      if (!area) throw new Error("too many geofences in the finest cell");
      const ids = fencesAt(area, point).map(({ id }) => id);
      const told = store.at(point).map(({ id }) => id);
      expect(ids.sort()).toEqual(told.sort());
    }
    expect(asked()).toBeLessThan(120);
  });

  it.each<[string, NearQuery]>([
    ["the nearest ten", { limit: 10 }],
    ["all within a kilometre", { limit: 1000, radius: 1000 }],
    ["of a tag", { limit: 5, tags: ["bench"] }],
    ["of a tag nobody has", { limit: 5, radius: 500, tags: ["none"] }],
    ["with metadata", { limit: 5, radius: 500, metadata: { floor: 1 } }],
  ])("finds %s as the index does, or says that it may not know all", (_, query) => {
    const { areaAt } = isolate();
    let known = 0;
    for (let i = 0; i < 100; i++) {
      const point = randomPoint(random);
      const area = areaAt(point);
      const found = area && searchArea(area, point, query);
      if (!found) continue;
      known++;
      expect(found.map(({ id }) => id)).toEqual(store.near(point, query).map(({ fence }) => fence.id));
    }
    expect(known).toBeGreaterThan(80);
  });

  it("goes with a geofence that changes in it or near it, and stays where one changes elsewhere", () => {
    const { known, areaAt, asked } = isolate();
    const [here, there] = [homes[0], { latitude: 48, longitude: 16 }];
    areaAt(here);
    areaAt(there);
    const before = asked();
    const { record } = { record: rowOf({ id: "new", center: { latitude: 48.001, longitude: 16 }, radius: 50 }) };
    known.advance(SCOPE, 2, [{ id: "new", fence: fenceOfRow(record) }]);
    areaAt(here, 2);
    expect(asked()).toBe(before);
    areaAt(there, 2);
    expect(asked()).toBe(before + 1);
    // One of those at home is deleted.
    known.advance(SCOPE, 3, [{ id: fences[0].id }]);
    areaAt(here, 3);
    expect(asked()).toBe(before + 2);
    known.advance(SCOPE, 4, undefined);
    areaAt(there, 4);
    expect(asked()).toBe(before + 3);
  });

  it("is not replaced by an answer from before a change", () => {
    const { known } = isolate();
    const cell = known.around(SCOPE, homes[0]).ask as number;
    const answer = { ...reachOf(cell), records: [] };
    known.put(SCOPE, cell, { ...answer, epoch: 5 });
    known.advance(SCOPE, 6, undefined);
    expect(known.put(SCOPE, cell, { ...answer, epoch: 5 })).toBe(false);
    expect(known.put(SCOPE, cell, { ...answer, epoch: 6 })).toBe(true);
  });

  it("keeps to a bound of memory", () => {
    const { known } = isolate();
    const records = fences.slice(0, MAX_IN_AREA).map((fence) => {
      const { cover, ...record } = rowOf(fence);
      return record;
    });
    for (let i = 0; i < 200; i++) {
      const cell = known.around(SCOPE, { latitude: i / 2 - 50, longitude: i }).ask as number;
      known.put(SCOPE, cell, { ...reachOf(cell), epoch: 1, records });
    }
    expect(known.size).toBeLessThan(40);
    expect(known.size).toBeGreaterThan(20);
  });
});
