import { z } from "zod";
import { type Coordinate, toPoint } from "../../core/geo/coordinate.ts";
import {
  type Context,
  type Language,
  NO_CONTEXT,
  PRECISIONS,
  type Precision,
} from "../../core/geocoding/entry/entry.ts";
import { labelsOf } from "../../core/geocoding/label/label.ts";
import type { Layer } from "../../core/geocoding/search/search.ts";
import { type Place, sourceNameOf } from "../../core/places/place.ts";
import { boroughOf, isWrittenBeside } from "../../core/regions/boroughs.ts";
import { countryName, flagOf, type PointRegions } from "../../core/regions/region.ts";
import { describeTimeZone, timeZoneAt } from "../../core/regions/time-zone.ts";
import type { PlaceAddress } from "../../core/tracking/types/surroundings.ts";
import { pointShape } from "./point.ts";

export const timeZoneShape = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  currentTime: z.string().meta({ example: "2026-07-04T08:30:00-04:00" }),
  utcOffset: z.number().meta({ description: "UTC offset in seconds, including daylight saving" }),
  dstOffset: z.number().meta({ description: "Seconds" }),
});

export const addressShape = z.object({
  id: z.string().optional().meta({
    description:
      "Id of a house or place in the data, for /v1/addresses/:id and, for the layer place, /v1/places/:id; stable across imports",
  }),
  latitude: z.number(),
  longitude: z.number(),
  geometry: pointShape,
  country: z.string().optional(),
  countryCode: z.string().optional(),
  countryFlag: z.string().optional(),
  county: z.string().optional(),
  borough: z.string().optional(),
  city: z.string().optional(),
  number: z.string().optional(),
  unit: z.string().optional(),
  neighborhood: z.string().optional(),
  postalCode: z.string().optional(),
  stateCode: z.string().optional(),
  state: z.string().optional(),
  street: z.string().optional(),
  layer: z.string(),
  formattedAddress: z.string(),
  addressLabel: z.string(),
  placeLabel: z.string().optional(),
  name: z.string().optional().meta({ description: "Name of a place or a region" }),
  distance: z.number().optional().meta({ description: "Meters" }),
  confidence: z.enum(["exact", "interpolated", "fallback"]).optional(),
  precision: z
    .enum([...PRECISIONS, "street"])
    .optional()
    .meta({
      description:
        "What the point of an address is: the building or its entrance, its plot (or a point whose source does not say), a point between known houses, or only the street",
    }),
  sources: z
    .array(z.string())
    .optional()
    .meta({ description: "Sources that have the house or place, that of the point first", example: ["OpenStreetMap"] }),
  matched: z
    .array(z.array(z.number()))
    .optional()
    .meta({
      description:
        "Parts of `formattedAddress` that match the query: pairs of positions [from, to), in UTF-16 units as in JavaScript",
      example: [[0, 5]],
    }),
  inferred: z
    .array(z.enum(["city"]))
    .optional()
    .meta({ description: "Fields that follow from a city nearby, by its size and distance: no data has its area" }),
  timeZone: timeZoneShape,
});
/** Fields of a place that depend neither on the day nor on the caller. */
export const placeAddressShape = addressShape.omit({
  id: true,
  timeZone: true,
  distance: true,
  confidence: true,
  precision: true,
  sources: true,
  matched: true,
  inferred: true,
});

export type WireAddress = z.input<typeof addressShape>;

/** A result of the geocoder, forward or reverse. */
export interface Located {
  id?: string;
  layer: Layer;
  /** Name of the street, place or region. */
  name: string;
  /** Is `name` a street name? Addresses without a street are the point itself. */
  street: boolean;
  number?: string;
  unit?: string;
  context: Context;
  postalCode: string;
  location: Coordinate;
  distance?: number;
  confidence?: "exact" | "interpolated" | "fallback";
  precision?: Precision;
  sources?: readonly string[];
}

