import { LocateFixed } from "lucide";
import { useEffect } from "preact/hooks";
import type { getUser } from "../../../worker/http/users/users.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import type { LiveEvent } from "../../api/live.ts";
import { useAddress } from "../../base/router.tsx";
import { MapDetail } from "../../map/map-page.tsx";
import { UserState } from "../../map/marks/state-mark.tsx";
import type { WireUser } from "../../map/users/whereabouts.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { metres, position, speed, Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { Arrival } from "../trips/status.tsx";
import { EventStream } from "./event-stream.tsx";

/** Pause after a live position, in which the record is stored [ms]. */
const STORED_AFTER_MS = 500;

/** The user's record after each live position, which has neither geofences nor trip. */
function useRecord(user: WireUser): WireUser {
  const { data, again } = useQuery<Answer<typeof getUser>>(`/v1/users/${user._id}`, {}, { every: 10_000 });
  const known = data?.user;
  const isBehind = known !== undefined && known.updatedAt < user.updatedAt;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(again, STORED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBehind, user.updatedAt, again]);
  return known && !isBehind ? known : user;
}

interface UserDetailProps {
  user: WireUser;
  events: readonly LiveEvent[];
  isFollowed: boolean;
  onFollow: (follow: boolean) => void;
  onClose: () => void;
}

export function UserDetail({ user: listed, events, isFollowed, onFollow, onClose }: UserDetailProps) {
  const { to } = useAddress();
  const user = useRecord(listed);
  const { trip } = user;
  return (
    <MapDetail
      title={nameOfRecord(user)}
      onClose={onClose}
      actions={
        <Button icon={LocateFixed} pressed={isFollowed} main={isFollowed} onClick={() => onFollow(!isFollowed)}>
          {isFollowed ? "Following" : "Follow"}
        </Button>
      }
      foot={<LinkButton href={to("users", user._id)}>Timeline and replay</LinkButton>}
    >
      <Facts
        rows={[
          ["State", <UserState key="state" user={user} />],
          ["Seen", <Time key="seen" at={user.updatedAt} />],
          ["Position", position(user.location.coordinates)],
          ["Accuracy", metres(user.locationAccuracy)],
          ["Speed", user.speed === undefined ? undefined : speed(user.speed)],
          ["userId", user.userId],
          ["deviceId", <Id key="device">{user.deviceId}</Id>],
          ["Device", [user.deviceType, user.deviceMake, user.deviceModel].filter(Boolean).join(" ")],
          ["Place", user.place?.name],
          [
            "Geofences",
            user.geofences.length === 0
              ? "none"
              : user.geofences.map((fence) => (
                  <a key={fence._id} class="block" href={to("geofences", fence._id)}>
                    {nameOfRecord(fence)}
                  </a>
                )),
          ],
          [
            "Trip",
            trip && (
              <a key="trip" href={to("trips", trip._id)}>
                {trip.externalId}: {trip.status}, <Arrival of={trip} />
              </a>
            ),
          ],
        ]}
      />
      <h2>Events since you opened this page</h2>
      <EventStream events={events} withUser={false} />
    </MapDetail>
  );
}
