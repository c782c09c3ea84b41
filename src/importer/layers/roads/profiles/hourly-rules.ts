import { CAR, TRUCK } from "../../../../core/routing/graph/modes.ts";
import { boundariesOf, isWithin } from "../../../../core/routing/graph/schedule.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type Condition, conditionsOf } from "./conditional.ts";
import { rulesOf, rulesOfModes } from "./profile.ts";
import type { Rules } from "./rules.ts";
import { TRUCK_SIZE } from "./tables.ts";
import { isLimitedByWeight, limitedRulesOf } from "./vehicle-limits.ts";

/** Rules at some time, and those for vehicles that differ from the default ones. */
interface RulesOfModes {
  rules: readonly Rules[];
  limited: ReturnType<typeof limitedRulesOf>;
}

/** Rules from a minute of the week on. */
export interface HourlyRules extends RulesOfModes {
  from: number;
}

const SUFFIX = ":conditional";

/** A condition with times, and the key of the tag that it replaces. */
interface TimedCondition extends Condition {
  key: string;
}

/**
 * The rules of a way: without conditions, and by the hour if conditional tags (`access:conditional`, `oneway:conditional`,
 * `maxspeed:hgv:conditional` …) change them; the hours then cover the week. `rules` is undefined if no mode may ever use it.
 */
export function rulesByHour(tags: Tags): { rules: readonly Rules[] | undefined; hours: readonly HourlyRules[] } {
  const plain = rulesOf(tags);
  const conditions = timedConditions(tags);
  if (conditions.length === 0) return { rules: plain, hours: [] };
  const known = new Map<string, RulesOfModes>();
  const rulesAt = (met: readonly TimedCondition[]) => {
    const key = met.map((one) => conditions.indexOf(one)).join();
    const rules = known.get(key) ?? ruled(tags, met);
    known.set(key, rules);
    return rules;
  };
  const hours: HourlyRules[] = [];
  for (const from of boundariesOf(conditions.map((one) => one.hours ?? []))) {
    const rules = rulesAt(conditions.filter((one) => isWithin(one.hours ?? [], from)));
    if (hours[hours.length - 1]?.rules !== rules.rules) hours.push({ from, ...rules });
  }
  const isOpen = (rules: readonly Rules[]) => rules.some(({ forward, backward }) => forward || backward);
  return { rules: plain ?? hours.find(({ rules }) => isOpen(rules))?.rules, hours };
}

/** Conditions on weight alone do not depend on the hour. */
function timedConditions(tags: Tags): TimedCondition[] {
  const conditions: TimedCondition[] = [];
  for (const name in tags) {
    if (!name.endsWith(SUFFIX)) continue;
    const key = name.slice(0, -SUFFIX.length);
    for (const one of conditionsOf(tags[name])) if (one.hours) conditions.push({ ...one, key });
  }
  return conditions;
}

/**
 * The rules of all modes while some conditions are met. Those for heavy vehicles are limits, where there are limits of that
 * kind; others, such as `oneway`, apply to trucks.
 */
function ruled(tags: Tags, met: readonly TimedCondition[]): RulesOfModes {
  const replaced = (some: readonly TimedCondition[]): Tags => {
    const changed: Record<string, string> = { ...tags };
    for (const { key, value } of some) changed[key] = value;
    return changed;
  };
  const general = met.filter(({ heavierThan }) => heavierThan === undefined);
  const heavy = met.filter(
    ({ heavierThan, key }) => heavierThan === undefined || (TRUCK_SIZE.weight > heavierThan && !isLimitedByWeight(key)),
  );
  const [all, ofTrucks] = [replaced(general), replaced(heavy)];
  const limited = [limitedRulesOf(all)?.[CAR], limitedRulesOf(ofTrucks)?.[TRUCK]];
  return { rules: rulesOfModes(all, ofTrucks), limited: limited.some((own) => own) ? limited : undefined };
}
