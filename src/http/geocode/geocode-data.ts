import type { Coordinate } from "../../geo/coordinate.ts";
import { AddressIndex } from "../../geocoding/address-index.ts";
import type { Geodata } from "../../geodata/live.ts";
import type { BuildSource } from "../../geodata/r2-source.ts";
import type { PointRegions } from "../../regions/region.ts";
import { RegionIndex, type TileReader } from "../../regions/region-index.ts";
import { RegionTile } from "../../regions/region-tile.ts";

/** Builds that one request looks into, the world base beside them: a bound on its work. */
const MOST_BUILDS = 8;

/** Where addresses are looked for: around a point the builds that hold it come first. */
export function addressIndexes(geodata: Geodata, near?: Coordinate): AddressIndex[] {
  const around = near ? geodata.at(near, "addresses") : [];
  const all = [...new Set([...around, ...geodata.with("addresses")])].slice(0, MOST_BUILDS);
  const { world } = geodata;
  if (world?.build.layers.addresses !== undefined) all.push(world);
  return all.map((source) => new AddressIndex(source));
}

/** Builds that hold a point: what lies at it is in no other. */
export function addressIndexesAt(geodata: Geodata, point: Coordinate): AddressIndex[] {
  return geodata
    .at(point, "addresses")
    .slice(0, MOST_BUILDS)
    .map((source) => new AddressIndex(source));
}

/** Everything a point lies in; {} where no geodata could tell. */
export async function everyRegionAt(geodata: Geodata, point: Coordinate): Promise<PointRegions> {
  const { world } = geodata;
  const imports = geodata.at(point, "regions");
  if (!world && imports.length === 0) return {};
  return new RegionIndex(imports.map(tilesOf), world && tilesOf(world)).regionsAt(point);
}

function tilesOf(source: BuildSource): TileReader {
  return (key) => source.cached(key, (bytes) => new RegionTile(bytes));
}
