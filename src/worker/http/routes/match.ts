import { climbsFor } from "../../answers/routes/climbs.ts";
import { matchAnswer } from "../../answers/routes/match-answer.ts";
import { routerFor } from "../../answers/routes/road-router.ts";
import { matchBody, matchQuestion } from "../../wire/routes/match-body.ts";
import { matchShape } from "../../wire/routes/match-shape.ts";
import { endpoint } from "../serve/endpoint.ts";

/** Longer traces need a job. */
const MAX_POINTS = 1000;

export const GPX_TYPE = "application/gpx+xml";

export const match = endpoint({
  name: "match",
  method: "POST",
  path: "/v1/route/match",
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Snaps a trace of 2 to 1,000 points to the roads most likely travelled.",
  description:
    "Points that match no road are omitted from `matchedPath`. Where the trace breaks (more than 2.5 km between points, or roads that do not connect), it continues with a new part, and `distance` is the sum of the parts. Points less than 10 seconds apart with an `accuracy` give the best results; without it, the noise is estimated from the trace. `roadAttributes` are returned per road segment from start to end; `originalIndex` is the index of the point on it. Input and output can be GPX or GeoJSON (`format`). For up to 5,000 points, use a job: `POST /v1/route/match/jobs`.",
  body: matchBody(MAX_POINTS),
  response: matchShape,
  orMedia: [GPX_TYPE],
  async handle(call) {
    const query = await matchQuestion(call.body, MAX_POINTS, call.pace);
    const climbs = await climbsFor(call, query.options.mode);
    const answer = await matchAnswer(await routerFor(call, query.trace), query, climbs);
    if (typeof answer !== "string") return answer;
    return new Response(answer, { headers: { "content-type": `${GPX_TYPE}; charset=utf-8` } });
  },
});
