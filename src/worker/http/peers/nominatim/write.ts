import type { PlaceDetails } from "../../../../core/places/details.ts";
import type { Kind, OsmObject } from "../common/osm-objects.ts";

/** Writes results as Nominatim does. */
export type Format = "json" | "jsonv2" | "geojson" | "geocodejson" | "xml";

export interface Output {
  format: Format;
  addressdetails: boolean;
  extratags: boolean;
  namedetails: boolean;
  polygon_geojson: boolean;
}

const LICENCE = "Data sources and licenses: see the header x-graticule-attribution";

/** Nominatim's rank of a kind, and half the side of the box around its point [degrees]. */
const RANKS: Readonly<Record<Kind, readonly [rank: number, half: number]>> = {
  country: [4, 4],
  state: [8, 1],
  county: [12, 0.3],
  city: [16, 0.05],
  postcode: [21, 0.02],
  street: [26, 0.002],
  house: [30, 0.00005],
  poi: [30, 0.00005],
  point: [30, 0.00005],
};

/** The names of kinds in `addresstype`. */
const TYPES: Partial<Record<Kind, string>> = { house: "place", street: "road", point: "place" };

const typeOf = ({ kind, key }: OsmObject) => (kind === "poi" ? key : (TYPES[kind] ?? kind));

function nameOf({ kind, address }: OsmObject): string {
  if (kind === "street") return address.street ?? "";
  return kind === "house" || kind === "point" ? "" : (address.name ?? "");
}

/** The parts of an address, smallest first. */
function addressOf(one: OsmObject): Record<string, string> {
  const { address, kind, key } = one;
  const { countryCode, stateCode } = address;
  const parts: Record<string, string | undefined> = {
    ...(kind === "poi" && { [key]: address.name }),
    house_number: address.number,
    road: address.street,
    neighbourhood: address.neighborhood,
    suburb: address.borough,
    city: address.city,
    county: address.county,
    state: address.state,
    "ISO3166-2-lvl4": countryCode && stateCode ? `${countryCode}-${stateCode}` : undefined,
    postcode: address.postalCode,
    country: address.country,
    country_code: countryCode?.toLowerCase(),
  };
  return Object.fromEntries(Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined));
}

/** South, north, west, east. */
function boxOf({ kind, address: { latitude, longitude } }: OsmObject): [number, number, number, number] {
  const [, half] = RANKS[kind];
  const clamp = (value: number, most: number) => Number(Math.max(-most, Math.min(most, value)).toFixed(7));
  return [
    clamp(latitude - half, 90),
    clamp(latitude + half, 90),
    clamp(longitude - half, 180),
    clamp(longitude + half, 180),
  ];
}

const TAGS: Readonly<Record<keyof PlaceDetails, string>> = {
  openingHours: "opening_hours",
  phone: "phone",
  website: "website",
  email: "email",
  wheelchair: "wheelchair",
  cuisine: "cuisine",
  brand: "brand",
  wikidata: "wikidata",
  brandWikidata: "brand:wikidata",
};

function extraTags({ details = {} }: OsmObject): Record<string, string> | null {
  const tags = Object.entries(details).map(([name, value]) => [TAGS[name as keyof PlaceDetails], value] as const);
  return tags.length > 0 ? Object.fromEntries(tags) : null;
}

const nameDetails = (one: OsmObject) => (nameOf(one) === "" ? null : { name: nameOf(one) });

const pointOf = ({ address: { latitude, longitude } }: OsmObject) => ({
  type: "Point",
  coordinates: [longitude, latitude],
});

/** Members that the details of the request add, in every format. */
const details = (one: OsmObject, output: Output) => ({
  ...(output.addressdetails && { address: addressOf(one) }),
  ...(output.extratags && { extratags: extraTags(one) }),
  ...(output.namedetails && { namedetails: nameDetails(one) }),
});

function properties(one: OsmObject, output: Output, isNew: boolean) {
  const [rank] = RANKS[one.kind];
  return {
    place_id: one.number,
    licence: LICENCE,
    ...(one.element && { osm_type: one.element.type, osm_id: one.element.id }),
    [isNew ? "category" : "class"]: one.key,
    type: one.value,
    place_rank: rank,
    importance: Number((0.75 - rank / 40).toFixed(3)),
    addresstype: typeOf(one),
    name: nameOf(one),
    display_name: one.address.formattedAddress,
    ...details(one, output),
  };
}

function plain(one: OsmObject, output: Output) {
  const { latitude, longitude } = one.address;
  return {
    ...properties(one, output, output.format === "jsonv2"),
    lat: String(latitude),
    lon: String(longitude),
    boundingbox: boxOf(one).map(String),
    ...(output.polygon_geojson && { geojson: pointOf(one) }),
  };
}

