import { z } from "zod";
import type { Pace } from "../../geo/pace.ts";
import type { Layer } from "../../geocoding/search/search.ts";
import { layersOf, type StructuredAddress, textOf } from "../../geocoding/search/structured.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { invalid, required } from "../../platform/errors.ts";
import { requestPace } from "../../platform/pace.ts";
import { addressShape } from "../../wire/address.ts";
import {
  bounds,
  countryCodes,
  defaultForwardLayers,
  givenLayers,
  language,
} from "../../wire/geocode/geocode-fields.ts";
import { coordinate, number, optionalSearchText } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { answersTo } from "./answers.ts";

const FIELDS = ["number", "street", "city", "postalCode", "state"] as const;
const STRUCTURED = "Instead of `query`, together with the other fields of an address.";

/** Parameters of forward geocoding, for the endpoint and for a batch row. */
export const forwardFields = {
  query: optionalSearchText(256).meta({
    type: "string",
    description:
      "The address. Required unless the fields of an address are set; a string of spaces is treated as missing.",
  }),
  number: optionalSearchText(32).meta({ type: "string", description: `Of the house; needs street. ${STRUCTURED}` }),
  street: optionalSearchText(128).meta({ type: "string", description: STRUCTURED }),
  city: optionalSearchText(128).meta({ type: "string", description: STRUCTURED }),
  postalCode: optionalSearchText(16).meta({ type: "string", description: STRUCTURED }),
  state: optionalSearchText(64).meta({ type: "string", description: `Its name or its code. ${STRUCTURED}` }),
  near: coordinate().optional().meta({ description: "nearer results come first and have a distance" }),
  bounds: bounds().optional(),
  layers: givenLayers().meta({
    description:
      "Layers of the results, comma separated. `coarse` is postalCode, locality, county, state and country; `fine` is address and place. Without `layers`: address and coarse, or the project's own default (`geocoding.forwardLayers` of its settings).",
  }),
  country: countryCodes().optional(),
  countryCode: countryCodes().optional().meta({ description: "alias of country" }),
  lang: language(),
};

export interface ForwardQuestion extends StructuredAddress {
  query?: string;
}

/** The query text. @throws ApiError if there is none, or two */
function queryText(fields: ForwardQuestion): { text: string; structured: boolean } {
  const { query } = fields;
  const given = FIELDS.find((field) => fields[field] !== undefined);
  if (query !== undefined) {
    if (given) throw invalid(given, "Set either query or the fields of an address, not both.");
    return { text: query, structured: false };
  }
  if (!given) throw required("query", "Or the fields number, street, city, postalCode and state.");
  if (fields.number !== undefined && fields.street === undefined) throw required("street", "number needs street.");
  const text = textOf(fields);
  if (text.length > 256) throw invalid(given, "All fields together may have 256 characters.");
  return { text, structured: true };
}

type ForwardQuery = z.output<z.ZodObject<typeof forwardFields>> & { limit: number };

/**
 * Results of a forward query, of the endpoint or of a row of a batch.
 *
 * @param defaultLayers searched where the query has neither `layers` nor address fields
 * @throws ApiError if there is nothing to search for
 */
export function forwardAnswers(
  geodata: Geodata,
  query: ForwardQuery,
  defaultLayers: ReadonlySet<Layer>,
  pace: Pace,
  now: number,
) {
  const { text, structured } = queryText(query);
  return answersTo(geodata, text, {
    near: query.near,
    bounds: query.bounds,
    layers: query.layers ?? (structured ? layersOf(query) : defaultLayers),
    countries: query.countryCode ?? query.country,
    limit: query.limit,
    language: query.lang,
    open: false,
    pace,
    now,
  });
}

export const forwardGeocode = endpoint({
  name: "forwardGeocode",
  method: "GET",
  path: "/v1/geocode/forward",
  level: "publishable",
  geodataOnly: true,
  chapter: "Geocoding",
  summary: "Converts an address to coordinates.",
  description:
    "For complete addresses in the format of any country, also with a company or person first, a floor or a county; and for intersections (`A / B, town`). Use autocomplete for partial addresses. " +
    "Places are returned only with `layers=place` or `layers=fine`, or if the project's settings add them to the default. " +
    "`confidence`: `exact` matches the query apart from spelling variants; `interpolated` is between two known house numbers, or is the house of an address with a typo or an unmatched word; " +
    "`fallback` is the street, place or region around it, or a partial match. " +
    "You can also set the address as fields: `number`, `street`, `city`, `postalCode`, `state`. " +
    "Coordinates in any usual notation (40.7143, -74.006; 40°42′51″N 74°00′22″W; 40,7143; -74,006), plus codes (87G7PXM7+4Q, or PXM7+4Q with a town or `near`), UTM, MGRS, " +
    "`geo:` URIs and map links return the point itself, as the layer `point`, and what is around it. " +
    "With the layer `place`, a kind of place with a town (“coffee near Union Square”, “Apotheke in Heidelberg”) or with `near` returns places.",
  shows: ["query"],
  query: z.object({ ...forwardFields, limit: number({ min: 1, max: 100, integer: true }).default(10) }),
  response: z.object({ addresses: z.array(addressShape) }),
  async handle(call) {
    const { query, caller, env, now } = call;
    const geodata = await openGeodata(env.GEODATA, call);
    const defaultLayers = defaultForwardLayers(caller.settings.geocoding?.forwardLayers);
    return { addresses: await forwardAnswers(geodata, query, defaultLayers, requestPace(), now) };
  },
});
