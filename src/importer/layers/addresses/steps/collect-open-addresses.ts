import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { PRECISIONS } from "../../../../core/geocoding/entry/entry.ts";
import type { Progress } from "../../../common/progress.ts";
import { shownName } from "../../../common/shown-name.ts";
import type { Bounds, LayerOutput } from "../../../frame/layer.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { CellCounter, cellOf, contentOf, isFar } from "../../../osm/read/content-areas.ts";
import { type OpenAddress, readOpenAddressBatches } from "./open-addresses.ts";
import type { RecordSink } from "./record-sink.ts";

/** How far from an address a request may still find it: 50 m for a house, 100 m for a street [degrees]. */
const MARGIN = 0.002;

/** Where the addresses of a file are. */
interface FileArea {
  path: string;
  /** The box around them; undefined when it has none. */
  bounds: Bounds | undefined;
  /** Is one far from all others, and so a mistake? The rule of nodes of extracts (content-areas.ts). */
  isFar(at: Coordinate): boolean;
}

const e7 = (degrees: number) => Math.round(degrees * 1e7);

export async function openAddressArea(path: string): Promise<FileArea> {
  const counter = new CellCounter();
  for await (const { addresses } of readOpenAddressBatches(path))
    for (const { at } of addresses) counter.add(e7(at.latitude), e7(at.longitude));
  const { files, clusters } = contentOf([counter.cells]);
  const [{ bounds }] = files;
  return {
    path,
    bounds: bounds && widened(bounds),
    isFar: ({ latitude, longitude }) => clusters !== undefined && isFar(clusters[cellOf(e7(latitude), e7(longitude))]),
  };
}

const widened = ([west, south, east, north]: Bounds): Bounds => [
  Math.max(-180, west - MARGIN),
  Math.max(-90, south - MARGIN),
  Math.min(180, east + MARGIN),
  Math.min(90, north + MARGIN),
];

/** Name of a file as a source. */
export const sourceOfFile = (path: string): string => `OpenAddresses: ${shownName(path)}`;

/** OpenAddresses does not say of a point whether it is the building's or the plot's. */
const PRECISION = PRECISIONS.indexOf("parcel");

/**
 * Takes the addresses of an OpenAddresses file, row by row.
 * @param source number of the file among the sources of the import
 */
export async function collectOpenAddresses(
  { path, isFar }: FileArea,
  source: number,
  sink: RecordSink,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  const far: Coordinate[] = [];
  for await (const { addresses, unplaced, unnamed, cut } of readOpenAddressBatches(path)) {
    if (unplaced > 0) out.count("left out: line of a file without a position", unplaced);
    if (unnamed > 0) out.count("left out: line of a file without a street or a number", unnamed);
    if (cut !== undefined) {
      out.count("left out: last line of a file that was cut");
      out.note(`${shownName(path)} ends within line ${cut}, as if it had been cut. That line is left out.`);
    }
    for (const address of addresses) {
      if (isFar(address.at)) {
        far.push(address.at);
        continue;
      }
      sink.add({
        kind: "row",
        at: address.at,
        tags: tagsOf(address),
        street: address.street,
        source,
        precision: PRECISION,
      });
    }
    progress.advance(addresses.length);
    await sink.settle();
  }
  if (far.length > 0) {
    const [{ latitude, longitude }] = far;
    out.count("left out: address of a file far from all others", far.length);
    out.note(
      `${shownName(path)}: left out, as they are far from all others: ${far.length} of its addresses, the first at ${latitude}, ${longitude}.`,
    );
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
