import { schedule } from "./break-schedule.ts";
import { BreakTimes } from "./break-times.ts";
import { arriveAt, beginAt, beginBefore, leaveBefore, type Model, NEVER, type VehicleClass } from "./model.ts";

/**
 * The stops of one vehicle in order, with the data that makes a change quick to judge: the earliest time to leave each
 * stop, the latest time to begin its work, and the highest load before and after each position between two stops.
 * Position k is before stop k; position `count` is before the end.
 */
export class Tour {
  readonly type: VehicleClass;
  count = 0;
  nodes = new Int32Array(16);
  /** Without the fixed cost of the vehicle. */
  travelCost = 0;
  travelTime = 0;
  distance = 0;
  /** Whether the load is within the capacity, and every stop within its windows. */
  fits = true;
  isInTime = true;
  /**
   * The locations in order: [0] the start, [k + 1] stop k, [count + 1] the end. Position k is between [k] and [k + 1].
   */
  locations = new Int32Array(18);
  /** [position] cost of the route there; 0 if the vehicle is unused. */
  wayCost = new Float64Array(18);
  /** [place] ready to leave for it, at the earliest. */
  ready = new Float64Array(18);
  /** [stop] work begins there at the latest; [count] arrival at the end. */
  latest = new Float64Array(18);
  /** [place × dimensions + d] on board there; the highest up to there; the highest from there on. */
  load = new Float64Array(0);
  highBefore = new Float64Array(0);
  highAfter = new Float64Array(0);
  /** Of a vehicle with breaks that follow simple rules. */
  readonly breakTimes: BreakTimes | undefined;
  readonly #model: Model;
  readonly #vehicle: number;

  constructor(model: Model, vehicle: number) {
    this.#model = model;
    this.#vehicle = vehicle;
    this.type = model.classes[model.classOf[vehicle]];
    const hasBreaks = this.type.vehicle.breaks.length > 0;
    if (hasBreaks && BreakTimes.isSimple(model, this.type)) this.breakTimes = new BreakTimes(model, this.type);
    this.#grow(16);
    this.update();
  }

