/** The receiver's response to a message. */
interface Response {
  status?: number;
  /** Why there was no status. */
  error?: string;
}

type Verdict =
  | { kind: "delivered" }
  /** The receiver rejects all further messages. */
  | { kind: "gone"; error: string }
  | { kind: "failed"; error: string };

/** Any 2xx acknowledges the message. A redirect is a failure: messages only go to the URL of the webhook. */
export function judge({ status, error }: Response): Verdict {
  if (status === undefined) return { kind: "failed", error: error ?? "No answer." };
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone", error: "The receiver returned 410 Gone." };
  if (status >= 300 && status < 400) {
    return { kind: "failed", error: `The receiver returned ${status}; redirects are not followed.` };
  }
  return { kind: "failed", error: `The receiver returned ${status}.` };
}
