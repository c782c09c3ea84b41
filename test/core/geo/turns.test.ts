import { describe, expect, it } from "vitest";
import { newParty, type Party, type Ticket, Turns } from "../../../src/core/geo/turns.ts";
import { seededRandom } from "../../bench/support/random.ts";

const SLICE = 20_000;
/** A slice ends with the step of the kernel that fills it [units]. */
const STEP = 500;

/** A request of the model: computes, and between two turns may wait for data. */
interface Worker {
  name: string;
  party: Party;
  /** Work that is left [units]. */
  left: number;
  spent: number;
  ticket?: Ticket;
  /** When it wakes [ms]; undefined: it never does. */
  wakesAt: number | undefined;
  turns: number;
}

/**
 * The platform as Turns sees it: in each pass, all that should wake does so in any order, and then everything else is delivered. Work
 * takes a millisecond per 1,000 units.
 */
class Isolate {
  readonly turns = new Turns();
  readonly workers: Worker[] = [];
  readonly #random: () => number;
  now = 0;
  /** The most work between two deliveries [units], and the names of those who had a turn. */
  longest = 0;
  readonly order: string[] = [];

  constructor(seed = 1) {
    this.#random = seededRandom(seed);
  }

  add(name: string, party: Party, work: number): Worker {
    const worker: Worker = { name, party, left: work, spent: 0, wakesAt: 0, turns: 0 };
    this.workers.push(worker);
    this.#compute(worker);
    return worker;
  }

  pass(): void {
    let spent = 0;
    const due = this.workers.filter(({ wakesAt }) => wakesAt !== undefined && wakesAt <= this.now);
    for (const worker of due.sort(() => this.#random() - 0.5)) {
      const { ticket } = worker;
      if (!ticket || worker.left <= 0) continue;
      if (!this.turns.isNext(ticket, this.now)) {
        worker.wakesAt = this.now + this.turns.sleepOf(ticket);
        continue;
      }
      worker.turns++;
      this.order.push(worker.name);
      spent += this.#compute(worker);
    }
    this.longest = Math.max(this.longest, spent);
    this.now += spent / 1000 + 0.1;
  }

  run(passes: number): void {
    for (let i = 0; i < passes; i++) this.pass();
  }

  #compute(worker: Worker): number {
    const before = worker.left;
    do {
      worker.left -= STEP;
      worker.spent += STEP;
      this.turns.meter.units += STEP;
    } while (worker.left > 0 && this.turns.meter.units < SLICE);
    worker.ticket = this.turns.join(worker.party, this.now, { spent: worker.spent, slice: SLICE });
    if (worker.left <= 0) this.turns.leave(worker.ticket);
    worker.wakesAt = worker.left > 0 ? this.now + this.turns.sleepOf(worker.ticket) : undefined;
    return before - worker.left;
  }
}

const LONG = 1e9;

describe("long requests", () => {
  it("compute for one slice between two deliveries, however many there are", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const isolate = new Isolate(seed);
      const random = seededRandom(seed);
      const parties = Array.from({ length: 1 + Math.floor(random() * 10) }, newParty);
      for (let i = 0; i < 60; i++) {
        isolate.add(`${i}`, parties[Math.floor(random() * parties.length)], random() * 200_000);
        isolate.pass();
      }
      isolate.run(3000);
      expect(isolate.longest).toBeLessThanOrEqual(SLICE + STEP);
      expect(isolate.workers.filter(({ left }) => left > 0)).toEqual([]);
    }
  });

  it("of callers have equal shares, whatever the number of their requests", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const isolate = new Isolate(seed);
      const counts = [1, 2, 5, 20];
      counts.forEach((count, i) => {
        const party = newParty();
        for (let k = 0; k < count; k++) isolate.add(`${i}`, party, LONG);
      });
      isolate.run(2000);
      const shares = counts.map((_, i) => isolate.order.filter((name) => name === `${i}`).length);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2);
      expect(shares[0]).toBeGreaterThan(100);
    }
  });

  it("of one caller take turns", () => {
    const isolate = new Isolate();
    const party = newParty();
    for (let k = 0; k < 30; k++) isolate.add(`${k}`, party, LONG);
    isolate.run(6000);
    const turns = isolate.workers.map((worker) => worker.turns);
    expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(2);
    expect(turns[0]).toBeGreaterThan(20);
  });

  it("wait for at most one turn of each other caller when they begin, and do not save turns while they rest", () => {
    const isolate = new Isolate();
    const others = Array.from({ length: 8 }, newParty);
    others.forEach((party, i) => {
      for (let k = 0; k < 5; k++) isolate.add(`other ${i}`, party, LONG);
    });
    const party = newParty();
    for (let visit = 0; visit < 5; visit++) {
      isolate.run(500);
      const begun = isolate.order.length;
      isolate.add("visitor", party, 2 * SLICE);
      isolate.run(100);
      const after = isolate.order.slice(begun);
      expect(after.indexOf("visitor")).toBeLessThanOrEqual(others.length);
      expect(after.filter((name) => name === "visitor").length).toBeLessThanOrEqual(3);
    }
    const late = isolate.order.length;
    isolate.add("late", newParty(), LONG);
    isolate.run(400);
    const since = isolate.order.slice(late);
    const shareOf = (name: string) => since.filter((other) => other === name).length;
    expect(Math.abs(shareOf("late") - shareOf("other 0"))).toBeLessThanOrEqual(2);
  });

  it("go on when the platform has ended those before them, and lose no time to a clock that is set back", () => {
    const isolate = new Isolate();
    const dead = newParty();
    const alive = newParty();
    for (let k = 0; k < 10; k++) isolate.add("dead", dead, LONG);
    for (let k = 0; k < 2; k++) isolate.add("alive", alive, LONG);
    isolate.run(50);
    for (const worker of isolate.workers) if (worker.name === "dead") worker.wakesAt = undefined;
    const since = isolate.now;
    const before = isolate.order.length;
    while (isolate.order.length === before && isolate.now < since + 5000) isolate.pass();
    expect(isolate.now - since).toBeLessThan(700);
    isolate.run(200);
    const turns = isolate.order.length;
    isolate.now -= 3_600_000;
    for (const worker of isolate.workers) if (worker.wakesAt !== undefined) worker.wakesAt = isolate.now;
    isolate.run(200);
    expect(isolate.order.length).toBeGreaterThan(turns + 40);
  });
});
