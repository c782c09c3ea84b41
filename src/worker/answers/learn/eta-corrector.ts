import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { type LocalTime, later } from "../../../core/routing/graph/traffic.ts";
import type { Leg } from "../../../core/routing/route/router.ts";
import { localTimeAt } from "../../geodata/roads.ts";
import type { Asker } from "../../platform/call.ts";
import { etaFactor } from "./residual-eta.ts";

/** Who asks for times, and whether its project has them corrected. */
export type EtaAsker = Pick<Asker, "env" | "now"> & {
  caller: { settings: { learning?: { eta?: boolean | null } | null } };
};

/** The factor of the time of a car's leg that begins so many seconds after the departure. */
export type EtaCorrector = (leg: Leg, after: number) => Promise<number>;

/**
 * Corrects the times of cars by what was learned from the project's earlier drives; undefined if the project does not use it.
 * @param departureTime of the query; now if absent
 */
export function etaCorrectorOf(
  { caller, env, now }: EtaAsker,
  origin: Coordinate,
  departureTime: number | undefined,
): EtaCorrector | undefined {
  if (!caller.settings.learning?.eta) return undefined;
  let local: LocalTime | undefined;
  return (leg, after) => {
    local ??= localTimeAt(origin, departureTime ?? now);
    return etaFactor(env, [leg], later(local, after), now);
  };
}
