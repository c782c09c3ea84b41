import { basename } from "node:path";
import type { AddressCollector } from "../../geocoding/collector.ts";
import { splitHouseNumbers, trimHouseNumber } from "../../geocoding/house-number.ts";
import type { Bounds, LayerOutput } from "../layer.ts";
import type { Progress } from "../progress.ts";
import { HouseContext } from "./house-context.ts";
import { plus4Of, unitsOf } from "./house-facts.ts";
import { type OpenAddress, readOpenAddressBatches } from "./open-addresses.ts";
import type { RegionsAround } from "./regions-around.ts";
import type { Settlements } from "./settlements.ts";

/** How far from an address a request may still find it: 50 m for a house, 100 m for a street [degrees]. */
const MARGIN = 0.002;

/** The box around a file's addresses; undefined when it has none. */
export async function openAddressBounds(path: string): Promise<Bounds | undefined> {
  let [west, south, east, north] = [180, 90, -180, -90];
  for await (const batch of readOpenAddressBatches(path)) {
    for (const { at } of batch) {
      west = Math.min(west, at.longitude);
      east = Math.max(east, at.longitude);
      south = Math.min(south, at.latitude);
      north = Math.max(north, at.latitude);
    }
  }
  if (west > east) return undefined;
  return [
    Math.max(-180, west - MARGIN),
    Math.max(-90, south - MARGIN),
    Math.min(180, east + MARGIN),
    Math.min(90, north + MARGIN),
  ];
}

/** Takes the addresses of an OpenAddresses file. */
export async function collectOpenAddresses(
  path: string,
  regions: RegionsAround,
  settlements: Settlements,
  collector: AddressCollector,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  const where = new HouseContext(regions, settlements);
  for await (const batch of readOpenAddressBatches(path)) {
    const places = await Promise.all(batch.map((address) => where.of(tagsOf(address), address.at)));
    for (const [i, { at, number, street, unit, postcode }] of batch.entries()) {
      const { context, postalCode } = places[i];
      const id = collector.street(street, collector.context(context), postalCode);
      const trimmed = trimHouseNumber(number, context.countryCode);
      const units = unitsOf(unit || (trimmed.unit ?? ""), true);
      const facts = { units, plus4: plus4Of(postcode, context.countryCode) };
      const numbers = splitHouseNumbers(trimmed.number);
      for (const one of numbers) collector.house(id, one, at, facts);
      out.count("addresses", numbers.length);
    }
    progress.advance(batch.length);
  }
  out.source({
    name: `OpenAddresses: ${basename(path)}`,
    url: "https://openaddresses.io",
    licence: "as the file's own source says",
  });
}

const tagsOf = ({ city, region, postcode }: OpenAddress) => ({
  ...(city && { "addr:city": city }),
  ...(region && { "addr:state": region }),
  ...(postcode && { "addr:postcode": postcode }),
});
