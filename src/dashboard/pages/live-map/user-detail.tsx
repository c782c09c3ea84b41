import { LocateFixed } from "lucide";
import type { LiveEvent } from "../../api/live.ts";
import { nameOfUser } from "../../map/layers/features.ts";
import { MapDetail } from "../../map/map-page.tsx";
import { StateMark } from "../../map/users/state-mark.tsx";
import { stateOf } from "../../map/users/user-states.ts";
import type { WireUser } from "../../map/users/whereabouts.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { metres, minutes, position, speed } from "../../parts/values/number.tsx";
import { Time } from "../../parts/values/time.tsx";
import { useAddress } from "../../router.tsx";
import { EventStream } from "./event-stream.tsx";

export function UserDetail({
  user,
  events,
  isFollowed,
  onFollow,
  onClose,
}: {
  user: WireUser;
  events: readonly LiveEvent[];
  isFollowed: boolean;
  onFollow: (follow: boolean) => void;
  onClose: () => void;
}) {
  const { to } = useAddress();
  const { trip } = user;
  return (
    <MapDetail
      title={nameOfUser(user)}
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
          ["State", <StateMark key="state" state={stateOf(user, Date.now())} />],
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
                    {fence.description}
                  </a>
                )),
          ],
          [
            "Trip",
            trip && (
              <a key="trip" href={to("trips", trip._id)}>
                {trip.externalId}: {trip.status}
                {trip.eta && `, ${minutes(trip.eta.duration)}`}
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
