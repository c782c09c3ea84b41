import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { Problem } from "../../api/client.ts";
import { useChange, useForget } from "../../api/hooks.ts";
import type { LiveState } from "../../api/live.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { MapDetail } from "../../map/map-page.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/overlays/dialog.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { metres, minutes } from "../../parts/values/number.tsx";
import { Time } from "../../parts/values/time.tsx";
import { useAddress } from "../../router.tsx";
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
  const { to } = useAddress();
  const mayWrite = useMay("write");
  const forget = useForget();
  const [deleting, setDeleting] = useState(false);
  const removal = useChange((api, id: string) => api.delete(`/v1/trips/${id}`));
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
  const remove = async () => {
    const result = await removal.run(trip._id);
    if (!result.ok) return;
    setDeleting(false);
    onClose();
    forget("/v1/trips");
    toast(`${trip.externalId} deleted`);
  };
  return (
    <MapDetail
      title={trip.externalId}
      onClose={onClose}
      actions={isOpen ? <LiveSign state={live} /> : undefined}
      foot={
        <>
          <Button
            bare
            danger
            icon={Trash2}
            label="Delete"
            disabled={!mayWrite}
            why={whyNot("write")}
            onClick={() => setDeleting(true)}
          />
          <span class="grow" />
          {isOpen && (
            <>
              <Button
                busy={ending.busy}
                disabled={!mayWrite}
                why={whyNot("write")}
                onClick={() => void end("canceled")}
              >
                Cancel trip
              </Button>
              <Button
                busy={ending.busy}
                disabled={!mayWrite}
                why={whyNot("write")}
                onClick={() => void end("completed")}
              >
                Complete
              </Button>
            </>
          )}
        </>
      }
    >
      {ending.problem && <Failure problem={ending.problem} />}
      <Facts
        rows={[
          ["Status", <StatusMark key="status" status={trip.status} />],
          ["ETA", trip.eta && isOpen ? `${minutes(trip.eta.duration)}, ${metres(trip.eta.distance)} to go` : undefined],
          ["Schedule", trip.scheduledArrivalAt && <Time at={trip.scheduledArrivalAt} as="exact" />],
          ["Delay", trip.delay && <DelayMark delay={trip.delay} />],
          ["Traveled", walked],
          ["User", trip.user && <a href={to("users", trip.user._id)}>{trip.userId ?? trip.user.deviceId}</a>],
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
          ["Arrived", trip.arrivedAt && <Time at={trip.arrivedAt} as="exact" />],
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
      {trip.legs && <TripLegs trip={trip} />}
      <TripShares trip={trip._id} isOpen={isOpen} />
      {deleting && (
        <Confirm
          title="Delete this trip?"
          name={trip.externalId}
          action="Delete trip"
          busy={removal.busy}
          problem={removal.problem?.message}
          onConfirm={() => void remove()}
          onClose={() => setDeleting(false)}
        >
          Deletes the trip and its track permanently and revokes its share links. Its events are kept.
        </Confirm>
      )}
    </MapDetail>
  );
}
