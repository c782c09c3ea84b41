import { CAR, type Limit, ONLY_TO_STOPS, TRUCK } from "../../../../core/routing/graph/modes.ts";
import type { Span } from "../../../../core/routing/graph/schedule.ts";
import { LIMIT, TUNNEL_CODES } from "../../../../core/routing/graph/vehicle.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { conditionsOf } from "./conditional.ts";
import { CAR_KEYS, CAR_VEHICLE, MOTOR_ACCESS, type MotorVehicle, motorPassages } from "./profile-car.ts";
import { TRUCK_VEHICLE, truckTags } from "./profile-truck.ts";
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
export function limitedRulesOf(tags: Tags): (LimitedRules | undefined)[] | undefined {
  const rules: (LimitedRules | undefined)[] = [];
  rules[CAR] = limitedRules(tags, CAR_VEHICLE, CAR_KEYS, "maxspeed:motorcar:conditional");
  rules[TRUCK] = limitedRules(truckTags(tags), TRUCK_VEHICLE, TRUCK_VEHICLE.accessKeys, "maxspeed:hgv:conditional");
  return rules.some((one) => one !== undefined) ? rules : undefined;
}

function limitedRules(
  tags: Tags,
  vehicle: MotorVehicle,
  accessKeys: readonly string[],
  speedKey: string,
): LimitedRules | undefined {
  const limits = {
    forward: limitsOf(tags, accessKeys, speedKey, "forward"),
    backward: limitsOf(tags, accessKeys, speedKey, "backward"),
  };
  if (limits.forward.length + limits.backward.length === 0) return undefined;
  const open = motorPassages(tags, { ...vehicle, size: NO_SIZE });
  return open.forward || open.backward ? { open, limits } : undefined;
}

/** Limits are compared in hundredths of a meter and of a ton. */
const HUNDREDTHS = 100;
const MAX_VALUE = 65535;
/** Of "below_default": lower than the four meters that need no sign in most countries. */
const BELOW_DEFAULT = 3.99;
const ROUNDING = 1e-6;

