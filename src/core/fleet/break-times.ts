import { breakAt } from "./break-schedule.ts";
import { beginAt, beginBefore, type Model, NEVER, type VehicleClass } from "./model.ts";

/** A moment during a drive, and when the drive would end without a further break [s]. */
interface Moment {
  time: number;
  arrival: number;
}

/**
 * The earliest and latest times of a tour with breaks: for each place and each number of breaks taken by then. They
 * judge an insertion in constant time, where `schedule` walks the complete tour. Only for tours without setups and for
 * breaks without a maximum load (`isSimple`), because those rules depend on the neighbors of a stop and on its load,
 * and if durations do not depend on the hour.
 */
export class BreakTimes {
  /** Whether these times are exact for a class of vehicles. */
  static isSimple({ hasSetups }: Model, { vehicle, hours }: VehicleClass): boolean {
    return !hasSetups && !hours && vehicle.breaks.every(({ maxLoad }) => maxLoad === undefined);
  }

  readonly #model: Model;
  readonly #type: VehicleClass;
  readonly #width: number;
  /** [place × width + breaks taken] leaves the place before stop k at the earliest; NEVER if it cannot. */
  #ready = new Float64Array(0);
  /** [place × width + breaks taken] arrives at stop k at the latest; -NEVER if that is too late for the rest. */
  #due = new Float64Array(0);
  readonly #moment: Moment = { time: 0, arrival: 0 };

  constructor(model: Model, type: VehicleClass) {
    this.#model = model;
    this.#type = type;
    this.#width = type.vehicle.breaks.length + 1;
  }

  /**
   * Recomputes all times.
   *
   * @param locations [0] the start, [k + 1] stop k, [count + 1] the end
   * @returns whether the vehicle takes all breaks and ends in time
   */
  update(nodes: Int32Array, count: number, locations: Int32Array): boolean {
    const width = this.#width;
    if (this.#ready.length < (count + 2) * width) {
      this.#ready = new Float64Array(2 * (count + 2) * width);
      this.#due = new Float64Array(2 * (count + 2) * width);
    }
    this.#goForward(nodes, count, locations);
    this.#goBackward(nodes, count, locations);
    return this.#ready[(count + 1) * width + width - 1] <= this.#type.vehicle.window[1];
  }

  /** Returns whether a stop of one task fits at place k, in time and with all breaks. */
  fits(node: number, k: number, locations: Int32Array): boolean {
    const width = this.#width;
    const { size, duration } = this.#type;
    const { location, service } = this.#model;
    const here = location[node];
    const there = duration[locations[k] * size + here];
    const onward = duration[here * size + locations[k + 1]];
    for (let taken = 0; taken < width; taken++) {
      const leave = this.#ready[k * width + taken];
      if (leave >= NEVER) continue;
      const moment = this.#setOut(leave, there);
      for (let middle = taken; middle < width; middle++) {
        if (middle > taken && !this.#takeBreak(moment, middle - 1)) break;
        const begins = beginAt(this.#model, node, moment.arrival);
        if (begins >= NEVER) break;
        if (this.#goesOn(begins + service[node], onward, k, middle)) return true;
      }
    }
    return false;
  }

  /** Returns whether the rest of the tour can be done by a vehicle that leaves for stop k after `taken` breaks. */
  #goesOn(leave: number, drive: number, k: number, taken: number): boolean {
    const width = this.#width;
    let time = leave;
    let arrival = leave + drive;
    for (let next = taken; next < width; next++) {
      if (next > taken) {
        const { service } = this.#type.vehicle.breaks[next - 1];
        const begins = breakAt(this.#type.vehicle.breaks[next - 1], time);
        if (begins >= NEVER) return false;
        time = begins + service;
        arrival = Math.max(time, arrival + service);
      }
      if (arrival <= this.#due[k * width + next]) return true;
    }
    return false;
  }

  #goForward(nodes: Int32Array, count: number, locations: Int32Array): void {
    const width = this.#width;
    const { size, duration, vehicle } = this.#type;
    const ready = this.#ready.fill(NEVER, 0, (count + 2) * width);
    ready[0] = vehicle.window[0];
    for (let k = 0; k <= count; k++) {
      const drive = duration[locations[k] * size + locations[k + 1]];
      for (let taken = 0; taken < width; taken++) {
        const leave = ready[k * width + taken];
        if (leave >= NEVER) continue;
        const moment = this.#setOut(leave, drive);
        for (let next = taken; next < width; next++) {
          if (next > taken && !this.#takeBreak(moment, next - 1)) break;
          const at = (k + 1) * width + next;
          const left = k === count ? moment.arrival : this.#workedAt(nodes[k], moment.arrival);
          if (left < ready[at]) ready[at] = left;
        }
      }
    }
  }

  #workedAt(node: number, arrival: number): number {
    const begins = beginAt(this.#model, node, arrival);
    return begins >= NEVER ? NEVER : begins + this.#model.service[node];
  }

  #goBackward(nodes: Int32Array, count: number, locations: Int32Array): void {
    const width = this.#width;
    const { size, duration, vehicle } = this.#type;
    const { service } = this.#model;
    const due = this.#due.fill(-NEVER, 0, (count + 1) * width);
    due[count * width + width - 1] = vehicle.window[1];
    for (let k = count; k > 0; k--) {
      const drive = duration[locations[k] * size + locations[k + 1]];
      const node = nodes[k - 1];
      for (let taken = 0; taken < width; taken++) {
        let latest = -NEVER;
        for (let next = taken; next < width; next++) {
          latest = Math.max(latest, this.#leavesBefore(due[k * width + next], drive, taken, next));
        }
        if (latest > -NEVER) {
          due[(k - 1) * width + taken] = beginBefore(this.#model, node, latest - service[node]);
        }
      }
    }
  }

  /** The latest departure for a drive with breaks `taken` … `next` − 1 that ends at `due`. */
  #leavesBefore(due: number, drive: number, taken: number, next: number): number {
    if (due <= -NEVER) return -NEVER;
    let [time, arrival] = [due, due];
    for (let rule = next - 1; rule >= taken; rule--) {
      const { windows, service } = this.#type.vehicle.breaks[rule];
      const begins = Math.min(time, arrival) - service;
      time = begins;
      if (windows.length > 0) {
        let i = windows.length - 1;
        while (i >= 0 && windows[i][0] > begins) i--;
        if (i < 0) return -NEVER;
        time = Math.min(begins, windows[i][1]);
      }
      arrival -= service;
    }
    return Math.min(time, arrival - drive);
  }

  #setOut(leave: number, drive: number): Moment {
    this.#moment.time = leave;
    this.#moment.arrival = leave + drive;
    return this.#moment;
  }

  /** Takes a break during the drive. A wait for the break is spent driving. @returns whether it is possible */
  #takeBreak(moment: Moment, rule: number): boolean {
    const { breaks } = this.#type.vehicle;
    const begins = breakAt(breaks[rule], moment.time);
    if (begins >= NEVER) return false;
    moment.time = begins + breaks[rule].service;
    moment.arrival = Math.max(moment.time, moment.arrival + breaks[rule].service);
    return true;
  }
}
