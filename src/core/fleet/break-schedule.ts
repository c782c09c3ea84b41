import { arriveAt, beginAt, type Model, NEVER, type VehicleClass } from "./model.ts";
import type { FleetBreak } from "./problem.ts";

/** When everything in a route happens, with its breaks. */
export interface Schedule {
  /** When work at each node begins; one more: the arrival at the end. */
  begins: number[];
  arrives: number[];
  /**
   * For each break: before which node (by position; the number of nodes: before the end), since when the vehicle waits for
   * it, when it begins, and how much of the way to that node has been driven by then [s].
   */
  breaks: { before: number; arrives: number; begins: number; driven: number }[];
  /** Duration of the drive to each node, and to the end [s]; its distance [m]. */
  drives: number[];
  distances: number[];
}

/**
 * The earliest schedule that takes all breaks, in the order given, or undefined. A break may interrupt a drive, or fill
 * waiting time. Exact, by dynamic programming over (stops made, breaks taken): an earlier state is never worse.
 * `load[k]`: on board between stop k - 1 and stop k, by dimension.
 */
export function schedule(
  model: Model,
  type: VehicleClass,
  sequence: ArrayLike<number>,
  count: number,
  load: Float64Array,
  departure: number,
): Schedule | undefined {
  const run: Run = { model, type, sequence, count, load, departure };
  const { breaks, window } = type.vehicle;
  const { ready, before } = reachStates(run);
  const home = ready[(count + 2) * (breaks.length + 1) - 1];
  return home >= NEVER || home > window[1] ? undefined : retrace(run, before);
}

/** Stops in their order, by a vehicle that departs at a time. */
interface Run {
  model: Model;
  type: VehicleClass;
  sequence: ArrayLike<number>;
  count: number;
  load: Float64Array;
  departure: number;
}

/** By state (stops made, breaks taken): the earliest time, and the breaks taken one stop before. */
function reachStates(run: Run): { ready: Float64Array; before: Int32Array } {
  const { model, type, sequence, count, load, departure } = run;
  const { breaks } = type.vehicle;
  const width = breaks.length + 1;
  const ready = new Float64Array((count + 2) * width).fill(NEVER);
  const before = new Int32Array((count + 2) * width).fill(-1);
  ready[0] = departure;
  for (let k = 0; k <= count; k++) {
    const from = k === 0 ? type.start : model.location[sequence[k - 1]];
    const to = k === count ? type.end : model.location[sequence[k]];
    const way = from * type.size + to;
    for (let taken = 0; taken < width; taken++) {
      const leave = ready[k * width + taken];
      if (leave >= NEVER) continue;
      let [time, rest] = [leave, arriveAt(type, way, leave) - leave];
      for (let next = taken; next < width; next++) {
        if (next > taken) {
          const rule = breaks[next - 1];
          const begins = carries(rule, load, k, model.dimensions) ? breakAt(rule, time) : NEVER;
          if (begins >= NEVER) break;
          rest = Math.max(0, rest - (begins - time));
          time = begins + rule.service;
        }
        const done = finish(run, k, to, from, time + rest);
        const at = (k + 1) * width + next;
        if (done >= ready[at]) continue;
        ready[at] = done;
        before[at] = taken;
      }
    }
  }
  return { ready, before };
}

/** Time at which the vehicle that arrives at stop k can continue. */
function finish({ model, sequence, count }: Run, k: number, to: number, from: number, arrival: number): number {
  if (k === count) return arrival;
  const node = sequence[k];
  const begins = beginAt(model, node, arrival);
  if (begins >= NEVER) return NEVER;
  return begins + model.service[node] + (to === from ? 0 : model.setup[node]);
}

/** The schedule that leads to the last state. */
function retrace(run: Run, before: Int32Array): Schedule {
  const { model, type, sequence, count, departure } = run;
  const { breaks } = type.vehicle;
  const width = breaks.length + 1;
  const taken: number[] = new Array(count + 2);
  taken[count + 1] = width - 1;
  for (let k = count; k >= 0; k--) taken[k] = before[(k + 1) * width + taken[k + 1]];
  const result: Schedule = { begins: [], arrives: [], breaks: [], drives: [], distances: [] };
  // With the durations themselves: nothing is later than above, where arrivals are in the order of departures.
  let time = departure;
  for (let k = 0; k <= count; k++) {
    const from = k === 0 ? type.start : model.location[sequence[k - 1]];
    const to = k === count ? type.end : model.location[sequence[k]];
    const way = from * type.size + to;
    const drive = type.hours?.drive(way, time) ?? {
      departure: time,
      duration: type.duration[way],
      distance: type.distance[way],
    };
    result.drives.push(drive.duration);
    result.distances.push(drive.distance);
    const whole = drive.departure - time + drive.duration;
    let rest = whole;
    for (let next = taken[k]; next < taken[k + 1]; next++) {
      const begins = breakAt(breaks[next], time);
      const driven = Math.min(rest, begins - time);
      rest -= driven;
      const soFar = Math.min(whole - rest, drive.duration);
      result.breaks.push({ before: k, arrives: time + driven, begins, driven: soFar });
      time = begins + breaks[next].service;
    }
    result.arrives.push(time + rest);
    result.begins.push(k === count ? time + rest : beginAt(model, sequence[k], time + rest));
    time = finish(run, k, to, from, time + rest);
  }
  return result;
}

/** Time at which a vehicle that is free from `time` on can begin a break; NEVER after its last window. */
export function breakAt({ windows }: FleetBreak, time: number): number {
  if (windows.length === 0) return time;
  for (const [from, to] of windows) if (time <= to) return Math.max(time, from);
  return NEVER;
}

function carries({ maxLoad }: FleetBreak, load: Float64Array, k: number, dimensions: number): boolean {
  if (!maxLoad) return true;
  for (let d = 0; d < dimensions; d++) if (load[k * dimensions + d] > (maxLoad[d] ?? 0)) return false;
  return true;
}
