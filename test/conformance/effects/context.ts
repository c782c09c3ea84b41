import type { Effect } from "./effect.ts";

const [MONTANA, ALBERTA, SOUTH_POLE, NORTH_POLE] = ["48.99,-111.2", "49.01,-111.2", "-90,-180", "90,180"];

/** At Meridale in Montana are two geofences, one of them for the user "ann" only. */
export const CONTEXT_EFFECTS: readonly Effect[] = [
  {
    parameter: "coordinates",
    changes: "the regions and geofences of the response",
    view: ({ context }) => [context.country?.code, context.state?.code, context.geofences.length],
    shows: [
      [MONTANA, ["US", "MT", 1]],
      [ALBERTA, ["CA", "AB", 0]],
      [SOUTH_POLE, ["AQ", undefined, 0]],
      [NORTH_POLE, [undefined, undefined, 0]],
    ],
  },
  {
    parameter: "userId",
    changes: "the geofences specific to a user",
    view: ({ context }) => context.geofences.map((fence: { externalId: string }) => fence.externalId).sort(),
    shows: [
      [undefined, ["everyone"]],
      ["bob", ["everyone"]],
      ["ann", ["ann", "everyone"]],
    ],
  },
];
