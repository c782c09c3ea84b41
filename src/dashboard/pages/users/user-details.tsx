import { useState } from "preact/hooks";
import type { setUserSegments } from "../../../http/users/users.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, useForget } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Field } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { CopyButton, Id } from "../../parts/values/code.tsx";
import { Facts, Metadata } from "../../parts/values/facts.tsx";
import { metres, position, speed } from "../../parts/values/number.tsx";
import { Time } from "../../parts/values/time.tsx";
import type { User } from "./user-list.tsx";

export function UserDetails({ user }: { user: User }) {
  const at = position(user.location.coordinates);
  return (
    <div class="cards">
      <section class="card">
        <h2>User</h2>
        <Facts
          rows={[
            ["_id", <Id key="id">{user._id}</Id>],
            ["userId", user.userId],
            ["deviceId", <Id key="device">{user.deviceId}</Id>],
            ["Description", user.description],
            ["First seen", <Time key="first" at={user.createdAt} as="exact" />],
            ["Last update", <Time key="last" at={user.updatedAt} as="exact" />],
            ["IP address", user.ip],
          ]}
        />
      </section>
      <section class="card">
        <h2>Location</h2>
        <Facts
          rows={[
            [
              "Position",
              <span key="position" class="row">
                {at} <CopyButton text={at} />
              </span>,
            ],
            ["Accuracy", metres(user.locationAccuracy)],
            ["Speed", user.speed === undefined ? undefined : speed(user.speed)],
            ["Course", user.course === undefined ? undefined : `${Math.round(user.course)}°`],
            ["Altitude", user.altitude === undefined ? undefined : metres(user.altitude)],
            [
              "Geofences",
              user.geofences.map(({ description, externalId, _id }) => description ?? externalId ?? _id).join(", "),
            ],
            ["Place", user.place?.name],
            ["Beacons", user.beacons?.map(({ description }) => description).join(", ")],
            ["Country", user.country?.name],
            ["State", user.state?.name],
            ["DMA", user.dma?.name],
            ["Postal code", user.postalCode?.code],
          ]}
        />
      </section>
      <section class="card">
        <h2>Device</h2>
        <Facts
          rows={[
            ["Type", user.deviceType],
            ["Model", [user.deviceMake, user.deviceModel].filter(Boolean).join(" ")],
            ["System", user.deviceOS],
            ["SDK", user.sdkVersion],
            ["In foreground", user.foreground === undefined ? undefined : user.foreground ? "yes" : "no"],
            ["Location permission", user.locationAuthorization],
            ["Precision", user.locationAccuracyAuthorization],
            ["Source", user.source],
          ]}
        />
      </section>
      <section class="card">
        <h2>Metadata</h2>
        <Metadata of={user.metadata} />
      </section>
      <Segments user={user} />
    </div>
  );
}

/** A user is in segments by their names; the server keeps descriptions and external ids. */
function Segments({ user }: { user: User }) {
  const mayWrite = useMay("write");
  const forget = useForget();
  const segments = user.segments ?? [];
  const [typed, setTyped] = useState("");
  const change = useChange((api, next: { description: string; externalId: string }[]) =>
    api.put<Answer<typeof setUserSegments>>(`/v1/users/${encodeURIComponent(user._id)}/segments`, { segments: next }),
  );
  const put = async (next: typeof segments, said: string, undo?: () => void) => {
    if (!(await change.run(next)).ok) return;
    forget("/v1/users");
    toast(said, { undo });
    setTyped("");
  };
  return (
    <section class="card stack tight">
      <h2>Segments</h2>
      {segments.length === 0 && <p class="muted">Not in any segment.</p>}
      {segments.map((segment) => (
        <div key={segment.externalId} class="row ends">
          <span>
            {segment.description} <code class="muted">{segment.externalId}</code>
          </span>
          <Button
            small
            disabled={!mayWrite}
            why={whyNot("write")}
            onClick={() =>
              void put(
                segments.filter((one) => one !== segment),
                `Removed from ${segment.description}`,
                () => void put(segments, "Added again"),
              )
            }
          >
            Remove
          </Button>
        </div>
      ))}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const description = typed.trim();
          const externalId = description.toLowerCase().replace(/\s+/g, "-");
          if (description !== "") void put([...segments, { description, externalId }], `Added to ${description}`);
        }}
      >
        <div class="grow">
          <Field label="Add to segment" value={typed} onChange={setTyped} problem={change.problem?.message} />
        </div>
        <Button
          type="submit"
          disabled={!mayWrite || typed.trim() === ""}
          why={mayWrite ? "Enter its name." : whyNot("write")}
          busy={change.busy}
        >
          Add
        </Button>
      </form>
    </section>
  );
}