function limitsOf(tags: Tags, accessKeys: readonly string[], speedKey: string, direction: Direction): Limit[] {
  const limits: Limit[] = [];
  const add = (kind: number, value: number | undefined, speed = 0, hours?: readonly Span[]) => {
    if (value === undefined || !(value >= 0) || value > MAX_VALUE) return;
    // A vehicle fits between walls only if it is narrower, and under a bridge also if it is just as high.
    const whole = kind === LIMIT.width ? Math.ceil(value - ROUNDING) : Math.floor(value + ROUNDING);
    const known = hours ? undefined : limits.find((one) => one.kind === kind && one.speed === speed && !one.hours);
    if (known) known.value = Math.min(known.value, whole);
    else limits.push({ kind, value: whole, speed, ...(hours && { hours }) });
  };
  const hundredths = (value: number | undefined) => (value === undefined ? undefined : value * HUNDREDTHS);
  const of = (...keys: string[]) => directedValue(tags, keys, direction);
  const height = of("maxheight:physical", "maxheight");
  add(LIMIT.height, hundredths(height === "below_default" ? BELOW_DEFAULT : parseLength(height)));
  add(LIMIT.width, hundredths(parseLength(of("maxwidth:physical", "maxwidth", "width", "est_width"))));
  add(LIMIT.length, hundredths(parseLength(of("maxlength"))));
  add(LIMIT.weight, hundredths(parseWeight(of("maxweightrating"))));
  add(LIMIT.weight, hundredths(parseWeight(of("maxweight"))));
  add(LIMIT.axleLoad, hundredths(parseWeight(of("maxaxleload"))));
  add(LIMIT.axles, numberOf(of("maxaxles")));
  add(LIMIT.hazmat, tunnelCategory(tags, direction));
  if (of("trailer") === "no") add(LIMIT.trailer, 1);
  const withTrailer = parseSpeed(of("maxspeed:trailer"));
  if (withTrailer) add(LIMIT.trailer, 1, drivenAt(withTrailer));
  const access = firstConditional(tags, accessKeys, direction);
  for (const { value, kind, limit, hours } of [...conditionalLimits(access), ...timedWeights(access)]) {
    if (MOTOR_ACCESS.restricting.has(value)) add(kind, limit, ONLY_TO_STOPS, hours);
    else if (MOTOR_ACCESS.forbidding.has(value)) add(kind, limit, 0, hours);
  }
  const speeds = tags[speedKey] ?? tags["maxspeed:conditional"];
  for (const { value, kind, limit, hours } of [...conditionalLimits(speeds), ...timedWeights(speeds)]) {
    const speed = parseSpeed(value);
    if (speed) add(kind, limit, drivenAt(speed), hours);
  }
  return limits;
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

/** The conditions of the most specific of some keys. */
function firstConditional(tags: Tags, keys: readonly string[], direction: Direction): string | undefined {
  for (const key of keys) {
    const text = tags[`${directed(key, direction)}:conditional`] ?? tags[`${key}:conditional`];
    if (text) return text;
  }
  return undefined;
}

interface ConditionalLimit {
  value: string;
  kind: number;
  /** In the units of its kind. */
  limit: number;
  hours?: readonly Span[];
}

/** "no @ (22:00-06:00 AND weight>7.5)" → the values under a condition about the hour and the weight. */
function timedWeights(text: string | undefined): ConditionalLimit[] {
  return conditionsOf(text ?? "").flatMap(({ value, heavierThan, hours }) =>
    heavierThan !== undefined && hours ? [{ value, kind: LIMIT.weight, limit: heavierThan * HUNDREDTHS, hours }] : [],
  );
}

/** Returns whether conditions about weight and hour under this key are limits, which each request compares with its vehicle. */
export const isLimitedByWeight = (key: string): boolean =>
  /^maxspeed(:(hgv|motorcar))?$/.test(key) || ACCESS.has(directionless(key));

const ACCESS: ReadonlySet<string> = new Set([...CAR_KEYS, ...TRUCK_VEHICLE.accessKeys]);
const directionless = (key: string) => key.replace(/:(forward|backward)$/, "");

const MEASURES: Readonly<Record<string, number>> = {
  weight: LIMIT.weight,
  maxweight: LIMIT.weight,
  weightrating: LIMIT.weight,
  maxweightrating: LIMIT.weight,
  grossweight: LIMIT.weight,
  axleload: LIMIT.axleLoad,
  height: LIMIT.height,
  width: LIMIT.width,
  length: LIMIT.length,
  axles: LIMIT.axles,
};

/**
 * "no @ (weight>7.5); delivery @ (length > 12 m)" → the values under a condition that is about nothing but the size of the
 * vehicle. Conditions with hours, and those of several parts, are left out.
 */
function conditionalLimits(text: string | undefined): ConditionalLimit[] {
  const found: ConditionalLimit[] = [];
  // A ";" within parentheses separates hours.
  for (const clause of (text ?? "").split(/;(?![^(]*\))/, MAX_CLAUSES)) {
    const at = clause.indexOf("@");
    if (at < 0) continue;
    const condition = clause.slice(at + 1).replace(/[()\s]/g, "");
    const over = condition.indexOf(">");
    const kind = MEASURES[condition.slice(0, over)];
    if (over < 0 || kind === undefined) continue;
    const orEqual = condition[over + 1] === "=";
    const amount = condition.slice(over + (orEqual ? 2 : 1));
    if (!/^[\d.]+[a-z'"]*$/.test(amount)) continue;
    const isWeight = kind === LIMIT.weight || kind === LIMIT.axleLoad;
    const number = isWeight ? parseWeight(amount) : parseLength(amount);
    if (number === undefined) continue;
    const limit = kind === LIMIT.axles ? number : number * HUNDREDTHS;
    // Widths are limits that must be stayed below, the others such that must not be exceeded.
    const isBelow = kind === LIMIT.width;
    found.push({ value: clause.slice(0, at).trim(), kind, limit: limit + (isBelow ? 1 : 0) - (orEqual ? 1 : 0) });
  }
  return found;
}

/** More are no longer a sign that a driver could read. */
const MAX_CLAUSES = 20;
