import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { type LocalTime, later } from "../../../core/routing/graph/traffic.ts";
import type { Leg } from "../../../core/routing/route/router.ts";
import { etaFactor } from "../../answers/learn/residual-eta.ts";
import { localTimeAt } from "../../geodata/roads.ts";
import type { Call } from "../serve/endpoint.ts";

/** The factor of the time of a car's leg that begins so many seconds after the departure. */
export type EtaCorrector = (leg: Leg, after: number) => Promise<number>;

/**
 * Corrects the times of cars by what was learned from the project's earlier drives; undefined if the project does not use it.
 * @param departureTime of the query; now if absent
 */
export function etaCorrectorOf(
  { caller, env, now }: Pick<Call<unknown, unknown>, "caller" | "env" | "now">,
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
