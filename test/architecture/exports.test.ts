import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";
import { unreachedFiles, unusedExports } from "./exports.ts";

/** Exports that only tests use, although their own file does not. */
const FOR_TESTS: Record<string, string> = {
  "src/core/archive/user-filter.ts mayHold": "the filter's condition, which production evaluates in SQL",
  "src/core/geo/builds/tile-source.ts keepDecoded": "a cache for builds in memory",
  "src/core/geocoding/index/pack.ts packAddresses": "a build of addresses in memory",
  "src/core/geocoding/points/mgrs.ts encodeMgrs": "the inverse of reading a grid reference",
  "src/worker/geodata/r2-source.ts forgetGeodata": "a cold start in the same isolate",
  "src/importer/layers/roads/graph/build-graph.ts buildGraph": "a graph of elements in memory",
  "src/importer/report/reporter.ts silent": "an import without output",
  "src/core/places/pack.ts packPlaces": "a build of places in memory",
};
/** Files that only tests reach: see `FOR_TESTS`. */
const REACHED_BY_TESTS: string[] = [];
/** Scripts of pages that src/server/docs/build-docs.ts compiles one by one. */
const SCRIPTS = ["src/dashboard/docs/live-map.ts", "src/dashboard/docs/page.ts"];

/** Entries of the package that src/server/client.ts builds. */
const PACKAGE = ["src/client/index.ts", "src/client/terminal/main.ts"];

/** Files that a command, a page or the runtime starts. */
const entries = [
  ...SCRIPTS,
  ...PACKAGE,
  ...["package.json", "wrangler.toml", "Dockerfile", "src/dashboard/index.html", "src/dashboard/share.html"].flatMap(
    (file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/(src\/[\w/-]+\.ts)\b|src="\.\/([\w-]+\.tsx)"/g)].map(
        ([, path, script]) => path ?? join(dirname(file), script),
      ),
  ),
];
const files = sourcesBelow(join(ROOT, "src"));

describe("the files of src", () => {
  it("export only what other files import", () => {
    const found = unusedExports(ROOT, files, sourcesBelow(join(ROOT, "test")), (file) => entries.includes(file)).map(
      ({ file, name, problem }) => ({ name: `${file} ${name}`, problem }),
    );
    expect(found.filter(({ name }) => !FOR_TESTS[name])).toEqual([]);
    const listed = found.filter(({ name }) => FOR_TESTS[name]).map(({ name }) => name);
    expect(listed.sort()).toEqual(Object.keys(FOR_TESTS).sort());
  });

  it("are all reached from a command, a page or the Worker", () => {
    expect(entries.length).toBeGreaterThan(15);
    expect(unreachedFiles(ROOT, files, entries)).toEqual(REACHED_BY_TESTS);
  });
});

describe("an export", () => {
  const folder = mkdtempSync(join(tmpdir(), "exports-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let cases = 0;
  /** Writes files, of which `main.ts` is started and `x.test.ts` is a test, and returns what is wrong with them. */
  const check = (texts: Record<string, string>) => {
    const root = join(folder, `${cases++}`);
    mkdirSync(root);
    const paths = Object.entries(texts).map(([name, text]) => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    });
    const isTest = (path: string) => path.endsWith(".test.ts");
    const sources = paths.filter((path) => !isTest(path));
    return {
      unused: unusedExports(root, sources, paths.filter(isTest)).map(
        ({ file, line, name, problem }) => `${file}:${line} ${name}: ${problem}`,
      ),
      unreached: unreachedFiles(root, sources, ["main.ts"]),
    };
  };

  it("is used by an import, also of a type, of a default, of all, or renamed", () => {
    const texts = {
      "a.ts":
        "export const one = 1;\nexport interface Two {}\nexport default 3;\nexport const { four, five: [six] } = x;",
      "b.ts": "export function seven() {}\nexport class Eight {}",
      "c.ts": 'export { one as nine } from "./a.ts";',
      "main.ts": [
        'import three, { type Two, four as x, six } from "./a.ts";',
        'import * as b from "./b.ts";',
        'import { nine } from "./c.ts";',
      ].join("\n"),
    };
    expect(check(texts)).toEqual({ unused: [], unreached: [] });
  });

  it("is used by an import inside an expression, which reads all names or those that it lists", () => {
    const load = (text: string) =>
      check({
        "a.ts": "export const one = 1;\nexport const two = 2;\nexport type Three = 3;",
        "main.ts": text.replaceAll("FILE", `"./a.ts"`),
      }).unused;
    const [two, three] = ["a.ts:2 two: nothing uses it", "a.ts:3 Three: nothing uses it"];
    expect(load("const a = import(FILE);")).toEqual([]);
    expect(load("new Worker(new URL(FILE, import.meta.url));")).toEqual([]);
    expect(load('join(import.meta.dirname, "a.ts");')).toEqual([]);
    expect(load("const { one: other } = await import(FILE);")).toEqual([two, three]);
    expect(load("let three: import(FILE).Three = (await import(FILE)).one;")).toEqual([two]);
  });

  it("is reported if only its own file, only tests or nothing uses it", () => {
    const a = "export const one = 1;\nexport const two = one;\n\nexport const three = 3;\n// three";
    expect(check({ "a.ts": a, "main.ts": 'import "./a.ts";' }).unused).toEqual([
      "a.ts:1 one: only its own file uses it",
      "a.ts:2 two: nothing uses it",
      "a.ts:4 three: nothing uses it",
    ]);
    const test = 'import { one, type three, two } from "./a.ts";';
    expect(check({ "a.ts": a, "main.ts": 'import "./a.ts";', "x.test.ts": test }).unused).toEqual([
      "a.ts:2 two: only tests use it",
      "a.ts:4 three: only tests use it",
    ]);
  });

  it("of files that only import each other is in no program", () => {
    const texts = { "a.ts": 'import "./b.ts";', "b.ts": 'import type {} from "./a.ts";', "main.ts": "" };
    expect(check(texts).unreached).toEqual(["a.ts", "b.ts"]);
  });
});
