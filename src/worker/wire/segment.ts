import { z } from "zod";
import type { ComputedSegment } from "../../core/engagement/segments/segment.ts";
import { dateShape, wireDate } from "./date.ts";
import { metadataShape } from "./metadata.ts";

const conditionShape = z.object({
  type: z.string(),
  value: z.string().optional(),
  visits: z.number().optional(),
  days: z.number().optional(),
  weeks: z.number().optional(),
  metadata: metadataShape().optional(),
  values: z.array(z.string()).optional(),
  not: z.boolean().optional(),
});

const ruleShape = z.object({ match: z.enum(["all", "any"]), conditions: z.array(conditionShape) });

export const segmentShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  createdAt: dateShape(),
  updatedAt: dateShape(),
  externalId: z.string(),
  description: z.string(),
  rule: ruleShape,
  size: z.number().optional().meta({ description: "number of users" }),
  computing: z
    .boolean()
    .optional()
    .meta({ description: "true: the users of the project are still being compared after a change of a rule" }),
});

export function wireSegment(
  { _id, createdAt, updatedAt, externalId, description, rule }: ComputedSegment,
  live: boolean,
  found?: { size: number; isComputing: boolean },
): z.input<typeof segmentShape> {
  return {
    _id,
    live,
    createdAt: wireDate(createdAt),
    updatedAt: wireDate(updatedAt),
    externalId,
    description,
    rule: {
      match: rule.match,
      conditions: rule.conditions.map((one) => ("values" in one ? { ...one, values: [...one.values] } : { ...one })),
    },
    ...(found && { size: found.size, ...(found.isComputing && { computing: true }) }),
  };
}
