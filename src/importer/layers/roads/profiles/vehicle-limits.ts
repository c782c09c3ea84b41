import { CAR, type Limit, ONLY_TO_STOPS, TRUCK } from "../../../../core/routing/graph/modes.ts";
import { boundariesOf, isWithin, type Span, spansWhere } from "../../../../core/routing/graph/schedule.ts";
import { LIMIT, TUNNEL_CODES } from "../../../../core/routing/graph/vehicle.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { conditionsIn, HUNDREDTHS, type KeyedCondition, type TagConditions } from "./conditional.ts";
import { CAR_KEYS, CAR_VEHICLE, MOTOR_ACCESS, type MotorVehicle, motorPassages } from "./profile-car.ts";
import { TRUCK_VEHICLE, truckConditions, truckTags } from "./profile-truck.ts";
import type { Rules } from "./rules.ts";
import { LIMIT_SHARE } from "./tables.ts";
import { type Direction, directed, directedValue, parseLength, parseSpeed, parseWeight } from "./tag-values.ts";

/** What a way is to a vehicle that exceeds no limit, and its limits. */
export interface LimitedRules {
  open: Rules;
  limits: Readonly<Record<Direction, readonly Limit[]>>;
}

/** A vehicle of any size passes: what it exceeds is judged by each request. */
const NO_SIZE = { height: 0, width: 0, length: 0, weight: 0 };

/** By mode, for the modes in which vehicles may differ on a way; undefined if they differ in none. */
export function limitedRulesOf(tags: Tags, conditions = conditionsIn(tags)): (LimitedRules | undefined)[] | undefined {
  const rules: (LimitedRules | undefined)[] = [];
  rules[CAR] = limitedRules(tags, conditions, CAR_VEHICLE, "maxspeed:motorcar");
  rules[TRUCK] = limitedRules(truckTags(tags), truckConditions(conditions), TRUCK_VEHICLE, "maxspeed:hgv");
  return rules.some((one) => one !== undefined) ? rules : undefined;
}

function limitedRules(
  tags: Tags,
  conditions: TagConditions,
  vehicle: MotorVehicle,
  speedKey: string,
): LimitedRules | undefined {
  const limits = {
    forward: limitsOf(tags, conditions, vehicle.accessKeys, speedKey, "forward"),
    backward: limitsOf(tags, conditions, vehicle.accessKeys, speedKey, "backward"),
  };
  if (limits.forward.length + limits.backward.length === 0) return undefined;
  const open = motorPassages(tags, { ...vehicle, size: NO_SIZE });
  return open.forward || open.backward ? { open, limits } : undefined;
}

const MAX_VALUE = 65535;
/** Of "below_default": lower than the four meters that need no sign in most countries. */
const BELOW_DEFAULT = 3.99;
const ROUNDING = 1e-6;

const hundredths = (value: number | undefined) => (value === undefined ? undefined : value * HUNDREDTHS);
const weightOf = (text: string | undefined) => hundredths(parseWeight(text));
const lengthOf = (text: string | undefined) => hundredths(parseLength(text));
const heightOf = (text: string | undefined) => (text === "below_default" ? BELOW_DEFAULT * HUNDREDTHS : lengthOf(text));

/** Limits by tag: the first of the keys that a way has counts. A condition on one of them replaces it at its times. */
const MEASURED: readonly { kind: number; keys: readonly string[]; measure: (text?: string) => number | undefined }[] = [
  { kind: LIMIT.height, keys: ["maxheight:physical", "maxheight"], measure: heightOf },
  { kind: LIMIT.width, keys: ["maxwidth:physical", "maxwidth", "width", "est_width"], measure: lengthOf },
  { kind: LIMIT.length, keys: ["maxlength"], measure: lengthOf },
  { kind: LIMIT.weight, keys: ["maxweightrating"], measure: weightOf },
  { kind: LIMIT.weight, keys: ["maxweight"], measure: weightOf },
  { kind: LIMIT.axleLoad, keys: ["maxaxleload"], measure: weightOf },
  { kind: LIMIT.axles, keys: ["maxaxles"], measure: numberOf },
];
const MEASURED_KEYS: ReadonlySet<string> = new Set(MEASURED.flatMap(({ keys }) => keys));

