import { z } from "zod";
import { MAX_COUNTED_DEVICES } from "../../../core/routing/learn/edge-sums.ts";
import { stateKey } from "../../../core/routing/learn/keys.ts";
import { DEFAULT_LEARNING, type LearningSettings } from "../../db/projects/learning.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { flag, json, number } from "../../wire/input/fields.ts";

/** Learning road speeds and arrival times from the project's own devices. */

const MIN_DEVICES = 3;

const DESCRIPTION =
  "learning of road speeds from the live devices of the project (default: disabled). Inform the people who carry them first";

export const learningShape = z
  .object({
    enabled: z.boolean(),
    eta: z.boolean().meta({ description: "correct arrival times by what was learned from earlier trips" }),
    minimumDevices: z.number().meta({ description: "a road has a learned speed only if so many devices used it" }),
  })
  .meta({ description: DESCRIPTION });

export const learningBody = json(
  z.object({
    enabled: flag().optional(),
    eta: flag().optional(),
    minimumDevices: number({ min: MIN_DEVICES, max: MAX_COUNTED_DEVICES, integer: true }).optional(),
  }),
)
  .optional()
  .meta({ description: `${DESCRIPTION}. Disabling deletes what was collected` });

export const wireLearning = (learning: LearningSettings | undefined): z.input<typeof learningShape> => ({
  ...DEFAULT_LEARNING,
  ...learning,
});

/** From now on nothing that was collected is merged; the hourly run deletes it. */
export async function stopLearning(env: Env, project: number): Promise<void> {
  const bucket = projectBucket(env);
  const key = stateKey(project * 2 + 1);
  const stored = await bucket.get(key);
  if (stored) await bucket.put(key, JSON.stringify({ ...JSON.parse(await stored.text()), disabled: true }));
}
