import { Trash2 } from "lucide";
import type { getEvent } from "../../../worker/http/events/events.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { ConfirmButton } from "../../forms/confirm.tsx";
import { choices } from "../../parts/choices.ts";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { Waiting } from "../../parts/states.tsx";
import { useTabs } from "../../parts/tabs.tsx";
import { Code, CopyButton, Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { metres, minutes, Pill, position, Time } from "../../parts/values/format.tsx";
import { typeWords } from "../../parts/values/type-words.ts";
import { CONFIDENCE, subjectOf, type WireEvent } from "./event-words.ts";
import { type Explained, Explanation } from "./explanation.tsx";
import { UserLink } from "./user-link.tsx";

const TABS = choices({ why: "Explanation", details: "Details", json: "JSON" });

/** One event: its explanation, its fields, and its JSON as sent to webhooks. */
export function EventDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const path = `/v1/events/${encodeURIComponent(id)}`;
  const found = useQuery<Answer<typeof getEvent>>(path);
  const [tab, tabs] = useTabs("part", TABS);
  const event = found.data?.event;
  const removal = (
    <ConfirmButton
      button={{ bare: true, icon: Trash2, label: "Delete", needs: "write" }}
      title="Delete this event?"
      action="Delete"
      send={(api) => api.delete(path)}
      onDone={onClose}
      forgets={["/v1/events"]}
      said="Event deleted"
    >
      Removes it from lists and exports permanently. It was already sent to webhooks and stays in statistics.
    </ConfirmButton>
  );
  return (
    <Drawer title={event ? typeWords(event.type) : "Event"} onClose={onClose} actions={event && removal}>
      <Waiting of={found} />
      {event && (
        <>
          <Head event={event} />
          {tabs}
          {tab === "why" && <Why path={path} />}
          {tab === "details" && <Details event={event} />}
          {tab === "json" && <Code text={JSON.stringify(event, null, 2)} />}
        </>
      )}
    </Drawer>
  );
}

function Head({ event }: { event: WireEvent }) {
  const confidence = CONFIDENCE[event.confidence];
  return (
    <div class="stack tight">
      <p>
        <UserLink user={event.user} /> {typeWords(event.type)} <strong>{subjectOf(event)}</strong>
      </p>
      <p class="row wrap">
        <Time at={event.createdAt} as="exact" />
        <Pill tone={confidence?.tone} title={confidence?.about}>
          {confidence?.word} confidence
        </Pill>
        {event.replayed && <Pill>Replayed</Pill>}
        {!event.live && <Pill tone="warn">Test</Pill>}
      </p>
    </div>
  );
}

function Why({ path }: { path: string }) {
  const asked = useQuery<Explained>(`${path}/explain`);
  if (asked.problem || !asked.data) return <Waiting of={asked} lines={10} />;
  return <Explanation of={asked.data.explanation} />;
}

function Details({ event }: { event: WireEvent }) {
  const { to } = useAddress();
  const at = event.location && position(event.location.coordinates);
  const { geofence } = event;
  return (
    <Facts
      rows={[
        ["_id", <Id key="id">{event._id}</Id>],
        ["User", <UserLink key="user" user={event.user} />],
        [
          "Geofence",
          geofence && (
            <a key="fence" href={to("geofences", geofence._id)}>
              {subjectOf(event)}
            </a>
          ),
        ],
        ["Place", event.place?.name],
        ["Region", event.region?.name],
        ["Beacon", event.beacon?.description],
        [
          "Trip",
          event.trip && (
            <a key="trip" href={to("trips", event.trip._id)}>
              {event.trip.externalId}
            </a>
          ),
        ],
        [
          "Position",
          at && (
            <span key="position" class="row">
              {at} <CopyButton text={at} />
            </span>
          ),
        ],
        ["Accuracy", event.locationAccuracy === undefined ? undefined : metres(event.locationAccuracy)],
        ["Stay", event.duration === undefined ? undefined : minutes(event.duration)],
        ["Arrived here", <Time key="arrived" at={event.actualCreatedAt} as="exact" />],
        ["Device", [event.deviceMake, event.deviceModel, event.deviceOS].filter(Boolean).join(" ")],
        ["SDK", event.sdkVersion],
        ["In foreground", event.foreground === undefined ? undefined : event.foreground ? "yes" : "no"],
      ]}
    />
  );
}