/**
 * All known fields of the API's Address; unknown ones are absent, never null. For an address or a place, the regions at
 * its point are used, and fields of its own entry fill the gaps. For a region, only its own entry is used.
 */
export function wireAddress(found: Located, regions: PointRegions, language: Language, now: number): WireAddress {
  const { layer, name, number, unit, location } = found;
  const around = areasOf(found, regions);
  const { countryCode } = around;
  const country = countryCode && countryName(countryCode, language);
  const parts = partsOf(found, regions, around);
  const { county, city, postalCode, stateCode, state, street, borough, neighborhood } = parts;
  const labels = labelsOf(labeledParts(found, parts, regions, countryCode), language);
  return withoutBlanks({
    id: found.id,
    latitude: location.latitude,
    longitude: location.longitude,
    geometry: toPoint(location),
    country,
    countryCode,
    countryFlag: flagOf(countryCode),
    county,
    borough,
    city,
    number,
    unit,
    neighborhood,
    postalCode,
    stateCode,
    state,
    street,
    layer,
    formattedAddress: layer === "country" ? country : labels.formattedAddress,
    addressLabel: layer === "country" ? country : labels.addressLabel,
    placeLabel: layer === "place" ? name : undefined,
    name: layer === "address" ? undefined : name,
    distance: found.distance === undefined ? undefined : Math.round(found.distance * 10) / 10,
    confidence: found.confidence,
    precision: found.precision ?? (layer === "address" && found.street && number === undefined ? "street" : undefined),
    sources: found.sources && found.sources.length > 0 ? [...found.sources] : undefined,
    inferred: isCityInferred(found, regions) ? ["city"] : undefined,
    timeZone: describeTimeZone(timeZoneAt(location, zoneAreas(regions, countryCode)), now),
  });
}

const isCityInferred = ({ layer, name, context }: Located, { locality }: PointRegions) =>
  locality?.inferred === true &&
  (layer === "locality" ? name === locality.name : (layer === "address" || layer === "place") && context.city === "");

/** The parts of an address; empty where its layer has none. */
function partsOf(found: Located, regions: PointRegions, around: Areas) {
  const { layer, name, context } = found;
  const fine = layer === "address" || layer === "place";
  const below = layer !== "country";
  const stateCode = below ? around.stateCode : "";
  const state = layer === "state" ? name : below ? around.state : "";
  const county = layer === "county" ? name : fine || layer === "locality" ? around.county : "";
  const city =
    layer === "locality"
      ? name
      : fine || layer === "postalCode"
        ? context.city || (fine ? regions.locality?.name : "")
        : "";
  const postalCode = layer === "postalCode" ? name : fine ? found.postalCode || regions.postalCode?.code : "";
  const street = found.street ? name : "";
  const borough = fine ? around.borough : "";
  const neighborhood = fine ? regions.neighborhood?.name || found.context.neighborhood : "";
  return { county, city, postalCode, stateCode, state, street, borough, neighborhood };
}

/** Many countries write addresses without the state, so the formatted address of one would omit its name. */
function labeledParts(
  { layer, name, number, unit }: Located,
  { neighborhood: _, borough, ...parts }: ReturnType<typeof partsOf>,
  regions: PointRegions,
  countryCode: string,
) {
  if (layer === "state") return { place: name, countryCode };
  return {
    ...parts,
    ...{ number, unit, countryCode },
    borough: isWrittenBeside(regions, borough, parts.city ?? "") ? borough : "",
    place: layer === "place" || layer === "county" ? name : undefined,
  };
}

/** A position given as coordinates: the regions around it, and the coordinates as its label. */
export function wirePoint(location: Coordinate, regions: PointRegions, language: Language, now: number): WireAddress {
  const label = [location.latitude, location.longitude].map((degrees) => Number(degrees.toFixed(6))).join(", ");
  const around = { layer: "address", name: "", street: false, context: NO_CONTEXT, postalCode: "", location } as const;
  const address = wireAddress({ ...around, confidence: "exact" }, regions, language, now);
  return { ...address, layer: "point", addressLabel: label, formattedAddress: label };
}

