import { ByteReader, ByteWriter } from "../../../core/geo/bytes/bytes.ts";
import { boxOfRings } from "../../../core/geo/shapes/polygon.ts";
import type { RegionKind } from "../../../core/regions/region.ts";
import { sourceColumn, textColumn } from "./columns.ts";
import { nameColumns } from "./names.ts";
import type { RowReader } from "./row-reader.ts";
import { ringsOf } from "./wkb.ts";

/**
 * Subtypes of Overture's divisions (docs.overturemaps.org/schema/reference/divisions/types/place_type) that are regions here. Others
 * (macro regions and counties, microhoods) have no counterpart.
 */
const KINDS: Readonly<Record<string, RegionKind>> = {
  country: "country",
  dependency: "country",
  region: "state",
  county: "county",
  localadmin: "locality",
  locality: "locality",
  borough: "borough",
  macrohood: "borough",
  neighborhood: "neighborhood",
};

/** Corners are stored on this grid [degrees]. */
const GRID = 1e7;

export interface Division {
  kind: RegionKind;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 3166-2 without the country; "" if unknown. */
  state: string;
  name: string;
  /** By language. */
  names: ReadonlyMap<string, string>;
  rings: [longitude: number, latitude: number][][];
}

/**
 * Overture's division areas (docs.overturemaps.org/schema/reference/divisions/division_area). Columns: geometry (a polygon or several),
 * names, subtype, class ("land" or "maritime"), country, region, sources[].
 */
export const divisionRows: RowReader = {
  kind: "divisions",
  columns: [
    "geometry",
    "names/primary",
    "names/common/key",
    "names/common/value",
    "subtype",
    "class",
    "country",
    "region",
    "sources/property",
    "sources/dataset",
    "sources/license",
  ],
  required: ["geometry", "names", "subtype", "class", "country"],
  read(columns, part, keep) {
    const shapes = columns.leaf("geometry");
    const [country, subtype, area, region] = ["country", "subtype", "class", "region"].map((name) =>
      textColumn(columns.leaf(name)),
    );
    const namesOf = nameColumns(columns, "names");
    const source = sourceColumn(columns);
    for (let i = 0; i < columns.rows; i++) {
      const kind = KINDS[subtype(i)];
      if (kind === undefined) part.skip("division of another kind");
      // Of each division there is an area of its land, and one with its sea.
      else if (area(i) === "land") {
        const geometry = shapes && shapes.entries[i] >= 0 ? shapes.values[shapes.entries[i]] : undefined;
        const rings = geometry instanceof Uint8Array ? ringsOf(geometry) : [];
        const names = namesOf(i);
        if (rings.length === 0 || names.primary === "") part.skip("division without a name or an area");
        else {
          const box = boxOfRings(rings);
          const [longitude, latitude] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
          if (!keep(longitude, latitude, country(i))) continue;
          const { dataset, license } = source(i);
          part.dataset(dataset, license);
          const state = region(i).replace(/^[A-Z]{2}-/, "");
          part.chunk(encode({ kind, country: country(i), state, name: names.primary, names: names.common, rings }));
          part.row(...box);
        }
      }
    }
  },
};

function encode({ kind, country, state, name, names, rings }: Division): Uint8Array {
  const out = new ByteWriter(1024);
  for (const text of [kind, country, state, name]) out.text(text);
  out.unsigned(names.size);
  for (const [language, text] of names) {
    out.text(language);
    out.text(text);
  }
  out.unsigned(rings.length);
  for (const ring of rings) {
    out.unsigned(ring.length);
    let [x, y] = [0, 0];
    for (const [longitude, latitude] of ring) {
      const [toX, toY] = [Math.round(longitude * GRID), Math.round(latitude * GRID)];
      out.signed(toX - x);
      out.signed(toY - y);
      [x, y] = [toX, toY];
    }
  }
  return out.finish();
}

/** The division of a chunk. */
export function divisionIn(chunk: Uint8Array): Division {
  const reader = new ByteReader(chunk);
  const [kind, country, state, name] = [reader.text() as RegionKind, reader.text(), reader.text(), reader.text()];
  const names = new Map(Array.from({ length: reader.unsigned() }, () => [reader.text(), reader.text()] as const));
  const rings = Array.from({ length: reader.unsigned() }, () => {
    let [x, y] = [0, 0];
    return Array.from({ length: reader.unsigned() }, (): [number, number] => {
      x += reader.signed();
      y += reader.signed();
      return [x / GRID, y / GRID];
    });
  });
  return { kind, country, state, name, names, rings };
}
