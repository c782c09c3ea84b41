/** A word, and the tone of its mark. */
const STATES = {
  delivered: ["Delivered", "good"],
  dead: ["Failed", "bad"],
  test: ["Test", "plain"],
  retrying: ["Retrying", "warn"],
  retried: ["Failed, retried", "plain"],
  later: ["Failed, delivered later", "plain"],
  dropped: ["Failed, not retried", "bad"],
} as const;

interface Attempt {
  messageId: string;
  outcome: "delivered" | "retrying" | "dead" | "test";
}

/**
 * What became of each attempt until now, in the order of the log, newest first. The log has what an attempt led to then: the message of a
 * failed one has since been delivered or given up.
 *
 * @param waiting number of messages that wait for their next attempt
 */
export function statesOf(log: readonly Attempt[], waiting: number): (typeof STATES)[keyof typeof STATES][] {
  const latest = new Map<string, Attempt>();
  return log.map((attempt) => {
    const last = latest.get(attempt.messageId);
    if (!last) latest.set(attempt.messageId, attempt);
    if (attempt.outcome !== "retrying") return STATES[attempt.outcome];
    const { outcome } = last ?? attempt;
    if (outcome === "delivered") return STATES.later;
    if (outcome === "dead") return STATES.dead;
    if (waiting === 0) return STATES.dropped;
    return last ? STATES.retried : STATES.retrying;
  });
}
