import { describe, expect, it } from "vitest";
import {
  budgetFor,
  defaultMemory,
  divide,
  MIN_BUDGET_BYTES,
  nodeEnvironment,
  nodeFlags,
  parseMemory,
} from "../../../src/importer/frame/budget.ts";

describe("the memory an import is given", () => {
  it.each([
    ["512MB", 512e6],
    ["3GB", 3e9],
    ["3 GB", 3e9],
    ["1.5GB", 1.5e9],
    ["2GiB", 2 * 2 ** 30],
    ["700mib", 700 * 2 ** 20],
    ["2000000KB", 2e9],
  ])("%s is %d bytes", (text, bytes) => {
    expect(parseMemory(text)).toBe(bytes);
  });

  it.each(["", "3", "3TB", "GB", "-3GB", "3GBs", "1e3MB", "0x3GB", "many"])("refuses %j with a sentence", (text) => {
    expect(() => parseMemory(text)).toThrow(/--memory is a number with KB, MB, GB or GiB, such as 3GB/);
  });

  it.each(["511MB", "0GB", "400MiB"])("refuses %s: the program itself needs more", (text) => {
    expect(() => parseMemory(text)).toThrow(/--memory is at least 512 MB/);
  });

  it("is half of the machine's, and never more than 8 GB, nor less than it can work with", () => {
    expect(defaultMemory(4e9)).toBe(2e9);
    expect(defaultMemory(64e9)).toBe(8e9);
    expect(defaultMemory(0.7e9)).toBe(MIN_BUDGET_BYTES);
  });
});

describe("a budget", () => {
  const sizes = [0.512e9, 0.7e9, 1e9, 1.5e9, 2e9, 4e9, 8e9, 64e9];

  it("leaves a layer most of it, the more the larger it is", () => {
    let before = 0;
    for (const memory of sizes) {
      const { layerMemory } = divide(memory, 2);
      expect(layerMemory).toBeGreaterThan(0.45 * memory);
      expect(layerMemory).toBeLessThan(memory);
      expect(layerMemory).toBeGreaterThan(before);
      before = layerMemory;
    }
    expect(divide(1e9, 2).layerMemory).toBeGreaterThan(600e6);
  });

  it("has fewer threads than were asked for where they would take all of it", () => {
    expect(divide(1e9, 64).threads).toBeLessThan(8);
    expect(divide(1e9, 64).layerMemory).toBeGreaterThan(400e6);
    expect(divide(64e9, 64).threads).toBe(64);
    // One is the main thread, which then has nobody to wait for.
    for (const memory of sizes) expect(divide(memory, 1).threads).toBe(0);
  });

  it("says what to ask for when a layer needs so much", () => {
    for (const needed of [0, 100e6, 900e6, 3e9, 20e9]) {
      const memory = budgetFor(needed, 4);
      expect(divide(memory, 4).layerMemory).toBeGreaterThanOrEqual(needed);
      if (memory > MIN_BUDGET_BYTES) expect(divide(memory - 1e8, 4).layerMemory).toBeLessThan(needed);
    }
  });

  it("leaves the allocator alone where memory is plenty", () => {
    expect(nodeEnvironment(divide(1e9, 2))).toMatchObject({ MALLOC_ARENA_MAX: "2" });
    expect(nodeEnvironment(divide(8e9, 2))).toEqual({});
  });

  it("keeps V8 well inside itself", () => {
    for (const memory of sizes) {
      const [, megabytes] = /^--max-old-space-size=(\d+)$/.exec(nodeFlags(divide(memory, 2))[0]) ?? [];
      expect(Number(megabytes) * 2 ** 20).toBeLessThanOrEqual(memory / 2);
      expect(Number(megabytes)).toBeGreaterThan(200);
    }
  });
});
