import { useAddress } from "../../base/router.tsx";
import { Skeleton } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import type { WireEvent } from "../events/event-words.ts";

interface RequestProps {
  messageId: string;
  sentAt?: string;
  /** Null if it does not exist; undefined while it loads. */
  event: WireEvent | null | undefined;
}

/** The sent request. A message has the id of its first event, and the stored event is unchanged. */
export function Request({ messageId, sentAt, event }: RequestProps) {
  const { to } = useAddress();
  return (
    <>
      <div class="row ends">
        <h3>Request</h3>
        {event && <a href={`${to("events")}?event=${messageId}`}>Open the event</a>}
      </div>
      {sentAt && <Code text={headersOf(messageId, sentAt)} label="Headers" />}
      {event ? (
        <Code text={JSON.stringify({ event }, null, 2)} />
      ) : event === null ? (
        <p class="muted">The event is not available: it was a test or has been deleted.</p>
      ) : (
        <Skeleton height={120} />
      )}
    </>
  );
}

/**
 * Headers as the receiver got them. Signatures differ for each attempt and depend on the secret, which no page shows,
 * and are not stored.
 */
function headersOf(messageId: string, sentAt: string): string {
  return [
    "content-type: application/json",
    "user-agent: Graticule-Webhooks/1",
    `webhook-id: ${messageId}`,
    `webhook-timestamp: ${Math.floor(Date.parse(sentAt) / 1000)}`,
    "webhook-signature: v1,… (HMAC-SHA256 of id.timestamp.body; not stored)",
    "x-radar-signing-id: … (new for each attempt; not stored)",
    "x-radar-signature: … (HMAC-SHA1 of the signing id; not stored)",
  ].join("\n");
}
