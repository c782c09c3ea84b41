import type { Calendar } from "../../../../core/routing/graph/calendar.ts";
import { CAR, TRUCK } from "../../../../core/routing/graph/modes.ts";
import { boundariesOf, isWithin } from "../../../../core/routing/graph/schedule.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { appliesToTrucks, conditionsIn, type KeyedCondition, type TagConditions } from "./conditional.ts";
import { rulesOfModes } from "./profile.ts";
import type { Rules } from "./rules.ts";
import { isLimitedBySize, isMeasured, limitedRulesOf } from "./vehicle-limits.ts";

/** Rules at some time, and those for vehicles that differ from the default ones. */
interface RulesOfModes {
  rules: readonly Rules[];
  limited: ReturnType<typeof limitedRulesOf>;
}

/** Rules from a minute of the week, or of the calendar, on. */
interface HourlyRules extends RulesOfModes {
  from: number;
}

/** The rules of a way: without conditions about time, and by the hour if there are any; the hours then cover the calendar. */
export interface TimedRules extends RulesOfModes {
  calendar: Calendar | undefined;
  hours: readonly HourlyRules[];
}

/**
 * The rules of a way with its conditional tags (`access:conditional`, `oneway:conditional`, `maxspeed:hgv:conditional` …); undefined if no
 * mode may ever use it.
 */
export function rulesByHour(tags: Tags): TimedRules | undefined {
  const conditions = conditionsIn(tags);
  const { calendar, list } = conditions;
  const known = new Map<string, RulesOfModes>();
  const rulesAt = (met: readonly KeyedCondition[]) => {
    const key = met.map((one) => list.indexOf(one)).join();
    const rules = known.get(key) ?? ruled(tags, conditions, met);
    known.set(key, rules);
    return rules;
  };
  const plain = rulesAt(list.filter(({ spans }) => !spans));
  const hours: HourlyRules[] = [];
  if (list.some(({ spans }) => spans)) {
    for (const from of boundariesOf(
      list.map(({ spans = [] }) => spans),
      calendar,
    )) {
      const rules = rulesAt(list.filter(({ spans }) => !spans || isWithin(spans, from)));
      if (hours[hours.length - 1]?.rules !== rules.rules) hours.push({ from, ...rules });
    }
  }
  const isOpen = ({ rules }: RulesOfModes) => rules.some(({ forward, backward }) => forward || backward);
  const usable = isOpen(plain) ? plain : hours.find(isOpen);
  return usable && { ...usable, calendar, hours };
}

/**
 * The rules of all modes while some conditions are met. Those about the size of vehicles are limits, where there are limits of that
 * kind; others, such as `oneway`, apply to trucks.
 */
function ruled(tags: Tags, conditions: TagConditions, met: readonly KeyedCondition[]): RulesOfModes {
  const replaced = (some: readonly KeyedCondition[]): Tags => {
    if (some.length === 0) return tags;
    const changed: Record<string, string> = { ...tags };
    for (const { key, value } of some) if (!isMeasured(key)) changed[key] = value;
    return changed;
  };
  const all = replaced(met.filter(({ over }) => !over));
  const ofTrucks = replaced(met.filter((one) => !one.over || (appliesToTrucks(one) && !isLimitedBySize(one.key))));
  const limited = [limitedRulesOf(all, conditions)?.[CAR], limitedRulesOf(ofTrucks, conditions)?.[TRUCK]];
  return { rules: rulesOfModes(all, ofTrucks), limited: limited.some((own) => own) ? limited : undefined };
}
