import { basename } from "node:path";
import { PRECISIONS } from "../../../../core/geocoding/entry/entry.ts";
import type { Progress } from "../../../common/progress.ts";
import type { Bounds, LayerOutput } from "../../../frame/layer.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type OpenAddress, readOpenAddressBatches } from "./open-addresses.ts";
import type { RecordSink } from "./record-sink.ts";

/** How far from an address a request may still find it: 50 m for a house, 100 m for a street [degrees]. */
const MARGIN = 0.002;

/** The box around a file's addresses; undefined when it has none. */
export async function openAddressBounds(path: string): Promise<Bounds | undefined> {
  let [west, south, east, north] = [180, 90, -180, -90];
  for await (const { addresses } of readOpenAddressBatches(path)) {
    for (const { at } of addresses) {
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

/** Name of a file as a source. */
export const sourceOfFile = (path: string): string => `OpenAddresses: ${basename(path)}`;

/** OpenAddresses does not say of a point whether it is the building's or the plot's. */
const PRECISION = PRECISIONS.indexOf("parcel");

/**
 * Takes the addresses of an OpenAddresses file, row by row.
 * @param source number of the file among the sources of the import
 */
export async function collectOpenAddresses(
  path: string,
  source: number,
  sink: RecordSink,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  for await (const { addresses, unplaced, unnamed, cut } of readOpenAddressBatches(path)) {
    if (unplaced > 0) out.count("left out: line of a file without a position", unplaced);
    if (unnamed > 0) out.count("left out: line of a file without a street or a number", unnamed);
    if (cut !== undefined) {
      out.count("left out: last line of a file that was cut");
      out.note(`${basename(path)} ends within line ${cut}, as if it had been cut. That line is left out.`);
    }
    for (const address of addresses)
      sink.add({
        kind: "row",
        at: address.at,
        tags: tagsOf(address),
        street: address.street,
        source,
        precision: PRECISION,
      });
    progress.advance(addresses.length);
    await sink.settle();
  }
  out.source({
    name: sourceOfFile(path),
    url: "https://openaddresses.io",
    licence: "as the file's own source says",
  });
}

const tagsOf = ({ number, unit, city, region, postcode }: OpenAddress): Tags => ({
  "addr:housenumber": number,
  ...(unit && { "addr:unit": unit }),
  ...(city && { "addr:city": city }),
  ...(region && { "addr:state": region }),
  ...(postcode && { "addr:postcode": postcode }),
});
