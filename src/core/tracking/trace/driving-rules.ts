import type { RoadAround } from "../types/driving.ts";
import { type Decision, metres, round, span } from "./decision.ts";
import { said } from "./update-rules.ts";

/** The decisions about speed limits, routes and idling, in words. */

const about = (id: string) => ({ kind: "driving" as const, id });

export function roadRule(kmh: number, road: RoadAround | undefined): Decision {
  const sentence = road
    ? `The limit of the road${road.name ? ` ${road.name}` : ""} is not known.`
    : "The last positions fit no road, or are too few: no limit is compared.";
  return said(about("speed"), "road", false, sentence, { speedKmh: round(kmh) });
}

export function limitRule(
  kmh: number,
  limitKmh: number,
  allowed: number,
  { name = "the road", sureness }: RoadAround = {},
  isOver: boolean,
  isSure: boolean,
): Decision {
  const unsure = isOver && !isSure ? " A road with a higher limit is nearly as likely: no event." : "";
  const sentence = `The speed is ${round(kmh)} km/h, the limit of ${name} ${limitKmh} km/h: ${isOver ? "more" : "not more"} than the ${round(allowed)} km/h allowed.${unsure}`;
  const figures = {
    speedKmh: round(kmh),
    limitKmh,
    allowedKmh: round(allowed),
    ...(sureness !== undefined && { sureness }),
  };
  return said(about("speed"), "speedLimits", isOver && isSure, sentence, figures);
}

export function idleRule(minutes: number, far: number, lasts: number, passed: boolean, isExempt: boolean): Decision {
  const where = `The device is ${metres(far)} from where it has been for ${span(lasts)}`;
  const sentence = isExempt
    ? `${where}, in a geofence with an exempt tag: it is not idling.`
    : `${where}; idling begins after ${minutes} minutes.`;
  return said(about("idling"), "idling", passed, sentence, { distance: round(far), minutes: round(lasts / 60_000) });
}

export function routeRule(
  far: number,
  tolerance: number,
  accuracy: number,
  growing: number,
  passed: boolean,
): Decision {
  const moves = growing > 0 ? `, and for ${growing} updates farther and farther` : "";
  const sentence = `The device is ${metres(far)} from the rest of the planned route${moves}; the tolerance is ${metres(tolerance)}, and the accuracy ${metres(accuracy)}.`;
  return said(about("route"), "routeTolerance", passed, sentence, {
    distance: round(far),
    tolerance,
    accuracy,
    growing,
  });
}
