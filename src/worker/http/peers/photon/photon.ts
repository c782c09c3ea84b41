import { z } from "zod";
import type { Layer } from "../../../../core/geocoding/search/search.ts";
import { invalid } from "../../../platform/errors.ts";
import { number, oneOf } from "../../../wire/input/fields.ts";
import type { Peer } from "../../serve/peers.ts";
import { queryOf } from "../../serve/query-string.ts";
import type { Kind, OsmObject } from "../common/osm-objects.ts";

/** Photon's API (docs of komoot/photon). */
export const photon: Peer = {
  name: "photon",
  errorOf: ({ message }) => ({ body: { message } }),
};

export const PHOTON = {
  method: "GET",
  level: "publishable",
  geodataOnly: true,
  chapter: "Photon",
  peer: photon,
  media: ["application/json"],
  errors: [404],
} as const;

const MAX_RESULTS = 50;
/** Results among which those of the requested tags and layers are looked for. */
export const MAX_SEARCHED = 100;

const LAYERS = ["house", "street", "locality", "district", "city", "county", "state", "country", "other"] as const;
export type PhotonLayer = (typeof LAYERS)[number];

/** Layers of Photon and those of our results; places are houses there. */
const LAYERS_OF: Readonly<Record<PhotonLayer, readonly Layer[]>> = {
  house: ["address", "place"],
  street: ["address"],
  locality: [],
  district: [],
  city: ["locality"],
  county: ["county"],
  state: ["state"],
  country: ["country"],
  other: ["postalCode"],
};

const TYPES: Readonly<Record<Kind, PhotonLayer>> = {
  poi: "house",
  house: "house",
  street: "street",
  postcode: "other",
  city: "city",
  county: "county",
  state: "state",
  country: "country",
  point: "other",
};

const REPEATED = "may be repeated";

/** Parameters of all of Photon's endpoints. `usual`: results without `limit`. */
export const commonFields = (usual: number) => ({
  lang: z.string().max(20).optional().meta({
    description:
      "language: ar, de, en, es, fr, ja, ko, pt, ru, zh; `default`: that of the header Accept-Language, else en",
  }),
  limit: number({ min: 1, max: 1000, integer: true })
    .default(usual)
    .meta({ description: `maximum number of results, 1 to 1000; above ${MAX_RESULTS} it is ${MAX_RESULTS}` }),
  layer: z
    .string()
    .optional()
    .meta({ description: `${LAYERS.join(", ")}; ${REPEATED}` }),
  osm_tag: z
    .string()
    .optional()
    .meta({
      description: `main tag: \`key:value\`, \`key\`, \`:value\`, each also with \`!\` in front or \`key:!value\`; ${REPEATED}`,
    }),
  dedupe: oneOf(["0", "1", "true", "false"]).optional().meta({ description: "ignored: no result comes twice" }),
  geometry: oneOf(["0", "false"]).optional().meta({ description: "only false: results are points" }),
  debug: oneOf(["0", "false"]).optional().meta({ description: "only false" }),
  include: z.string().optional().meta({ description: "rejected: use `osm_tag`" }),
  exclude: z.string().optional().meta({ description: "rejected: use `osm_tag`" }),
});

/** Which results are requested. */
export interface Wishes {
  layers: ReadonlySet<Layer> | undefined;
  limit: number;
  accepts: (one: OsmObject) => boolean;
  /** Whether some results may not be accepted. */
  isPicky: boolean;
}

/** @throws ApiError 400 for an unknown layer, an invalid tag, and parameters that are not supported */
export function wishesOf(
  url: string,
  query: { limit: number; include?: string | undefined; exclude?: string | undefined },
): Wishes {
  for (const name of ["include", "exclude"] as const)
    if (query[name] !== undefined) throw invalid(name, "This parameter is not supported. Use osm_tag.");
  const all = (name: string) => queryOf(url).flatMap(([own, value]) => (own === name && value !== "" ? [value] : []));
  const types = all("layer").flatMap((value) => value.split(","));
  const known = types.filter((type): type is PhotonLayer => (LAYERS as readonly string[]).includes(type));
  if (known.length < types.length) throw invalid("layer", `Valid values: ${LAYERS.join(", ")}.`);
  const tags = all("osm_tag").map(tagFilter);
  const [positive, negative] = [tags.filter(({ isNot }) => !isNot), tags.filter(({ isNot }) => isNot)];
  return {
    layers: known.length > 0 ? new Set(known.flatMap((type) => LAYERS_OF[type])) : undefined,
    limit: Math.min(query.limit, MAX_RESULTS),
    isPicky: known.length > 0 || tags.length > 0,
    accepts: (one) =>
      (known.length === 0 || known.includes(TYPES[one.kind])) &&
      (positive.length === 0 || positive.some(({ fits }) => fits(one))) &&
      !negative.some(({ fits }) => fits(one)),
  };
}

interface TagFilter {
  isNot: boolean;
  fits: (one: OsmObject) => boolean;
}

/** "tourism:museum", "!tourism", ":museum", "tourism:!museum": the last are results with the key and another value. */
function tagFilter(text: string): TagFilter {
  const isNot = text.startsWith("!");
  const [key, value, ...more] = (isNot ? text.slice(1) : text).split(":");
  const other = value?.startsWith("!") ? value.slice(1) : undefined;
  if (more.length > 0 || (key === "" && !value) || other === "" || (isNot && other !== undefined))
    throw invalid("osm_tag", "Expected key:value, key, :value, each also with ! in front, or key:!value.");
  const fits = (one: OsmObject) => {
    if (key !== "" && one.key !== key) return false;
    if (other !== undefined) return one.value !== other;
    return !value || one.value === value;
  };
  return { isNot, fits };
}

const LETTERS = { node: "N", way: "W", relation: "R" } as const;

/** The results in Photon's form. */
export function writePhoton(found: readonly OsmObject[]) {
  return {
    type: "FeatureCollection",
    features: found.map(({ address, kind, key, value, element }) => ({
      type: "Feature",
      properties: {
        ...(element && { osm_type: LETTERS[element.type], osm_id: element.id }),
        osm_key: key,
        osm_value: value,
        type: TYPES[kind],
        name: kind === "street" ? address.street : kind === "point" ? address.formattedAddress : address.name,
        housenumber: address.number,
        street: kind === "street" ? undefined : address.street,
        locality: address.neighborhood,
        district: address.borough,
        city: kind === "city" ? undefined : address.city,
        county: kind === "county" ? undefined : address.county,
        state: kind === "state" ? undefined : address.state,
        postcode: address.postalCode,
        country: kind === "country" ? undefined : address.country,
        countrycode: address.countryCode,
      },
      geometry: { type: "Point", coordinates: [address.longitude, address.latitude] },
    })),
  };
}
