import { setTimeout as sleep } from "node:timers/promises";

export interface OpenLoop {
  /** Arrivals per second. */
  rate: number;
  /** How long they come [s]. */
  seconds: number;
  /** Most under way at any moment: who comes then waits for one to end, and the wait counts. */
  most: number;
  /** The n-th arrival; what it throws is counted and told. */
  send(n: number): Promise<void>;
  goesOn?(): boolean;
}

export interface Arrivals {
  sent: number;
  errors: number;
  firstError?: string;
  /** From the moment an arrival was due to its end [ms]. */
  times: number[];
}

/**
 * Sends at a fixed rate whatever becomes of what was sent, as people do: a server that gets slower is not sent less (open loop; Schroeder
 * et al. 2006). Who had to wait because too many were under way has waited from when it was due.
 */
export async function openLoop({ rate, seconds, most, send, goesOn = () => true }: OpenLoop): Promise<Arrivals> {
  const arrivals: Arrivals = { sent: 0, errors: 0, times: [] };
  const began = performance.now();
  const count = Math.round(rate * seconds);
  const under = new Set<Promise<void>>();
  for (let n = 0; n < count && goesOn(); n++) {
    const due = began + (n * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    while (under.size >= most) await Promise.race(under);
    arrivals.sent++;
    const one: Promise<void> = send(n)
      .then(
        () => void arrivals.times.push(performance.now() - due),
        (error) => {
          arrivals.errors++;
          arrivals.firstError ??= String(error);
        },
      )
      .finally(() => under.delete(one));
    under.add(one);
  }
  await Promise.all(under);
  return arrivals;
}
