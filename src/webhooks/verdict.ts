/** What a receiver did with a message. */
export interface Response {
  status?: number;
  /** Why there was no status. */
  error?: string;
}

export type Verdict =
  | { kind: "delivered" }
  /** The receiver wants no more messages, ever. */
  | { kind: "gone"; error: string }
  | { kind: "failed"; error: string };

/** Any 2xx acknowledges. A redirect is a failure: messages go only to the URL that the webhook names. */
export function judge({ status, error }: Response): Verdict {
  if (status === undefined) return { kind: "failed", error: error ?? "No answer." };
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone", error: "The receiver answered 410 Gone." };
  if (status >= 300 && status < 400) {
    return { kind: "failed", error: `The receiver answered ${status}; redirects are not followed.` };
  }
  return { kind: "failed", error: `The receiver answered ${status}.` };
}
