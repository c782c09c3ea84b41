import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { type LocalTime, later } from "../../../core/routing/graph/traffic.ts";
import type { Leg } from "../../../core/routing/route/router.ts";
import { localTimeAt } from "../../geodata/roads.ts";
import type { Asker } from "../../platform/call.ts";
import type { Traffic } from "../../wire/routes/route-fields.ts";
import { liveSpeeds } from "./live-traffic.ts";
import { etaFactor } from "./residual-eta.ts";

/** Who asks for times, and whether its project has them corrected. */
export type EtaAsker = Pick<Asker, "env" | "now"> & {
  caller: { scope: number; settings: { learning?: { enabled?: boolean | null; eta?: boolean | null } | null } };
};

/** The factor of the time of a car's leg that begins so many seconds after the departure. */
export type EtaCorrector = (leg: Leg, after: number) => Promise<number>;

/** What the project's devices see now says nothing about a departure farther from now [ms]. */
const NOW_MS = 15 * 60_000;

/** A question for times: when, now if absent, and whether by the traffic that devices see now. */
export interface TimesQuestion {
  departureTime?: number | undefined;
  traffic?: Traffic | undefined;
}

/**
 * Corrects the times of cars by what was learned from the project's earlier drives, and by what its devices see now; undefined if
 * the project uses neither.
 */
export function etaCorrectorOf(
  { caller, env, now }: EtaAsker,
  origin: Coordinate,
  { departureTime = now, traffic }: TimesQuestion,
): EtaCorrector | undefined {
  const { learning } = caller.settings;
  const isLive = traffic === "live" && learning?.enabled === true && Math.abs(departureTime - now) <= NOW_MS;
  if (!learning?.eta && !isLive) return undefined;
  let local: LocalTime | undefined;
  return async (leg, after) => {
    local ??= localTimeAt(origin, departureTime);
    const learned = learning?.eta ? await etaFactor(env, [leg], later(local, after), now) : 1;
    const live = isLive ? await liveSpeeds(env, caller.scope, now) : undefined;
    return learned * (live?.factorOf(leg, departureTime / 1000 + after) ?? 1);
  };
}
