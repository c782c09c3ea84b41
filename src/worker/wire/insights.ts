import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import type { FoundBase, Insights } from "../../core/tracking/types/insights.ts";
import { dateShape, wireDate } from "./date.ts";
import { pointShape } from "./point.ts";

/** In the shape that the SDKs read. */
const baseShape = z.object({
  type: z.enum(["home", "office"]),
  location: pointShape,
  confidence: z.number().meta({ description: "3: at least 8 of the last 14 days, 2: 5, 1: 3" }),
  updatedAt: dateShape(),
});

export const insightsShape = z.object({
  homeLocation: baseShape.optional(),
  officeLocation: baseShape.optional(),
  visit: z
    .object({ location: pointShape, startedAt: dateShape() })
    .optional()
    .meta({ description: "the current stay, of at least 10 minutes" }),
  state: z.object({ home: z.boolean(), office: z.boolean(), traveling: z.boolean(), commuting: z.boolean() }),
});

export function wireInsights(insights: Insights): z.input<typeof insightsShape> {
  const { home, work, stay, at, traveling, commute } = insights;
  return {
    homeLocation: home && wireBase("home", home),
    officeLocation: work && wireBase("office", work),
    visit: stay?.isVisit ? { location: toPoint(stay.location), startedAt: wireDate(stay.since) } : undefined,
    state: {
      home: at === "home",
      office: at === "work",
      traveling: traveling === true,
      commuting: commute?.begun === true,
    },
  };
}

const wireBase = (type: "home" | "office", { location, confidence, updatedAt }: FoundBase) => ({
  type,
  location: toPoint(location),
  confidence,
  updatedAt: wireDate(updatedAt),
});
