import { DEVICE_TYPES } from "../../../core/engagement/campaign.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { PickField } from "../../forms/pick-field.tsx";
import { countryOptions, useFenceNames, useTags } from "../../forms/pick-options.ts";
import { Button } from "../../parts/button.tsx";
import { sameWords } from "../../parts/choices.ts";
import { MetadataFields } from "../geofences/fence-fields.tsx";
import { type ConditionDraft, type ConditionType, isAge, isVisit, TYPES, VALUE_LABELS } from "./segment-draft.ts";

const VALUES_HINTS: Partial<Record<ConditionType, string>> = { state: "Codes such as NY, CA" };

const optionsOf = (type: ConditionType) =>
  type === "country" ? countryOptions() : type === "deviceType" ? sameWords(DEVICE_TYPES) : [];

interface ConditionFieldsProps {
  condition: ConditionDraft;
  at: number;
  onChange: (part: Partial<ConditionDraft>) => void;
  onRemove: (() => void) | undefined;
}

/** The fields of one condition; which depends on its type. */
export function ConditionFields({ condition, at, onChange, onRemove }: ConditionFieldsProps) {
  const { type } = condition;
  const param = (name: string) => `rule.conditions[${at}].${name}`;
  const field = (name: FieldName) => ({
    value: condition[name],
    onChange: (value: string) => onChange({ [name]: value }),
    param: param(name),
  });
  return (
    <fieldset class="card stack tight">
      <legend class="unseen">Condition {at + 1}</legend>
      <Select
        label="Condition"
        value={type}
        param={param("type")}
        onChange={(next) => onChange({ type: next })}
        options={TYPES}
      />
      {isVisit(type) && <VisitFields condition={condition} field={field} onChange={onChange} />}
      {isAge(type) && <Field label="Within" unit="days" type="number" min={1} {...field("days")} />}
      {type === "metadata" && (
        <MetadataFields
          rows={condition.metadata}
          param={param("metadata")}
          onChange={(metadata) => onChange({ metadata })}
        />
      )}
      {!isVisit(type) && !isAge(type) && type !== "metadata" && (
        <PickField label="One of" hint={VALUES_HINTS[type]} options={optionsOf(type)} {...field("values")} />
      )}
      <Switch
        label="Not"
        hint="The user must not meet it."
        value={condition.not}
        onChange={(not) => onChange({ not })}
      />
      {onRemove && (
        <Button small onClick={onRemove}>
          Remove the condition
        </Button>
      )}
    </fieldset>
  );
}

type FieldName = "value" | "visits" | "days" | "weeks" | "values";

interface VisitFieldsProps extends Pick<ConditionFieldsProps, "condition" | "onChange"> {
  field: (name: FieldName) => { value: string; onChange: (value: string) => void; param: string };
}

/** What was visited, and how often. */
function VisitFields({ condition: { type, weekly }, field, onChange }: VisitFieldsProps) {
  const tags = useTags("geofences");
  const fences = useFenceNames(type === "geofence");
  const known = type === "geofenceTag" ? tags.map(([tag]) => tag) : undefined;
  return (
    <>
      {type === "geofence" ? (
        <Select label="Geofence" {...field("value")} options={[["", "Choose a geofence"], ...fences]} />
      ) : (
        <Field label={VALUE_LABELS[type] ?? "Value"} list={known} {...field("value")} />
      )}
      <Switch label="Each week" value={weekly} onChange={(value) => onChange({ weekly: value })} />
      {weekly ? (
        <Field label="Of the last" unit="weeks" type="number" min={1} {...field("weeks")} />
      ) : (
        <div class="form-grid">
          <Field label="Visits" type="number" min={1} {...field("visits")} />
          <Field label="Within" unit="days" type="number" min={1} {...field("days")} />
        </div>
      )}
    </>
  );
}