function limitsOf(
  tags: Tags,
  conditions: TagConditions,
  accessKeys: readonly string[],
  speedKey: string,
  direction: Direction,
): Limit[] {
  const limits: Limit[] = [];
  const { calendar } = conditions;
  const add = (kind: number, value: number | undefined, speed = 0, spans?: readonly Span[]) => {
    if (value === undefined || !(value >= 0) || value > MAX_VALUE) return;
    // A vehicle fits between walls only if it is narrower, and under a bridge also if it is just as high.
    const whole = kind === LIMIT.width ? Math.ceil(value - ROUNDING) : Math.floor(value + ROUNDING);
    const known = spans ? undefined : limits.find((one) => one.kind === kind && one.speed === speed && !one.hours);
    if (known) known.value = Math.min(known.value, whole);
    else limits.push({ kind, value: whole, speed, ...(spans && { hours: { ...(calendar && { calendar }), spans } }) });
  };
  for (const { kind, keys, measure } of MEASURED) {
    const values = valuesByTime(
      directedValue(tags, keys, direction),
      conditionsOn(conditions, keys, direction),
      calendar,
    );
    for (const { text, spans } of values) add(kind, measure(text), 0, spans);
  }
  add(LIMIT.hazmat, tunnelCategory(tags, direction));
  if (directedValue(tags, ["trailer"], direction) === "no") add(LIMIT.trailer, 1);
  const withTrailer = parseSpeed(directedValue(tags, ["maxspeed:trailer"], direction));
  if (withTrailer) add(LIMIT.trailer, 1, drivenAt(withTrailer));
  for (const { value, over, spans } of conditionsOn(conditions, accessKeys, direction)) {
    if (!over) continue;
    if (MOTOR_ACCESS.restricting.has(value)) add(over.kind, over.limit, ONLY_TO_STOPS, spans);
    else if (MOTOR_ACCESS.forbidding.has(value)) add(over.kind, over.limit, 0, spans);
  }
  for (const { value, over, spans } of conditionsOn(conditions, [speedKey, "maxspeed"], direction)) {
    const speed = over && parseSpeed(value);
    if (speed) add(over.kind, over.limit, drivenAt(speed), spans);
  }
  return limits;
}

/** The conditions of the most specific of some keys. */
function conditionsOn({ list }: TagConditions, keys: readonly string[], direction: Direction): KeyedCondition[] {
  if (list.length === 0) return [];
  for (const key of keys) {
    for (const name of [directed(key, direction), key]) {
      const found = list.filter((one) => one.key === name);
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** A value and what replaces it at times, each with the times when it applies; without times for always. */
function valuesByTime(
  text: string | undefined,
  conditions: readonly KeyedCondition[],
  calendar: TagConditions["calendar"],
): { text: string | undefined; spans?: readonly Span[] }[] {
  const ofAll = conditions.filter(({ over }) => !over);
  const always = ofAll.findLastIndex(({ spans }) => !spans);
  const [base, timed] = [ofAll[always]?.value ?? text, ofAll.slice(always + 1)];
  if (timed.length === 0) return [{ text: base }];
  const entries = boundariesOf(
    timed.map(({ spans = [] }) => spans),
    calendar,
  ).map((from) => ({ from, text: timed.findLast(({ spans = [] }) => isWithin(spans, from))?.value ?? base }));
  const texts = [...new Set(entries.map((entry) => entry.text))];
  return texts.map((own) => ({ text: own, spans: spansWhere({ calendar, entries }, (entry) => entry.text === own) }));
}

/** [km/h] → [0.1 km/h], as fast as a limit is driven. */
const drivenAt = (limit: number) => Math.max(1, Math.round(limit * LIMIT_SHARE * 10));

function numberOf(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? "", 10);
  return Number.isFinite(number) ? number : undefined;
}

/** 1 (B) … 4 (E), the strictest that the tags name; undefined where dangerous goods are allowed. */
function tunnelCategory(tags: Tags, direction: Direction): number | undefined {
  if (directedValue(tags, ["hazmat"], direction) === "no") return TUNNEL_CODES.length;
  const named = tags["hazmat:adr_tunnel_code"] ?? tags["tunnel:category"];
  for (let i = TUNNEL_CODES.length - 1; i >= 0; i--) {
    const code = TUNNEL_CODES[i];
    if (directedValue(tags, [`hazmat:${code}`], direction) === "no" || named === code) return i + 1;
  }
  return undefined;
}

/**
 * Does what a condition under this key says of larger vehicles become a limit, which each request compares with its vehicle? Others apply
 * to the default truck.
 */
export const isLimitedBySize = (key: string): boolean =>
  /^maxspeed(:(hgv|motorcar))?$/.test(key) || ACCESS.has(directionless(key));

/** Is a tag a limit itself? Then it is one at the times of its conditions, too. */
export const isMeasured = (key: string): boolean => MEASURED_KEYS.has(directionless(key));

const ACCESS: ReadonlySet<string> = new Set([...CAR_KEYS, ...TRUCK_VEHICLE.accessKeys]);
const directionless = (key: string) => key.replace(/:(forward|backward)$/, "");
