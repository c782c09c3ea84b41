import { z } from "zod";
import { addressesAt } from "../../answers/geocode/reverse.ts";
import { openGeodata } from "../../geodata/live.ts";
import { addressShape } from "../../wire/address.ts";
import { language, layers } from "../../wire/geocode/geocode-fields.ts";
import { coordinate } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";

export const reverseGeocode = endpoint({
  name: "reverseGeocode",
  method: "GET",
  path: "/v1/geocode/reverse",
  level: "publishable",
  geodataOnly: true,
  chapter: "Geocoding",
  summary: "Converts coordinates to the nearest address, street and regions.",
  description:
    "The nearest address within 50 m, else the street within 100 m, then the regions that contain the point, smallest first. `distance` is in meters. " +
    "`confidence`: `exact` within 25 m of the address or place, `interpolated` farther away or on a street without a number, `fallback` for regions.",
  query: z.object({ coordinates: coordinate(), layers: layers(), lang: language() }),
  response: z.object({ addresses: z.array(addressShape) }),
  async handle(call) {
    const { query, env, now } = call;
    const geodata = await openGeodata(env.GEODATA, call);
    return { addresses: await addressesAt(geodata, query.coordinates, query.layers, query.lang, now) };
  },
});
