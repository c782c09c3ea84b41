import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { buildDashboard, DASHBOARD } from "../../../src/server/make/build-dashboard.ts";
import { TYPES } from "../../../src/server/start/files-service.ts";

const KB = 1000;
/** Script that may be loaded before a map is (docs: the dashboard's measure). */
const MAX_COUNT = 150 * KB;

const ASSETS = join(DASHBOARD, "assets");
const textOf = (name: string) => readFileSync(join(ASSETS, name), "utf8");
const wireSize = (name: string) => gzipSync(readFileSync(join(ASSETS, name))).length;
/** MapLibre, and what draws on it: loaded where a map is. */
const isEngine = (name: string) => /maplibregl|terra-draw/.test(textOf(name));

/** Scripts, and those they import from their first line on. */
function withImports(names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of found)
    for (const [, imported] of textOf(name).matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) found.add(imported);
  return [...found];
}

beforeAll(async () => {
  await buildDashboard();
});

describe("the built dashboard", () => {
  it("contains the licenses of the code that is bundled", () => {
    const text = readFileSync(join(DASHBOARD, "licenses.md"), "utf8");
    for (const name of ["maplibre-gl", "preact", "terra-draw", "uplot", "lucide"])
      expect(text).toMatch(new RegExp(`^## ${name} - `, "m"));
    expect(text).toContain("Permission is hereby granted");
  });

  it("consists of files whose types npm start knows", () => {
    const files = readdirSync(DASHBOARD, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const types = new Set(files.map(({ name }) => extname(name)));
    expect(types.size).toBeGreaterThan(3);
    expect([...types].filter((type) => TYPES[type] === undefined)).toEqual([]);
  });

  it("is not built again while its source is the same", async () => {
    expect(await buildDashboard()).toBe(false);
  });

  it("is small: whatever page is opened first, less than 150 KB of script are loaded before a map's engine", () => {
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
    const begin = scripts.filter((name) => name.startsWith("index-"));
    const sizes = scripts.map((name) => {
      const all = withImports([...begin, name]);
      return { name, bytes: all.some(isEngine) ? 0 : all.reduce((sum, one) => sum + wireSize(one), 0) };
    });
    const largest = sizes.sort((a, b) => b.bytes - a.bytes)[0];
    console.log(
      `frame ${withImports(begin).reduce((sum, one) => sum + wireSize(one), 0)} B; most with ${largest.name}: ${largest.bytes} B`,
    );
    expect(scripts.some(isEngine)).toBe(true);
    expect(largest.bytes).toBeLessThan(MAX_COUNT);
  });

  it("holds no script and no style within its page, as its policy allows none", () => {
    const page = readFileSync(join(DASHBOARD, "index.html"), "utf8");
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=/);
  });
});
