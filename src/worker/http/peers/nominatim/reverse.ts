import { z } from "zod";
import type { Layer } from "../../../../core/geocoding/search/search.ts";
import { addressesAt } from "../../../answers/geocode/reverse.ts";
import { openGeodata } from "../../../geodata/live.ts";
import type { WireAddress } from "../../../wire/address.ts";
import { number } from "../../../wire/input/fields.ts";
import { endpoint, MediaReply } from "../../serve/endpoint.ts";
import { languageFor, osmObjects } from "../common/osm-objects.ts";
import { json } from "../osrm/osrm.ts";
import { layerField, NOMINATIM, outputFields, refuse, refusedFields, XML } from "./nominatim.ts";
import { reverseBody } from "./write.ts";

/** By zoom: the finest layer of a result. */
const FINEST: readonly (readonly [zoom: number, layer: Layer])[] = [
  [16, "address"],
  [10, "locality"],
  [8, "county"],
  [5, "state"],
  [0, "country"],
];
const COARSER: readonly Layer[] = ["address", "locality", "county", "state", "country"];
/** From here on a result has a house number; a street alone below. */
const HOUSES = 18;

function layersAt(zoom: number): Layer[] {
  const finest = FINEST.find(([from]) => zoom >= from)?.[1] ?? "country";
  return COARSER.slice(COARSER.indexOf(finest));
}

/** The street of a house. */
const streetOf = ({ number: _, unit: __, id: ___, ...rest }: WireAddress): WireAddress => ({
  ...rest,
  precision: "street",
});

export const nominatimReverse = endpoint({
  ...NOMINATIM,
  name: "nominatimReverse",
  countedAs: "reverseGeocode",
  path: "/nominatim/reverse",
  aliases: ["/nominatim/reverse.php", "/nominatim/reverse/"],
  summary: "Finds the address, or the region, at a point, as Nominatim's reverse does.",
  query: z.object({
    lat: number({ min: -90, max: 90 }).meta({ description: "latitude, -90 to 90" }),
    lon: number({ min: -180, max: 180 }).meta({ description: "longitude, -180 to 180" }),
    zoom: number({ min: 0, max: 30 }).default(18).meta({
      description: "0 to 30: 3 country, 5 state, 8 county, 10 city, 16 street of the nearest address, 18 house",
    }),
    layer: layerField("address"),
    ...outputFields("xml"),
    addressdetails: outputFields("xml").addressdetails.unwrap().default(true).meta({
      description: "1: with the parts of the address; 0",
    }),
    ...refusedFields,
  }),
  async handle(call) {
    const { query, env, request, now } = call;
    refuse(query);
    const { lat: latitude, lon: longitude, layer } = query;
    const zoom = Math.floor(query.zoom);
    const wanted = new Set<Layer>(layer && !layer.has("address") ? [] : layersAt(zoom));
    if (zoom >= 16 && layer && [...layer].some((name) => name !== "address")) wanted.add("place");
    const geodata = await openGeodata(env.GEODATA, call);
    const language = languageFor(query["accept-language"] ?? request.headers.get("accept-language"));
    const [first] = await addressesAt(geodata, { latitude, longitude }, wanted, language, now);
    const isHouse = first?.layer === "address" && first.number !== undefined;
    const [found] = await osmObjects(geodata, first ? [isHouse && zoom < HOUSES ? streetOf(first) : first] : []);
    const body = reverseBody(found, query, `lat=${latitude}&lon=${longitude}`);
    return typeof body === "string" ? new MediaReply(body, { "content-type": XML }) : json(body);
  },
});
