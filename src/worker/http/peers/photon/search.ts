import { z } from "zod";
import type { Bounds } from "../../../../core/geo/builds/manifest.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { distance } from "../../../../core/geo/distance.ts";
import type { Layer } from "../../../../core/geocoding/search/search.ts";
import { layersOf, textOf } from "../../../../core/geocoding/search/structured.ts";
import { answersTo } from "../../../answers/geocode/answers.ts";
import { addressesAt } from "../../../answers/geocode/reverse.ts";
import { openGeodata } from "../../../geodata/live.ts";
import { invalid, required } from "../../../platform/errors.ts";
import { ALL_LAYERS, bounds, countryCodes } from "../../../wire/geocode/geocode-fields.ts";
import { number, oneOf, optionalSearchText, searchText } from "../../../wire/input/fields.ts";
import { type Call, endpoint } from "../../serve/endpoint.ts";
import { languageFor, osmObjects } from "../common/osm-objects.ts";
import { json } from "../osrm/osrm.ts";
import { commonFields, MAX_SEARCHED, PHOTON, type Wishes, wishesOf, writePhoton } from "./photon.ts";

const latitude = () => number({ min: -90, max: 90 });
const longitude = () => number({ min: -180, max: 180 });

/** Where results are preferred. */
const biasFields = {
  lat: latitude().optional().meta({ description: "with `lon`: results near this point come first, -90 to 90" }),
  lon: longitude().optional().meta({ description: "-180 to 180" }),
  zoom: number().optional().meta({ description: "ignored: the preference for near results is always the same" }),
  location_bias_scale: number().optional().meta({ description: "ignored, as `zoom`" }),
};

function nearOf({ lat, lon }: { lat?: number | undefined; lon?: number | undefined }): Coordinate | undefined {
  if (lat === undefined && lon === undefined) return undefined;
  if (lat === undefined || lon === undefined) throw required(lat === undefined ? "lat" : "lon", "Set lat and lon.");
  return { latitude: lat, longitude: lon };
}

const languageOf = ({ lang }: { lang?: string | undefined }, request: Request) =>
  languageFor(lang === undefined || lang === "default" ? request.headers.get("accept-language") : lang);

interface Search {
  text: string;
  near: Coordinate | undefined;
  bounds?: Bounds | undefined;
  countries?: string[] | undefined;
  layers: ReadonlySet<Layer>;
  /** Whether the last word may be incomplete. */
  open: boolean;
}

async function searchPhoton(
  call: Call<{ lang?: string | undefined }, unknown>,
  { text, layers, ...asked }: Search,
  { limit, accepts, isPicky, layers: wanted }: Wishes,
) {
  const { query, env, request, pace, now } = call;
  const geodata = await openGeodata(env.GEODATA, call);
  const chosen = wanted ? new Set([...wanted].filter((layer) => layers.has(layer))) : layers;
  const most = isPicky ? MAX_SEARCHED : limit;
  const options = { ...asked, layers: chosen, limit: most, defaultLayers: false, pace, now };
  const found =
    chosen.size === 0 ? [] : await answersTo(geodata, text, { ...options, language: languageOf(query, request) });
  const objects = await osmObjects(geodata, found);
  return json(writePhoton(objects.filter(accepts).slice(0, limit)));
}

export const photonSearch = endpoint({
  ...PHOTON,
  name: "photonSearch",
  countedAs: "autocomplete",
  path: "/photon/api",
  aliases: ["/photon/api/"],
  summary: "Returns addresses, places and regions that start with the typed text, as Photon's api does.",
  query: z.object({
    q: searchText(256).meta({ description: "text, at most 256 characters" }),
    ...commonFields(15),
    ...biasFields,
    bbox: bounds().optional().meta({ type: "string", description: "only results in west,south,east,north" }),
    countrycode: countryCodes().meta({ description: "2-letter country codes, separated by commas" }),
  }),
  handle(call) {
    const { query, request } = call;
    const { q: text, bbox, countrycode: countries } = query;
    const wishes = wishesOf(request.url, query);
    return searchPhoton(
      call,
      { text, near: nearOf(query), bounds: bbox, countries, layers: ALL_LAYERS, open: true },
      wishes,
    );
  },
});

