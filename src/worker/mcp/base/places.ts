import { z } from "zod";
import { type Coordinate, parseCoordinate } from "../../../core/geo/coordinate.ts";
import { type Api, getJson, postJson, ToolError } from "./api.ts";
import { round6 } from "./result.ts";

/** Positions in arguments: coordinates, or the name of a place, which is looked up. */

export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);
const placeName = z.string().trim().min(1).max(256);
const WHERE_RULE = 'Expected a place name with its town, "latitude,longitude", or {"latitude", "longitude"}.';

/** A position of a list, or one end of a route. The instructions of the server describe its forms once for all tools. */
export const where = z.union([placeName, z.object({ latitude, longitude })], { error: WHERE_RULE });
export type Where = z.output<typeof where>;

/** The single position of a tool: `place`, or `latitude` and `longitude`. */
export const spotFields = {
  place: placeName.optional().describe("a name or an address with its town; or set latitude and longitude"),
  latitude: latitude.optional(),
  longitude: longitude.optional(),
};

export const mode = z.enum(["car", "truck", "foot", "bike", "motorbike"]).default("car");
export const departureTime = z.string().max(64).optional().describe("ISO 8601 with a time zone; default: now");
export const language = z.string().max(16).optional().describe("language of names, such as de");

/** A position, and how it was found. */
export interface Located extends Coordinate {
  /** As the caller wrote it. */
  query: string;
  /** The address that was found; absent for coordinates. */
  address?: string;
  confidence?: string;
  /** Other results for the same name. */
  alternatives?: string[];
}

/** A result of geocoding, as far as tools use it. */
export interface Address extends Coordinate {
  formattedAddress?: string;
  addressLabel?: string;
  placeLabel?: string;
  layer?: string;
  confidence?: string;
  distance?: number;
}

/** Layers that a name is looked up in: everything from a house to a country. */
export const ALL_LAYERS = "fine,coarse";
/** Results of a name: the first is used, the others are shown. */
const CANDIDATES = 4;

export const labelOf = ({ placeLabel, formattedAddress, addressLabel }: Address) =>
  formattedAddress ?? placeLabel ?? addressLabel ?? "";

/** "48.1,11.5", as the API takes it. */
export const pairOf = ({ latitude, longitude }: Coordinate) => `${round6(latitude)},${round6(longitude)}`;

/** The position of a tool with `place`, or `latitude` and `longitude`. @throws ToolError if there is neither, or both */
export async function spotOf(
  api: Api,
  { place, latitude, longitude }: { place?: string; latitude?: number; longitude?: number },
): Promise<Located> {
  if (place !== undefined && latitude === undefined && longitude === undefined)
    return (await locate(api, [["place", place]]))[0];
  if (place === undefined && latitude !== undefined && longitude !== undefined)
    return { query: `${latitude},${longitude}`, latitude, longitude };
  throw new ToolError("Set either place (a name or an address), or both latitude and longitude.");
}

/**
 * Looks up positions, each name once.
 * @param named the argument and its value, for messages
 * @throws ToolError that states which name was not found, and what to do
 */
export async function locate(
  api: Api,
  named: readonly (readonly [argument: string, where: Where])[],
): Promise<Located[]> {
  const names = new Map<string, Promise<Address[]>>();
  for (const [, where] of named)
    if (typeof where === "string" && !parseCoordinate(where)) names.set(where, Promise.resolve([]));
  const found = await lookUp(api, [...names.keys()]);
  return named.map(([argument, where]) => {
    if (typeof where !== "string") return { query: pairOf(where), ...where };
    const point = parseCoordinate(where);
    if (point) return { query: where, ...point };
    const [first, ...others] = found.get(where) ?? [];
    if (!first)
      throw new ToolError(
        `${argument}: No place named ${JSON.stringify(where)} was found. Add the town or country, call find_place for candidates, or pass latitude and longitude.`,
      );
    const { latitude, longitude, confidence } = first;
    const alternatives = others.filter((one) => one.confidence === confidence).map(labelOf);
    return {
      query: where,
      latitude,
      longitude,
      address: labelOf(first),
      ...(confidence && { confidence }),
      ...(alternatives.length > 0 && { alternatives }),
    };
  });
}

/** The results of each name: in one request if the key permits it. */
async function lookUp(api: Api, names: readonly string[]): Promise<Map<string, Address[]>> {
  const found = new Map<string, Address[]>();
  if (api.secret && names.length > 1) {
    const rows = names.map((query) => ({ query, layers: ALL_LAYERS, limit: CANDIDATES }));
    const body = await postJson<{ rows: { addresses?: Address[]; code?: number; message?: string }[] }>(
      api,
      "/v1/geocode/batch",
      { rows },
    );
    for (const [i, { addresses, message }] of body.rows.entries()) {
      if (!addresses) throw new ToolError(`${JSON.stringify(names[i])}: ${message}`);
      found.set(names[i], addresses);
    }
    return found;
  }
  for (const query of names) found.set(query, await geocode(api, { query, limit: CANDIDATES }));
  return found;
}

/** Results of a complete name; if there are none, of a name that begins so or is misspelled. */
export async function geocode(
  api: Api,
  {
    query,
    limit,
    near,
    lang,
    country,
  }: { query: string; limit: number; near?: string; lang?: string; country?: string },
): Promise<Address[]> {
  const options = { query, limit, near, lang, country, layers: ALL_LAYERS };
  const { addresses } = await getJson<{ addresses: Address[] }>(api, "/v1/geocode/forward", options);
  if (addresses.length > 0) return addresses;
  // Without `near`, autocomplete would prefer the neighborhood of this request's IP address, which is the agent's.
  const path = "/v1/search/autocomplete";
  const typed = { ...options, near: near ?? "0,0" };
  return (await getJson<{ addresses: Address[] }>(api, path, typed)).addresses;
}

/** How the ends of a route were understood, for its result. */
export function labelledEnds(places: readonly Located[]) {
  const [from, ...rest] = places.map(wirePlaceOf);
  const to = rest.pop();
  return { from, ...(rest.length > 0 && { via: rest }), to };
}

/** A position in a result, with what it was looked up as. */
export function wirePlaceOf({ query, address, latitude, longitude, confidence, alternatives }: Located) {
  return {
    query,
    ...(address !== undefined && { address }),
    latitude: round6(latitude),
    longitude: round6(longitude),
    ...(confidence && confidence !== "exact" && { confidence }),
    ...(alternatives && { alternatives }),
  };
}
