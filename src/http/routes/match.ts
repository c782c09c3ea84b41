import { endpoint } from "../serve/endpoint.ts";
import { requestPace } from "../serve/pace.ts";
import { matchAnswer, matchShape } from "./match-answer.ts";
import { matchBody, matchQuestion } from "./match-body.ts";
import { routerFor } from "./road-router.ts";

/** Longer traces are matched as a job. */
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
    "Points that fit no road are left out of `matchedPath`; where the trace breaks off (more than 2.5 km between points, or roads that do not connect) it goes on with the next part, and `distance` counts the parts. Best results come with points less than 10 seconds apart that tell their `accuracy`. `roadAttributes` are given per road piece from start to end; `originalIndex` names the point that lies on it. A trace may come as GPX or GeoJSON, and go out as such (`format`). Up to 5,000 points are matched as a job: `POST /v1/route/match/jobs`.",
  body: matchBody(MAX_POINTS),
  response: matchShape,
  orMedia: [GPX_TYPE],
  async handle(call) {
    const question = await matchQuestion(call.body, MAX_POINTS, requestPace());
    const answer = await matchAnswer(await routerFor(call, question.trace), question);
    if (typeof answer !== "string") return answer;
    return new Response(answer, { headers: { "content-type": `${GPX_TYPE}; charset=utf-8` } });
  },
});
