import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PhaseTimes } from "../../../src/importer/report/phase-times.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "times-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("a phase is forecast from what it took on this machine, the longer the more elements there are", async () => {
  const path = join(folder, "kept/times.json");
  const first = await PhaseTimes.open(path, 1_000_000);
  const guess = first.forecast("roads") ?? 0;
  expect(guess).toBeGreaterThan(0);
  await first.record("roads", 80);
  expect((await PhaseTimes.open(path, 500_000)).forecast("roads")).toBe(40);
  expect((await PhaseTimes.open(path, 500_000)).forecast("rivers")).toBeUndefined();
  expect((await PhaseTimes.open(join(folder, "other.json"), 500_000)).forecast("roads")).toBe(guess / 2);
});

it("the base of the world reads no elements and has times of its own", async () => {
  const path = join(folder, "world.json");
  const imported = await PhaseTimes.open(path, 1000);
  await imported.record("regions", 3);
  const world = await PhaseTimes.open(path, 0);
  await world.record("regions", 12);
  expect((await PhaseTimes.open(path, 0)).forecast("regions")).toBe(12);
  expect((await PhaseTimes.open(path, 2000)).forecast("regions")).toBe(6);
});

it("a file that is not ours, or a folder that is read-only, costs the forecast and nothing else", async () => {
  const path = join(folder, "broken.json");
  await writeFile(path, "{half");
  const times = await PhaseTimes.open(path, 10);
  expect(times.forecast("rivers")).toBeUndefined();
  await (await PhaseTimes.open("/dev/null/times.json", 10)).record("regions", 1);
});

it("a phase in parts takes as long as all of them, and an import as long as its phases", async () => {
  const path = join(folder, "parts.json");
  const times = await PhaseTimes.open(path, 1_000_000);
  await times.record("nodes: 1 of 4", 3);
  expect(times.forecast("nodes")).toBe(12);
  expect(times.forecast("nodes: 2 of 3")).toBe(4);
  await times.record("roads", 10);
  expect(times.total(["nodes", "roads"])).toBe(22);
  expect(times.total(["roads", "rivers"])).toBeUndefined();
});
