import { expect, it } from "vitest";
import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { FenceStore } from "../../../src/worker/objects/fences/fence-store.ts";
import { type BenchFence, fenceRow, makeFences, randomPoint } from "../../bench/support/fences.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { memorySql } from "../../bench/support/sqlite.ts";

const random = seededRandom(4);

/** Hundreds of geofences around each of three homes, one every few kilometers elsewhere. */
function world() {
  const homes = Array.from({ length: 3 }, () => randomPoint(random));
  const crowds = homes.flatMap((home, h) =>
    Array.from({ length: 300 }, (_, i): BenchFence => {
      const [like] = makeFences(1, [], random);
      const center = destination(home, random() * 360, random() * 200);
      return { ...like, id: `crowd-${h}-${i}`, center, radius: 20 + Math.round(random() * 60) };
    }),
  );
  const fences = [...makeFences(200, [], random), ...crowds];
  const sql = memorySql();
  const store = new FenceStore(sql);
  sql.transaction(() => {
    for (const fence of fences) store.put(fenceRow(2, fence, coverCircle(fence.center, fence.radius)));
  });
  return { homes, fences, store };
}

/** Distances to the nearest geofences, by looking at all of them. */
const nearest = (fences: readonly BenchFence[], point: Coordinate, count: number) =>
  fences
    .map(({ center, radius }) => Math.max(0, distance(center, point) - radius))
    .sort((a, b) => a - b)
    .slice(0, count);

it("finds the nearest geofences in crowds and outside, whatever was searched there before and is gone since", () => {
  const { homes, fences, store } = world();
  let left = fences;
  for (let i = 0; i < 160; i++) {
    // The crowd of the first home leaves: what searches there have learned is no longer true.
    if (i === 80) {
      for (const { id } of fences) if (id.startsWith("crowd-0")) store.remove(id);
      left = fences.filter(({ id }) => !id.startsWith("crowd-0"));
    }
    const point = i % 4 === 3 ? randomPoint(random) : destination(homes[i % 3], random() * 360, random() * 600);
    const limit = [1, 10, 200, 201][Math.floor(random() * 4)];
    const found = store.near(point, { limit }).map((one) => one.distance);
    const expected = nearest(left, point, limit);
    expect(found).toHaveLength(expected.length);
    for (const [n, away] of expected.entries()) expect(found[n]).toBeCloseTo(away, 3);
  }
});
