import type { StayStep } from "../insights/stays.ts";
import type { Base, Commute, Insights } from "../types/insights.ts";
import type { LocationUpdate } from "../types/update.ts";
import { type Decision, metres, round, span } from "./decision.ts";
import { said } from "./update-rules.ts";

/** The decisions about stays, home and work, in words. */

const about = (id: string) => ({ kind: "insight" as const, id });

export function insightAccuracyRule({ accuracy }: LocationUpdate, limit: number): Decision {
  const passed = accuracy <= limit;
  const sentence = `The fix is ${passed ? "accurate enough" : "not accurate enough"} for insights: its accuracy is ${metres(accuracy)}, the limit ${metres(limit)}.`;
  return said(about("stay"), "accuracy", passed, sentence, { accuracy, limit });
}

export function stayRule({ before, stay, far, ended }: StayStep, at: number): Decision {
  const lasts = at - stay.since;
  const sentence = !before
    ? "The user was not seen before: a stay may begin here."
    : ended !== undefined
      ? `The device is ${metres(far)} from where it was: ${before.isVisit ? "the stay there has ended" : "it did not stay there"}, and another may begin here.`
      : stay.isVisit
        ? `The device is ${metres(far)} from where it has been for ${span(lasts)}: it is a stay.`
        : `The device is ${metres(far)} from where it has been for ${span(lasts)}: not a stay yet.`;
  return said(about("stay"), "stay", stay.isVisit, sentence, { distance: round(far), minutes: round(lasts / 60_000) });
}

export function baseRule(base: Base, { [base]: found, spots }: Insights, timeZone: string): Decision {
  const days = base === "home" ? "nights" : "workdays";
  const most = Math.max(0, ...spots.map((spot) => spot[days].length));
  const words = base === "home" ? "nights (22 to 6)" : "workdays (Monday to Friday, 9 to 17)";
  const sentence = found
    ? `The user's ${base} is known: of its ${spots.length} spots, the one with the most ${words} of the last 14 days (${timeZone}).`
    : `The user's ${base} is not known: no spot has three ${words} of the last 14 days; the most is ${most}.`;
  return said(about(base), base, found !== undefined, sentence, { spots: spots.length, most, timeZone });
}

export function placeRule(base: Base, far: number | undefined, enters: boolean, changes: boolean): Decision {
  const where = far === undefined ? `The user's ${base} is no longer known` : `The user is ${metres(far)} from ${base}`;
  const sentence = enters
    ? `${where}, ${changes ? "and has stopped or was there before: it enters." : "but has not stopped: it may be passing."}`
    : `${where}: it ${changes ? "leaves" : "remains"}.`;
  return said(about(base), base, changes, sentence, far === undefined ? {} : { distance: round(far) });
}

export function travelRule(far: number, travels: boolean, limit: number): Decision {
  const sentence = `The user is ${metres(far)} from home, ${travels ? "more" : "not more"} than ${metres(limit)}: it is ${travels ? "" : "not "}traveling.`;
  return said(about("travel"), "traveling", travels, sentence, { distance: round(far), limit });
}

export function commuteRule(
  { from, since }: Commute,
  way: number,
  length: number,
  isOver: boolean,
  begun: boolean,
): Decision {
  const sentence = isOver
    ? `The way that began at ${from} has ended: the user has arrived or stays elsewhere, is too far from the way (${metres(way)} to both, ${metres(length)} between them), or is too late.`
    : begun
      ? `The user is on its way between home and work: ${metres(way)} to both, which are ${metres(length)} from each other.`
      : `The user has left ${from}, but is not on its way to the other yet.`;
  return said(about("commute"), "commuting", begun && !isOver, sentence, {
    distances: round(Number.isFinite(way) ? way : 0),
    between: round(length),
    since: new Date(since).toISOString(),
  });
}
