import type { ComponentProps } from "preact";
import type { setUserSegments } from "../../../worker/http/users/users.ts";
import { type Answer, type Api, useChange, useForget } from "../../api/hooks.ts";
import { Field } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure } from "../../parts/states.tsx";
import { CopyButton, Id } from "../../parts/values/code.tsx";
import { Facts, Metadata } from "../../parts/values/facts.tsx";
import { metres, Pill, position, speed, Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import type { User } from "./user-list.tsx";

export function UserDetails({ user }: { user: User }) {
  const at = position(user.location.coordinates);
  return (
    <div class="cards">
      <FactsCard
        title="User"
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
      <FactsCard
        title="Location"
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
          ["Geofences", user.geofences.map(nameOfRecord).join(", ")],
          ["Place", user.place?.name],
          ["Beacons", user.beacons?.map(({ description }) => description).join(", ")],
          ["Country", user.country?.name],
          ["State", user.state?.name],
          ["DMA", user.dma?.name],
          ["Postal code", user.postalCode?.code],
        ]}
      />
      <FactsCard
        title="Device"
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
      <section class="card">
        <h2>Metadata</h2>
        <Metadata of={user.metadata} />
      </section>
      <Segments user={user} />
    </div>
  );
}

function FactsCard({ title, rows }: { title: string } & ComponentProps<typeof Facts>) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <Facts rows={rows} />
    </section>
  );
}

interface Segment {
  description: string;
  externalId: string;
  computed?: boolean;
}

/** The segments of a user. */
function Segments({ user }: { user: User }) {
  const all: Segment[] = user.segments ?? [];
  const segments = all.filter(({ computed }) => !computed);
  const computed = all.filter((one) => one.computed);
  const { form, remove, problem } = useSegments(user._id, segments);
  return (
    <section class="card stack tight">
      <h2>Segments</h2>
      {all.length === 0 && <p class="muted">Not in any segment.</p>}
      {computed.map(({ description, externalId }) => (
        <div key={externalId} class="row ends">
          <span>
            {description} <code class="muted">{externalId}</code>
          </span>
          <Pill>Computed</Pill>
        </div>
      ))}
      {segments.map((segment) => (
        <div key={segment.externalId} class="row ends">
          <span>
            {nameOfRecord({ ...segment, _id: segment.externalId })} <code class="muted">{segment.externalId}</code>
          </span>
          <Button small needs="write" onClick={() => void remove(segment)}>
            Remove
          </Button>
        </div>
      ))}
      {problem && <Failure problem={problem} />}
      <Form of={form}>
        <div class="row">
          <div class="grow">
            <Field label="Add to segment" {...form.field("description", "segments")} />
          </div>
          <SaveButton plain disabled={form.draft.description.trim() === ""} why="Enter its name.">
            Add
          </SaveButton>
        </div>
        <FormError />
      </Form>
    </section>
  );
}

/** Adds a user to segments that are set by hand, and removes it from them. */
function useSegments(user: string, segments: readonly Segment[]) {
  const forget = useForget();
  const put = (api: Api, next: readonly Segment[]) =>
    api.put<Answer<typeof setUserSegments>>(`/v1/users/${encodeURIComponent(user)}/segments`, { segments: next });
  const done = (said: string, undo?: () => void) => {
    forget("/v1/users");
    toast(said, { undo });
  };
  const change = useChange(put);
  const form = useForm({
    saved: { description: "" },
    role: "write",
    send: (api, { description }) => put(api, [...segments, segmentOf(description)]),
    onDone: (_, { description }) => {
      done(`Added to ${description.trim()}`);
      form.reset({ description: "" });
    },
  });
  const restore = async () => {
    if ((await change.run(segments)).ok) done("Segment restored");
  };
  const remove = async (segment: Segment) => {
    const rest = segments.filter((one) => one !== segment);
    if ((await change.run(rest)).ok)
      done(`Removed from ${nameOfRecord({ ...segment, _id: segment.externalId })}`, () => void restore());
  };
  return { form, remove, problem: change.problem };
}

function segmentOf(typed: string): Segment {
  const description = typed.trim();
  return { description, externalId: description.toLowerCase().replace(/\s+/g, "-") };
}
