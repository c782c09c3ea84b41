import { z } from "zod";
import { VERSION } from "../../../../core/metrics/version.ts";
import { placeId, placeKey } from "../../../../core/places/place.ts";
import { openGeodata } from "../../../geodata/live.ts";
import { placeWithId } from "../../../geodata/places.ts";
import { everyRegionAt } from "../../../geodata/regions.ts";
import { wirePlaceAnswer } from "../../../wire/address.ts";
import { oneOf } from "../../../wire/input/fields.ts";
import { wireLiveBuilds } from "../../geodata/geodata.ts";
import { endpoint, MediaReply } from "../../serve/endpoint.ts";
import { languageFor, osmObjects } from "../common/osm-objects.ts";
import { json } from "../osrm/osrm.ts";
import { NOMINATIM, outputFields, refuse, refusedFields, XML } from "./nominatim.ts";
import { searchBody } from "./write.ts";

const MAX_IDS = 50;
const IDS_RULE = `Expected 1 to ${MAX_IDS} ids such as N123, W45 or R6, separated by commas.`;
const SOURCES = { N: "node", W: "way", R: "relation" } as const;

export const nominatimLookup = endpoint({
  ...NOMINATIM,
  name: "nominatimLookup",
  countedAs: "getAddress",
  path: "/nominatim/lookup",
  aliases: ["/nominatim/lookup.php", "/nominatim/lookup/"],
  summary: "Returns places by their ids in OpenStreetMap, as Nominatim's lookup does.",
  description: "Only places have such ids here: shops, stations and other points of interest. Others are omitted.",
  query: z.object({
    osm_ids: z
      .string({ error: IDS_RULE })
      .transform((value, context): string[] => {
        const ids = value.split(",", MAX_IDS + 1).map((text) => {
          const [, letter, number] = /^([NWR])(\d{1,15})$/i.exec(text.trim()) ?? [];
          const source = SOURCES[letter?.toUpperCase() as keyof typeof SOURCES];
          return source && placeId(placeKey(source, Number(number)));
        });
        if (ids.length <= MAX_IDS && ids.every((id): id is string => id !== undefined)) return ids;
        context.addIssue({ code: "custom", message: IDS_RULE });
        return z.NEVER;
      })
      .meta({ type: "string", description: IDS_RULE, example: "N123" }),
    ...outputFields("xml"),
    ...refusedFields,
  }),
  async handle(call) {
    const { query, env, request, now } = call;
    refuse(query);
    const geodata = await openGeodata(env.GEODATA, call);
    const language = languageFor(query["accept-language"] ?? request.headers.get("accept-language"));
    const found = await Promise.all(
      query.osm_ids.map(async (id) => {
        const known = await placeWithId(geodata, id);
        if (!known) return [];
        const address = wirePlaceAnswer(known.place, await everyRegionAt(geodata, known.place.location), language, now);
        return [{ ...address, layer: "place" }];
      }),
    );
    const body = searchBody(await osmObjects(geodata, found.flat()), query, "");
    return typeof body === "string" ? new MediaReply(body, { "content-type": XML }) : json(body);
  },
});

export const nominatimStatus = endpoint({
  ...NOMINATIM,
  media: ["application/json", "text/plain"],
  name: "nominatimStatus",
  countedAs: "listLiveGeodata",
  path: "/nominatim/status",
  aliases: ["/nominatim/status.php", "/nominatim/status/"],
  summary: "Returns the state of the server and the date of its data, as Nominatim's status does.",
  query: z.object({
    format: oneOf(["text", "json"]).default("text").meta({ description: "of the response" }),
  }),
  async handle({ query, env }) {
    if (query.format === "text") return new MediaReply("OK", { "content-type": "text/plain; charset=utf-8" });
    const builds = await wireLiveBuilds(env.GEODATA);
    const [updated] = builds
      .flatMap(({ dataDate, importedAt }) => dataDate ?? importedAt ?? [])
      .sort()
      .reverse();
    return json({
      status: builds.length > 0 ? 0 : 700,
      message: builds.length > 0 ? "OK" : "No database",
      ...(updated && { data_updated: updated }),
      software_version: `graticule ${VERSION}`,
      database_version: VERSION,
    });
  },
});
