import { ringCentroid, ringContains } from "../../geo/polygon.ts";
import type { RegionShape } from "../../regions/region-shape.ts";

/** Tells a country by a point; "" where there is none. */
export type CountryAt = (point: readonly [longitude: number, latitude: number]) => Promise<string>;

/** How many corners of an outline are asked, besides its middle. */
const CORNERS = 8;

interface Known {
  shape: RegionShape;
  box: Box;
}

type Box = readonly [west: number, south: number, east: number, north: number];

/**
 * Gives towns, counties and postal areas the country they lie in, so that a point in one is in that country. It is that
 * of the import's own country or state around the middle of the shape. Without one it is the base's, when that sees the
 * middle and the corners in one country: its borders are some hundred metres off, so a shape across one stays
 * undecided.
 */
export async function withCountries(shapes: readonly RegionShape[], countryAt: CountryAt): Promise<RegionShape[]> {
  const known = shapes
    .filter(({ kind, country }) => (kind === "country" || kind === "state") && country !== "")
    .map((shape): Known => ({ shape, box: boxOf(shape) }));
  return Promise.all(
    shapes.map(async (shape) => {
      if (shape.country !== "" || shape.rings.length === 0) return shape;
      const [longitude, latitude] = middleOf(shape);
      const own = known.find((one) => holds(one, longitude, latitude));
      const country = own ? own.shape.country : await agreedCountry(shape, [longitude, latitude], countryAt);
      return country === "" ? shape : { ...shape, country };
    }),
  );
}

async function agreedCountry(
  { rings }: RegionShape,
  middle: readonly [number, number],
  countryAt: CountryAt,
): Promise<string> {
  const [ring] = rings;
  const step = Math.max(1, Math.floor(ring.length / CORNERS));
  const country = await countryAt(middle);
  for (let i = 0; i < ring.length && country !== ""; i += step) {
    if ((await countryAt([ring[i][0], ring[i][1]])) !== country) return "";
  }
  return country;
}

function middleOf({ rings }: RegionShape): [longitude: number, latitude: number] {
  const { latitude, longitude } = ringCentroid(rings[0]);
  return [longitude, latitude];
}

/** Even-odd over all rings, as a tile would tell. */
function holds({ shape, box: [west, south, east, north] }: Known, longitude: number, latitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  // A box wider than half a turn may be one across the 180th meridian: only the rings can tell.
  if (east - west < 180 && (longitude < west || longitude > east)) return false;
  return shape.rings.filter((ring) => ringContains(ring, latitude, longitude)).length % 2 === 1;
}

function boxOf({ rings }: RegionShape): Box {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [longitude, latitude] of rings.flat()) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [west, south, east, north];
}
