import { Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Problem } from "../../api/client.ts";
import { useForget } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { useAddress } from "../../base/router.tsx";
import { Confirm } from "../../forms/confirm.tsx";
import { DAYS } from "../../map/fences/fence-draft.ts";
import { nameOfUser } from "../../map/layers/features.ts";
import { MapDetail } from "../../map/map-page.tsx";
import type { WireUser } from "../../map/users/whereabouts.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { metres, minutes, plural, position } from "../../parts/values/number.tsx";
import { Pill } from "../../parts/values/pill.tsx";
import { Time } from "../../parts/values/time.tsx";
import type { Fence } from "./fence.ts";

/** One geofence: its settings, and the users inside. */
export function FenceDetail({
  fence,
  problem,
  users,
  actions,
  onClose,
}: {
  fence: Fence | undefined;
  problem?: Problem;
  users: readonly WireUser[];
  actions: ComponentChildren;
  onClose: () => void;
}) {
  const { to } = useAddress();
  const mayWrite = useMay("write");
  const forget = useForget();
  const [deleting, setDeleting] = useState(false);
  if (!fence) {
    return (
      <MapDetail title="Geofence" onClose={onClose}>
        {problem ? <Failure problem={problem} /> : <SkeletonLines lines={8} />}
      </MapDetail>
    );
  }
  const removed = () => {
    setDeleting(false);
    onClose();
    forget("/v1/geofences");
    toast(`${fence.description} deleted. Users inside exit on their next update.`);
  };
  return (
    <MapDetail
      title={fence.description}
      actions={actions}
      onClose={onClose}
      foot={
        <Button danger icon={Trash2} disabled={!mayWrite} why={whyNot("write")} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      }
    >
      <Facts rows={factsOf(fence)} />
      <h2>{plural(users.length, "user")} inside now</h2>
      {users.length > 0 && (
        <ul class="picks">
          {users.map((user) => (
            <li key={user._id}>
              <a href={to("users", user._id)}>
                <span class="grow cut">{nameOfUser(user)}</span>
                <span class="muted small">
                  <Time at={user.updatedAt} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {deleting && (
        <Confirm
          title="Delete this geofence?"
          name={fence.description}
          action="Delete geofence"
          send={(api) => api.delete(`/v1/geofences/${fence._id}`)}
          onDone={removed}
          onClose={() => setDeleting(false)}
        >
          {plural(users.length, "user is", "users are")} inside now and exit with their next update. Past events stay.
          This cannot be undone; export it first to keep a copy.
        </Confirm>
      )}
    </MapDetail>
  );
}

function factsOf(fence: Fence): [string, ComponentChildren][] {
  const { type, geometryRadius: radius, geometryCenter: center, stopDetection } = fence;
  const size = type === "isochrone" ? `${radius} min by ${fence.mode}` : type === "circle" ? metres(radius) : undefined;
  return [
    ["State", fence.enabled ? <Pill tone="good">Enabled</Pill> : <Pill>Disabled</Pill>],
    ["Kind", [type, size].filter(Boolean).join(", ")],
    ["Center", position(center.coordinates)],
    ["Tag", fence.tag],
    ["externalId", fence.externalId],
    ["Dwell", fence.dwellThreshold === undefined ? "project setting" : minutes(fence.dwellThreshold)],
    ["Stop detection", stopDetection === undefined ? "project setting" : stopDetection ? "entry when stopped" : "off"],
    ["Approaching", fence.tripApproachingThreshold === undefined ? undefined : minutes(fence.tripApproachingThreshold)],
    ["Hours", hoursOf(fence.operatingHours)],
    ["Disabled after", fence.disableAfter && <Time at={fence.disableAfter} as="exact" />],
    ["Deleted after", fence.deleteAfter && <Time at={fence.deleteAfter} as="exact" />],
    ["Users", fence.userIds?.join(", ")],
    ["Segments", fence.segments?.join(", ")],
    ["Addresses", fence.ip?.join(", ")],
    [
      "Metadata",
      fence.metadata &&
        Object.entries(fence.metadata).map(([key, value]) => (
          <span key={key} class="block">
            <span class="muted">{key}</span> {String(value)}
          </span>
        )),
    ],
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