function geojson(found: readonly OsmObject[], output: Output) {
  return {
    type: "FeatureCollection",
    licence: LICENCE,
    features: found.map((one) => {
      const { licence: _, ...own } = properties(one, output, true);
      const [south, north, west, east] = boxOf(one);
      return { type: "Feature", properties: own, bbox: [west, south, east, north], geometry: pointOf(one) };
    }),
  };
}

function geocodejson(found: readonly OsmObject[], output: Output, query: string) {
  return {
    type: "FeatureCollection",
    geocoding: { version: "0.1.0", attribution: LICENCE, licence: "", query },
    features: found.map((one) => {
      const { address, kind } = one;
      const geocoding = {
        place_id: one.number,
        ...(one.element && { osm_type: one.element.type, osm_id: one.element.id }),
        osm_key: one.key,
        osm_value: one.value,
        type: kind === "poi" || kind === "point" ? "house" : kind === "postcode" ? "other" : kind,
        label: address.formattedAddress,
        name: nameOf(one) || undefined,
        ...(output.addressdetails && {
          housenumber: address.number,
          street: address.street,
          locality: address.neighborhood,
          district: address.borough,
          postcode: address.postalCode,
          city: address.city,
          county: address.county,
          state: address.state,
          country: address.country,
          country_code: address.countryCode?.toLowerCase(),
        }),
        ...(output.extratags && { extra: extraTags(one) ?? {} }),
      };
      return { type: "Feature", properties: { geocoding }, geometry: pointOf(one) };
    }),
  };
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const attributes = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

function attributesOf(one: OsmObject): string {
  const { latitude, longitude, formattedAddress } = one.address;
  const [rank] = RANKS[one.kind];
  return attributes({
    place_id: one.number,
    ...(one.element && { osm_type: one.element.type, osm_id: one.element.id }),
    ...(nameOf(one) && { ref: nameOf(one) }),
    place_rank: rank,
    address_rank: rank,
    boundingbox: boxOf(one).join(),
    lat: latitude,
    lon: longitude,
    display_name: formattedAddress,
    class: one.key,
    type: one.value,
    importance: (0.75 - rank / 40).toFixed(3),
  });
}

/** Names of tags may have characters that names of elements must not have. */
const elements = (fields: Readonly<Record<string, string>> | null) =>
  Object.entries(fields ?? {})
    .map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
    .join("");
const tags = (name: string, tag: string, fields: Readonly<Record<string, string>> | null) =>
  `<${name}>${Object.entries(fields ?? {})
    .map(
      ([key, value]) =>
        `<${tag}${attributes(tag === "tag" ? { key, value } : { desc: key })}${tag === "tag" ? "/>" : `>${escaped(value)}</${tag}>`}`,
    )
    .join("")}</${name}>`;

const detailsXml = (one: OsmObject, output: Output) =>
  (output.extratags ? tags("extratags", "tag", extraTags(one)) : "") +
  (output.namedetails ? tags("namedetails", "name", nameDetails(one)) : "");

const HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n';

export const errorXml = (code: number, message: string) =>
  `${HEAD}<error><code>${code}</code><message>${escaped(message)}</message></error>`;

/** Results of a search. XML is text, everything else JSON. */
export function searchBody(found: readonly OsmObject[], output: Output, query: string): object | string {
  const { format } = output;
  if (format === "geojson") return geojson(found, output);
  if (format === "geocodejson") return geocodejson(found, output, query);
  if (format !== "xml") return found.map((one) => plain(one, output));
  const places = found.map((one) => {
    const address = output.addressdetails ? elements(addressOf(one)) : "";
    return `<place${attributesOf(one)}>${address}${detailsXml(one, output)}</place>`;
  });
  return `${HEAD}<searchresults${attributes({ attribution: LICENCE, querystring: query })}>${places.join("")}</searchresults>`;
}

/** The result at a point; undefined: none. */
export function reverseBody(one: OsmObject | undefined, output: Output, query: string): object | string {
  const { format } = output;
  const nothing = "Unable to geocode";
  if (format === "xml") {
    const begin = `${HEAD}<reversegeocode${attributes({ attribution: LICENCE, querystring: query })}>`;
    if (!one) return `${begin}<error>${nothing}</error></reversegeocode>`;
    const address = output.addressdetails ? `<addressparts>${elements(addressOf(one))}</addressparts>` : "";
    const label = escaped(one.address.formattedAddress);
    return `${begin}<result${attributesOf(one)}>${label}</result>${address}${detailsXml(one, output)}</reversegeocode>`;
  }
  if (!one) return { error: nothing };
  return format === "json" || format === "jsonv2" ? plain(one, output) : searchBody([one], output, query);
}
