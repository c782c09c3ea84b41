import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { createBeacon, getBeaconById } from "../../../http/beacons/beacons.ts";
import type { Answer, Body } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Field, FormProblem, problemOf, Select, Switch } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/overlays/dialog.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { useLeaveGuard } from "../../router.tsx";

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

function draftOf(beacon: Beacon): Draft {
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
function bodyOf({ position, metadata, ...draft }: Draft): Body<typeof createBeacon> {
  const [latitude, longitude] = position.split(/[,\s]+/).filter(Boolean);
  const texts = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ""));
  return {
    ...texts,
    coordinates: JSON.stringify([longitude, latitude]),
    ...(metadata.trim() !== "" && { metadata }),
  } as Body<typeof createBeacon>;
}

const FIELDS = [
  "description",
  "uuid",
  "major",
  "minor",
  "uid",
  "instance",
  "tag",
  "externalId",
  "coordinates",
  "metadata",
];

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
  const [draft, setDraft] = useState(saved);
  const [deleting, setDeleting] = useState(false);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved);
  useLeaveGuard(() => !isDirty);
  const save = useChange((api) => (path ? api.put(path, bodyOf(draft)) : api.post("/v1/beacons", bodyOf(draft))));
  const remove = useChange((api) => api.delete(path ?? ""));
  const { problem } = save;
  const set = (part: Partial<Draft>) => {
    save.clear();
    setDraft({ ...draft, ...part });
  };
  const text = (
    name: Exclude<keyof Draft, "type" | "enabled">,
    label: string,
    more: { hint?: string; mono?: boolean; param?: string } = {},
  ) => (
    <Field
      label={label}
      value={draft[name]}
      onChange={(value) => set({ [name]: value })}
      problem={problemOf(problem, more.param ?? name)}
      hint={more.hint}
      mono={more.mono}
    />
  );
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!(await save.run()).ok) return;
    forget("/v1/beacons");
    toast(path ? "Saved" : "Beacon created");
    if (!path) onClose();
  };
  return (
    <form class="stack" onSubmit={submit}>
      {text("description", "Description")}
      <Select
        label="Type"
        value={draft.type}
        onChange={(type) => set({ type })}
        options={[
          ["ibeacon", "iBeacon"],
          ["eddystone", "Eddystone"],
        ]}
      />
      {draft.type === "ibeacon" ? (
        <>
          {text("uuid", "UUID", { mono: true })}
          <div class="form-grid">
            {text("major", "Major", { hint: "0 to 65535" })}
            {text("minor", "Minor", { hint: "0 to 65535" })}
          </div>
        </>
      ) : (
        <>
          {text("uid", "UID", { mono: true })}
          {text("instance", "Instance", { mono: true })}
        </>
      )}
      {text("position", "Position", { hint: "latitude, longitude", param: "coordinates" })}
      <div class="form-grid">
        {text("tag", "Tag")}
        {text("externalId", "External id")}
      </div>
      {text("metadata", "Metadata", { hint: 'JSON, such as {"floor": 2}', mono: true })}
      <Switch
        label="Enabled"
        hint="A disabled beacon generates no events."
        value={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <FormProblem problem={problem} fields={FIELDS} />
      <footer class="row ends wrap">
        {path ? (
          <Button danger icon={Trash2} disabled={!mayWrite} why={whyNot("write")} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        ) : (
          <Button onClick={onClose}>Cancel</Button>
        )}
        <Button
          type="submit"
          main
          busy={save.busy}
          disabled={!isDirty || !mayWrite}
          why={mayWrite ? "There are no changes." : whyNot("write")}
        >
          {path ? "Save" : "Add"}
        </Button>
      </footer>
      {deleting && (
        <Confirm
          title={`Delete ${saved.description}?`}
          action="Delete"
          name={saved.description}
          busy={remove.busy}
          problem={remove.problem?.message}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            if (!(await remove.run()).ok) return;
            forget("/v1/beacons");
            toast(`${saved.description} deleted`);
            onClose();
          }}
        >
          Users in its range exit on their next update.
        </Confirm>
      )}
    </form>
  );
}
