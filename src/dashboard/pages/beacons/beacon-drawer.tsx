import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { createBeacon, getBeaconById } from "../../../worker/http/beacons/beacons.ts";
import type { Answer, Body, Result } from "../../api/client.ts";
import { useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Confirm } from "../../forms/confirm.tsx";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { type DraftForm, useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";

type Beacon = Answer<typeof getBeaconById>["beacon"];

/** The fields as they are typed: texts, until the server has checked them. */
interface Draft {
  description: string;
  type: "ibeacon" | "eddystone";
  uuid: string;
  major: string;
  minor: string;
  uid: string;
  instance: string;
  tag: string;
  externalId: string;
  position: string;
  enabled: boolean;
  metadata: string;
}

const EMPTY: Draft = {
  description: "",
  type: "ibeacon",
  uuid: "",
  major: "",
  minor: "",
  uid: "",
  instance: "",
  tag: "",
  externalId: "",
  position: "",
  enabled: true,
  metadata: "",
};

export function draftOf(beacon: Beacon): Draft {
  const { description, type, uuid = "", major = "", minor = "", uid = "", instance = "", enabled } = beacon;
  const { tag = "", externalId = "", metadata, geometry } = beacon;
  const [longitude, latitude] = geometry.coordinates;
  return {
    description,
    type,
    uuid,
    major,
    minor,
    uid,
    instance,
    tag,
    externalId,
    enabled,
    position: `${latitude}, ${longitude}`,
    metadata: metadata ? JSON.stringify(metadata) : "",
  };
}

/** The body of a request. The server checks; here only the order of a position is turned. */
export function bodyOf({ position, metadata, ...draft }: Draft): Body<typeof createBeacon> {
  const [latitude, longitude] = position.split(/[,\s]+/).filter(Boolean);
  const texts = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ""));
  return {
    ...texts,
    coordinates: JSON.stringify([longitude, latitude]),
    ...(metadata.trim() !== "" && { metadata }),
  } as Body<typeof createBeacon>;
}

/** A beacon by its id; without one, a new one. */
export function BeaconDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const path = id && `/v1/beacons/${encodeURIComponent(id)}`;
  const found = useQuery<Answer<typeof getBeaconById>>(path);
  const beacon = found.data?.beacon;
  return (
    <Drawer title={id ? (beacon?.description ?? "Beacon") : "Add a beacon"} onClose={onClose}>
      {found.problem && <Failure problem={found.problem} again={found.again} />}
      {id && !beacon && !found.problem && <SkeletonLines lines={8} />}
      {(beacon || !id) && (
        <BeaconForm
          key={beacon?.updatedAt ?? "new"}
          path={path}
          saved={beacon ? draftOf(beacon) : EMPTY}
          onClose={onClose}
        />
      )}
    </Drawer>
  );
}

function BeaconForm({ path, saved, onClose }: { path: string | undefined; saved: Draft; onClose: () => void }) {
  const mayWrite = useMay("write");
  const forget = useForget();
  const [deleting, setDeleting] = useState(false);
  const form = useForm({
    saved,
    role: "write",
    isEdit: true,
    send: (api, draft): Promise<Result<unknown>> =>
      path ? api.put(path, bodyOf(draft)) : api.post("/v1/beacons", bodyOf(draft)),
    onDone: () => {
      forget("/v1/beacons");
      toast(path ? "Saved" : "Beacon created");
      if (!path) onClose();
    },
  });
  return (
    <>
      <Form of={form}>
        <BeaconFields {...form} />
        <FormError />
        <footer class="row ends wrap">
          {path ? (
            <Button danger icon={Trash2} disabled={!mayWrite} why={whyNot("write")} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <SaveButton>{path ? "Save" : "Add"}</SaveButton>
        </footer>
      </Form>
      {path && deleting && (
        <Confirm
          title={`Delete ${saved.description}?`}
          action="Delete"
          name={saved.description}
          send={(api) => api.delete(path)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            forget("/v1/beacons");
            toast(`${saved.description} deleted`);
            onClose();
          }}
        >
          Users in its range exit on their next update.
        </Confirm>
      )}
    </>
  );
}

function BeaconFields({ draft, field }: DraftForm<Draft>) {
  return (
    <>
      <Field label="Description" {...field("description")} />
      <Select
        label="Type"
        {...field("type")}
        options={[
          ["ibeacon", "iBeacon"],
          ["eddystone", "Eddystone"],
        ]}
      />
      {draft.type === "ibeacon" ? (
        <>
          <Field label="UUID" mono {...field("uuid")} />
          <div class="form-grid">
            <Field label="Major" hint="0 to 65535" {...field("major")} />
            <Field label="Minor" hint="0 to 65535" {...field("minor")} />
          </div>
        </>
      ) : (
        <>
          <Field label="UID" mono {...field("uid")} />
          <Field label="Instance" mono {...field("instance")} />
        </>
      )}
      <Field label="Position" hint="latitude, longitude" {...field("position", "coordinates")} />
      <div class="form-grid">
        <Field label="Tag" {...field("tag")} />
        <Field label="External id" {...field("externalId")} />
      </div>
      <Field label="Metadata" hint='JSON, such as {"floor": 2}' mono {...field("metadata")} />
      <Switch label="Enabled" hint="A disabled beacon generates no events." {...field("enabled")} />
    </>
  );
}
