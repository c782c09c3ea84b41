import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PhaseTimes } from "../../../src/importer/report/phase-times.ts";

const of = (elements: number) => ({ elements, edges: elements / 8 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "times-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("a phase is forecast from what it took on this machine, the longer the more elements there are", async () => {
  const path = join(folder, "kept/times.json");
  const first = await PhaseTimes.open(path, of(1_000_000));
  const guess = first.forecast("places") ?? 0;
  expect(guess).toBeGreaterThan(0);
  await first.record("places", 80);
  expect((await PhaseTimes.open(path, of(1_000_000))).forecast("places")).toBeCloseTo(80, 0);
  const smaller = (await PhaseTimes.open(path, of(500_000))).forecast("places")!;
  // What any import takes stays.
  expect(smaller).toBeGreaterThan(40);
  expect(smaller).toBeLessThan(80);
  expect((await PhaseTimes.open(path, of(500_000))).forecast("rivers")).toBeUndefined();
  expect((await PhaseTimes.open(join(folder, "other.json"), of(1_000_000))).forecast("places")).toBe(guess);
});

it("a phase that was not measured takes as many times the reference as those that were", async () => {
  const path = join(folder, "machine.json");
  const times = await PhaseTimes.open(path, of(1_000_000));
  const [places, regions] = [times.forecast("places")!, times.forecast("regions")!];
  await times.record("places", 3 * places);
  expect(times.forecast("regions")).toBeCloseTo(3 * regions);
});

it("a layer takes as long as its steps, of which all pieces count", async () => {
  const path = join(folder, "steps.json");
  const times = await PhaseTimes.open(path, of(1_000_000));
  const steps = times.leaves(["roads"])!;
  expect(Object.keys(steps)).toContain("roads: graph");
  expect(times.forecast("roads")).toBeCloseTo(Object.values(steps).reduce((sum, seconds) => sum + seconds, 0));
  await times.record("addresses: pack 1", 300);
  await times.record("addresses: pack 2", 200);
  expect(times.forecast("addresses: pack")).toBeCloseTo(500, -1);
  // The next import begins anew.
  await times.record("addresses: pack 1", 300);
  expect(times.forecast("addresses: pack")).toBeCloseTo(300, -1);
});

it("the base of the world reads no elements and has times of its own", async () => {
  const path = join(folder, "world.json");
  const imported = await PhaseTimes.open(path, of(1000));
  await imported.record("regions", 3);
  const world = await PhaseTimes.open(path, of(0));
  await world.record("regions", 12);
  expect((await PhaseTimes.open(path, of(0))).forecast("regions")).toBe(12);
  expect((await PhaseTimes.open(path, of(1000))).forecast("regions")).toBeCloseTo(3);
});

it("a file that is not ours, or a folder that is read-only, costs the forecast and nothing else", async () => {
  const path = join(folder, "broken.json");
  await writeFile(path, "{half");
  const times = await PhaseTimes.open(path, of(10));
  expect(times.forecast("rivers")).toBeUndefined();
  await (await PhaseTimes.open("/dev/null/times.json", of(10))).record("regions", 1);
});

it("a phase in parts takes as long as all of them", async () => {
  const path = join(folder, "parts.json");
  const times = await PhaseTimes.open(path, of(1_000_000));
  await times.record("nodes: 1 of 4", 30);
  expect(times.forecast("nodes")).toBeCloseTo(120, -1);
  expect(times.forecast("nodes: 2 of 3")).toBeCloseTo(times.forecast("nodes")! / 3);
  expect(times.leaves(["nodes", "rivers"])).toBeUndefined();
});
