import type { Tags } from "../../../osm/pbf/element.ts";
import type { TagConditions } from "./conditional.ts";
import { type MotorVehicle, motorPassages } from "./profile-car.ts";
import type { Rules } from "./rules.ts";
import { TRUCK_SIZE, TRUCK_TOP_SPEED } from "./tables.ts";

export const TRUCK_VEHICLE: MotorVehicle = {
  accessKeys: ["hgv", "goods", "motor_vehicle", "vehicle", "access"],
  size: TRUCK_SIZE,
  topSpeed: TRUCK_TOP_SPEED,
};

/** A heavy truck drives as a car does, under its own signs: `hgv`, `maxheight`, `maxweight`, `maxspeed:hgv`. */
export function truckPassages(tags: Tags): Rules {
  return motorPassages(truckTags(tags), TRUCK_VEHICLE);
}

/** The tags with the limits of trucks instead of those of all vehicles. */
export function truckTags(tags: Tags): Tags {
  const limits: Record<string, string> = {};
  for (const [general, own] of OWN_LIMITS) if (tags[own]) limits[general] = tags[own];
  return Object.keys(limits).length > 0 ? { ...tags, ...limits } : tags;
}

/** Likewise of conditions on them. */
export function truckConditions(conditions: TagConditions): TagConditions {
  const generalOf = (key: string) => OWN_LIMITS.find(([, own]) => own === key && own !== "maxspeed:hgv")?.[0] ?? key;
  return { ...conditions, list: conditions.list.map((one) => ({ ...one, key: generalOf(one.key) })) };
}

const OWN_LIMITS = [
  ["maxspeed", "maxspeed:hgv"],
  ["maxweight", "maxweightrating:hgv"],
  ["maxweight", "maxweight:hgv"],
  ["maxlength", "maxlength:hgv"],
] as const;
