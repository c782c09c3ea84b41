import type { Anchor, PlacePresence } from "../types/state.ts";
import type { Place, Region } from "../types/surroundings.ts";
import type { LocationUpdate } from "../types/update.ts";
import { type Decision, metres, round } from "./decision.ts";
import { apart, said } from "./update-rules.ts";

/** The decisions about places and regions, in words. */

export function settledRule({ _id, name }: Place, { stopped, foreground }: LocationUpdate, settled: boolean): Decision {
  const state = `stopped is ${stopped ?? "not reported"} and foreground is ${foreground ?? "not reported"}`;
  const sentence = settled
    ? `The position is at ${name}, and the device has stopped or the app is in use: ${state}.`
    : `The position is at ${name}, but places are only entered if the device has stopped or the app is in use: ${state}.`;
  return said({ kind: "place", id: _id }, "stopped", settled, sentence, {
    ...(stopped !== undefined && { stopped }),
    ...(foreground !== undefined && { foreground }),
  });
}

/**
 * @param far distance from the place's location [m]
 * @param reach reach of the place [m]
 */
export function leftPlaceRule(
  { place }: PlacePresence,
  far: number,
  reach: number,
  { accuracy }: LocationUpdate,
  left: boolean,
): Decision {
  const bound = `its reach of ${metres(reach)} and the accuracy of ${metres(accuracy)} together`;
  const sentence = `The position is ${metres(far)} from ${place.name}, ${left ? "more" : "not more"} than ${bound}.`;
  return said({ kind: "place", id: place._id }, "reach", left, sentence, {
    distance: round(far),
    reach,
    accuracy,
  });
}

/**
 * @param turnedBack the fix at which the same border was crossed the other way, if the device may not have moved since
 */
export function borderRule(
  kind: string,
  from: Region | undefined,
  to: Region | undefined,
  update: LocationUpdate,
  turnedBack: Anchor | undefined,
): Decision {
  const change = `${from ? `out of ${from.name}` : "from no region"} ${to ? `into ${to.name}` : "into no region"}`;
  const sentence = turnedBack
    ? `The position moved ${change} (${kind}), straight back over the border that was just crossed, and the device has not certainly moved (${metres(apart(turnedBack, update))}): a stationary device does not change regions.`
    : `The position moved ${change} (${kind}): the first update in a new region is accepted.`;
  const subject = { kind: "region" as const, id: (to ?? from)?._id ?? kind };
  return said(subject, kind, turnedBack === undefined, sentence, { from: from?.code ?? "", to: to?.code ?? "" });
}

/** The bucket with the geodata did not respond, or the data is damaged. */
export function unreadRegionRule({ _id, name, type }: Region): Decision {
  const sentence = `The geodata could not be read, so the device stays in ${name}. The next update catches up.`;
  return said({ kind: "region", id: _id }, type, false, sentence);
}

/** There is no data of this kind at the device's location. */
export function unknownRegionRule(
  region: Region,
  lost: Anchor,
  update: LocationUpdate,
  reach: number,
  beyond: boolean,
): Decision {
  const far = apart(lost, update);
  const sentence = `There is no geodata for the ${region.type} here. The last position known to be in ${region.name} is ${metres(far)} away; it is left ${beyond ? "beyond" : "only beyond"} ${metres(reach)}.`;
  return said({ kind: "region", id: region._id }, region.type, beyond, sentence, { distance: round(far), reach });
}
