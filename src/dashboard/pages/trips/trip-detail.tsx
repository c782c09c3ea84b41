import { Trash2 } from "lucide";
import { type Problem, useChange, useForget } from "../../api/hooks.ts";
import type { LiveState } from "../../api/live.ts";
import { useAddress } from "../../base/router.tsx";
import { ConfirmButton } from "../../forms/confirm.tsx";
import { MapDetail, WaitingDetail } from "../../map/map-page.tsx";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/states.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts, MetadataLines } from "../../parts/values/facts.tsx";
import { Time } from "../../parts/values/format.tsx";
import { LiveSign } from "../../parts/values/live-sign.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { UserLink } from "../events/user-link.tsx";
import { Arrival, DelayMark, StatusMark, ToGo } from "./status.tsx";
import { OPEN_STATUSES } from "./times-of-now.ts";
import type { Trip } from "./trip.ts";
import { TripLegs } from "./trip-legs.tsx";
import { TripShares } from "./trip-shares.tsx";

interface TripDetailProps {
  trip: Trip | undefined;
  problem?: Problem;
  walked?: string;
  live: LiveState;
  onClose: () => void;
}

/** One trip: progress, delay, legs, and share links. */
export function TripDetail({ trip, problem, walked, live, onClose }: TripDetailProps) {
  const forget = useForget();
  const ending = useChange((api, id: string, status: string) => api.patch(`/v1/trips/${id}/update`, { status }));
  if (!trip) {
    return <WaitingDetail title="Trip" problem={problem} lines={8} onClose={onClose} />;
  }
  const isOpen = OPEN_STATUSES.includes(trip.status);
  const end = async (status: string) => {
    const result = await ending.run(trip._id, status);
    if (result.ok) forget("/v1/trips");
  };
  return (
    <MapDetail
      title={nameOfRecord(trip)}
      onClose={onClose}
      actions={isOpen ? <LiveSign state={live} /> : undefined}
      foot={
        <TripButtons
          trip={trip}
          busy={ending.busy}
          onDeleted={onClose}
          onEnd={isOpen ? (status) => void end(status) : undefined}
        />
      }
    >
      {ending.problem && <Failure problem={ending.problem} />}
      <TripFacts trip={trip} isOpen={isOpen} walked={walked} />
      {trip.legs && <TripLegs trip={trip} />}
      <TripShares trip={trip._id} isOpen={isOpen} />
    </MapDetail>
  );
}

interface TripButtonsProps {
  trip: Trip;
  busy: boolean;
  onDeleted: () => void;
  /** Undefined after the trip has ended. */
  onEnd?: (status: "canceled" | "completed") => void;
}

function TripButtons({ trip, busy, onDeleted, onEnd }: TripButtonsProps) {
  return (
    <>
      <ConfirmButton
        button={{ bare: true, danger: true, icon: Trash2, label: "Delete", needs: "write" }}
        title="Delete this trip?"
        name={trip.externalId}
        action="Delete trip"
        send={(api) => api.delete(`/v1/trips/${trip._id}`)}
        onDone={onDeleted}
        forgets={["/v1/trips"]}
        said={`${nameOfRecord(trip)} deleted`}
      >
        Deletes the trip and its track permanently and revokes its share links. Its events are kept.
      </ConfirmButton>
      <span class="grow" />
      {onEnd && (
        <>
          <Button busy={busy} needs="write" onClick={() => onEnd("canceled")}>
            Cancel trip
          </Button>
          <Button busy={busy} needs="write" onClick={() => onEnd("completed")}>
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
        [
          "ETA",
          trip.eta && isOpen && !trip.arrivedAt && (
            <span key="eta" class="row wrap">
              <Arrival of={trip} /> <ToGo of={trip} metersLeft={trip.eta.distance} />
            </span>
          ),
        ],
        [
          "Schedule",
          trip.scheduledArrivalAt && (
            <span key="schedule" class="row wrap">
              <Time at={trip.scheduledArrivalAt} as="exact" />
              {!trip.arrivedAt && isOpen && <DelayMark of={trip} />}
            </span>
          ),
        ],
        [
          "Arrived",
          trip.arrivedAt && (
            <span key="arrived" class="row wrap">
              <Time at={trip.arrivedAt} as="exact" />
              <DelayMark of={trip} />
            </span>
          ),
        ],
        ["Without arrival", !isOpen && !trip.arrivedAt && trip.delay && <DelayMark of={trip} />],
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
        ["Metadata", trip.metadata && <MetadataLines of={trip.metadata} />],
        ["_id", <Id key="id">{trip._id}</Id>],
      ]}
    />
  );
}
