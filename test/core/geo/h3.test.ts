import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { gridDisk, latLngToCell } from "../../../src/core/geo/cells/h3.ts";
import { H3_MEMORY, H3_MEMORY_NAME } from "../../../src/core/geo/cells/h3-memory.ts";

describe("H3", () => {
  // In a process of its own, where nothing else makes arrays.
  const buffersAfter = (module: string) => {
    const script = `const { default: _, ...h3 } = await import(${JSON.stringify(module)});
      h3.latLngToCell(41.15, -8.61, 9);
      gc();
      console.log(process.memoryUsage().arrayBuffers);`;
    const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "--eval", script];
    return Number(execFileSync(process.execPath, flags, { encoding: "utf8", cwd: import.meta.dirname }));
  };

  it("takes a quarter of the memory that h3-js would take by itself", () => {
    const without = buffersAfter("h3-js");
    const saved = without - buffersAfter(resolve(import.meta.dirname, "../../../src/core/geo/cells/h3.ts"));
    // Two processes: what else they hold differs by some hundred kilobytes.
    const expected = 32 - H3_MEMORY / 2 ** 20;
    expect(saved / 2 ** 20).toBeGreaterThan(expected - 2);
    expect(saved / 2 ** 20).toBeLessThan(expected + 2);
  });

  it("takes more where a call needs more", () => {
    const rings = 600;
    const cells = gridDisk(latLngToCell(41.15, -8.61, 12), rings);
    expect(new Set(cells).size).toBe(3 * rings * (rings + 1) + 1);
    expect(cells.length * 8).toBeGreaterThan(H3_MEMORY);
  });

  it("leaves objects as they were", () => {
    expect(H3_MEMORY_NAME in {}).toBe(false);
  });
});
