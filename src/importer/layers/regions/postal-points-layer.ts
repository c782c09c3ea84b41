import { basename } from "node:path";
import { ByteReader, ByteWriter } from "../../../core/geo/bytes/bytes.ts";
import { byKey } from "../../../core/geo/bytes/sorter.ts";
import { encodeCellList } from "../../../core/geo/cells/cell-list.ts";
import { cellAt, type PackedCell } from "../../../core/geo/cells/cells.ts";
import {
  encodePostalPoints,
  POSTAL_CELLS_KEY,
  POSTAL_POINTS_VERSION,
  POSTAL_RESOLUTION,
  type PostalPoint,
  postalKey,
} from "../../../core/regions/postal-points.ts";
import type { Layer } from "../../frame/layer.ts";
import { sortersIn } from "../../frame/spill.ts";
import { readPostalDump } from "../../sources/postal-dump.ts";
import { GEONAMES } from "../../world/cities.ts";

/** How far around the centers of its codes a build is asked [degrees]. */
const MARGIN = 0.1;

/** Centers of postal codes by cell, for points that are in no known area of one. */
export const postalPoints: Layer = {
  name: "postal-points",
  formatVersion: POSTAL_POINTS_VERSION,
  summary: "centers of postal codes of GeoNames, for reverse geocoding",
  reads: {},
  files: ["addresses"],
  async build({ resources, files }, out, progress) {
    const sorter = sortersIn(resources, 0.5)("postal-points");
    const record = new ByteWriter(64);
    const box = { west: 180, south: 90, east: -180, north: -90 };
    for (const path of files.addresses) {
      for await (const { places } of readPostalDump(path)) {
        for (const { at, country, code } of places) {
          record.length = 0;
          record.f64(at.latitude);
          record.f64(at.longitude);
          record.text(country);
          record.text(code);
          sorter.add(cellAt(at, POSTAL_RESOLUTION), record.view());
          box.west = Math.min(box.west, at.longitude);
          box.east = Math.max(box.east, at.longitude);
          box.south = Math.min(box.south, at.latitude);
          box.north = Math.max(box.north, at.latitude);
        }
        progress.advance(places.length);
      }
      out.source({ ...GEONAMES, name: `GeoNames: ${basename(path)}`, edition: "postal codes" });
    }
    const cells: PackedCell[] = [];
    let points: PostalPoint[] = [];
    const take = ({ bytes, start }: { bytes: Uint8Array; start: number }) => {
      const reader = new ByteReader(bytes, start);
      const at = { latitude: reader.f64(), longitude: reader.f64() };
      points.push({ at, country: reader.text(), code: reader.text() });
    };
    for (const cell of byKey(sorter, take)) {
      await out.write(postalKey(cell), encodePostalPoints(points));
      out.count("centers of postal codes", points.length);
      cells.push(cell);
      points = [];
    }
    sorter.close();
    if (cells.length === 0) return;
    await out.write(POSTAL_CELLS_KEY, encodeCellList(cells));
    out.area([
      Math.max(-180, box.west - MARGIN),
      Math.max(-90, box.south - MARGIN),
      Math.min(180, box.east + MARGIN),
      Math.min(90, box.north + MARGIN),
    ]);
  },
};