  /** Another vehicle of the same kind, without tasks. */
  empty(): Tour {
    return new Tour(this.#model, this.#vehicle);
  }

  /** Total cost of the vehicle; 0 if it is unused. */
  get cost(): number {
    return this.count === 0 ? 0 : this.travelCost + this.type.vehicle.costs.fixed;
  }

  /** The location before place k. */
  before(k: number): number {
    return this.locations[k];
  }

  /** The location after place k. */
  after(k: number): number {
    return this.locations[k + 1];
  }

  /** Takes over these stops. @returns whether the vehicle can do that */
  set(nodes: ArrayLike<number>, count = nodes.length): boolean {
    if (count > this.nodes.length) this.#grow(2 * count);
    for (let k = 0; k < count; k++) this.nodes[k] = nodes[k];
    this.count = count;
    return this.update();
  }

  /**
   * Inserts a stop at a position and updates the dependent values: times change only as far as the change propagates,
   * which on a long tour is a few stops. The sums are updated incrementally, so they may be off by a rounding error
   * until the tour is recomputed.
   */
  insert(node: number, place: number): void {
    const { type, count } = this;
    if (count + 1 >= this.nodes.length) this.#grow(2 * count + 2);
    this.nodes.copyWithin(place + 1, place, count);
    this.nodes[place] = node;
    this.count++;
    if (count === 0 || this.#model.hasSetups || type.hours || type.vehicle.breaks.length > 0) this.update();
    else this.#follow(place);
  }

  /** Updates a tour of several stops after an insertion, if none needs a setup. */
  #follow(place: number): void {
    const { type, count, nodes, ready, latest, locations, wayCost } = this;
    const model = this.#model;
    const { service, location } = model;
    const { size, duration, distance, cost, vehicle } = type;
    const node = nodes[place];
    const here = location[node];
    const [from, to] = [locations[place], locations[place + 1]];
    const [direct, there, on] = [from * size + to, from * size + here, here * size + to];
    this.travelCost += cost[there] + cost[on] - cost[direct];
    this.travelTime += duration[there] + duration[on] - duration[direct];
    this.distance += distance[there] + distance[on] - distance[direct];
    locations.copyWithin(place + 2, place + 1, count + 1);
    locations[place + 1] = here;
    wayCost.copyWithin(place + 2, place + 1, count);
    wayCost[place] = cost[there];
    wayCost[place + 1] = cost[on];
    ready.copyWithin(place + 2, place + 1, count);
    ready[place + 1] = beginAt(model, node, ready[place] + duration[there]) + service[node];
    for (let k = place + 1; k < count; k++) {
      const left =
        beginAt(model, nodes[k], ready[k] + duration[locations[k] * size + locations[k + 1]]) + service[nodes[k]];
      if (left === ready[k + 1]) break;
      ready[k + 1] = left;
    }
    latest.copyWithin(place + 1, place, count);
    latest[place] = beginBefore(model, node, latest[place + 1] - duration[on] - service[node]);
    for (let k = place - 1; k >= 0; k--) {
      const way = duration[locations[k + 1] * size + locations[k + 2]];
      const begins = beginBefore(model, nodes[k], latest[k + 1] - way - service[nodes[k]]);
      if (begins === latest[k]) break;
      latest[k] = begins;
    }
    const home = duration[locations[count] * size + type.end];
    this.isInTime = ready[count] < NEVER && ready[count] + home <= vehicle.window[1];
    this.fits = this.#updateLoads();
  }

  /** Recomputes everything. @returns whether the vehicle can do the tour: hours, load, breaks, limits */
  update(): boolean {
    const { type, count, nodes, ready, latest, locations, wayCost } = this;
    const model = this.#model;
    const { location, service, setup } = model;
    const { size, duration, distance, cost, vehicle, hours } = type;
    ready[0] = vehicle.window[0];
    this.travelCost = 0;
    this.travelTime = 0;
    this.distance = 0;
    locations[0] = type.start;
    locations[count + 1] = type.end;
    if (count === 0) {
      wayCost[0] = 0;
      latest[0] = vehicle.window[1];
      this.#updateLoads();
      return true;
    }
    let from = type.start;
    for (let k = 0; k < count; k++) {
      const node = nodes[k];
      const to = location[node];
      const way = from * size + to;
      locations[k + 1] = to;
      wayCost[k] = cost[way];
      this.travelCost += cost[way];
      this.travelTime += hours ? hours.drive(way, ready[k]).duration : duration[way];
      this.distance += distance[way];
      const begins = beginAt(model, node, arriveAt(type, way, ready[k]));
      ready[k + 1] = begins + service[node] + (from === to ? 0 : setup[node]);
      from = to;
    }
    const home = from * size + type.end;
    wayCost[count] = cost[home];
    this.travelCost += cost[home];
    this.travelTime += hours ? hours.drive(home, ready[count]).duration : duration[home];
    this.distance += distance[home];
    this.isInTime = ready[count] < NEVER && arriveAt(type, home, ready[count]) <= vehicle.window[1];
    latest[count] = vehicle.window[1];
    let to = type.end;
    for (let k = count - 1; k >= 0; k--) {
      const node = nodes[k];
      const here = location[node];
      const work = service[node] + (locations[k] === here ? 0 : setup[node]);
      latest[k] = beginBefore(model, node, leaveBefore(type, here * size + to, latest[k + 1]) - work);
      to = here;
    }
    this.fits = this.#updateLoads();
    return (
      this.isInTime &&
      this.fits &&
      count <= vehicle.maxTasks &&
      this.distance <= vehicle.maxDistance &&
      (vehicle.breaks.length === 0 || this.#takesBreaks()) &&
      this.travelTime <= vehicle.maxTravelTime
    );
  }

  #takesBreaks(): boolean {
    const { nodes, count, locations } = this;
    if (this.breakTimes) return this.breakTimes.update(nodes, count, locations);
    const times = schedule(this.#model, this.type, nodes, count, this.load, this.ready[0]);
    if (times && this.type.hours) this.travelTime = times.drives.reduce((sum, drive) => sum + drive, 0);
    return times !== undefined;
  }

  #updateLoads(): boolean {
    const { count, nodes, load, highBefore, highAfter, type } = this;
    const { dimensions, fromStart, change } = this.#model;
    let fits = true;
    for (let d = 0; d < dimensions; d++) {
      let now = 0;
      for (let k = 0; k < count; k++) now += fromStart[nodes[k] * dimensions + d];
      let high = now;
      for (let k = 0; k <= count; k++) {
        const at = k * dimensions + d;
        load[at] = now;
        if (now > high) high = now;
        highBefore[at] = high;
        if (k < count) now += change[nodes[k] * dimensions + d];
      }
      if (high > type.capacity[d]) fits = false;
      high = 0;
      for (let k = count; k >= 0; k--) {
        const at = k * dimensions + d;
        if (load[at] > high) high = load[at];
        highAfter[at] = high;
      }
    }
    return fits;
  }

  #grow(length: number): void {
    const { dimensions } = this.#model;
    const nodes = new Int32Array(length);
    nodes.set(this.nodes.subarray(0, Math.min(this.count, length)));
    this.nodes = nodes;
    this.locations = new Int32Array(length + 2);
    [this.ready, this.latest, this.wayCost] = [0, 1, 2].map(() => new Float64Array(length + 2));
    [this.load, this.highBefore, this.highAfter] = [0, 1, 2].map(() => new Float64Array((length + 2) * dimensions));
    this.update();
  }
}
