import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Topology } from "./topojson.ts";

const require = createRequire(import.meta.url);

/** An atlas from an installed package: "world-atlas/countries-10m.json". */
export function readAtlas(path: string): Topology {
  return JSON.parse(readFileSync(require.resolve(path), "utf8"));
}
