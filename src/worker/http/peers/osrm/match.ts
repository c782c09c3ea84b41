import { z } from "zod";
import { parseDecimal } from "../../../../core/geo/decimal.ts";
import type { TracePoint } from "../../../../core/routing/match/trace.ts";
import { tidied } from "../../../../core/routing/match/trace.ts";
import type { GuidedLeg, Telling } from "../../../../core/routing/route/guided-leg.ts";
import { type MatchedRoute, matchRoutes } from "../../../answers/routes/match-routes.ts";
import { routerFor } from "../../../answers/routes/road-router.ts";
import type { Asker } from "../../../platform/call.ts";
import { flag, oneOf } from "../../../wire/input/fields.ts";
import { type Call, endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "./coordinates.ts";
import { ignoredFields, indexesOf, routeFormFields, waypointsField } from "./fields.ts";
import { checkCount, coreModeOf, json, OSRM, osrmError, perCoordinate } from "./osrm.ts";
import { NO_TEXT } from "./routes.ts";
import { type OsrmRoute, OsrmRouteWriter, type RouteForm, waypoint } from "./write-route.ts";

/** As many as a match has. */
const MAX_POINTS = 1000;
/** A gap this many times longer than usual splits a trace, and at least this long [s]. */
const [LONG_GAP, MIN_GAP] = [10, 60];

const numberOf = (min: number) => (text: string) => {
  const value = parseDecimal(text);
  return value >= min && value <= 1e14 ? value : undefined;
};

export const matchFields = {
  timestamps: perCoordinate(numberOf(0), "Expected seconds since 1970.").meta({
    type: "string",
    description: "times in seconds since 1970, in ascending order, separated by `;`",
  }),
  radiuses: perCoordinate(numberOf(0), "Expected meters.").meta({
    type: "string",
    description: "accuracy of each coordinate [m], separated by `;`; default: estimated from the trace",
  }),
  tidy: flag().default(false).meta({ description: "leave out coordinates less than 10 m from the previous one" }),
  waypoints: waypointsField(),
};

export type MatchFields = z.output<z.ZodObject<typeof matchFields>>;

/** A trace that is to be matched. */
export interface MatchAsked extends MatchFields {
  profile: string;
  form: RouteForm;
  gaps: "split" | "ignore";
  telling: Telling | undefined;
  /** Changes legs before they are written, and routes after. */
  change?: (leg: GuidedLeg) => GuidedLeg;
  finish?: (route: OsrmRoute, segments: readonly number[]) => object;
}

/** The response to a trace. @throws ApiError 400 if nothing matches */
export async function osrmMatching(call: Asker, text: string, asked: MatchAsked) {
  const coordinates = coordinatesOf(text, 2, MAX_POINTS);
  const { timestamps, radiuses, gaps, telling } = asked;
  const count = coordinates.length;
  checkCount("timestamps", timestamps, count);
  checkCount("radiuses", radiuses, count);
  if (timestamps?.some((time, i) => time === undefined || time < (timestamps[i - 1] ?? 0)))
    throw osrmError("InvalidValue", "timestamps: Expected a time for each coordinate, in ascending order.");
  const trace = coordinates.map((point, i): TracePoint => {
    const [time, accuracy] = [timestamps?.[i], radiuses?.[i]];
    return { ...point, ...(time !== undefined && { time }), ...(accuracy !== undefined && { accuracy }) };
  });
  const kept = asked.tidy ? tidied(trace) : trace.map((_, i) => i);
  const stops = new Set(indexesOf("waypoints", asked.waypoints, count));
  const router = await routerFor(call, coordinates);
  const gap = gaps === "split" ? gapOf(kept.map((i) => trace[i].time)) : undefined;
  const options = { mode: coreModeOf(asked.profile), ...(gap !== undefined && { gap }) };
  const thinned = kept.map((i) => trace[i]);
  const isStop = (index: number) => stops.has(kept[index]);
  const found = router ? await matchRoutes(router, thinned, options, telling, isStop) : [];
  if (found.length === 0) throw osrmError("NoMatch", "Could not match the trace.");
  return {
    code: "Ok",
    matchings: found.map((route) => matchingOf(route, asked)),
    tracepoints: tracepointsOf(found, kept, count),
  };
}

/** A gap that is much longer than the usual one [s]; undefined without times. */
function gapOf(times: readonly (number | undefined)[]): number | undefined {
  const gaps = times.slice(1).flatMap((time, i) => (time === undefined ? [] : [time - (times[i] ?? time)]));
  if (gaps.length === 0) return undefined;
  gaps.sort((a, b) => a - b);
  return Math.max(MIN_GAP, LONG_GAP * gaps[gaps.length >> 1]);
}

function matchingOf({ legs, confidence }: MatchedRoute, { form, change, finish }: MatchAsked) {
  const writer = new OsrmRouteWriter(form);
  for (const leg of legs) writer.add(change ? change(leg) : leg);
  const route = writer.finish();
  return { confidence: Math.round(confidence * 1e6) / 1e6, ...(finish ? finish(route, writer.segments) : route) };
}

/** By coordinate: its position on its road; null for those that were left out. */
function tracepointsOf(found: readonly MatchedRoute[], kept: readonly number[], count: number) {
  const tracepoints = new Array<object | null>(count).fill(null);
  for (const [route, { points }] of found.entries()) {
    for (const { index, stop, ...place } of points)
      tracepoints[kept[index]] = {
        alternatives_count: 0,
        waypoint_index: stop ?? null,
        matchings_index: route,
        ...waypoint(place),
      };
  }
  return tracepoints;
}

export const osrmMatch = endpoint({
  ...OSRM,
  name: "osrmMatch",
  countedAs: "match",
  path: "/osrm/match/v1/:profile/:coordinates",
  summary: "Snaps a trace of 2 to 1,000 coordinates to the roads most likely travelled, as OSRM's match service does.",
  query: z.strictObject({
    ...routeFormFields,
    ...matchFields,
    gaps: oneOf(["split", "ignore"]).default("split").meta({ description: "whether a long gap splits the trace" }),
    ...ignoredFields,
  }),
  async handle(call: Call<MatchFields & RouteForm & { gaps: "split" | "ignore"; skip_waypoints: boolean }>) {
    const { params, query } = call;
    const telling = query.steps ? NO_TEXT : undefined;
    const asked = { ...query, profile: params.profile, form: query, telling };
    const { tracepoints, ...rest } = await osrmMatching(call, params.coordinates, asked);
    return json({ ...rest, ...(!query.skip_waypoints && { tracepoints }) });
  },
});
