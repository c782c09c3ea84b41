import { z } from "zod";
import { houseWithId, placeOfId } from "../../../core/geocoding/index/address-id.ts";
import { addressIndexesAt } from "../../geodata/addresses.ts";
import { openGeodata } from "../../geodata/live.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { notFound } from "../../platform/errors.ts";
import { addressShape, wireAddress } from "../../wire/address.ts";
import { language } from "../../wire/geocode/geocode-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

export const getAddress = endpoint({
  name: "getAddress",
  method: "GET",
  path: "/v1/addresses/:id",
  level: "publishable",
  geodataOnly: true,
  chapter: "Addresses",
  summary: "Returns an address by its geocoding id.",
  description:
    "The id is stable across imports while the house keeps its street, number, town and postal code. After a change of town or postal code, or a move of a few hundred metres, " +
    "the old id still finds the house, and the response has its new id.",
  query: z.object({ lang: language() }),
  response: z.object({ address: addressShape }),
  errors: [404],
  async handle(call) {
    const { id } = call.params;
    const { lang } = call.query;
    const around = placeOfId(id)?.around;
    if (!around) throw notFound("Address");
    const geodata = await openGeodata(call.env.GEODATA, call);
    const house = await houseWithId(addressIndexesAt(geodata, around), id);
    if (!house) throw notFound("Address");
    const regions = await everyRegionAt(geodata, house.location);
    const located = { ...house, layer: "address", street: true, confidence: "exact" } as const;
    return { address: wireAddress(located, regions, lang, call.now) };
  },
});
