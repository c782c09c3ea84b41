import { Plus, X } from "lucide";
import { BareInput, BareSelect } from "../../forms/bare.tsx";
import { Field, GroupProblem, Select, Switch } from "../../forms/fields.tsx";
import { PickField } from "../../forms/pick-field.tsx";
import { useSegments, useTags } from "../../forms/pick-options.ts";
import { DAYS, type Day, type FenceDraft, type MetadataRow } from "../../map/fences/fence-draft.ts";
import { Button } from "../../parts/button.tsx";
import { sameWords } from "../../parts/choices.ts";
import type { FieldsProps } from "./shape-fields.tsx";

const STOPS = [
  ["", "Project setting"],
  ["true", "Entry only if the device stops"],
  ["false", "Entry also if the device passes by"],
] as const;

/** The properties of a field of the draft that is typed as text. */
const textOf =
  ({ draft, edit }: FieldsProps) =>
  (field: keyof FenceDraft & string) => ({
    value: String(draft[field]),
    onChange: (value: string) => edit({ [field]: value } as Partial<FenceDraft>),
    param: field,
  });

/** Everything about a geofence but its shape: all fields of the API, the rare ones folded away. */
export function FenceFields(props: FieldsProps) {
  const { draft, edit } = props;
  const text = textOf(props);
  const tags = useTags("geofences");
  return (
    <>
      <Field label="Description" {...text("description")} hint="Shown in lists and events." required />
      <div class="form-grid">
        <Field label="Tag" {...text("tag")} placeholder="store" list={tags.map(([tag]) => tag)} />
        <Field label="External id" {...text("externalId")} placeholder="your id" />
      </div>
      <Switch label="Enabled" value={draft.enabled} onChange={(enabled) => edit({ enabled })} />
      <RuleFields {...props} />
      <details open={Object.keys(draft.hours).length > 0}>
        <summary>Operating hours</summary>
        <HoursFields draft={draft} edit={edit} />
      </details>
      <details open={draft.metadata.length > 0}>
        <summary>Metadata</summary>
        <MetadataFields rows={draft.metadata} param="metadata" onChange={(metadata) => edit({ metadata })} />
      </details>
      <AudienceFields {...props} />
    </>
  );
}

function RuleFields(props: FieldsProps) {
  const { draft, edit } = props;
  const text = textOf(props);
  const { dwellThreshold, stopDetection, tripApproachingThreshold, speedLimit } = draft;
  return (
    <details open={[dwellThreshold, stopDetection, tripApproachingThreshold, speedLimit].some((rule) => rule !== "")}>
      <summary>Custom rules</summary>
      <div class="stack">
        <div class="form-grid">
          <Field label="Dwell after" type="number" unit="minutes" {...text("dwellThreshold")} placeholder="project's" />
          <Field label="Trip approaching at" type="number" unit="minutes" {...text("tripApproachingThreshold")} />
          <Field label="Speed limit" type="number" unit="km/h" {...text("speedLimit")} placeholder="road's" />
        </div>
        <Select
          label="Stop detection"
          options={STOPS}
          param="stopDetection"
          value={stopDetection}
          onChange={(next) => edit({ stopDetection: next })}
        />
      </div>
    </details>
  );
}

function AudienceFields(props: FieldsProps) {
  const { disableAfter, deleteAfter, userIds, segments, ip } = props.draft;
  const text = textOf(props);
  const segmentNames = useSegments();
  return (
    <details open={[disableAfter, deleteAfter, userIds, segments, ip].some((limit) => limit !== "")}>
      <summary>Schedule and audience</summary>
      <div class="stack">
        <div class="form-grid">
          <Field label="Disabled after" type="datetime-local" {...text("disableAfter")} />
          <Field label="Deleted after" type="datetime-local" {...text("deleteAfter")} />
        </div>
        <Field label="Only these users" lines={3} {...text("userIds")} hint="One userId per line. Empty: all users." />
        <PickField
          label="Only users in these segments"
          placeholder="All users"
          options={segmentNames}
          separator={"\n"}
          {...text("segments")}
        />
        <Field label="IP addresses" lines={2} {...text("ip")} hint="One per line." />
      </div>
    </details>
  );
}

/** Opening hours in the geofence's time zone. A day without hours is closed; no hours on any day means always open. */
function HoursFields({ draft, edit }: FieldsProps) {
  const { hours } = draft;
  const put = (day: Day, spans: [string, string][]) => {
    const { [day]: _, ...rest } = hours;
    edit({ hours: spans.length > 0 ? { ...hours, [day]: spans } : rest });
  };
  return (
    <fieldset class="plain stack tight">
      <legend class="hint">Local time of the geofence. Without hours it is always open.</legend>
      {DAYS.map((day) => (
        <div key={day} class="row wrap hours">
          <span class="day strong">{day}</span>
          {(hours[day] ?? []).map((span, i) => (
            <span key={i} class="row">
              {[0, 1].map((end) => (
                <BareInput
                  key={end}
                  type="time"
                  label={`${day} ${end === 0 ? "from" : "until"}`}
                  value={span[end] === "24:00" ? "00:00" : span[end]}
                  onChange={(time) => {
                    const next = (hours[day] ?? []).map((one) => [...one] as [string, string]);
                    // Midnight as an end is the end of this day.
                    next[i][end] = end === 1 && time === "00:00" ? "24:00" : time;
                    put(day, next);
                  }}
                />
              ))}
              <Button
                small
                bare
                icon={X}
                label={`Remove ${day} ${span.join("–")}`}
                onClick={() =>
                  put(
                    day,
                    (hours[day] ?? []).filter((_, at) => at !== i),
                  )
                }
              />
            </span>
          ))}
          <Button
            small
            bare
            icon={Plus}
            label={`Add hours on ${day}`}
            onClick={() => put(day, [...(hours[day] ?? []), ["09:00", "18:00"]])}
          />
        </div>
      ))}
      <GroupProblem param="operatingHours" />
    </fieldset>
  );
}

const METADATA_KINDS: readonly MetadataRow["kind"][] = ["text", "number", "yes/no"];

interface MetadataFieldsProps {
  rows: MetadataRow[];
  /** The parameters of the API whose errors are shown here. */
  param: string | readonly string[];
  onChange: (rows: MetadataRow[]) => void;
}

/** Rows of name, kind and value. */
export function MetadataFields({ rows, param, onChange }: MetadataFieldsProps) {
  const put = (i: number, part: Partial<MetadataRow>) =>
    onChange(rows.map((row, at) => (at === i ? { ...row, ...part } : row)));
  return (
    <fieldset class="plain stack tight">
      <legend class="unseen">Metadata</legend>
      {rows.map((row, i) => (
        <div key={i} class="row">
          <BareInput label="Name" placeholder="name" value={row.key} onChange={(key) => put(i, { key })} />
          <BareSelect
            label="Kind"
            value={row.kind}
            onChange={(kind) => put(i, { kind: kind as MetadataRow["kind"] })}
            options={sameWords(METADATA_KINDS)}
          />
          <BareInput label="Value" placeholder="value" value={row.value} onChange={(value) => put(i, { value })} />
          <Button
            small
            bare
            icon={X}
            label={`Remove ${row.key || "row"}`}
            onClick={() => onChange(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <GroupProblem param={param} />
      <div>
        <Button small icon={Plus} onClick={() => onChange([...rows, { key: "", value: "", kind: "text" }])}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
