import { z } from "zod";
import { Weighing } from "../../../core/geocoding/label/weighed.ts";
import { forwardAnswers } from "../../answers/geocode/forward.ts";
import { openGeodata } from "../../geodata/live.ts";
import { addressShape } from "../../wire/address.ts";
import { forwardFields } from "../../wire/geocode/forward-fields.ts";
import { defaultForwardLayers } from "../../wire/geocode/geocode-fields.ts";
import { explainFlag, explanationShape, wireExplanation } from "../../wire/geocode/weighed.ts";
import { number } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";

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
    "`confidence`: `exact` matches the query apart from spelling variants; `interpolated` is between two known house numbers, or is the house of an address with a typo, another postal code or an unmatched word: `matched` lists the parts of `formattedAddress` that the query has, so it lacks a postal code that differs; " +
    "`fallback` is the street, place or region around it, or a partial match. " +
    "You can also set the address as fields: `number`, `street`, `city`, `postalCode`, `state`. " +
    "Coordinates in any usual notation (40.7143, -74.006; 40°42′51″N 74°00′22″W; 40,7143; -74,006), plus codes (87G7PXM7+4Q, or PXM7+4Q with a town or `near`), UTM, MGRS, " +
    "`geo:` URIs and map links return the point itself, as the layer `point`, and what is around it. " +
    "With the layer `place`, a kind of place with a town (“coffee near Union Square”, “Apotheke in Heidelberg”) or with `near` returns places.",
  shows: ["query"],
  query: z.object({
    ...forwardFields,
    limit: number({ min: 1, max: 100, integer: true }).default(10),
    explain: explainFlag(),
  }),
  response: z.object({ addresses: z.array(addressShape), explanation: explanationShape.optional() }),
  async handle(call) {
    const { query, caller, env, now } = call;
    const geodata = await openGeodata(env.GEODATA, call);
    const defaultLayers = defaultForwardLayers(caller.settings.geocoding?.forwardLayers);
    const weighing = query.explain ? new Weighing() : undefined;
    const addresses = await forwardAnswers(geodata, query, defaultLayers, call.pace, now, weighing?.observe);
    return { addresses, ...(weighing && { explanation: wireExplanation(weighing.weighed()) }) };
  },
});
