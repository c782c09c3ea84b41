import { z } from "zod";
import { text } from "../../../wire/input/fields.ts";
import { type Call, endpoint } from "../../serve/endpoint.ts";
import { approachesField, routeFormFields } from "../osrm/fields.ts";
import { matchFields, osrmMatching } from "../osrm/match.ts";
import { checkCount, json } from "../osrm/osrm.ts";
import { guidedForm, mapboxRoute, tellingOf, withoutExits } from "./guided-form.ts";
import { guidanceFields, MAPBOX, mapboxAnnotations, mapboxIgnored, mapboxMode } from "./mapbox.ts";

const fields = {
  ...routeFormFields,
  annotations: mapboxAnnotations(),
  ...matchFields,
  approaches: approachesField().meta({ description: "ignored: a trace shows the side of the road" }),
  ...guidanceFields,
  ...mapboxIgnored,
};

type Query = z.output<z.ZodObject<typeof fields>>;

async function matchingOf(call: Call<unknown, unknown>, coordinates: string, query: Query) {
  const { owner, profile } = call.params;
  mapboxMode(owner, profile);
  checkCount("approaches", query.approaches, coordinates.split(";").length);
  const answer = await osrmMatching(call, coordinates, {
    ...query,
    profile,
    form: guidedForm(query),
    gaps: "split",
    telling: query.steps ? tellingOf(query) : undefined,
    ...(!query.roundabout_exits && { change: withoutExits }),
    finish: (route, segments) => mapboxRoute(route, query, query.annotations, segments),
  });
  return json({ ...answer, uuid: call.requestId });
}

const SUMMARY =
  "Snaps a trace of 2 to 1,000 coordinates to the roads most likely travelled, as Mapbox Map Matching v5 does.";

export const mapboxMatching = endpoint({
  ...MAPBOX,
  name: "mapboxMatching",
  countedAs: "match",
  method: "GET",
  path: "/mapbox/matching/v5/:owner/:profile/:coordinates",
  summary: SUMMARY,
  query: z.strictObject(fields),
  handle: (call) => matchingOf(call, call.params.coordinates, call.query),
});

export const mapboxMatchingPost = endpoint({
  ...MAPBOX,
  name: "mapboxMatchingPost",
  countedAs: "match",
  method: "POST",
  path: "/mapbox/matching/v5/:owner/:profile",
  summary: SUMMARY,
  description: "The parameters are those of the GET request, in a form.",
  body: z.strictObject({
    coordinates: text(60_000).meta({ description: "longitude,latitude;longitude,latitude…, 1 to 60000 characters" }),
    ...fields,
  }),
  handle: (call) => matchingOf(call, call.body.coordinates, call.body),
});
