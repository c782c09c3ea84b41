import { parseAccept } from "hono/utils/accept";
import { LANGUAGES, type Language } from "../../../../core/geocoding/entry/entry.ts";
import { tagOfSlugs } from "../../../../core/places/categories.ts";
import type { PlaceDetails } from "../../../../core/places/details.ts";
import { hash52, placeSourceOf } from "../../../../core/places/place.ts";
import type { Geodata } from "../../../geodata/live.ts";
import { placeWithId } from "../../../geodata/places.ts";
import type { WireAddress } from "../../../wire/address.ts";

/** Results of geocoding as Nominatim and Photon see them: objects of OpenStreetMap. */
export interface OsmObject {
  address: WireAddress;
  /** A number of this server's, the same for the same object. */
  number: number;
  kind: Kind;
  /** The main tag. */
  key: string;
  value: string;
  /** The element, where it is known: of places that OpenStreetMap has. */
  element?: { type: "node" | "way" | "relation"; id: number };
  details?: PlaceDetails | undefined;
}

export type Kind = "poi" | "house" | "street" | "postcode" | "city" | "county" | "state" | "country" | "point";

const KINDS: Readonly<Record<string, Kind>> = {
  place: "poi",
  postalCode: "postcode",
  locality: "city",
  county: "county",
  state: "state",
  country: "country",
  point: "point",
};

const kindOf = ({ layer, number }: WireAddress): Kind =>
  layer === "address" ? (number === undefined ? "street" : "house") : (KINDS[layer] ?? "point");

const TAGS: Readonly<Record<Kind, readonly [key: string, value: string]>> = {
  poi: ["place", "yes"],
  house: ["place", "house"],
  street: ["highway", "road"],
  postcode: ["place", "postcode"],
  city: ["place", "city"],
  county: ["boundary", "administrative"],
  state: ["boundary", "administrative"],
  country: ["boundary", "administrative"],
  point: ["place", "point"],
};

/** The same results with their tags; those of places are read. */
export function osmObjects(geodata: Geodata, found: readonly WireAddress[]): Promise<OsmObject[]> {
  return Promise.all(found.map((address) => osmObject(geodata, address)));
}

async function osmObject(geodata: Geodata, address: WireAddress): Promise<OsmObject> {
  const kind = kindOf(address);
  const { id, latitude, longitude, formattedAddress } = address;
  const number = hash52(id ?? `${kind} ${formattedAddress} ${latitude} ${longitude}`);
  const known = kind === "poi" && id !== undefined ? await placeWithId(geodata, id) : undefined;
  const [key, value] = (known && tagOfSlugs(known.place.categories)) ?? TAGS[kind];
  const source = id === undefined ? undefined : placeSourceOf(id);
  const isElement = source && (source.source === "node" || source.source === "way" || source.source === "relation");
  return {
    address,
    number,
    kind,
    key,
    value,
    ...(isElement && { element: { type: source.source as "node" | "way" | "relation", id: source.id } }),
    details: known?.details,
  };
}

/** The first language of a list such as "de-AT,en;q=0.5" that addresses are written in; English without one. */
export function languageFor(list: string | null | undefined): Language {
  for (const { type } of parseAccept((list ?? "").slice(0, 500))) {
    const [base] = type.trim().toLowerCase().split("-");
    const known = LANGUAGES.find((one) => one === base);
    if (known) return known;
  }
  return "en";
}
