import { z } from "zod";
import { geofenceIndexOf } from "../objects/stubs.ts";
import { isActive } from "../tracking/match-fences.ts";
import type { Fence } from "../tracking/types.ts";
import { fenceEpochOf } from "./caller.ts";
import { endpoint } from "./endpoint.ts";
import { coordinate, optionalText } from "./fields.ts";
import { fenceLabelShape, placeShape, regionShape } from "./wire.ts";

const contextShape = z.object({
  geofences: z.array(fenceLabelShape),
  place: placeShape.optional(),
  country: regionShape.optional(),
  state: regionShape.optional(),
  dma: regionShape.optional(),
  postalCode: regionShape.optional(),
});

export const context = endpoint({
  name: "context",
  method: "GET",
  path: "/v1/context",
  level: "publishable",
  chapter: "Context",
  summary: "What is at a location: geofences, place, country, state, DMA and postal code. Nothing is stored.",
  description: "The keys of `context` stand a second time beside it, where the JavaScript SDK reads them.",
  query: z.object({
    coordinates: coordinate(),
    userId: optionalText().meta({ description: "Shows geofences that are there for this user only" }),
  }),
  response: contextShape.extend({ context: contextShape }),
  async handle({ query, caller, env, now }) {
    const epoch = fenceEpochOf(caller);
    const fences =
      epoch === 0 ? [] : await geofenceIndexOf(env, caller.scope).at(caller.scope, epoch, query.coordinates);
    const found = { geofences: fences.filter((fence) => isActive(fence, { userId: query.userId }, now)).map(label) };
    return { context: found, ...found };
  },
});

function label({ id, tag, externalId, description, metadata }: Fence): z.input<typeof fenceLabelShape> {
  return { _id: id, tag, externalId, description, metadata };
}
