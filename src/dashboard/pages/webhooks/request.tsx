import type { getEvent } from "../../../http/events/events.ts";
import type { Answer } from "../../api/client.ts";
import { useQuery } from "../../api/hooks.ts";
import { Code } from "../../parts/code.tsx";
import { Skeleton } from "../../parts/states.tsx";
import { useAddress } from "../../router.tsx";

/** What was sent: a message is named after its first event, and the event is kept as it was. */
export function Request({ messageId }: { messageId: string }) {
  const { to } = useAddress();
  const found = useQuery<Answer<typeof getEvent>>(`/v1/events/${encodeURIComponent(messageId)}`);
  return (
    <>
      <div class="row ends">
        <h3>Request</h3>
        {found.data && <a href={`${to("events")}?event=${messageId}`}>Open the event</a>}
      </div>
      {found.data ? (
        <Code text={JSON.stringify({ event: found.data.event }, null, 2)} />
      ) : found.problem ? (
        <p class="muted">The event itself is not kept: a test, or deleted since.</p>
      ) : (
        <Skeleton height={120} />
      )}
    </>
  );
}
