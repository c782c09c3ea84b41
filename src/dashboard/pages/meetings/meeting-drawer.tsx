import { Field, Switch } from "../../forms/fields.tsx";
import { RecordDrawer, type RecordDrawerProps, type RecordKind } from "../../forms/record-drawer.tsx";
import type { DraftForm } from "../../forms/use-form.ts";
import { MetadataFields } from "../geofences/fence-fields.tsx";
import { bodyOf, type Draft, draftOf, EMPTY, type Meeting } from "./meeting-draft.ts";

const MEETINGS: RecordKind<Meeting, Draft> = {
  noun: "meeting",
  path: "/v1/meetings",
  nameOf: ({ name }) => name,
  create: "Create",
  draftOf,
  newDraft: EMPTY,
  save: (api, draft, path) => {
    const faults: Record<string, string> = {};
    const body = bodyOf(draft, faults);
    if (Object.keys(faults).length > 0) return { faults };
    return path ? api.patch(path, body) : api.post("/v1/meetings", body);
  },
  removes: "Meetings that last end without an event.",
};

export function MeetingDrawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer {...props} of={MEETINGS}>
      {(form) => <MeetingFields {...form} />}
    </RecordDrawer>
  );
}

function MeetingFields(form: DraftForm<Draft>) {
  const { field } = form;
  return (
    <>
      <Field label="Name" {...field("name")} />
      <Switch label="Enabled" {...field("enabled")} />
      <GroupFields form={form} group="users" title="Users" />
      <GroupFields form={form} group="others" title="Meet" />
      <Field label="Radius" unit="m" type="number" min={10} {...field("radius")} />
      <div class="form-grid">
        <Field label="Together for" unit="s" type="number" min={0} {...field("minimumSeconds")} />
        <Field label="Positions within" unit="min" type="number" min={1} {...field("freshMinutes")} />
      </div>
      <Field
        label="Test users"
        hint="Only these take part: userIds, comma-separated. Empty: all"
        {...field("testUserIds")}
      />
    </>
  );
}

interface GroupFieldsProps {
  form: DraftForm<Draft>;
  group: "users" | "others";
  title: string;
}

/** Who is in a group; without conditions, all users. */
function GroupFields({ form: { draft, set }, group, title }: GroupFieldsProps) {
  const values = draft[group];
  const change = (part: Partial<typeof values>) => set({ [group]: { ...values, ...part } });
  const field = (name: "userTags" | "segments" | "userIds") => ({
    value: values[name],
    onChange: (value: string) => change({ [name]: value }),
    param: `${group}.${name}`,
  });
  return (
    <fieldset class="card stack tight">
      <legend>{title}</legend>
      <Field label="Tags" hint="Comma-separated. No conditions: all users" {...field("userTags")} />
      <div class="form-grid">
        <Field label="Segments" {...field("segments")} />
        <Field label="User ids" {...field("userIds")} />
      </div>
      <span>Metadata</span>
      <MetadataFields
        rows={values.metadata}
        param={`${group}.metadata`}
        onChange={(metadata) => change({ metadata })}
      />
    </fieldset>
  );
}
