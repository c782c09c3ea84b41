import { z } from "zod";
import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { isCoordinate } from "../../../core/geo/coordinate.ts";
import { parseDecimals } from "../../../core/geo/decimal.ts";
import { LANGUAGES } from "../../../core/geocoding/entry/entry.ts";
import { LAYERS, type Layer } from "../../../core/geocoding/search/search.ts";
import { oneOf } from "../input/fields.ts";

/** Parameters that the geocoding endpoints share. */

const COARSE: readonly Layer[] = ["postalCode", "locality", "county", "state", "country"];
const FINE: readonly Layer[] = ["address", "place"];

const NAMES: Record<string, readonly Layer[]> = {
  ...Object.fromEntries(LAYERS.map((layer) => [layer, [layer]])),
  coarse: COARSE,
  fine: FINE,
};
export const LAYER_RULE = `Valid values: ${Object.keys(NAMES).join(", ")}.`;

/** The layers of a name; undefined if it is not a layer. */
export function layersNamed(name: string): readonly Layer[] | undefined {
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
}

/** The layers of forward and reverse geocoding without `layers`: addresses and all coarse layers. */
const DEFAULT_LAYERS: ReadonlySet<Layer> = new Set(["address", ...COARSE]);

/** The layers of autocomplete without `layers`: places as well. */
export const ALL_LAYERS: ReadonlySet<Layer> = new Set([...FINE, ...COARSE]);

/** The layers that a project searches in forward geocoding without `layers` (`geocoding.forwardLayers` of its settings). */
export function defaultForwardLayers(names: readonly string[] | undefined): ReadonlySet<Layer> {
  const layers = new Set(names?.flatMap((name) => layersNamed(name) ?? []));
  return layers.size > 0 ? layers : DEFAULT_LAYERS;
}

/** Comma-separated layers; `coarse` and `fine` stand for several. */
export function layers() {
  return givenLayers().transform((value) => value ?? DEFAULT_LAYERS);
}

/** Android's SDK sends an empty array so. */
const isEmptyList = (text: string) => /^[\s,]*$/.test(text);

/** The same; undefined if the caller specifies none. */
export function givenLayers(byDefault = "address,coarse") {
  return z
    .string({ error: LAYER_RULE })
    .optional()
    .transform((value, context): ReadonlySet<Layer> | undefined => {
      if (value === undefined || isEmptyList(value)) return undefined;
      const names = value
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      if (names.length > 0 && names.every((name) => Object.hasOwn(NAMES, name)))
        return new Set(names.flatMap((name) => NAMES[name]));
      context.addIssue({ code: "custom", message: LAYER_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", default: byDefault, description: LAYER_RULE });
}

const COUNTRY_RULE = "Expected comma-separated 2-letter country codes.";

/** Comma-separated ISO 3166-1 alpha-2 codes in any case; the caller's order is kept. */
export function countryCodes() {
  const codes = z
    .string({ error: COUNTRY_RULE })
    .max(1024, { error: COUNTRY_RULE })
    .transform((value, context): string[] => {
      const list = value
        .split(",")
        .map((code) => code.trim().toUpperCase())
        .filter((code) => code !== "");
      if (list.every((code) => /^[A-Z]{2}$/.test(code))) return [...new Set(list)];
      context.addIssue({ code: "custom", message: COUNTRY_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", example: "US,CA" });
  const ifEmpty = (value: unknown) => (typeof value === "string" && isEmptyList(value) ? undefined : value);
  return z.preprocess(ifEmpty, codes.optional()).optional().meta({ type: "string", example: "US,CA" });
}

const BOUNDS_RULE =
  'Expected "west,south,east,north" in degrees, south below north; west may be greater than east, across the 180th meridian.';

/** The area to which results are limited. */
export function bounds() {
  return z
    .string({ error: BOUNDS_RULE })
    .transform((value, context): Bounds => {
      const parts = parseDecimals(value, 4);
      const [west, south, east, north] = parts;
      const onEarth = isCoordinate(south, west) && isCoordinate(north, east);
      if (parts.length === 4 && onEarth && south < north && west !== east) return [west, south, east, north];
      context.addIssue({ code: "custom", message: BOUNDS_RULE });
      return z.NEVER;
    })
    .meta({
      type: "string",
      format: "west,south,east,north",
      example: "-111.3,48.9,-111.1,49.1",
      description: "results are in this box; for a region, its center",
    });
}

export function language() {
  return oneOf(LANGUAGES).default("en");
}
