import { z } from "zod";
import type { Bounds } from "../../../../core/geo/builds/manifest.ts";
import { isCoordinate } from "../../../../core/geo/coordinate.ts";
import { parseDecimals } from "../../../../core/geo/decimal.ts";
import type { Layer } from "../../../../core/geocoding/search/search.ts";
import { layersOf, textOf } from "../../../../core/geocoding/search/structured.ts";
import { answersTo } from "../../../answers/geocode/answers.ts";
import type { Asked } from "../../../answers/geocode/asked.ts";
import { type Geodata, openGeodata } from "../../../geodata/live.ts";
import { invalid, required } from "../../../platform/errors.ts";
import { ALL_LAYERS, countryCodes } from "../../../wire/geocode/geocode-fields.ts";
import { flag, number, oneOf, optionalSearchText } from "../../../wire/input/fields.ts";
import { endpoint, MediaReply } from "../../serve/endpoint.ts";
import { languageFor, osmObjects } from "../common/osm-objects.ts";
import { json } from "../osrm/osrm.ts";
import { layerField, NOMINATIM, outputFields, refuse, refusedFields, XML } from "./nominatim.ts";
import { searchBody } from "./write.ts";

const MAX_RESULTS = 40;
const MAX_EXCLUDED = 50;
/** Of a text that is searched for. */
const MAX_TEXT = 256;

const VIEWBOX_RULE = 'Expected two corners "longitude,latitude,longitude,latitude".';

const viewboxField = z
  .string({ error: VIEWBOX_RULE })
  .transform((value, context): Bounds => {
    const [x1, y1, x2, y2, more] = parseDecimals(value, 4);
    const [west, east, south, north] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
    const isBox = isCoordinate(south, west) && isCoordinate(north, east) && south < north && west < east;
    if (isBox && more === undefined) return [west, south, east, north];
    context.addIssue({ code: "custom", message: VIEWBOX_RULE });
    return z.NEVER;
  })
  .optional();

const IDS_RULE = `Expected at most ${MAX_EXCLUDED} values of place_id, separated by commas.`;

const excludedField = z
  .string({ error: IDS_RULE })
  .transform((value, context): ReadonlySet<number> => {
    const ids =
      value === ""
        ? []
        : value.split(",", MAX_EXCLUDED + 1).map((id) => (/^\d{1,16}$/.test(id.trim()) ? Number(id) : -1));
    if (ids.length <= MAX_EXCLUDED && !ids.includes(-1)) return new Set(ids);
    context.addIssue({ code: "custom", message: IDS_RULE });
    return z.NEVER;
  })
  .default(new Set());

const PARTS = ["amenity", "street", "city", "county", "state", "country", "postalcode"] as const;
const part = (description: string) => optionalSearchText(128).meta({ type: "string", description });

const query = z.object({
  q: optionalSearchText(MAX_TEXT).meta({
    type: "string",
    description: "text to search for, at most 256 characters; required unless the parts of an address are set",
  }),
  amenity: part("instead of `q`: name or kind of a place"),
  street: part("instead of `q`: house number and street"),
  city: part("instead of `q`"),
  county: part("instead of `q`"),
  state: part("instead of `q`"),
  country: part("instead of `q`"),
  postalcode: part("instead of `q`"),
  ...outputFields("jsonv2"),
  limit: number({ min: 1, max: 1000, integer: true })
    .default(10)
    .meta({ description: `maximum number of results, 1 to 1000; above ${MAX_RESULTS} it is ${MAX_RESULTS}` }),
  countrycodes: countryCodes().meta({ description: "2-letter country codes, separated by commas" }),
  layer: layerField("all"),
  featureType: oneOf(["country", "state", "city", "settlement"]).optional().meta({
    description: "kind of region; settlement is city",
  }),
  viewbox: viewboxField.meta({ type: "string", description: `results near its center come first. ${VIEWBOX_RULE}` }),
  bounded: flag().default(false).meta({ description: "1: only results in `viewbox`; 0" }),
  exclude_place_ids: excludedField.meta({ type: "string", description: `results to leave out. ${IDS_RULE}` }),
  ...refusedFields,
});

type Query = z.output<typeof query>;

