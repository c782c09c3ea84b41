import { BIKE, CAR, FOOT, TRUCK } from "../../../../core/routing/graph/modes.ts";
import { boundariesOf, isWithin, spansWhere, type Times } from "../../../../core/routing/graph/schedule.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { resolveAccess } from "../profiles/access-value.ts";
import { appliesToTrucks, conditionsIn, type KeyedCondition } from "../profiles/conditional.ts";
import { BIKE_ACCESS, BIKE_KEYS } from "../profiles/profile-bike.ts";
import { CAR_VEHICLE, MOTOR_ACCESS, type MotorVehicle } from "../profiles/profile-car.ts";
import { FOOT_ACCESS, FOOT_KEYS } from "../profiles/profile-foot.ts";
import { TRUCK_VEHICLE } from "../profiles/profile-truck.ts";
import { parseLength, parseWeight } from "../profiles/tag-values.ts";

/** Barriers that open for motor vehicles: OSRM's list (profiles/car.lua), and those that the OpenStreetMap wiki says are driven through. */
const OPEN_TO_MOTORS = new Set([
  "cattle_grid",
  "border_control",
  "toll_booth",
  "sally_port",
  "gate",
  "lift_gate",
  "swing_gate",
  "sliding_gate",
  "hampshire_gate",
  "bump_gate",
  "coupure",
  "no",
  "entrance",
  "height_restrictor",
  "arch",
]);
const WALLS = new Set(["yes", "wall", "fence"]);
/** Walkers pass one by one, and no one can lift a bike over. */
const TOO_NARROW_FOR_BIKES = new Set(["full-height_turnstile"]);
/** A lock keeps out whom no sign lets in: it is theirs who have the key (rule: GraphHopper, Apache-2.0, AbstractAccessParser). */
const LETS_IN = new Set(["yes", "designated", "official", "permissive"]);

/** Modes (bits) that cannot pass a node with these tags. */
function blockedModes(tags: Tags): number {
  let blocked = 0;
  if (blocksMotor(tags, CAR_VEHICLE)) blocked |= 1 << CAR;
  if (blocksMotor(tags, TRUCK_VEHICLE)) blocked |= 1 << TRUCK;
  if (blocksSlow(tags, FOOT_KEYS, FOOT_ACCESS.forbidding)) blocked |= 1 << FOOT;
  if (blocksSlow(tags, BIKE_KEYS, BIKE_ACCESS.forbidding) || isTooNarrow(tags)) blocked |= 1 << BIKE;
  return blocked;
}

/** Modes (bits) that cannot pass a node at these times. */
export interface TimedBarrier {
  modes: number;
  hours: Times;
}

/** Keys that decide who passes a node. */
const DECIDING = new Set([
  ...["locked", "barrier", "maxheight", "maxweight"],
  ...CAR_VEHICLE.accessKeys,
  ...TRUCK_VEHICLE.accessKeys,
  ...BIKE_KEYS,
  ...FOOT_KEYS,
]);
export const decidesWhoPasses = (key: string): boolean => DECIDING.has(key);

/**
 * A node whose conditional tags open or close it by the hour (`access:conditional=no @ (22:00-06:00)`): modes that never
 * pass, and those that do not pass at some hours. Conditions about the size of vehicles apply to the default truck.
 */
export function blockedByHour(tags: Tags): { blocked: number; timed?: readonly TimedBarrier[] } {
  const { calendar, list } = conditionsIn(tags, decidesWhoPasses);
  if (list.length === 0) return { blocked: blockedModes(tags) };
  const boundaries = boundariesOf(
    list.map(({ spans = [] }) => spans),
    calendar,
  );
  const entries = boundaries.map((from) => {
    const met = list.filter(({ spans }) => !spans || isWithin(spans, from));
    const replaced = (some: readonly KeyedCondition[]): Tags => {
      const changed: Record<string, string> = { ...tags };
      for (const { key, value } of some) changed[key] = value;
      return changed;
    };
    const truck = 1 << TRUCK;
    const ofAll = blockedModes(replaced(met.filter(({ over }) => !over)));
    return { from, modes: (ofAll & ~truck) | (blockedModes(replaced(met.filter(appliesToTrucks))) & truck) };
  });
  const blocked = entries.reduce((bits, { modes }) => bits & modes, 15);
  const timed: TimedBarrier[] = [];
  for (const mode of [CAR, TRUCK, FOOT, BIKE]) {
    const bit = (1 << mode) & ~blocked;
    const spans = spansWhere({ calendar, entries }, ({ modes }) => (modes & bit) !== 0);
    if (spans.length === 0) continue;
    const same = timed.find((one) => one.hours.spans.join() === spans.join());
    if (same) same.modes |= bit;
    else timed.push({ modes: bit, hours: { ...(calendar && { calendar }), spans } });
  }
  return timed.length > 0 ? { blocked, timed } : { blocked };
}

const firstOf = (tags: Tags, keys: readonly string[]) => keys.map((key) => tags[key]).find((value) => value);

const isTooNarrow = (tags: Tags) => TOO_NARROW_FOR_BIKES.has(tags.barrier) && !firstOf(tags, BIKE_KEYS);

const isLocked = (tags: Tags, access: string | undefined) =>
  tags.locked === "yes" && tags.barrier !== undefined && !LETS_IN.has(access ?? "");

function blocksMotor(tags: Tags, { accessKeys, size }: MotorVehicle): boolean {
  const access = resolveAccess(firstOf(tags, accessKeys), MOTOR_ACCESS);
  if (isLocked(tags, access)) return true;
  if (access !== undefined) return MOTOR_ACCESS.forbidding.has(access) && !MOTOR_ACCESS.restricting.has(access);
  const { barrier } = tags;
  if (barrier === undefined || isVirtualFence(tags)) return false;
  // Made for the fire brigade, and no other word on who may pass.
  if (tags.emergency === "designated" || tags.emergency === "official") return true;
  const height = parseLength(tags.maxheight);
  if (height !== undefined && height < size.height && (barrier === "height_restrictor" || size.height > 2)) return true;
  const weight = parseWeight(tags.maxweight);
  if (weight !== undefined && weight < size.weight) return true;
  const flatKerb =
    tags.kerb === "lowered" || tags.kerb === "flush" || (barrier === "kerb" && tags.highway === "crossing");
  return !OPEN_TO_MOTORS.has(barrier) && tags.bollard !== "rising" && !flatKerb;
}

/** A virtual fence, which only gives animals a sound to hear: people and vehicles pass it. */
const isVirtualFence = (tags: Tags) =>
  tags.barrier === "fence" && (tags.sensory === "audible" || tags.sensory === "audio");

function blocksSlow(tags: Tags, keys: readonly string[], forbidding: ReadonlySet<string>): boolean {
  const access = firstOf(tags, keys);
  if (isLocked(tags, access)) return true;
  // Access tags on a pedestrian crossing are about crossing the road, not about travelling along it.
  if (access !== undefined) return forbidding.has(access) && tags.highway !== "crossing";
  return tags.barrier !== undefined && WALLS.has(tags.barrier) && !isVirtualFence(tags);
}
