import { boxOfRings, type Ring, ringCentroid, ringContains } from "../../../core/geo/shapes/polygon.ts";
import { changed } from "../../../core/regions/packed-shape.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";

/** Tells a country by a point; "" where there is none. */
export type CountryAt = (point: readonly [longitude: number, latitude: number]) => Promise<string>;

/** How many corners of an outline are asked, besides its middle. */
const CORNERS = 8;

type Box = readonly [west: number, south: number, east: number, north: number];

/**
 * Gives towns, counties and postal areas the country they are in, so that a point in one is in that country. It is that
 * of the import's own country or state around the middle of the shape. Without one it is the base's, when that sees the
 * middle and the corners in one country: its borders are some hundred metres off, so a shape across one stays
 * undecided.
 */
export async function withCountries(shapes: readonly RegionShape[], countryAt: CountryAt): Promise<RegionShape[]> {
  const open = new Map<number, [longitude: number, latitude: number]>();
  for (const [i, shape] of shapes.entries()) {
    if (shape.country !== "") continue;
    const [ring] = shape.rings;
    if (ring) open.set(i, middleOf(ring));
  }
  const countries = new Map<number, string>();
  for (const known of shapes) {
    if ((known.kind !== "country" && known.kind !== "state") || known.country === "" || open.size === 0) continue;
    // Once for all that may be in it.
    const { rings } = known;
    const box = boxOfRings(rings);
    for (const [i, [longitude, latitude]] of open) {
      if (!holds(rings, box, longitude, latitude)) continue;
      countries.set(i, known.country);
      open.delete(i);
    }
  }
  for (const [i, middle] of open) countries.set(i, await agreedCountry(shapes[i].rings[0], middle, countryAt));
  return shapes.map((shape, i) => (countries.get(i) ? changed(shape, { country: countries.get(i) }) : shape));
}

async function agreedCountry(ring: Ring, middle: readonly [number, number], countryAt: CountryAt): Promise<string> {
  const step = Math.max(1, Math.floor(ring.length / CORNERS));
  const country = await countryAt(middle);
  for (let i = 0; i < ring.length && country !== ""; i += step) {
    if ((await countryAt([ring[i][0], ring[i][1]])) !== country) return "";
  }
  return country;
}

function middleOf(ring: Ring): [longitude: number, latitude: number] {
  const { latitude, longitude } = ringCentroid(ring);
  return [longitude, latitude];
}

/** Even-odd over all rings, as in a tile. */
function holds(rings: readonly Ring[], [west, south, east, north]: Box, longitude: number, latitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  // A box wider than half a turn may be one across the 180th meridian: only the rings decide.
  if (east - west < 180 && (longitude < west || longitude > east)) return false;
  return rings.filter((ring) => ringContains(ring, latitude, longitude)).length % 2 === 1;
}
