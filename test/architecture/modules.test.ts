import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, sourcesBelow } from "../support/imports.ts";

/** The modules of core besides geo: they know nothing of HTTP, databases and Node. Their globals are those of src/core/globals.d.ts. */
const PURE = [
  "tracking",
  "engagement",
  "places",
  "regions",
  "geocoding",
  "addresses",
  "routing",
  "fleet",
  "maps",
  "webhooks",
  "auth",
  "limits",
  "ingest",
  "metrics",
  "archive",
  "elevation",
  "costs",
];
/**
 * The modules and files that each module may import. Files of a module may always import each other. The folders of core and worker are
 * modules, and so is each other folder of src.
 */
const MAY_IMPORT: Record<string, string[]> = {
  geo: [],
  platform: ["geo"],
  tracking: ["geo"],
  engagement: ["geo", "tracking"],
  places: ["geo"],
  regions: ["geo"],
  geocoding: ["geo", "regions"],
  addresses: ["geo", "geocoding"],
  routing: ["geo"],
  fleet: ["geo"],
  maps: ["geo"],
  webhooks: ["geo"],
  auth: ["geo"],
  limits: ["geo"],
  ingest: ["geo"],
  metrics: ["geo"],
  archive: ["geo"],
  elevation: ["geo"],
  costs: ["geo", "limits"],
  wire: ["geo", "platform", ...PURE, "db/schema.ts"],
  geodata: ["geo", "platform", ...PURE],
  db: ["geo", "platform", ...PURE],
  outgoing: ["limits"],
  answers: ["geo", "platform", ...PURE, "wire", "db", "geodata", "outgoing"],
  objects: ["geo", "platform", ...PURE, "wire", "db", "geodata", "outgoing", "answers"],
  mcp: ["geo"],
  http: ["geo", "platform", ...PURE, "wire", "db", "objects", "geodata", "outgoing", "answers", "mcp"],
  // Values; types may also come from http, see below. The CSV reader imports nothing.
  dashboard: ["geo", ...PURE, "wire/tables/csv.ts", "wire/tables/write-csv.ts"],
  storage: ["platform", "outgoing"],
  importer: ["geo", ...PURE, "wire", "db/schema.ts", "storage", "outgoing/s3-signer.ts"],
  demo: ["geo", ...PURE, "importer"],
  server: [
    "geo",
    ...PURE,
    "wire",
    "db/schema.ts",
    "platform/front.ts",
    "platform/hold.ts",
    "platform/jurisdiction.ts",
    "platform/processes.ts",
    "importer",
    "storage",
    "demo",
  ],
  // The package graticule-client: nothing else of the repository is in it.
  client: [],
  terminal: ["client"],
  "app.ts": ["http", "platform"],
  "index.ts": ["platform", "app.ts", "objects", "db", "storage", "geodata/isolate-cache.ts"],
};

