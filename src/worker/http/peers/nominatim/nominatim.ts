import { z } from "zod";
import { LANGUAGES } from "../../../../core/geocoding/entry/entry.ts";
import { invalid } from "../../../platform/errors.ts";
import { flag, oneOf } from "../../../wire/input/fields.ts";
import type { Peer } from "../../serve/peers.ts";
import { errorXml, type Format } from "./write.ts";

/** Nominatim's API (docs/api of Nominatim). */
export const nominatim: Peer = {
  name: "nominatim",
  errorOf({ status, message }, url) {
    const isXml = /[?&]format=xml(?:&|$)/.test(url);
    if (isXml) return { body: errorXml(status, message), type: XML };
    return { body: { error: { code: status, message } } };
  },
};

export const XML = "text/xml; charset=utf-8";

export const NOMINATIM = {
  method: "GET",
  level: "publishable",
  geodataOnly: true,
  chapter: "Nominatim",
  peer: nominatim,
  media: ["application/json", "text/xml"],
  errors: [404],
} as const;

const FORMATS = ["json", "jsonv2", "geojson", "geocodejson", "xml"] as const satisfies Format[];
const isSet = () => flag().default(false);

/** Parameters of all of Nominatim's searches. `format`: the default of the endpoint. */
export const outputFields = (format: Format) => ({
  format: oneOf(FORMATS).default(format).meta({ description: "of the response" }),
  addressdetails: isSet().meta({ description: "1: with the parts of the address; 0" }),
  extratags: isSet().meta({ description: "1: with opening hours, website and other details of places; 0" }),
  namedetails: isSet().meta({ description: "1: with the name as `namedetails`; 0" }),
  polygon_geojson: isSet().meta({ description: "1: with the geometry, which is a point; 0" }),
  "accept-language": z
    .string()
    .max(500)
    .optional()
    .meta({
      description: `languages in order of preference, as in the header of this name: ${LANGUAGES.join(", ")}; default: the header, else en`,
    }),
});

/** Parameters that would change the response, and are not supported. */
export const refusedFields = {
  polygon_kml: z.string().optional().meta({ description: "rejected, as are `polygon_svg` and `polygon_text`" }),
  polygon_svg: z.string().optional().meta({ description: "rejected" }),
  polygon_text: z.string().optional().meta({ description: "rejected" }),
  json_callback: z.string().optional().meta({ description: "rejected: browsers may read responses of any origin" }),
};

/** @throws ApiError 400 */
export function refuse(query: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(refusedFields))
    if (query[name] !== undefined && query[name] !== "0") throw invalid(name, "This parameter is not supported.");
}

const LAYERS = ["address", "poi", "railway", "natural", "manmade"] as const;
const LAYER_RULE = `Valid values: ${LAYERS.join(", ")}, separated by commas.`;

export const layerField = (byDefault: string) =>
  z
    .string({ error: LAYER_RULE })
    .transform((value, context): ReadonlySet<(typeof LAYERS)[number]> | undefined => {
      const names = value.split(",", 20).map((name) => name.trim());
      if (value === "") return undefined;
      if (names.every((name): name is (typeof LAYERS)[number] => (LAYERS as readonly string[]).includes(name)))
        return new Set(names);
      context.addIssue({ code: "custom", message: LAYER_RULE });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: `${LAYER_RULE} All but address are places. Default: ${byDefault}` });