const part = (description: string) => optionalSearchText(128).meta({ type: "string", description });

export const photonStructured = endpoint({
  ...PHOTON,
  name: "photonStructured",
  countedAs: "forwardGeocode",
  path: "/photon/structured",
  aliases: ["/photon/structured/"],
  summary: "Finds an address by its parts, as Photon's structured search does.",
  query: z.object({
    countrycode: countryCodes().meta({ description: "2-letter country codes, separated by commas" }),
    state: part("of the address"),
    county: part("of the address"),
    city: part("of the address"),
    postcode: part("of the address"),
    district: part("of the address"),
    street: part("of the address"),
    housenumber: part("of the address; needs street"),
    ...commonFields(15),
    ...biasFields,
    bbox: bounds().optional().meta({ type: "string", description: "only results in west,south,east,north" }),
  }),
  handle(call) {
    const { query, request } = call;
    const { countrycode: countries, state, county, city, postcode, district, street, housenumber, bbox } = query;
    if (housenumber !== undefined && street === undefined) throw required("street", "housenumber needs street.");
    const structured = {
      ...(housenumber !== undefined && { number: housenumber }),
      ...(street !== undefined && { street }),
      ...(city !== undefined && { city }),
      ...(state !== undefined && { state }),
      ...(postcode !== undefined && { postalCode: postcode }),
    };
    const text = [textOf(structured), district, county].filter((one) => one).join(", ");
    if (text === "") throw required("street", "Or another part of the address.");
    if (text.length > 256) throw invalid("street", "All parts together may have 256 characters.");
    const layers: ReadonlySet<Layer> = Object.keys(structured).length > 0 ? layersOf(structured) : new Set(["county"]);
    const asked = { text, near: nearOf(query), bounds: bbox, countries, layers, open: false };
    return searchPhoton(call, asked, wishesOf(request.url, query));
  },
});

export const photonReverse = endpoint({
  ...PHOTON,
  name: "photonReverse",
  countedAs: "reverseGeocode",
  path: "/photon/reverse",
  aliases: ["/photon/reverse/"],
  summary: "Returns the addresses, places and regions at a point, as Photon's reverse does.",
  query: z.object({
    lat: latitude().meta({ description: "latitude, -90 to 90" }),
    lon: longitude().meta({ description: "longitude, -180 to 180" }),
    radius: number({ above: 0, max: 5000 })
      .optional()
      .meta({ description: "maximum distance [km], above 0, at most 5000" }),
    distance_sort: oneOf(["true", "false"]).default("true").meta({ description: "nearest first; false: places last" }),
    query_string_filter: z.string().optional().meta({ description: "rejected" }),
    ...commonFields(1),
  }),
  async handle(call) {
    const { query, env, request, now } = call;
    if (query.query_string_filter !== undefined)
      throw invalid("query_string_filter", "This parameter is not supported. Use osm_tag.");
    const { limit, accepts, layers } = wishesOf(request.url, query);
    const point = { latitude: query.lat, longitude: query.lon };
    const geodata = await openGeodata(env.GEODATA, call);
    const found = await addressesAt(geodata, point, layers ?? ALL_LAYERS, languageOf(query, request), now);
    const reach = (query.radius ?? Number.POSITIVE_INFINITY) * 1000;
    const near = found.filter((one) => distance(one, point) <= reach);
    if (query.distance_sort === "false") near.sort((a, b) => Number(a.layer === "place") - Number(b.layer === "place"));
    const objects = await osmObjects(geodata, near);
    return json(writePhoton(objects.filter(accepts).slice(0, limit)));
  },
});
