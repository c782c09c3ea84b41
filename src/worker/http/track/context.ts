import { z } from "zod";
import { isActive } from "../../../core/tracking/match-fences.ts";
import { labelOf } from "../../../core/tracking/steps/enter-fences.ts";
import { REGION_KINDS, type Regions } from "../../../core/tracking/types/surroundings.ts";
import { lookAround, postalRegionAt } from "../../answers/track/around.ts";
import { whileAway } from "../../geodata/bucket-away.ts";
import { citiesAround, withCity } from "../../geodata/cities.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { coordinate, optionalText } from "../../wire/input/fields.ts";
import { fenceLabelShape, placeShape, regionShape, wireFenceLabel, wirePlace } from "../../wire/surroundings.ts";
import { fencesHolding } from "../geofences/fences-around.ts";
import { spokenFor } from "../serve/callers/speaker.ts";
import { endpoint } from "../serve/endpoint.ts";
import { trackingSettings } from "./track-request.ts";

const contextShape = z.object({
  live: z.boolean(),
  geofences: z.array(fenceLabelShape),
  place: placeShape.optional(),
  country: regionShape.optional(),
  state: regionShape.optional(),
  dma: regionShape.optional(),
  postalCode: regionShape.optional(),
  city: z
    .object({ name: z.string(), inferred: z.literal(true).optional() })
    .optional()
    .meta({ description: "`inferred`: no data has its area; it is the city nearby, by its size and distance" }),
});

export const context = endpoint({
  name: "context",
  method: "GET",
  path: "/v1/context",
  level: "publishable",
  fencesOnly: true,
  chapter: "Context",
  summary: "Returns the geofences, place, country, state, DMA, postal code and city at a location. Nothing is stored.",
  description: "The keys of `context` are repeated at the top level, where the JavaScript SDK reads them.",
  query: z.object({
    coordinates: coordinate(),
    userId: optionalText().meta({ description: "Includes geofences that are limited to this user" }),
  }),
  response: contextShape.extend({ context: contextShape }),
  async handle(call) {
    const { query, caller, now } = call;
    const userId = spokenFor(caller, query.userId);
    const settings = trackingSettings(caller);
    const { env } = call;
    const read = <T>(layer: string, work: (geodata: Geodata) => Promise<T>) =>
      whileAway(env.GEODATA, call, (part) => part(layer, async () => work(await openGeodata(env.GEODATA, call))));
    const [fences, { around, areas }, cities] = await Promise.all([
      fencesHolding(call, query.coordinates),
      lookAround(call, settings, query.coordinates),
      settings.regions.state ? read("cities", (geodata) => citiesAround(geodata, query.coordinates)) : undefined,
    ]);
    const postalCode = settings.regions.postalCode
      ? (around.regions?.postalCode ??
        (await read("regions", (geodata) => postalRegionAt(geodata, query.coordinates, areas))))
      : undefined;
    const city = cities && withCity(areas, cities, query.coordinates).locality;
    const regions: Regions = { ...around.regions, ...(postalCode && { postalCode }) };
    const found = {
      live: caller.live,
      geofences: fences
        .filter((fence) => isActive(fence, { userId }, now))
        .map((fence) => wireFenceLabel(labelOf(fence))),
      place: around.place ? wirePlace(around.place) : undefined,
      ...Object.fromEntries(REGION_KINDS.map((kind) => [kind, settings.regions[kind] ? regions[kind] : undefined])),
      city: city && { name: city.name, ...(city.inferred && { inferred: true }) },
    };
    return { context: found, ...found };
  },
});
