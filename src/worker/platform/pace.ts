import { type Account, ClientLeft, Pace } from "../../core/geo/pace.ts";
import { newParty, type Party, Turns } from "../../core/geo/turns.ts";

/** Maximum work of one request; more is rejected [units of about a microsecond]. */
const REQUEST_BUDGET = 20_000_000;

/** Slice size of requests [units]: a short request passes the platform's queue about three times, and waits for a slice each time. */
const REQUEST_SLICE = 10_000;
/** Slice size of background work [units]: waiting requests get a turn twice as often. */
const BACKGROUND_SLICE = 5_000;

/** The turns of everything that computes in this isolate, jobs included. */
const turns = new Turns();

/** What pays for a request, and takes turns with others. */
export interface PartyAccount extends Account {
  readonly party: Party;
}

interface PacedBy {
  account: PartyAccount;
  /** Asked at each turn: whether the client has closed the connection. */
  hasLeft: () => boolean;
}

/** A request's pace: it yields every 10,000 units of all requests, so that short requests wait some 10 ms each time. */
export function requestPace({ account, hasLeft }: PacedBy): Pace {
  const giveWay = (pace: Pace) => takeTurn(account.party, pace, REQUEST_SLICE, hasLeft);
  return new Pace(giveWay, { slice: REQUEST_SLICE, budget: REQUEST_BUDGET, meter: turns.meter, account });
}

const background = newParty();

/** The pace of a job's step: it yields every 5,000 units, so that concurrent requests wait some 5 ms at most. */
export function backgroundPace(): Pace {
  const giveWay = (pace: Pace) => takeTurn(background, pace, BACKGROUND_SLICE);
  return new Pace(giveWay, { slice: BACKGROUND_SLICE, budget: REQUEST_BUDGET, meter: turns.meter });
}

/** @throws ClientLeft if nobody waits for the result, unless data is being changed */
async function takeTurn(party: Party, pace: Pace, slice: number, hasLeft = () => false): Promise<void> {
  const isInVain = () => !pace.isFinishing && hasLeft();
  const ticket = turns.join(party, Date.now(), { spent: pace.spent, slice });
  try {
    do {
      if (isInVain()) throw new ClientLeft();
      await scheduler.wait(turns.sleepOf(ticket));
    } while (!turns.isNext(ticket, Date.now()));
    if (isInVain()) throw new ClientLeft();
  } finally {
    turns.leave(ticket);
  }
}
