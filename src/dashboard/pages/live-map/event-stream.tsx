import { Activity } from "lucide";
import { useMemo } from "preact/hooks";
import type { LiveEvent } from "../../api/live.ts";
import { useAddress } from "../../base/router.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { typeWords } from "../../parts/values/type-words.ts";
import { useUserNames } from "../events/use-names.ts";

/** The subject of an event. */
function subjectOf({ geofence, place, region, beacon, trip }: LiveEvent): string {
  return (
    (geofence && nameOfRecord(geofence)) ??
    place?.name ??
    region?.name ??
    (beacon && nameOfRecord(beacon)) ??
    (trip ? `trip ${nameOfRecord(trip)}` : "")
  );
}

/** Events as they come, newest first; each leads to its page, where it is explained. */
export function EventStream({ events, withUser = true }: { events: readonly LiveEvent[]; withUser?: boolean }) {
  const { to } = useAddress();
  const users = useMemo(() => (withUser ? events.map(({ user }) => user) : []), [events, withUser]);
  const nameOf = useUserNames(users);
  if (events.length === 0) {
    return (
      <Empty icon={Activity} title="No events since you opened this page.">
        <a href={to("events")}>Earlier events</a>
      </Empty>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="map-panel-body" tabIndex={0} aria-label="Live events">
      <ul class="picks">
        {events.map((event) => (
          <li key={event._id}>
            <a href={`${to("events")}?event=${event._id}`}>
              <span class="grow">
                <span class="strong">{typeWords(event.type)}</span> {subjectOf(event)}
                {withUser && <span class="small muted block">{nameOf(event.user)}</span>}
              </span>
              <span class="small muted">
                <Time at={event.createdAt} as="clock" />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
