/** What counts work and yields when it is time: a `Pace`, or what adds to one. */
export interface Spender {
  spend(units: number): Promise<void> | undefined;
}

/** Work in steps, each of which yields what it cost [units of a pace], so that the same code runs at once or at a pace. */
export type Steps<T> = Generator<number, T, void>;

/** Does work in steps, and gives others a turn between them when it is time. */
export async function atPace<T>(steps: Steps<T>, pace: Spender): Promise<T> {
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
    const turn = pace.spend(value);
    if (turn) await turn;
  }
}

/** Does work in steps without a break: for tools, and for what is small. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
  }
}
