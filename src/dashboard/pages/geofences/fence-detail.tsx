import { Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import type { Problem } from "../../api/client.ts";
import { useAddress } from "../../base/router.tsx";
import { ConfirmButton } from "../../forms/confirm.tsx";
import { DAYS } from "../../map/fences/fence-draft.ts";
import { MapDetail, WaitingDetail } from "../../map/map-page.tsx";
import type { WireUser } from "../../map/users/whereabouts.ts";
import { Id } from "../../parts/values/code.tsx";
import { Facts, MetadataLines } from "../../parts/values/facts.tsx";
import { EnabledPill, metres, minutes, plural, position, Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { type Fence, KIND_WORDS } from "./fence.ts";

interface FenceDetailProps {
  fence: Fence | undefined;
  problem?: Problem;
  users: readonly WireUser[];
  actions: ComponentChildren;
  onClose: () => void;
}

/** One geofence: its settings, and the users inside. */
export function FenceDetail({ fence, problem, users, actions, onClose }: FenceDetailProps) {
  const { to } = useAddress();
  if (!fence) {
    return <WaitingDetail title="Geofence" problem={problem} lines={8} onClose={onClose} />;
  }
  return (
    <MapDetail
      title={nameOfRecord(fence)}
      actions={actions}
      onClose={onClose}
      foot={
        <ConfirmButton
          button={{ danger: true, icon: Trash2, needs: "write", children: "Delete" }}
          title="Delete this geofence?"
          name={nameOfRecord(fence)}
          action="Delete geofence"
          send={(api) => api.delete(`/v1/geofences/${fence._id}`)}
          onDone={onClose}
          forgets={["/v1/geofences"]}
          said={`${nameOfRecord(fence)} deleted`}
        >
          {users.length > 0 &&
            `${plural(users.length, "user is", "users are")} inside now and ${users.length === 1 ? "exits" : "exit"} with the next update. `}
          Past events stay. This cannot be undone; export it first to keep a copy.
        </ConfirmButton>
      }
    >
      <Facts rows={factsOf(fence)} />
      <h2>{plural(users.length, "user")} inside now</h2>
      {users.length > 0 && (
        <ul class="picks">
          {users.map((user) => (
            <li key={user._id}>
              <a href={to("users", user._id)}>
                <span class="grow cut">{nameOfRecord(user)}</span>
                <span class="muted small">
                  <Time at={user.updatedAt} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </MapDetail>
  );
}

function factsOf(fence: Fence): [string, ComponentChildren][] {
  const { type, geometryRadius: radius, geometryCenter: center, stopDetection } = fence;
  const size =
    type === "isochrone" ? `${minutes(radius)} by ${fence.mode}` : type === "circle" ? metres(radius) : undefined;
  return [
    ["State", <EnabledPill key="state" enabled={fence.enabled} />],
    ["Kind", [KIND_WORDS[type], size].filter(Boolean).join(", ")],
    ["Center", position(center.coordinates)],
    ["Tag", fence.tag],
    ["External id", fence.externalId],
    ["Dwell", fence.dwellThreshold === undefined ? "project setting" : minutes(fence.dwellThreshold)],
    ["Stop detection", stopDetection === undefined ? "project setting" : stopDetection ? "entry when stopped" : "off"],
    ["Approaching", fence.tripApproachingThreshold === undefined ? undefined : minutes(fence.tripApproachingThreshold)],
    ["Speed limit", fence.speedLimit === undefined ? undefined : `${fence.speedLimit} km/h`],
    ["Hours", hoursOf(fence.operatingHours)],
    ["Disabled after", fence.disableAfter && <Time at={fence.disableAfter} as="exact" />],
    ["Deleted after", fence.deleteAfter && <Time at={fence.deleteAfter} as="exact" />],
    ["Users", fence.userIds?.join(", ")],
    ["Segments", fence.segments?.join(", ")],
    ["Addresses", fence.ip?.join(", ")],
    ["Metadata", fence.metadata && <MetadataLines of={fence.metadata} />],
    ["Changed", <Time key="changed" at={fence.updatedAt} />],
    ["_id", <Id key="id">{fence._id}</Id>],
  ];
}

function hoursOf(hours: Fence["operatingHours"]): ComponentChildren {
  if (!hours) return "always";
  return DAYS.map((day) => (
    <span key={day} class="block">
      <span class="day">{day}</span> {hours[day]?.map((span) => span.join("–")).join(", ") ?? "closed"}
    </span>
  ));
}
