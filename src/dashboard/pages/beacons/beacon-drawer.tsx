import type { createBeacon, getBeaconById } from "../../../worker/http/beacons/beacons.ts";
import type { Answer, Body } from "../../api/client.ts";
import { fillModel } from "../../forms/draft.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { RecordDrawer, type RecordDrawerProps, type RecordKind } from "../../forms/record-drawer.tsx";
import type { DraftForm } from "../../forms/use-form.ts";
import { choices } from "../../parts/choices.ts";
import { nameOfRecord } from "../../parts/values/names.ts";

type Beacon = Answer<typeof getBeaconById>["beacon"];

/** The fields as they are typed: texts, until the server has checked them. */
const EMPTY = {
  ...{ description: "", type: "ibeacon" as Beacon["type"], enabled: true, tag: "", externalId: "" },
  ...{ uuid: "", major: "", minor: "", uid: "", instance: "", position: "", metadata: "" },
};
type Draft = typeof EMPTY;

export function draftOf(beacon: Beacon): Draft {
  const { metadata, geometry } = beacon;
  const [longitude, latitude] = geometry.coordinates;
  const position = `${latitude}, ${longitude}`;
  return { ...fillModel(EMPTY, beacon), position, metadata: metadata ? JSON.stringify(metadata) : "" };
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

const BEACONS: RecordKind<Beacon, Draft> = {
  noun: "beacon",
  path: "/v1/beacons",
  nameOf: nameOfRecord,
  create: "Add",
  draftOf,
  newDraft: EMPTY,
  save: (api, draft, path) => (path ? api.put(path, bodyOf(draft)) : api.post("/v1/beacons", bodyOf(draft))),
  removes: "Users in its range exit on their next update.",
};

export function BeaconDrawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer {...props} of={BEACONS}>
      {(form) => <BeaconFields {...form} />}
    </RecordDrawer>
  );
}

function BeaconFields({ draft, field }: DraftForm<Draft>) {
  return (
    <>
      <Field label="Description" {...field("description")} />
      <Select label="Type" {...field("type")} options={choices({ ibeacon: "iBeacon", eddystone: "Eddystone" })} />
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
