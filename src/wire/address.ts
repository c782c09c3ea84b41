import { z } from "zod";
import { type Coordinate, toPoint } from "../geo/coordinate.ts";
import type { Context, Language } from "../geocoding/entry.ts";
import { labelsOf } from "../geocoding/label.ts";
import type { Layer } from "../geocoding/search.ts";
import { countryName, flagOf, type PointRegions } from "../regions/region.ts";
import { describeTimeZone, timeZoneAt } from "../regions/time-zone.ts";
import { pointShape } from "./tracked.ts";

export const timeZoneShape = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  currentTime: z.string().meta({ example: "2026-07-04T08:30:00-04:00" }),
  utcOffset: z.number().meta({ description: "seconds, daylight saving included" }),
  dstOffset: z.number().meta({ description: "seconds" }),
});

export const addressShape = z.object({
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
  distance: z.number().optional().meta({ description: "metres" }),
  confidence: z.enum(["exact", "interpolated", "fallback"]).optional(),
  timeZone: timeZoneShape,
});
export type WireAddress = z.input<typeof addressShape>;

/** An answer of the geocoder, whichever way it was asked. */
export interface Located {
  layer: Layer;
  /** Of the street, place or region. */
  name: string;
  /** Is `name` a street's? Addresses without one are the point itself. */
  street: boolean;
  number?: string;
  unit?: string;
  context: Context;
  postalCode: string;
  location: Coordinate;
  distance?: number;
  confidence?: "exact" | "interpolated" | "fallback";
}

/** Every field of the API's Address that is known: what the entry says, and what lies around it. Nothing is null. */
export function wireAddress(found: Located, regions: PointRegions, language: Language, now: number): WireAddress {
  const { layer, name, number, unit, location, context } = found;
  const fine = layer === "address" || layer === "place";
  const countryCode = context.countryCode || (regions.country?.code ?? "");
  const country = countryCode && countryName(countryCode, language);
  const below = layer !== "country";
  const stateCode = layer === "state" ? context.stateCode : below ? context.stateCode || regions.state?.code : "";
  const state = layer === "state" ? name : below ? context.state || regions.state?.name : "";
  const county = layer === "county" ? name : fine || layer === "locality" ? context.county || regions.county?.name : "";
  const city =
    layer === "locality"
      ? name
      : fine || layer === "postalCode"
        ? context.city || (fine ? regions.locality?.name : "")
        : "";
  const postalCode = layer === "postalCode" ? name : fine ? found.postalCode || regions.postalCode?.code : "";
  const street = found.street ? name : "";
  const borough = fine ? context.borough || regions.borough?.name : "";
  const neighborhood = fine ? regions.neighborhood?.name : "";
  const labels = labelsOf(
    {
      number,
      street,
      unit,
      place: layer === "place" ? name : layer === "county" ? name : undefined,
      borough,
      city,
      county,
      state: layer === "county" ? context.state || regions.state?.name : state,
      stateCode,
      postalCode,
      countryCode,
    },
    language,
  );
  return withoutBlanks({
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
    distance: found.distance === undefined ? undefined : Math.round(found.distance * 10) / 10,
    confidence: found.confidence,
    timeZone: describeTimeZone(timeZoneAt(location), now),
  });
}

function withoutBlanks(address: WireAddress): WireAddress {
  const required = new Set(["formattedAddress", "addressLabel"]);
  return Object.fromEntries(
    Object.entries(address).filter(([key, value]) => value !== undefined && (value !== "" || required.has(key))),
  ) as WireAddress;
}
