import { z } from "zod";
import { LAYERS } from "../../../core/geocoding/search/search.ts";
import type { ProjectSettings } from "../../db/projects/projects.ts";
import { defaultForwardLayers, LAYER_RULE, layersNamed } from "../../wire/geocode/geocode-fields.ts";
import { json } from "../../wire/input/fields.ts";

/** Project settings for geocoding. */

const RULE = `Must be a list of layers. ${LAYER_RULE}`;

export const geocodingBody = json(
  z.object({
    forwardLayers: z
      .array(
        z.string({ error: RULE }).refine((name) => layersNamed(name) !== undefined, { error: RULE }),
        { error: RULE },
      )
      .max(16, { error: RULE })
      .nullable()
      .optional()
      .meta({ description: "`coarse` and `fine` are accepted; null or an empty list restores the default" }),
  }),
).optional();

export const geocodingShape = z.object({
  forwardLayers: z.array(z.enum(LAYERS)).meta({
    description:
      "layers that forward geocoding searches without `layers`; default: address, postalCode, locality, county, state, country",
  }),
});

/** The settings with the changes of the patch; layers are stored one by one. */
export function patchGeocoding(
  before: ProjectSettings["geocoding"],
  patch: { forwardLayers?: string[] | null } | undefined,
): ProjectSettings["geocoding"] {
  if (patch?.forwardLayers === undefined) return before;
  const named = new Set(patch.forwardLayers?.flatMap((name) => layersNamed(name) ?? []));
  return { ...before, forwardLayers: named.size > 0 ? LAYERS.filter((layer) => named.has(layer)) : undefined };
}

export function wireGeocoding(settings: ProjectSettings["geocoding"]): z.input<typeof geocodingShape> {
  const layers = defaultForwardLayers(settings?.forwardLayers);
  return { forwardLayers: LAYERS.filter((layer) => layers.has(layer)) };
}
