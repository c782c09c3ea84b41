import { memorySource } from "../../../core/geo/builds/tile-source.ts";
import { ringCentroid } from "../../../core/geo/shapes/polygon.ts";
import { buildTiles } from "../../../core/regions/build-tiles.ts";
import type { CellBox } from "../../../core/regions/cell-box.ts";
import { GRID, HALF_TURN, normalLongitude, shorterWay } from "../../../core/regions/crossing.ts";
import { changed, PackedRings, PackedShape } from "../../../core/regions/packed-shape.ts";
import { RegionIndex, tileKey, tilesFrom, WORLD_TILES } from "../../../core/regions/region-index.ts";
import { area, type RegionShape } from "../../../core/regions/region-shape.ts";
import type { Bounds, LayerInput } from "../../frame/layer.ts";
import type { Tags } from "../../osm/pbf/element.ts";
import { type CountryAt, withCountries } from "./country-of-shape.ts";
import { regionsOf } from "./osm-region.ts";
import { type DrawnRegion, overtureRegions } from "./overture-regions.ts";

/** Types of relations that bound an area; pieces of borders are tagged as boundaries too. */
const AREAS = new Set(["boundary", "multipolygon"]);

/**
 * The administrative and postal areas that the extracts hold whole. `skipped` hears of each that has no level, code or
 * name in use.
 */
export async function drawnRegions(
  input: LayerInput,
  base: readonly RegionShape[],
  boxes: readonly Bounds[],
  skipped: () => void = () => {},
): Promise<DrawnRegion[]> {
  const countryAt = baseCountries(base, boxes);
  const outlines: { tags: Tags; rings: PackedRings; middle: [longitude: number, latitude: number] }[] = [];
  await input.scan({
    relation(relation) {
      const { type, boundary } = relation.tags;
      if (!AREAS.has(type) || (boundary !== "administrative" && boundary !== "postal_code")) return;
      // The frame counts relations that are not whole.
      const polygons = input.multipolygon(relation);
      if (!polygons) return;
      const rings = polygons.flatMap(({ outer, inner }) => [outer, ...inner]);
      const { latitude, longitude } = ringCentroid(rings[0]);
      outlines.push({ tags: relation.tags, rings: new PackedRings(rings), middle: [longitude, latitude] });
    },
  });
  const found: DrawnRegion[] = [];
  for (const { tags, rings, middle } of outlines) {
    const regions = regionsOf(tags, await countryAt(middle));
    if (regions.length === 0) skipped();
    for (const region of regions) found.push({ tags, shape: new PackedShape(region, rings) });
  }
  if (input.files.overtureDivisions !== undefined)
    found.push(...(await overtureRegions(input.files.overtureDivisions, found)));
  const placed = await withCountries(
    found.map(({ shape }) => shape),
    countryAt,
  );
  return found.map(({ tags }, i) => ({ tags, shape: placed[i] }));
}

/** The base with those regions marked that the import draws again, and the import's own. */
export function onTopOf(base: readonly RegionShape[], fresh: readonly RegionShape[]): RegionShape[] {
  const isPart = partsOf(base);
  const drawn = new Set(fresh.filter((shape) => shape.code !== "" && !isPart(shape)).map(nameOf));
  return [...base.map((shape) => (drawn.has(nameOf(shape)) ? changed(shape, { rank: "replaced" }) : shape)), ...fresh];
}

/**
 * From this share of the base's area on a region is all there: seas and lakes make one of OpenStreetMap larger, not
 * smaller.
 */
const WHOLE = 0.7;

/**
 * Is a shape only a part of the region that the base has under its name? An extract may close the outline of a state
 * along its own edge; the base decides where such a state is.
 */
export function partsOf(base: readonly RegionShape[]): (shape: RegionShape) => boolean {
  const sizes = new Map<string, number>();
  for (const shape of base) sizes.set(nameOf(shape), Math.max(area(shape), sizes.get(nameOf(shape)) ?? 0));
  return (shape) => shape.code !== "" && area(shape) < WHOLE * (sizes.get(nameOf(shape)) ?? 0);
}

/** The same for two outlines of one region. Counties are known by numbers that no two countries share. */
const nameOf = ({ kind, country, code }: RegionShape) => `${kind} ${kind === "county" ? "" : country} ${code}`;

/** By the shapes of the base: two layers of an import ask the same. */
const COUNTRIES = new WeakMap<readonly RegionShape[], { boxes: string; countryAt: CountryAt }>();

/** Which country the world base sees at a point; "" on the sea. */
export function baseCountries(base: readonly RegionShape[], boxes: readonly Bounds[]): CountryAt {
  const known = COUNTRIES.get(base);
  if (known?.boxes === boxes.join()) return known.countryAt;
  const countryAt = countriesIn(base, boxes);
  COUNTRIES.set(base, { boxes: boxes.join(), countryAt });
  return countryAt;
}

function countriesIn(base: readonly RegionShape[], boxes: readonly Bounds[]): CountryAt {
  const countries = base.filter(({ kind }) => kind === "country");
  const objects = new Map<string, Uint8Array>();
  for (const { cell, bytes } of buildTiles(countries, WORLD_TILES, (box) => meetsAny(box, boxes))) {
    objects.set(tileKey(cell), bytes);
  }
  const index = new RegionIndex([], tilesFrom(memorySource(objects)));
  return async ([longitude, latitude]) => (await index.regionsAt({ latitude, longitude })).country?.code ?? "";
}

/** Does the box of a cell reach into one of the areas? */
export function meetsAny(box: CellBox, boxes: readonly Bounds[]): boolean {
  return boxes.some(([west, south, east, north]) => {
    if (box.north < south * GRID || box.south > north * GRID) return false;
    const width = east >= west ? east - west : east - west + 360;
    const middle = normalLongitude((west + width / 2) * GRID);
    const apart = Math.abs(shorterWay(middle - box.x));
    return Math.min(apart, HALF_TURN) <= (width / 2) * GRID + box.halfWidth;
  });
}
