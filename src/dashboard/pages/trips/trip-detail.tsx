import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { Problem } from "../../api/client.ts";
import { useChange, useForget } from "../../api/hooks.ts";
import type { LiveState } from "../../api/live.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { useAddress } from "../../base/router.tsx";
import { Confirm } from "../../forms/confirm.tsx";
import { MapDetail } from "../../map/map-page.tsx";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { metres, minutes } from "../../parts/values/number.tsx";
import { Time } from "../../parts/values/time.tsx";
import { UserLink } from "../events/user-link.tsx";
import { LiveSign } from "../live-map/live-sign.tsx";
import { DelayMark, StatusMark } from "./status.tsx";
import type { Trip } from "./trip.ts";
import { TripLegs } from "./trip-legs.tsx";
import { TripShares } from "./trip-shares.tsx";

/** One trip: progress, delay, legs, and share links. */
export function TripDetail({
  trip,
  problem,
  walked,
  live,
  onClose,
}: {
  trip: Trip | undefined;
  problem?: Problem;
  walked?: string;
  live: LiveState;
  onClose: () => void;
}) {
  const forget = useForget();
  const [deleting, setDeleting] = useState(false);
  const ending = useChange((api, id: string, status: string) => api.patch(`/v1/trips/${id}/update`, { status }));
  if (!trip) {
    return (
      <MapDetail title="Trip" onClose={onClose}>
        {problem ? <Failure problem={problem} /> : <SkeletonLines lines={8} />}
      </MapDetail>
    );
  }
  const isOpen = ["pending", "started", "approaching", "arrived"].includes(trip.status);
  const end = async (status: string) => {
    const result = await ending.run(trip._id, status);
    if (result.ok) forget("/v1/trips");
  };
  return (
    <MapDetail
      title={trip.externalId}
      onClose={onClose}
      actions={isOpen ? <LiveSign state={live} /> : undefined}
      foot={
        <TripButtons
          busy={ending.busy}
          onDelete={() => setDeleting(true)}
          onEnd={isOpen ? (status) => void end(status) : undefined}
        />
      }
    >
      {ending.problem && <Failure problem={ending.problem} />}
      <TripFacts trip={trip} isOpen={isOpen} walked={walked} />
      {trip.legs && <TripLegs trip={trip} />}
      <TripShares trip={trip._id} isOpen={isOpen} />
      {deleting && (
        <Confirm
          title="Delete this trip?"
          name={trip.externalId}
          action="Delete trip"
          send={(api) => api.delete(`/v1/trips/${trip._id}`)}
          onDone={() => {
            setDeleting(false);
            onClose();
            forget("/v1/trips");
            toast(`${trip.externalId} deleted`);
          }}
          onClose={() => setDeleting(false)}
        >
          Deletes the trip and its track permanently and revokes its share links. Its events are kept.
        </Confirm>
      )}
    </MapDetail>
  );
}

function TripButtons({
  busy,
  onDelete,
  onEnd,
}: {
  busy: boolean;
  onDelete: () => void;
  /** Undefined after the trip has ended. */
  onEnd?: (status: "canceled" | "completed") => void;
}) {
  const mayWrite = useMay("write");
  const common = { disabled: !mayWrite, why: whyNot("write") };
  return (
    <>
      <Button bare danger icon={Trash2} label="Delete" {...common} onClick={onDelete} />
      <span class="grow" />
      {onEnd && (
        <>
          <Button busy={busy} {...common} onClick={() => onEnd("canceled")}>
            Cancel trip
          </Button>
          <Button busy={busy} {...common} onClick={() => onEnd("completed")}>
            Complete
          </Button>
        </>
      )}
    </>
  );
}

function TripFacts({ trip, isOpen, walked }: { trip: Trip; isOpen: boolean; walked?: string }) {
  const { to } = useAddress();
  return (
    <Facts
      rows={[
        ["Status", <StatusMark key="status" status={trip.status} />],
        ["ETA", trip.eta && isOpen ? `${minutes(trip.eta.duration)}, ${metres(trip.eta.distance)} to go` : undefined],
        ["Schedule", trip.scheduledArrivalAt && <Time at={trip.scheduledArrivalAt} as="exact" />],
        ["Expected", isOpen && trip.delay && <DelayMark delay={trip.delay} />],
        [
          "Arrived",
          trip.arrivedAt && (
            <span key="arrived" class="row wrap">
              <Time at={trip.arrivedAt} as="exact" />
              {!isOpen && trip.delay && <DelayMark delay={trip.delay} />}
            </span>
          ),
        ],
        ["Without arrival", !isOpen && !trip.arrivedAt && trip.delay && <DelayMark delay={trip.delay} />],
        ["Traveled", walked],
        ["User", trip.user && <UserLink user={trip.user} />],
        ["By", trip.mode],
        [
          "Destination",
          trip.destinationGeofenceTag && (
            <a href={`${to("geofences")}?tag=${encodeURIComponent(trip.destinationGeofenceTag)}`}>
              {trip.destinationGeofenceTag} / {trip.destinationGeofenceExternalId}
            </a>
          ),
        ],
        ["Created", <Time key="made" at={trip.createdAt} as="exact" />],
        ["Started", trip.startedAt && <Time at={trip.startedAt} as="exact" />],
        ["Approached", trip.approachingAt && <Time at={trip.approachingAt} as="exact" />],
        ["Ended", trip.endedAt && <Time at={trip.endedAt} as="exact" />],
        [
          "Metadata",
          trip.metadata &&
            Object.entries(trip.metadata).map(([key, value]) => (
              <span key={key} class="block">
                <span class="muted">{key}</span> {String(value)}
              </span>
            )),
        ],
        ["_id", <Id key="id">{trip._id}</Id>],
      ]}
    />
  );
}
