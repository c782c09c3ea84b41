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
