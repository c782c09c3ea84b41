import { describe, expect, it } from "vitest";
import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { fenceOfRow } from "../../../src/worker/objects/fences/fence-row.ts";
import { FenceStore } from "../../../src/worker/objects/fences/fence-store.ts";
import type { Neighbourhood } from "../../../src/worker/objects/fences/neighbourhood.ts";
import { SHARED_FENCES, SharedNeighbourhoods } from "../../../src/worker/objects/fences/shared-neighbourhoods.ts";
import { type BenchFence, fenceRow, makeFences, randomPoint } from "../../bench/support/fences.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { memorySql } from "../../bench/support/sqlite.ts";
import { samples } from "../../support/night.ts";

const SCOPE = 2;
const NEED = 50;
const random = seededRandom(9);
const homes = Array.from({ length: 20 }, () => randomPoint(random));
const fences = makeFences(samples(1_000, 3_000), homes, random);
const rowOf = (fence: BenchFence) => fenceRow(SCOPE, fence, coverCircle(fence.center, fence.radius));

const sql = memorySql();
const store = new FenceStore(sql);
sql.transaction(() => {
  for (const fence of fences) store.put(rowOf(fence));
});

/** An index that counts how often it is asked; `pause`: until it answers [ms]. */
function index(epoch = 1, pause = 0) {
  const told = { asked: 0, epoch, fails: false };
  const ask = async (center: Neighbourhood["center"], radius: number, least: number): Promise<Neighbourhood> => {
    told.asked++;
    const { epoch: now, fails } = told;
    if (pause > 0) await new Promise((wake) => setTimeout(wake, pause));
    if (fails) throw new Error("away");
    const { radius: complete, fences: list } = store.around(center, { radius, most: SHARED_FENCES, least });
    return { center, radius: complete, epoch: now, fences: structuredClone(list) };
  };
  return { told, ask };
}

describe("neighbourhoods that trackers share", () => {
  it("hold every geofence that matters to a device", async () => {
    const known = new SharedNeighbourhoods();
    const { told, ask } = index();
    let found = 0;
    for (let i = 0; i < 120; i++) {
      const point = i % 2 === 0 ? destination(homes[i % homes.length], random() * 360, 300) : randomPoint(random);
      const around = await known.around(SCOPE, 1, point, NEED, ask);
      if (!around) throw new Error("too many geofences in the finest cell");
      found++;
      const ids = new Set(around.fences.map(({ id }) => id));
      for (const { fence } of store.near(point, { radius: NEED, limit: 1000 })) expect(ids).toContain(fence.id);
      expect(distance(around.center, point) + NEED).toBeLessThanOrEqual(around.radius);
    }
    expect(found).toBe(120);
    expect(told.asked).toBeLessThan(80);
  });

  it("tell geofences in the order in which they were made, wherever the device stands", async () => {
    const known = new SharedNeighbourhoods();
    const made = fences.map(({ id }) => id);
    const { ask } = index();
    for (let i = 0; i < 20; i++) {
      const around = await known.around(SCOPE, 1, randomPoint(random), NEED, ask);
      const places = (around?.fences ?? []).map(({ id }) => made.indexOf(id));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it("ask once for two devices in a cell, one after the other or at the same time", async () => {
    const near = destination(homes[0], 90, 20);
    const inTurn = new SharedNeighbourhoods();
    const first = index();
    const one = await inTurn.around(SCOPE, 1, homes[0], NEED, first.ask);
    const asked = first.told.asked;
    const two = await inTurn.around(SCOPE, 1, near, NEED, first.ask);
    expect(two?.fences[0]).toBe(one?.fences.find(({ id }) => id === two?.fences[0].id));
    expect(first.told.asked).toBe(asked);

    const atOnce = new SharedNeighbourhoods();
    const second = index(1, 10);
    const both = await Promise.all([homes[0], near].map((point) => atOnce.around(SCOPE, 1, point, NEED, second.ask)));
    for (const around of both) expect(around?.fences.length).toBeGreaterThan(3);
    expect(second.told.asked).toBe(asked);
  });

  it("are asked for again when a geofence has changed, and the others are kept once", async () => {
    const known = new SharedNeighbourhoods();
    const { told, ask } = index();
    const before = await known.around(SCOPE, 1, homes[0], NEED, ask);
    const bytes = known.bytes;
    const changed = { ...rowOf(fences[0]), radius: 60, epoch: 2 };
    store.put(changed);
    told.epoch = 2;
    const after = await known.around(SCOPE, 2, homes[0], NEED, ask);
    store.put(rowOf(fences[0]));
    expect(after?.epoch).toBe(2);
    const label = ({ id }: { id: string }) => id === fences[0].id;
    expect(after?.fences.find(label)).toEqual(fenceOfRow(changed));
    const other = after?.fences.find((fence) => !label(fence));
    expect(before?.fences.find(({ id }) => id === other?.id)).toBe(other);
    expect(known.bytes).toBe(bytes);
  });

  it("do not cross from one scope into another", async () => {
    const known = new SharedNeighbourhoods();
    await known.around(SCOPE, 1, homes[0], NEED, index().ask);
    const none = async (center: Neighbourhood["center"], radius: number) => ({ center, radius, epoch: 1, fences: [] });
    expect((await known.around(SCOPE + 1, 1, homes[0], NEED, none))?.fences).toEqual([]);
    expect((await known.around(SCOPE, 1, homes[0], NEED, none))?.fences.length).toBeGreaterThan(3);
  });

  it("are not there where geofences lie too densely, or accuracy is too bad", async () => {
    const dense = async (center: Neighbourhood["center"]) => ({ center, radius: 100, epoch: 1, fences: [] });
    const known = new SharedNeighbourhoods();
    expect(await known.around(SCOPE, 1, homes[0], NEED, dense)).toBeUndefined();
    expect(await new SharedNeighbourhoods().around(SCOPE, 1, homes[0], 50_000, index().ask)).toBeUndefined();
  });

  it("are asked for by another device when the one that asked has failed, or was cut off", async () => {
    const known = new SharedNeighbourhoods();
    const { told, ask } = index(1, 10);
    told.fails = true;
    const failing = known.around(SCOPE, 1, homes[0], NEED, ask);
    told.fails = false;
    const next = known.around(SCOPE, 1, homes[0], NEED, ask);
    await expect(failing).rejects.toThrow("away");
    expect((await next)?.fences.length).toBeGreaterThan(3);

    const cutOff = new SharedNeighbourhoods();
    void cutOff.around(SCOPE, 1, homes[0], NEED, () => new Promise(() => {}));
    expect((await cutOff.around(SCOPE, 1, homes[0], NEED, index().ask))?.fences.length).toBeGreaterThan(3);
  });

  it("take no more memory than they may, and forget first what was not used for longest", async () => {
    const most = 600_000;
    const known = new SharedNeighbourhoods(most);
    const { told, ask } = index();
    for (let i = 0; i < 60; i++) {
      await known.around(SCOPE, 1, randomPoint(random), NEED, ask);
      await known.around(SCOPE, 1, homes[0], NEED, ask);
      expect(known.bytes).toBeLessThanOrEqual(most);
    }
    expect(known.bytes).toBeGreaterThan(most / 2);
    const asked = told.asked;
    await known.around(SCOPE, 1, homes[0], NEED, ask);
    expect(told.asked).toBe(asked);
  });
});
