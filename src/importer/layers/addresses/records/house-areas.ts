import type { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { Context } from "../../../../core/geocoding/entry/entry.ts";
import { readContext, writeContext } from "../../../../core/geocoding/index/entry-record.ts";

/** An area that is known by its houses only: a postal code, or a district whose boundary the extract lacks. */
export interface HouseArea {
  kind: "postalCode" | "locality";
  name: string;
  /** Its name in English, if the houses have it. */
  english: string;
  /** What its first house is in. */
  context: Context;
}

/** A postal code is the same in all of a country, a district in its town. */
export function keyOfArea({ kind, name, context: { countryCode, stateCode, city } }: HouseArea): string {
  return kind === "postalCode" ? `${countryCode}\n${name}` : [countryCode, stateCode, city, name].join("\n");
}

export function writeHouseArea(out: ByteWriter, { kind, name, english, context }: HouseArea): void {
  out.byte(kind === "postalCode" ? 0 : 1);
  out.text(name);
  out.text(english);
  writeContext(out, context);
}

export function readHouseArea(reader: ByteReader): HouseArea {
  const kind = reader.byte() === 0 ? "postalCode" : "locality";
  return { kind, name: reader.text(), english: reader.text(), context: readContext(reader) };
}
