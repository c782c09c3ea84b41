import type { Decision } from "../trace/decision.ts";
import { instant } from "../trace/decision.ts";
import type { TrackEvent } from "../types/event.ts";
import type { Rerun } from "./rerun.ts";

/** The result of an update for a fence: `ignored` = the update didn't move the user at all. */
type FenceVerdict = "entered" | "exited" | "dwelled" | "inside" | "outside" | "ignored";

/** A verdict as a word and as a sentence, with the decisions that led to it, in order. */
export interface Verdict<Word extends string = string> {
  verdict: Word;
  sentence: string;
  steps: Decision[];
}

/** Events that only what is learned of a user generates. */
const INSIGHTS = /_(home|work|traveling|commuting)$/;
/** Events about speed limits, routes and idling; what they are about is a part of their name. */
const DRIVING = /_(speed_limit|route|idling)$/;
/** Rules that end a visit when they are not met. */
const ENDS = ["bufferedEntries", "enabled", "disableAfter", "userIds", "segments"];

/** Why an update that was rerun entered or left a geofence, or did neither. */
export function fenceVerdict({ before, after, events, decisions, past }: Rerun, fence: string): Verdict<FenceVerdict> {
  const steps = decisions.filter(({ about }) => !about || (about.kind === "geofence" && about.id === fence));
  const own = events.filter(({ geofence }) => geofence?._id === fence);
  const was = before?.geofences[fence];
  const is = after.geofences[fence];
  const stopped = steps.find(({ about, passed }) => !about && !passed);
  if (stopped) return { verdict: "ignored", sentence: `No event: ${decapitalised(stopped.sentence)}`, steps };
  const when = instant(past.at);
  const off = steps.find(({ rule, passed }) => rule === "eventTypes" && !passed);
  const silent = off ? ` ${off.sentence}` : "";
  const sentenceOf = (...rules: string[]) => steps.findLast(({ rule }) => rules.includes(rule))?.sentence ?? "";
  if (!was && is)
    return {
      verdict: "entered",
      sentence: `The user entered at ${when}. ${sentenceOf("bufferedEntries")}${silent}`,
      steps,
    };
  if (was && !is) {
    const ended =
      steps.findLast(({ rule, passed }) => ENDS.includes(rule) && !passed)?.sentence ?? sentenceOf("nearby");
    return { verdict: "exited", sentence: `The user left at ${when}. ${ended}${silent}`, steps };
  }
  if (own.some(({ type }) => type === "user.dwelled_in_geofence") || (off && is?.dwelled && !was?.dwelled))
    return {
      verdict: "dwelled",
      sentence: `The user had dwelled by ${when}. ${sentenceOf("dwellThreshold")}${silent}`,
      steps,
    };
  if (is) {
    const why = [sentenceOf("bufferedEntries", "accuracyLimit", "flapping"), sentenceOf("dwellThreshold")];
    return {
      verdict: "inside",
      sentence: ["No event: the user was inside and stays.", ...why].join(" ").trim(),
      steps,
    };
  }
  const failed = steps.findLast(({ about, passed, rule }) => about && !passed && rule !== "before");
  const why = failed ? decapitalised(failed.sentence) : "the geofence was not near the position.";
  return { verdict: "outside", sentence: `No entry: ${why}`, steps };
}

const SUBJECTS = {
  insights: ["insight", "tracking.insights"],
  driving: ["driving", "tracking.speedLimits, tracking.routeTolerance or tracking.idling"],
} as const;

/** What an update taught about the user's stays, home and work, or about its driving; and why not more. */
export function subjectVerdict<What extends keyof typeof SUBJECTS>(
  { decisions, past }: Rerun,
  what: What,
): Verdict<What | "ignored" | "disabled"> {
  const [kind, setting] = SUBJECTS[what];
  const steps = decisions.filter(({ about }) => !about || about.kind === kind);
  const stopped = steps.find(({ about, passed }) => !about && !passed);
  if (stopped) return { verdict: "ignored", sentence: `No change: ${decapitalised(stopped.sentence)}`, steps };
  const own = steps.filter(({ about }) => about);
  if (own.length === 0)
    return { verdict: "disabled", sentence: `The project had not enabled ${what} (${setting}).`, steps };
  const sentences = own.filter(({ rule }) => rule !== "accuracy" || own.length === 1).map(({ sentence }) => sentence);
  return { verdict: what, sentence: `At ${instant(past.at)}: ${sentences.join(" ")}`, steps };
}

/** Why an event was generated. */
export function eventVerdict(again: Rerun, event: TrackEvent): Verdict {
  if (event.geofence) {
    const { steps, sentence } = fenceVerdict(again, event.geofence._id);
    return { verdict: event.type, steps, sentence };
  }
  const steps = again.decisions.filter((decision) => concerns(decision, event));
  const own = steps.filter(({ about, rule }) => about && rule !== "confidence" && rule !== "eventTypes");
  // A rule that is not met any more is why something ended: a speed within the limit.
  const why = (own.findLast(({ passed }) => passed) ?? own.at(-1) ?? steps.at(-1))?.sentence ?? "";
  return { verdict: event.type, sentence: why, steps };
}

function concerns({ about, rule }: Decision, { type, place, region, beacon, trip, fraud }: TrackEvent): boolean {
  if (!about) return true;
  if (about.kind === "insight") return INSIGHTS.test(type);
  if (about.kind === "driving") return DRIVING.test(type) && type.includes(about.id);
  if (about.kind === "fraud") return fraud !== undefined;
  if (about.kind === "region") return region !== undefined && (about.id === region._id || rule === region.type);
  if (about.kind === "place") return place?._id === about.id;
  if (about.kind === "chain") return type === "user.nearby_place_chain" && place?.chain?.slug === about.id;
  if (about.kind === "beacon") return beacon?._id === about.id;
  return about.kind === "trip" && trip?._id === about.id;
}

function decapitalised(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