/** Packages that only certain modules or files may import. */
const PACKAGE_MODULES: [name: RegExp, modules: string[]][] = [
  [/^h3-js$/, ["geo/cells/h3.ts"]],
  [/^@mapbox\/polyline$/, ["geo"]],
  [/^@resvg\//, ["maps", "answers"]],
  [/^icodec(\/|$)/, ["answers"]],
  [/^sharp$/, ["importer", "demo"]],
  [/^pmtiles$/, ["importer"]],
  [/^aws4fetch$/, ["outgoing/s3-signer.ts"]],
  [/^hyparquet/, ["archive", "importer"]],
  [/^hono(\/|$)/, ["http", "app.ts"]],
  [/^@simplewebauthn\/server$/, ["http/dashboard/webauthn.ts"]],
  [/^drizzle-orm(\/|$)/, ["db"]],
  [/^cloudflare:/, ["objects", "db", "geodata", "index.ts"]],
  [/^node:/, ["importer", "demo", "server", "terminal"]],
  [/^@modelcontextprotocol\//, ["mcp"]],
  [/^zod(\/|$)/, ["wire", "http", "mcp", "importer", "server"]],
  [/^(wrangler|miniflare)$/, ["importer", "server"]],
  [/^(vite|marked)$/, ["server"]],
  [/^(preact|lucide|uplot|maplibre-gl|terra-draw)/, ["dashboard"]],
];

const source = resolve(import.meta.dirname, "../../src");
/** A path from its module: "routing/graph/tile.ts", "app.ts", "dashboard/main.tsx". */
const inModule = (path: string) => relative(source, path).replace(/^(core|worker|client(?=\/terminal))\//, "");
const moduleOf = (path: string) => inModule(path).split("/")[0];

/** Readers of live geodata that only src/worker/geodata opens; the modules below ask src/worker/geodata. */
const READERS = new Set([
  "RegionIndex",
  "RegionTile",
  "PlaceIndex",
  "PlaceTile",
  "AddressIndex",
  "Router",
  "RoadStore",
  "TileArchive",
  "BuildSource",
  "isolateCache",
]);
const WITHOUT_READERS = ["answers", "http", "objects", "dashboard", "wire", "db"];

/** Names that a file imports as values, not as types. */
function valuesImported(text: string): string[] {
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:\w+\s*,\s*)?\{([^}]*)\}\s*from/g)].flatMap(
    ([, names]) =>
      names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type "))
        .map((name) => name.split(/\s+as\s+/)[0]),
  );
}

const openedReaders = sourcesBelow(source)
  .filter((path) => WITHOUT_READERS.includes(moduleOf(path)))
  .flatMap((path) =>
    valuesImported(readFileSync(path, "utf8"))
      .filter((name) => READERS.has(name))
      .map((name) => `${relative(source, path)} opens ${name}`),
  );

const forbidden: string[] = [];
let imports = 0;
for (const path of sourcesBelow(source)) {
  const module = moduleOf(path);
  for (const { target, typeOnly } of importsOf(path)) {
    imports++;
    // Types of requests and responses: nothing of them reaches the browser's bundle.
    if (module === "dashboard" && typeOnly && /^(\.\.\/)+worker\/(http|wire)\//.test(target)) continue;
    const where = `${relative(source, path)} imports ${target}`;
    if (target.startsWith(".")) {
      const inside = inModule(resolve(dirname(path), target));
      const imported = inside.split("/")[0];
      const allowed = MAY_IMPORT[module];
      if (!allowed) forbidden.push(`${where}: the module ${module} is not in the table`);
      else if (imported !== module && !allowed.includes(imported) && !allowed.includes(inside)) forbidden.push(where);
    } else {
      for (const [name, modules] of PACKAGE_MODULES) {
        if (name.test(target) && !modules.includes(module) && !modules.includes(inModule(path))) forbidden.push(where);
      }
    }
  }
}

describe("the modules", () => {
  it("import only the modules that the table allows", () => {
    expect(forbidden).toEqual([]);
  });

  it("give the browser only types of the Worker, and values of pure modules", () => {
    const values = sourcesBelow(resolve(source, "dashboard")).flatMap((path) =>
      importsOf(path)
        .filter(({ target, typeOnly }) => target.startsWith(".") && !typeOnly)
        .map(({ target }) => inModule(resolve(dirname(path), target)))
        .filter((path) => path !== "wire/tables/csv.ts" && path !== "wire/tables/write-csv.ts")
        .map((path) => path.split("/")[0]),
    );
    expect(
      values.filter((module) =>
        ["answers", "http", "wire", "db", "objects", "server", "importer", "demo"].includes(module),
      ),
    ).toEqual([]);
  });

  it("read live geodata only through src/worker/geodata", () => {
    expect(openedReaders).toEqual([]);
    expect(valuesImported('import { type A, B as C } from "x";\nimport type { D } from "y";')).toEqual(["B"]);
  });

  it("are all read", () => {
    expect(imports).toBeGreaterThan(10);
  });
});
