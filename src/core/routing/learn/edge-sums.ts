import type { EdgeKey } from "./edge-key.ts";
import type { HourSum, Observations } from "./observations.ts";

/** All that is known of an edge in one hour of the week, of all devices. */
export interface EdgeHour extends HourSum {
  /** Hashes of distinct devices, at most MAX_COUNTED_DEVICES: enough to decide whether there are as many as required. */
  devices: number[];
}

/** A project can require at most so many devices. */
export const MAX_COUNTED_DEVICES = 20;

export type EdgeSums = Map<EdgeKey, EdgeHour[]>;

/** Adds the traversals of a device. `weight`: older weeks count less. */
export function addDevice(sums: EdgeSums, device: number, { edges }: Observations, weight = 1): void {
  for (const [key, hours] of edges)
    for (const hour of hours) addHour(sums, key, { ...hour, devices: [device] }, weight);
}

export function addSums(sums: EdgeSums, more: EdgeSums, weight = 1): void {
  for (const [key, hours] of more) for (const hour of hours) addHour(sums, key, hour, weight);
}

function addHour(sums: EdgeSums, key: EdgeKey, more: EdgeHour, weight: number): void {
  let own = sums.get(key);
  if (!own) {
    own = [];
    sums.set(key, own);
  }
  let same = own.find(({ hour }) => hour === more.hour);
  if (!same) {
    same = { hour: more.hour, count: 0, logs: 0, squares: 0, waits: 0, devices: [] };
    own.push(same);
  }
  same.count += more.count * weight;
  same.logs += more.logs * weight;
  same.squares += more.squares * weight;
  same.waits += more.waits * weight;
  unite(same.devices, more.devices);
}

/** Adds hashes that are not in the list yet. */
export function unite(devices: number[], more: readonly number[]): void {
  for (const one of more) {
    if (devices.length >= MAX_COUNTED_DEVICES) return;
    if (!devices.includes(one)) devices.push(one);
  }
}
