import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, sourcesBelow } from "./support/imports.ts";

/** Which rooms each room may enter. A room's own files are always open to it. */
const PURE = [
  "tracking",
  "places",
  "regions",
  "geocoding",
  "addresses",
  "routing",
  "maps",
  "webhooks",
  "auth",
  "limits",
  "ingest",
  "metrics",
  "archive",
];
const MAY_ENTER: Record<string, string[]> = {
  geo: [],
  platform: ["geo"],
  tracking: ["geo"],
  places: ["geo"],
  regions: ["geo"],
  geocoding: ["geo", "regions"],
  addresses: ["geo", "geocoding"],
  routing: ["geo"],
  maps: ["geo"],
  webhooks: ["geo"],
  auth: ["geo"],
  limits: ["geo"],
  ingest: ["geo"],
  metrics: ["geo"],
  archive: ["geo"],
  wire: ["geo", "platform", ...PURE, "db/schema.ts"],
  geodata: ["geo", "platform", ...PURE],
  db: ["geo", "platform", ...PURE],
  outgoing: ["limits"],
  objects: ["geo", "platform", ...PURE, "wire", "db", "geodata", "outgoing"],
  http: ["geo", "platform", ...PURE, "wire", "db", "objects", "geodata", "outgoing"],
  // As values; types it may take from http as well, see below. The reader of CSV imports nothing.
  dashboard: ["geo", ...PURE, "wire/tables/csv.ts"],
  storage: ["platform", "outgoing"],
  importer: ["geo", ...PURE, "wire", "db/schema.ts", "storage"],
  cli: ["geo", ...PURE, "wire", "db/schema.ts", "importer", "storage"],
  "app.ts": ["http", "platform"],
  "index.ts": ["platform", "app.ts", "objects", "db", "storage"],
};

/** Packages that live in certain rooms, or files, only. */
const PACKAGE_ROOMS: [name: RegExp, rooms: string[]][] = [
  [/^h3-js$/, ["geo/cells/h3.ts"]],
  [/^@mapbox\/polyline$/, ["geo"]],
  [/^@resvg\//, ["maps", "http"]],
  [/^icodec(\/|$)/, ["http"]],
  [/^hyparquet/, ["archive"]],
  [/^hono(\/|$)/, ["http", "app.ts"]],
  [/^@simplewebauthn\/server$/, ["http/dashboard/webauthn.ts"]],
  [/^drizzle-orm(\/|$)/, ["db"]],
  [/^cloudflare:/, ["objects", "db", "geodata"]],
  [/^node:/, ["importer", "cli"]],
  [/^zod(\/|$)/, ["wire", "http", "importer", "cli"]],
  [/^(wrangler|miniflare)$/, ["importer", "cli"]],
  [/^(vite|marked)$/, ["cli"]],
  [/^(preact|lucide|uplot|maplibre-gl|terra-draw)/, ["dashboard"]],
];

const source = resolve(import.meta.dirname, "../src");

/** The live world has one door: whoever answers requests asks src/geodata, and opens none of this itself. */
const BEHIND_THE_DOOR = new Set([
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
const OUTSIDE_THE_DOOR = ["http", "objects", "dashboard", "wire", "db"];

/** The names that a file takes from others as values, not as types. */
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

const burglaries = sourcesBelow(source)
  .filter((path) => OUTSIDE_THE_DOOR.includes(relative(source, path).split("/")[0]))
  .flatMap((path) =>
    valuesImported(readFileSync(path, "utf8"))
      .filter((name) => BEHIND_THE_DOOR.has(name))
      .map((name) => `${relative(source, path)} opens ${name}`),
  );

const roomOf = (path: string) => relative(source, path).split("/")[0];

const trespasses: string[] = [];
let imports = 0;
for (const path of sourcesBelow(source)) {
  const room = roomOf(path);
  for (const { target, typeOnly } of importsOf(path)) {
    imports++;
    // The shapes of requests and answers: the browser's bundle gets nothing of them.
    if (room === "dashboard" && typeOnly && /^(\.\.\/)+(http|wire)\//.test(target)) continue;
    const where = `${relative(source, path)} imports ${target}`;
    if (target.startsWith(".")) {
      const inside = relative(source, resolve(dirname(path), target));
      const entered = inside.split("/")[0];
      const allowed = MAY_ENTER[room];
      if (!allowed) trespasses.push(`${where}: the room ${room} is not on the plan`);
      else if (entered !== room && !allowed.includes(entered) && !allowed.includes(inside)) trespasses.push(where);
    } else {
      for (const [name, rooms] of PACKAGE_ROOMS) {
        if (name.test(target) && !rooms.includes(room) && !rooms.includes(relative(source, path)))
          trespasses.push(where);
      }
    }
  }
}

describe("the rooms", () => {
  it("are entered only by those who may", () => {
    expect(trespasses).toEqual([]);
  });

  it("give the browser types of the Worker, and values of pure rooms alone", () => {
    const values = sourcesBelow(resolve(source, "dashboard")).flatMap((path) =>
      importsOf(path)
        .filter(({ target, typeOnly }) => target.startsWith(".") && !typeOnly)
        .map(({ target }) => relative(source, resolve(dirname(path), target)))
        .filter((path) => path !== "wire/tables/csv.ts")
        .map((path) => path.split("/")[0]),
    );
    expect(values.filter((room) => ["http", "wire", "db", "objects", "cli", "importer"].includes(room))).toEqual([]);
  });

  it("reach the live world through its door, src/geodata, and open nothing of it themselves", () => {
    expect(burglaries).toEqual([]);
    expect(valuesImported('import { type A, B as C } from "x";\nimport type { D } from "y";')).toEqual(["B"]);
  });

  it("are really looked into", () => {
    expect(imports).toBeGreaterThan(10);
  });
});
