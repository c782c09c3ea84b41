import { describeBriefly } from "../../platform/describe-error.ts";

/** Runs scheduled work one after the other. A failure is logged and does not prevent the rest. */
export async function guarded(rounds: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const round of rounds) {
    try {
      await round();
    } catch (error) {
      console.error(JSON.stringify({ what: "scheduled", error: describeBriefly(error) }));
    }
  }
}

/**
 * Works on one item after the other.
 * @throws the first failure, after all: a project or a device that fails each time must not stop the others
 */
export async function workOnEach<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
