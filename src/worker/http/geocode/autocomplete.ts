import { z } from "zod";
import { Weighing } from "../../../core/geocoding/label/weighed.ts";
import { answersTo } from "../../answers/geocode/answers.ts";
import { openGeodata } from "../../geodata/live.ts";
import { addressShape } from "../../wire/address.ts";
import { ALL_LAYERS, bounds, countryCodes, givenLayers, language } from "../../wire/geocode/geocode-fields.ts";
import { explainFlag, explanationShape, wireExplanation } from "../../wire/geocode/weighed.ts";
import { coordinate, number, searchText } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { locationOf } from "./geocode-ip.ts";

const chapter = "Search";

export const autocomplete = endpoint({
  name: "autocomplete",
  method: "GET",
  path: "/v1/search/autocomplete",
  level: "publishable",
  geodataOnly: true,
  chapter,
  summary: "Returns addresses, places and regions that start with the typed text, sorted by relevance and distance.",
  description:
    "Tolerates typos. An airport's IATA code returns the airport first. Without `near`, the location of the request's IP address is used. Results follow the order of the countries. " +
    "`matched` is the part of `formattedAddress` that matches the query, to show in bold. `confidence`, coordinates, plus codes and kinds of places work as in forward geocoding.",
  query: z.object({
    limit: number({ min: 1, max: 100, integer: true }).default(10),
    query: searchText(256),
    near: coordinate().optional(),
    bounds: bounds().optional(),
    layers: givenLayers("fine,coarse"),
    countryCode: countryCodes(),
    country: countryCodes().meta({ description: "alias that the iOS SDK uses for countryCode" }),
    lang: language(),
    explain: explainFlag(),
  }),
  response: z.object({ addresses: z.array(addressShape), explanation: explanationShape.optional() }),
  async handle(call) {
    const { query, env, request, now } = call;
    const geodata = await openGeodata(env.GEODATA, call);
    const near = query.near ?? locationOf(request).location;
    const weighing = query.explain ? new Weighing() : undefined;
    const addresses = await answersTo(geodata, query.query, {
      near,
      bounds: query.bounds,
      layers: query.layers ?? ALL_LAYERS,
      countries: query.countryCode ?? query.country,
      limit: query.limit,
      language: query.lang,
      open: true,
      pace: call.pace,
      now,
      ...(weighing && { observe: weighing.observe }),
    });
    return { addresses, ...(weighing && { explanation: wireExplanation(weighing.weighed()) }) };
  },
});

export const autocompleteClick = endpoint({
  name: "autocompleteClick",
  method: "POST",
  path: "/v1/search/autocomplete/click",
  level: "publishable",
  role: "read",
  chapter,
  summary: "Accepts the report that a suggestion was chosen. Nothing is stored.",
  body: z.object({}),
  status: 204,
  handle: () => ({}),
});
