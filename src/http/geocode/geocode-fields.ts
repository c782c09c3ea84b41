import { z } from "zod";
import { LANGUAGES } from "../../geocoding/entry.ts";
import { LAYERS, type Layer } from "../../geocoding/search.ts";
import { oneOf } from "../serve/fields.ts";

/** Parameters that the geocoding endpoints share. */

const COARSE: readonly Layer[] = ["postalCode", "locality", "county", "state", "country"];
const FINE: readonly Layer[] = ["address", "place"];

const NAMES: Record<string, readonly Layer[]> = {
  ...Object.fromEntries(LAYERS.map((layer) => [layer, [layer]])),
  coarse: COARSE,
  fine: FINE,
};
const LAYER_RULE = `Valid values: ${Object.keys(NAMES).join(", ")}.`;

/**
 * Comma-separated layers; `coarse` and `fine` stand for several. Without any: addresses and everything coarse, and with
 * `places` places too, as a text names a place as often as an address.
 */
export function layers({ places = false } = {}) {
  return z
    .string({ error: LAYER_RULE })
    .optional()
    .transform((value, context): ReadonlySet<Layer> => {
      if (value === undefined) return new Set([...(places ? FINE : (["address"] as const)), ...COARSE]);
      const names = value
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      if (names.length > 0 && names.every((name) => Object.hasOwn(NAMES, name)))
        return new Set(names.flatMap((name) => NAMES[name]));
      context.addIssue({ code: "custom", message: LAYER_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", default: places ? "fine,coarse" : "address,coarse", description: LAYER_RULE });
}

const COUNTRY_RULE = "Expected comma-separated 2-letter country codes.";

/** Comma-separated ISO 3166-1 alpha-2 codes in any case; the caller's order is kept. */
export function countryCodes() {
  return z
    .string({ error: COUNTRY_RULE })
    .max(1024, { error: COUNTRY_RULE })
    .transform((value, context): string[] => {
      const codes = value
        .split(",")
        .map((code) => code.trim().toUpperCase())
        .filter((code) => code !== "");
      if (codes.length > 0 && codes.every((code) => /^[A-Z]{2}$/.test(code))) return [...new Set(codes)];
      context.addIssue({ code: "custom", message: COUNTRY_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", example: "US,CA" });
}

export function language() {
  return oneOf(LANGUAGES).default("en");
}
