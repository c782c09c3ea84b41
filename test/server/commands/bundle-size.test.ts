import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleSize } from "../../../src/server/make/bundle-size.ts";
import { scratchFolder } from "./scratch.ts";

const dist = scratchFolder();

it("a bundle weighs its modules, also in folders, and neither its source maps nor wrangler's readme", () => {
  mkdirSync(join(dist, "fonts"));
  writeFileSync(join(dist, "index.js"), "a".repeat(10_000));
  writeFileSync(join(dist, "fonts/draw.wasm"), Buffer.alloc(2_000, 7));
  writeFileSync(join(dist, "index.js.map"), "b".repeat(50_000));
  writeFileSync(join(dist, "README.md"), "c".repeat(50_000));
  const { raw, gzip } = bundleSize(dist);
  expect(raw).toBe(12_000);
  expect(gzip).toBeGreaterThan(20);
  expect(gzip).toBeLessThan(200);
});
