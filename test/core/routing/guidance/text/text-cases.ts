import type { Units } from "../../../../../src/core/geo/units.ts";
import { banner } from "../../../../../src/core/routing/guidance/text/banner.ts";
import { instruction } from "../../../../../src/core/routing/guidance/text/instruction.ts";
import type { Language } from "../../../../../src/core/routing/guidance/text/translation.ts";
import { voice } from "../../../../../src/core/routing/guidance/text/voice.ts";
import type { Maneuver, Step } from "../../../../../src/core/routing/guidance/types.ts";
import { step } from "../some-steps.ts";

/** What is said, as a sentence, on the banner, or aloud after a step of `after` metres. */
export interface TextCase {
  maneuver: Partial<Maneuver>;
  rest?: Partial<Step>;
  waypoint?: number;
  as?: "banner" | "voice";
  after?: number;
  units?: Units;
}

export function speak(one: TextCase, language: Language): string {
  const subject = step(one.maneuver, one.rest);
  if (one.as === "banner") return banner(subject, language);
  if (one.as === "voice") {
    const before = one.after === undefined ? undefined : step({}, { distance: one.after });
    return voice(subject, before, language, one.units ?? "metric");
  }
  return instruction(subject, language, one.waypoint ? { waypoint: one.waypoint } : {});
}

const unnamed = { name: "" };

export const CASES: Record<string, TextCase> = {
  "a start": { maneuver: { type: "depart", bearingAfter: 45 } },
  "a turn": { maneuver: { type: "turn", modifier: "left" } },
  "a sharp turn onto a street with a number": {
    maneuver: { type: "turn", modifier: "sharp right" },
    rest: { ref: "B 3;B 4" },
  },
  "staying on a street that bends": { maneuver: { type: "continue", modifier: "slight left" } },
  "turning back": { maneuver: { type: "continue", modifier: "uturn" } },
  "the end of a road": { maneuver: { type: "end of road", modifier: "right" }, rest: unnamed },
  "a new name": { maneuver: { type: "new name", modifier: "straight" } },
  "a new name around a bend": { maneuver: { type: "new name", modifier: "slight right" } },
  "a fork": { maneuver: { type: "fork", modifier: "slight left" }, rest: unnamed },
  "the middle of a fork": { maneuver: { type: "fork", modifier: "straight" } },
  "a merge onto a motorway": {
    maneuver: { type: "merge", modifier: "slight left" },
    rest: { name: "Autoroute", ref: "A 1", class: "motorway" },
  },
  "a signed ramp": {
    maneuver: { type: "on ramp", modifier: "right" },
    rest: { name: "", destinationRef: "A 1", destination: "Porto;Braga" },
  },
  "an exit on the usual side": {
    maneuver: { type: "off ramp", modifier: "slight right" },
    rest: { name: "", exitRef: "12" },
  },
  "a signed exit on the other side": {
    maneuver: { type: "off ramp", modifier: "slight left" },
    rest: { name: "", exitRef: "12", destination: "Porto" },
  },
  "an exit that has a name and no number": {
    maneuver: { type: "off ramp", modifier: "slight right" },
    rest: { name: "", exitName: "Assago" },
  },
  "a roundabout": { maneuver: { type: "roundabout", modifier: "right", exit: 2 } },
  "a roundabout onto a nameless road": { maneuver: { type: "roundabout", modifier: "right", exit: 3 }, rest: unnamed },
  "ending on a roundabout": { maneuver: { type: "roundabout", modifier: "right" }, rest: unnamed },
  "a rotary": { maneuver: { type: "rotary", modifier: "right", exit: 2 }, rest: { rotaryName: "Ring" } },
  "a roundabout that is turned at": { maneuver: { type: "roundabout turn", modifier: "left", exit: 3 } },
  "leaving a roundabout": { maneuver: { type: "exit roundabout", modifier: "right", exit: 3 } },
  "a ferry": { maneuver: { type: "notification", modifier: "straight" }, rest: { mode: "ferry", name: "Line 1" } },
  "pushing a bike": { maneuver: { type: "notification", modifier: "straight" }, rest: { mode: "pushing" } },
  "an arrival": { maneuver: { type: "arrive", modifier: "left" } },
  "the first of several arrivals": { maneuver: { type: "arrive" }, waypoint: 1 },
  "the banner of a roundabout": {
    maneuver: { type: "roundabout", modifier: "right", exit: 2 },
    rest: unnamed,
    as: "banner",
  },
  "the banner of an exit": {
    maneuver: { type: "off ramp", modifier: "slight right" },
    rest: { name: "", exitRef: "12", destinationRef: "A 3", destination: "Porto;Braga" },
    as: "banner",
  },
  "the banner of an arrival": { maneuver: { type: "arrive", modifier: "right" }, as: "banner" },
  "the banner of a turn onto a nameless road": { maneuver: { modifier: "right" }, rest: unnamed, as: "banner" },
  "the voice at the start": { maneuver: { type: "depart" }, as: "voice" },
  "the voice before a turn": { maneuver: { modifier: "left" }, as: "voice", after: 1234 },
  "the voice before an arrival, in feet": {
    maneuver: { type: "arrive", modifier: "left" },
    as: "voice",
    after: 96,
    units: "imperial",
  },
  "the voice before a turn, in miles": { maneuver: { modifier: "right" }, as: "voice", after: 1609, units: "imperial" },
  "the voice at a turn at hand": { maneuver: { modifier: "right" }, as: "voice", after: 12 },
};
