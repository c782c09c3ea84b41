import type { ByteReader, ByteWriter } from "../geo/bytes/bytes.ts";
import { detailsText, readDetails } from "./details.ts";
import type { PlaceRecord } from "./tile.ts";

/** Places as bytes between the steps of an import, exactly as they are; not part of any format that is published. */
export function writePlace(
  out: ByteWriter,
  { key, name, chain, categories, location, footprint, address, details }: PlaceRecord,
): void {
  out.unsigned(key.high);
  out.unsigned(key.low);
  out.text(name);
  out.byte((chain ? 1 : 0) + (chain?.domain === undefined ? 0 : 2) + (address ? 4 : 0) + (details ? 8 : 0));
  if (chain) for (const text of [chain.slug, chain.name]) out.text(text);
  if (chain?.domain !== undefined) out.text(chain.domain);
  out.unsigned(categories.length);
  for (const row of categories) out.unsigned(row);
  out.f64(location.latitude);
  out.f64(location.longitude);
  out.f64(footprint);
  if (details) out.text(detailsText(details));
  if (!address) return;
  const { number, street, city, stateCode, postalCode } = address;
  for (const text of [number, street, city, stateCode, postalCode]) out.text(text);
}

export function readPlace(reader: ByteReader): PlaceRecord {
  const key = { high: reader.unsigned(), low: reader.unsigned() };
  const name = reader.text();
  const flags = reader.byte();
  const chain = flags & 1 ? { slug: reader.text(), name: reader.text() } : undefined;
  const domain = flags & 2 ? reader.text() : undefined;
  const categories: number[] = [];
  for (let left = reader.unsigned(); left > 0; left--) categories.push(reader.unsigned());
  const location = { latitude: reader.f64(), longitude: reader.f64() };
  const footprint = reader.f64();
  const details = flags & 8 ? readDetails(reader.text()) : undefined;
  const address =
    flags & 4
      ? {
          number: reader.text(),
          street: reader.text(),
          city: reader.text(),
          stateCode: reader.text(),
          postalCode: reader.text(),
        }
      : undefined;
  // Without spreading: millions of them are read.
  const place: PlaceRecord = { key, name, categories, location, footprint };
  if (chain) place.chain = domain === undefined ? chain : { ...chain, domain };
  if (address) place.address = address;
  if (details) place.details = details;
  return place;
}
