import { EMPTY_MIX, MIX_ENDPOINTS, type Mix } from "../../../core/costs/mix.ts";
import type { Stats } from "../overview/figures.ts";

/** The calls of the shown steps as a mix: those with a name in the price table, the most frequent first. */
export function mixOf({ series }: Stats): Mix {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const calls = series
    .filter(({ kind, name }) => kind === "calls" && MIX_ENDPOINTS.includes(name))
    .map(({ name, values }) => [name, sum(values)] as const)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  const of = (kind: string) => series.filter((one) => one.kind === kind);
  return {
    ...EMPTY_MIX,
    calls: Object.fromEntries(calls),
    users: Math.max(0, ...of("users").flatMap(({ values }) => values)),
    events: of("events").reduce((all, { values }) => all + sum(values), 0),
  };
}
