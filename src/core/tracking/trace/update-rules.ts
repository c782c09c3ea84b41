import { distance } from "../../geo/distance.ts";
import type { EventType } from "../types/event.ts";
import type { FraudState } from "../types/fraud.ts";
import type { Anchor, UserState } from "../types/state.ts";
import type { LocationUpdate } from "../types/update.ts";
import { type Decision, type Figures, instant, type Subject, span } from "./decision.ts";

/** The decisions about a complete update, and those about places, regions, beacons and trips, in words. */

/** Distance of an update from an earlier fix [m]. */
export function apart(anchor: Anchor, update: LocationUpdate): number {
  return distance(anchor.location, update.location);
}

export function blockedRule(): Decision {
  return { rule: "blocked", passed: false, sentence: "The user is blocked: its updates change nothing.", figures: {} };
}

/** @param verdict the result of chronology for the update */
export function timeRule(
  before: UserState | undefined,
  update: LocationUpdate,
  verdict: number | "repeated" | "older",
): Decision {
  const { updatedAt, receivedAt } = update;
  const figures: Figures = { receivedAt: new Date(receivedAt).toISOString() };
  if (updatedAt !== undefined) figures.updatedAt = new Date(updatedAt).toISOString();
  if (before) figures.newest = new Date(before.chronology).toISOString();
  const rule = "updatedAt";
  if (verdict === "repeated")
    return { rule, passed: false, sentence: "The update was sent before: it is applied only once.", figures };
  if (verdict === "older") {
    const late = updatedAt !== undefined && before ? span(before.chronology - updatedAt) : "";
    return {
      rule,
      passed: false,
      sentence: `The replayed update is older than the newest one by ${late}: it changes nothing.`,
      figures,
    };
  }
  const sentence =
    updatedAt === undefined
      ? "The update has no time: the time of arrival is used."
      : verdict === updatedAt
        ? `The update is the newest so far (${instant(updatedAt)}), and arrived ${span(receivedAt - updatedAt)} ${receivedAt >= updatedAt ? "later" : "earlier, by its clock"}.`
        : "The update's own time is not later than that of the last one: the time of arrival is used.";
  return { rule, passed: true, sentence, figures };
}

/** Has the project enabled this type? */
export function eventTypeRule(type: EventType, made: boolean, subject: Subject | undefined): Decision {
  const sentence = made
    ? `The project has enabled events of the type ${type}: the event is generated.`
    : `The project has disabled events of the type ${type}: no event is generated.`;
  return { rule: "eventTypes", ...(subject && { about: subject }), passed: made, sentence, figures: { type } };
}

export function said(
  subject: Subject,
  rule: string,
  passed: boolean,
  sentence: string,
  figures: Figures = {},
): Decision {
  return { rule, about: subject, passed, sentence, figures };
}

export function fraudRule({ failed }: FraudState, before: readonly string[], bypassed: boolean): Decision {
  const fresh = failed.filter((check) => !before.includes(check));
  const sentence =
    failed.length === 0
      ? "No fraud check fails."
      : bypassed
        ? `The checks ${failed.join(", ")} fail, but the customer lets this user bypass them.`
        : fresh.length > 0
          ? `The checks ${fresh.join(", ")} fail, and did not before.`
          : `The checks ${failed.join(", ")} fail as before: an event is only generated when a check starts to fail.`;
  const figures = { failed: failed.join(", "), failedBefore: before.join(", "), bypassed };
  return said({ kind: "fraud", id: "fraud" }, "fraud", fresh.length > 0 && !bypassed, sentence, figures);
}
