import { z } from "zod";
import type { EntryKind } from "../../../core/geocoding/entry/entry.ts";
import type { Weighed } from "../../../core/geocoding/label/weighed.ts";
import { layerOf } from "../../../core/geocoding/search/index-search.ts";
import { LAYERS } from "../../../core/geocoding/search/search.ts";
import { flag } from "../input/fields.ts";

/** `explain=true`: what the search weighed. */
export const explainFlag = () =>
  flag()
    .default(false)
    .meta({ description: "Adds `explanation`: what words may name, and what speaks for and against results." });

const regionShape = {
  name: z.string(),
  layer: z.enum(LAYERS),
  city: z.string().optional(),
  stateCode: z.string().optional(),
  countryCode: z.string().optional(),
  latitude: z.number(),
  longitude: z.number(),
};

export const explanationShape = z.object({
  readings: z
    .array(
      z.object({
        words: z.string(),
        strength: z.number().meta({ description: "How surely the words mean a region where they stand, 0 to 1" }),
        regions: z.array(
          z.object({
            ...regionShape,
            by: z.enum(["main", "language", "other", "short", "code"]).meta({
              description: "The kind of name: of today, in another language, another or former one, short, a code",
            }),
          }),
        ),
      }),
    )
    .meta({ description: "Words that may be the name of regions, the surest first" }),
  candidates: z
    .array(
      z.object({
        ...regionShape,
        score: z.number().meta({ description: "The sum of the evidence, before its house number is looked up" }),
        evidence: z.array(z.object({ name: z.string(), value: z.number(), weight: z.number(), sum: z.number() })),
      }),
    )
    .meta({ description: "The likeliest results, before duplicates are removed" }),
  margin: z.number().optional().meta({ description: "The first score less the second" }),
});

interface Named {
  kind: EntryKind;
  context: Weighed["candidates"][number]["context"];
}

export function wireExplanation({ readings, candidates, margin }: Weighed): z.input<typeof explanationShape> {
  return {
    readings: readings.map((one) => ({ ...one, regions: one.regions.map(inWire) })),
    candidates: candidates.map(inWire),
    ...(margin !== undefined && { margin }),
  };
}

function inWire<T extends Named>({ kind, context: { city, stateCode, countryCode }, ...rest }: T) {
  return {
    ...rest,
    layer: layerOf(kind),
    ...(city && { city }),
    ...(stateCode && { stateCode }),
    ...(countryCode && { countryCode }),
  };
}