/** The text of a search, and its layers if they follow from the parts; a country that is a part beside others. @throws ApiError 400 */
function textIn(fields: Query): { text: string; country?: string | undefined; layers?: ReadonlySet<Layer> } {
  const given = PARTS.find((name) => fields[name] !== undefined);
  if (fields.q !== undefined) {
    if (given) throw invalid(given, "Set either q or the parts of an address.");
    return { text: fields.q };
  }
  if (!given) throw required("q", "Or the parts of an address.");
  const { amenity, street, city, county, state, country, postalcode: postalCode } = fields;
  const structured = {
    ...(street !== undefined && { street }),
    ...(city !== undefined && { city }),
    ...(state !== undefined && { state }),
    ...(postalCode !== undefined && { postalCode }),
  };
  const text = [amenity, textOf(structured), county].filter((one) => one).join(", ");
  if (`${text}, ${country}`.length > MAX_TEXT)
    throw invalid(given, `All parts together may have ${MAX_TEXT} characters.`);
  if (country !== undefined && text === "") return { text: country, layers: COUNTRY };
  if (amenity !== undefined) return { text, country, layers: new Set(["place"]) };
  if (Object.keys(structured).length > 0) return { text, country, layers: layersOf(structured) };
  return { text, country, layers: new Set(["county"]) };
}

const COUNTRY: ReadonlySet<Layer> = new Set(["country"]);

const FEATURES = { country: "country", state: "state", city: "locality", settlement: "locality" } as const;

function layersFor({ layer, featureType }: Query): ReadonlySet<Layer> | undefined {
  if (featureType) return new Set([FEATURES[featureType]]);
  if (!layer) return undefined;
  const others = [...layer].some((name) => name !== "address");
  return new Set([...ALL_LAYERS].filter((one) => (one === "place" ? others : layer.has("address"))));
}

/** The code of the country that a part names, in any language. */
async function countryNamed(geodata: Geodata, country: string, asked: Asked): Promise<string | undefined> {
  const about = { ...asked, near: undefined, bounds: undefined, countries: undefined };
  const [found] = await answersTo(geodata, country, { ...about, layers: COUNTRY, limit: 1 });
  return found?.confidence === "exact" ? found.countryCode : undefined;
}

export const nominatimSearch = endpoint({
  ...NOMINATIM,
  name: "nominatimSearch",
  countedAs: "forwardGeocode",
  path: "/nominatim/search",
  aliases: ["/nominatim/search.php", "/nominatim/search/"],
  summary: "Finds addresses, places and regions by their text or parts, as Nominatim's search does.",
  query,
  async handle(call) {
    const { query, env, request, now, pace } = call;
    refuse(query);
    const { text: parts, country, layers } = textIn(query);
    const { viewbox, bounded, exclude_place_ids: excluded } = query;
    if (bounded && !viewbox) throw required("viewbox", "With bounded=1.");
    const limit = Math.min(query.limit, MAX_RESULTS);
    const geodata = await openGeodata(env.GEODATA, call);
    const asked: Asked = {
      near: viewbox && { latitude: (viewbox[1] + viewbox[3]) / 2, longitude: (viewbox[0] + viewbox[2]) / 2 },
      bounds: bounded ? viewbox : undefined,
      layers: layersFor(query) ?? layers ?? ALL_LAYERS,
      countries: query.countrycodes,
      limit: Math.min(100, limit + excluded.size),
      language: languageFor(query["accept-language"] ?? request.headers.get("accept-language")),
      open: false,
      defaultLayers: false,
      pace,
      now,
    };
    const named = country && (await countryNamed(geodata, country, asked));
    // A part that names no country is searched for.
    const text = country && !named ? `${parts}, ${country}` : parts;
    const isElsewhere = named && query.countrycodes && !query.countrycodes.includes(named);
    const countries = named ? [named] : query.countrycodes;
    const found = isElsewhere ? [] : await answersTo(geodata, text, { ...asked, countries });
    const objects = (await osmObjects(geodata, found)).filter((one) => !excluded.has(one.number)).slice(0, limit);
    const body = searchBody(objects, query, [parts, country].filter((one) => one).join(", "));
    return typeof body === "string" ? new MediaReply(body, { "content-type": XML }) : json(body);
  },
});
