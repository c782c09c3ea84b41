import type { z } from "zod";
import { coordinate, optionalSearchText } from "../input/fields.ts";
import { bounds, countryCodes, givenLayers, language } from "./geocode-fields.ts";

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
  country: countryCodes(),
  countryCode: countryCodes().meta({ description: "alias of country" }),
  lang: language(),
};

/** A validated query for forward geocoding. */
export type ForwardQuery = z.output<z.ZodObject<typeof forwardFields>> & { limit: number };
