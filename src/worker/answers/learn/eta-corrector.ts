import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { type LocalTime, later } from "../../../core/routing/graph/traffic.ts";
import type { Connection, Leg, RouteOptions, Router } from "../../../core/routing/route/router.ts";
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
 * the project uses neither, or nothing is known.
 */
export async function etaCorrectorOf(
  asker: EtaAsker,
  origin: Coordinate,
  question: TimesQuestion,
): Promise<EtaCorrector | undefined> {
  const { caller, env, now } = asker;
  const { departureTime = now } = question;
  const isLearned = caller.settings.learning?.eta === true;
  const live = await speedsNow(asker, question);
  if (!isLearned && !live) return undefined;
  let local: LocalTime | undefined;
  return async (leg, after) => {
    local ??= localTimeAt(origin, departureTime);
    const learned = isLearned ? await etaFactor(env, [leg], later(local, after), now) : 1;
    return learned * (live?.factorOf(leg, departureTime / 1000 + after) ?? 1);
  };
}

/** How fast the project's devices go now, if that says something about the departure. */
async function speedsNow({ caller, env, now }: EtaAsker, { departureTime = now, traffic }: TimesQuestion) {
  const { learning } = caller.settings;
  if (traffic !== "live" || learning?.enabled !== true || Math.abs(departureTime - now) > NOW_MS) return undefined;
  const live = await liveSpeeds(env, caller.scope, now);
  return live && live.size > 0 ? live : undefined;
}

/** Times of a car's matrix follow what the project's devices see now, each by the factor of its route. */
export async function matrixNow<T extends Connection>(
  asker: EtaAsker,
  router: Router,
  [origins, destinations]: readonly [readonly Coordinate[], readonly Coordinate[]],
  options: RouteOptions,
  question: TimesQuestion,
  cells: readonly (readonly (T | undefined)[])[],
): Promise<readonly (readonly (T | undefined)[])[]> {
  const live = options.mode === "car" ? await speedsNow(asker, question) : undefined;
  if (!live) return cells;
  const seconds = (question.departureTime ?? asker.now) / 1000;
  const rows: (T | undefined)[][] = [];
  for (const [i, cellsOfRow] of cells.entries()) {
    const row: (T | undefined)[] = [...cellsOfRow];
    for (const [j, cell] of row.entries()) {
      const leg = cell && (await router.route([origins[i], destinations[j]], options))?.legs[0];
      if (leg) row[j] = { ...cell, duration: cell.duration * live.factorOf(leg, seconds) };
    }
    rows.push(row);
  }
  return rows;
}
