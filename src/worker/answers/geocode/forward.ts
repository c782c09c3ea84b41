import type { Pace } from "../../../core/geo/pace.ts";
import type { Layer, SearchOptions } from "../../../core/geocoding/search/search.ts";
import { layersOf, type StructuredAddress, textOf } from "../../../core/geocoding/search/structured.ts";
import type { Geodata } from "../../geodata/live.ts";
import { invalid, required } from "../../platform/errors.ts";
import type { ForwardQuery } from "../../wire/geocode/forward-fields.ts";
import { answersTo } from "./answers.ts";

const FIELDS = ["number", "street", "city", "postalCode", "state"] as const;

interface ForwardQuestion extends StructuredAddress {
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

/**
 * Results of a forward query, of the endpoint or of a row of a batch.
 *
 * @param defaultLayers searched where the query has neither `layers` nor address fields
 * @param observe receives what the search weighs
 * @throws ApiError if there is nothing to search for
 */
export function forwardAnswers(
  geodata: Geodata,
  query: ForwardQuery,
  defaultLayers: ReadonlySet<Layer>,
  pace: Pace,
  now: number,
  observe?: SearchOptions["observe"],
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
    defaultLayers: query.layers === undefined && !structured && defaultLayers.has("place"),
    pace,
    now,
    ...(observe && { observe }),
  });
}
