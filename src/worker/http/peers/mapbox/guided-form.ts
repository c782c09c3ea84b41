import type { GuidedStep } from "../../../../core/routing/guidance/steps/build-steps.ts";
import type { GuidedLeg, Telling } from "../../../../core/routing/route/guided-leg.ts";
import { joinedSteps } from "../../../../core/routing/route/joined-legs.ts";
import type { Annotation } from "../osrm/fields.ts";
import type { OsrmRoute, RouteForm } from "../osrm/write-route.ts";
import { bannersOf } from "./banners.ts";
import { type Guidance, TRAFFIC, textLanguage } from "./mapbox.ts";
import { voiceOf } from "./voice.ts";

/** In which words and units the texts are. */
export const tellingOf = ({ language, voice_units: units }: Guidance): Telling => ({
  lang: textLanguage(language),
  units: units === "metric" ? "metric" : "imperial",
});

/** OSRM's form of a route with Mapbox's texts. */
export function guidedForm(query: Guidance & Omit<RouteForm, "extend">): RouteForm {
  const { banner_instructions: hasBanners, voice_instructions: hasVoice, waypoint_names: names, annotations } = query;
  const arrivals = names?.split(";", 1000);
  let leg = 0;
  let last: readonly GuidedStep[] | undefined;
  return {
    ...query,
    annotations: withoutTraffic(annotations),
    extend(steps, index) {
      // The steps of a leg are written in a row.
      if (last !== steps) leg++;
      last = steps;
      return {
        maneuver: { instruction: steps[index].instructions },
        step: {
          ...(hasVoice && { voiceInstructions: voiceOf(steps, index) }),
          ...(hasBanners && { bannerInstructions: bannersOf(steps, index, arrivals?.[leg]?.trim()) }),
        },
      };
    },
  };
}

const isTraffic = (name: string) => (TRAFFIC as readonly string[]).includes(name);
const withoutTraffic = (wanted: ReadonlySet<Annotation>): ReadonlySet<Annotation> =>
  new Set([...wanted].filter((name) => !isTraffic(name)));

/** Each circle as one step, which ends with its exit. */
export function withoutExits(leg: GuidedLeg): GuidedLeg {
  const steps: GuidedStep[] = [];
  for (const step of leg.steps) {
    const { type } = step.step.maneuver;
    const before = steps[steps.length - 1];
    const isExit = (type === "exit roundabout" || type === "exit rotary") && before;
    if (isExit) steps[steps.length - 1] = joinedSteps(before, step, 0);
    else steps.push(step);
  }
  return { ...leg, steps };
}

/** A route with what Mapbox has in addition: unknown traffic, silent waypoints, and the language of the voice. */
export function mapboxRoute(
  route: OsrmRoute,
  { language, voice_instructions: hasVoice }: Guidance,
  annotations: ReadonlySet<Annotation>,
  segments: readonly number[],
) {
  const has = (name: (typeof TRAFFIC)[number]) => annotations.has(name as Annotation);
  return {
    ...route,
    weight_name: "auto",
    legs: route.legs.map((leg, i) => ({
      ...leg,
      via_waypoints: [],
      ...(annotations.size > 0 && {
        annotation: {
          ...leg.annotation,
          ...(has("congestion") && { congestion: new Array<string>(segments[i]).fill("unknown") }),
          ...(has("congestion_numeric") && { congestion_numeric: new Array<null>(segments[i]).fill(null) }),
        },
      }),
      ...(has("closure") && { closures: [] }),
    })),
    ...(hasVoice && { voiceLocale: textLanguage(language) }),
  };
}