type Areas = Pick<Context, "countryCode" | "stateCode" | "state" | "county" | "borough">;

/** Country, state, county and borough, all from the same side of a border. */
function areasOf({ layer, context }: Located, regions: PointRegions): Areas {
  const { country, state, county } = regions;
  const there: Areas = {
    countryCode: country?.code ?? "",
    stateCode: state?.code ?? "",
    state: state?.name ?? "",
    county: county?.name ?? "",
    borough: boroughOf(regions)?.name ?? "",
  };
  const [first, second] = layer === "address" || layer === "place" ? [there, context] : [context, there];
  if (first.countryCode !== "" && second.countryCode !== "" && first.countryCode !== second.countryCode) return first;
  if (first.stateCode !== "" && second.stateCode !== "" && first.stateCode !== second.stateCode) return first;
  return {
    countryCode: first.countryCode || second.countryCode,
    stateCode: layer === "state" ? first.stateCode : first.stateCode || second.stateCode,
    state: first.state || second.state,
    county: first.county || second.county,
    borough: first.borough || second.borough,
  };
}

/** The regions that the time zone must match; none if the point is in another country than the region it represents. */
function zoneAreas({ country, state }: PointRegions, countryCode: string): Pick<PointRegions, "country" | "state"> {
  return country?.code === countryCode ? { country, state } : {};
}

function withoutBlanks(address: WireAddress): WireAddress {
  const required = new Set(["formattedAddress", "addressLabel"]);
  return Object.fromEntries(
    Object.entries(address).filter(([key, value]) => value !== undefined && (value !== "" || required.has(key))),
  ) as WireAddress;
}

/** A place as a geocoding result. */
export function wirePlaceAnswer(
  place: Pick<Place, "id" | "name" | "address" | "location">,
  regions: PointRegions,
  language: Language,
  now: number,
  distance?: number,
): WireAddress {
  const { id, location } = place;
  return {
    id,
    ...location,
    geometry: toPoint(location),
    ...addressOfPlace(place, regions, language),
    ...(distance !== undefined && { distance: Math.round(distance * 10) / 10 }),
    confidence: "exact",
    ...sourcesOf(id),
    timeZone: describeTimeZone(timeZoneAt(location, regions), now),
  };
}

function sourcesOf(id: string): { sources?: string[] } {
  const source = sourceNameOf(id);
  return source === undefined ? {} : { sources: [source] };
}

/** The address of a place: from its own data, completed by the regions at its point. */
export function addressOfPlace(
  { name, address }: Pick<Place, "name" | "address">,
  regions: PointRegions,
  language: Language = "en",
): PlaceAddress {
  const { number = "", street = "", city = "", stateCode = "", postalCode = "" } = address ?? {};
  const countryCode = regions.country?.code ?? "";
  const parts = {
    number,
    street,
    borough: boroughOf(regions)?.name ?? "",
    city: city || (regions.locality?.name ?? ""),
    county: regions.county?.name ?? "",
    state: regions.state?.name ?? "",
    stateCode: regions.state?.code ?? stateCode,
    postalCode: postalCode || (regions.postalCode?.code ?? ""),
    countryCode,
  };
  const written = { ...parts, borough: isWrittenBeside(regions, parts.borough, parts.city) ? parts.borough : "" };
  const { formattedAddress } = labelsOf({ ...written, place: name }, language);
  const known = {
    ...parts,
    neighborhood: regions.neighborhood?.name ?? "",
    country: countryCode && countryName(countryCode, language),
    countryFlag: flagOf(countryCode),
  };
  const filled = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ""));
  const addressLabel = labelsOf(written).addressLabel || name;
  return { ...filled, layer: "place", formattedAddress, addressLabel, placeLabel: name, name };
}
