import { z } from "zod";
import { type OpenState, openState } from "../../../core/places/opening-hours.ts";
import { NO_PLACE_SETTINGS } from "../../../core/places/settings.ts";
import { describeTimeZone, type TimeZone, timeZoneAt } from "../../../core/regions/time-zone.ts";
import { placeAddress, trackedPlace } from "../../answers/track/around.ts";
import { openGeodata } from "../../geodata/live.ts";
import { placeWithId } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { notFound } from "../../platform/errors.ts";
import { timeZoneShape } from "../../wire/address.ts";
import { foundPlaceShape, wireFoundPlace } from "../../wire/surroundings.ts";
import { endpoint } from "../serve/endpoint.ts";

const placeWithDetails = foundPlaceShape.extend({
  openingHours: z
    .object({
      text: z
        .string()
        .meta({ description: "as OpenStreetMap writes it", example: "Mo-Fr 08:00-18:00; Sa 09:00-13:00" }),
      open: z.boolean().optional().meta({ description: "now; absent if the text cannot be parsed reliably" }),
      changesAt: z
        .string()
        .optional()
        .meta({ description: "when `open` changes next, if within a week", example: "2026-07-04T16:00:00.000Z" }),
    })
    .optional(),
  phone: z.string().optional(),
  website: z.string().optional(),
  email: z.string().optional(),
  wheelchair: z.string().optional().meta({ description: "yes, limited, no or designated" }),
  cuisine: z.array(z.string()).optional(),
  brand: z.string().optional(),
  wikidata: z.string().optional().meta({ description: "of the place", example: "Q9188" }),
  brandWikidata: z.string().optional(),
  timeZone: timeZoneShape,
});

export const getPlace = endpoint({
  name: "getPlace",
  method: "GET",
  path: "/v1/places/:id",
  level: "publishable",
  geodataOnly: true,
  chapter: "Search",
  summary: "Returns a place by its _id, with all its map data.",
  description:
    "The _id is that of place searches, of a user's place and, as `id`, of geocoding; it is stable across imports. Unknown fields are omitted. " +
    "`open` ignores public holidays: it is based on the weekday.",
  response: z.object({ place: placeWithDetails }),
  errors: [404],
  async handle(call) {
    const { params, caller, env, now } = call;
    const geodata = await openGeodata(env.GEODATA, call);
    const found = await placeWithId(geodata, params.id);
    if (!found) throw notFound("Place");
    const { place, details = {} } = found;
    const settings = caller.settings.places ?? NO_PLACE_SETTINGS;
    const address = await placeAddress(geodata, place);
    const timeZone = describeTimeZone(timeZoneAt(place.location, await everyRegionAt(geodata, place.location)), now);
    const { openingHours, website, cuisine, ...texts } = details;
    const safe = website && webAddress(website);
    return {
      place: {
        ...wireFoundPlace({ ...trackedPlace(place, settings), address }),
        ...texts,
        ...(openingHours && {
          openingHours: { text: openingHours, ...openNow(openingHours, timeZone) },
        }),
        ...(safe && { website: safe }),
        ...(cuisine && {
          cuisine: cuisine
            .split(";")
            .map((one) => one.trim())
            .filter((one) => one !== ""),
        }),
        timeZone,
      },
    };
  },
});

/** Whether the place is open now, and when that changes, in the place's local time. */
function openNow(text: string, { currentTime, utcOffset }: TimeZone): OpenState | undefined {
  const state = openState(text, currentTime);
  if (state?.changesAt === undefined) return state;
  return { ...state, changesAt: new Date(Date.parse(`${state.changesAt}:00Z`) - utcOffset * 1000).toISOString() };
}

/** A web URL, even without a scheme; anything else, such as a script, is omitted. */
function webAddress(text: string): string | undefined {
  if (/^https?:\/\/\S+$/i.test(text)) return text;
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:\/\S*)?$/u.test(text) ? `https://${text}` : undefined;
}
