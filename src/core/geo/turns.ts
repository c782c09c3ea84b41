import type { Meter } from "./pace.ts";

/** A caller whose long requests share one place in the round. */
export interface Party {
  /** Rounds in which it has had a turn. */
  round: number;
  /** Its requests that wait, in their order. */
  readonly waiting: Ticket[];
}

/** A request that waits for its turn. */
export interface Ticket {
  readonly party: Party;
  /** Turns that were given when it last fell asleep. */
  asleepAt: number;
  /** When it last woke [ms]. */
  seenAt: number;
  /** What its request has cost so far, and the size of its slices [units]. */
  readonly spent: number;
  readonly slice: number;
}

export const newParty = (): Party => ({ round: 0, waiting: [] });

/**
 * A ticket that has not woken for so long [ms] is left out until it wakes: the platform may have ended its request at any `await`. More
 * than the longest sleep.
 */
const STALE_MS = 500;
/** So many of a party ask without sleeping, so that the processor never waits for one of them. */
const AWAKE = 3;
/** How long each further one sleeps for each one before it [ms], less than a slice; and at most. */
const [SLEEP_MS, MAX_SLEEP_MS] = [4, 100];

/**
 * The order of long requests in an isolate: one slice at a time, and between two slices the platform delivers everything else, so that a
 * short request waits for one slice however many long ones there are.
 *
 * Parties take turns in rounds (fair queueing by start tags; Goyal, Vin, Cheng, 1996): the party with the fewest rounds is next, of
 * equals the one whose request has cost least. A party that comes back joins in the current round. Requests of one party take turns in order.
 *
 * Every waiting request asks again whenever it wakes. None wakes another: a promise of one request must not depend on another request,
 * which the platform may end.
 */
export class Turns {
  readonly meter: Meter = { units: 0 };
  readonly #parties = new Set<Party>();
  #given = 0;
  #round = 0;

  join(party: Party, now: number, { spent, slice }: Pick<Ticket, "spent" | "slice">): Ticket {
    const ticket = { party, asleepAt: this.#given, seenAt: now, spent, slice };
    this.#queue(ticket);
    return ticket;
  }

  /** How long to sleep before the ticket asks [ms]. */
  sleepOf(ticket: Ticket): number {
    const before = ticket.party.waiting.indexOf(ticket);
    return Math.min(MAX_SLEEP_MS, SLEEP_MS * Math.max(0, before - AWAKE + 1));
  }

  /** Asked by a request that has slept. True: it may compute for a slice now, and is no longer waiting. */
  isNext(ticket: Ticket, now: number): boolean {
    ticket.seenAt = now;
    if (!ticket.party.waiting.includes(ticket)) this.#queue(ticket);
    const hasSlept = ticket.asleepAt === this.#given;
    ticket.asleepAt = this.#given;
    // If a turn was given since it fell asleep, perhaps just now, only the rest of that slice is left: everything else is delivered first.
    const isRoom = this.meter.units < ticket.slice;
    if (!(hasSlept || isRoom) || this.#first(now) !== ticket) return false;
    this.leave(ticket);
    this.#round = ticket.party.round++;
    this.#given++;
    if (hasSlept) this.meter.units = 0;
    return true;
  }

  /** The request ended, or its client left. */
  leave(ticket: Ticket): void {
    const { waiting } = ticket.party;
    const at = waiting.indexOf(ticket);
    if (at >= 0) waiting.splice(at, 1);
    if (waiting.length === 0) this.#parties.delete(ticket.party);
  }

  #queue(ticket: Ticket): void {
    const { party } = ticket;
    if (party.waiting.length === 0) {
      party.round = Math.max(party.round, this.#round);
      this.#parties.add(party);
    }
    party.waiting.push(ticket);
  }

  #first(now: number): Ticket | undefined {
    let first: Ticket | undefined;
    for (const party of this.#parties) {
      const ticket = this.#firstOf(party, now);
      if (!ticket) continue;
      const isBefore = !first || party.round < first.party.round;
      if (isBefore || (first && party.round === first.party.round && ticket.spent < first.spent)) first = ticket;
    }
    return first;
  }

  /** The first of a party that still wakes. A clock that was set back makes others stale, until they wake. */
  #firstOf({ waiting }: Party, now: number): Ticket | undefined {
    while (waiting.length > 0 && Math.abs(now - waiting[0].seenAt) > STALE_MS) this.leave(waiting[0]);
    return waiting[0];
  }
}
