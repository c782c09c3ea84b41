import { useState } from "preact/hooks";
import { CAMPAIGN_EVENT_TYPES, EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { ALERT_TYPES, isAlertType } from "../../../core/webhooks/alerts.ts";
import { isEngagementType, type SinkType } from "../../../core/webhooks/sink-settings.ts";
import { Check } from "../../forms/bare.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { choices, toggled } from "../../parts/choices.ts";
import { typeWords } from "../../parts/values/type-words.ts";
import { AddressField, SettingsFields, type TypedSettings, TypeField } from "./sink-fields.tsx";
import "./webhooks.css";
import { listOf } from "../../forms/draft.ts";

/** The fields of a webhook, as they are typed. */
export interface Draft {
  type: SinkType;
  url: string;
  settings: TypedSettings;
  description: string;
  delivery: "single" | "multiple";
  /** undefined: all types, also those that come later. */
  eventTypes?: string[];
}

interface WebhookFormProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** For an existing webhook: its type is fixed, and its secrets are kept. */
  saved?: { secrets: readonly string[] };
}

export function WebhookForm({ draft, onChange, saved }: WebhookFormProps) {
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return (
    <>
      {!saved && (
        <TypeField
          type={draft.type}
          // A queue has no URL. A previously typed one would be rejected, and not be visible.
          onChange={(type) =>
            change({
              type,
              settings: {},
              ...(type === "queue" && { url: "" }),
              ...(isEngagementType(type) && {
                delivery: "single" as const,
                eventTypes: withoutAlerts(draft.eventTypes),
              }),
            })
          }
        />
      )}
      <AddressField type={draft.type} url={draft.url} onChange={(url) => change({ url })} />
      <Field
        label="Description"
        value={draft.description}
        onChange={(description) => change({ description })}
        param="description"
      />
      {!isEngagementType(draft.type) && (
        <DeliveryField delivery={draft.delivery} onChange={(delivery) => change({ delivery })} />
      )}
      <SettingsFields
        type={draft.type}
        settings={draft.settings}
        onChange={(settings) => change({ settings })}
        kept={saved?.secrets}
      />
      <EventTypes
        chosen={draft.eventTypes}
        onChange={(eventTypes) => change({ eventTypes })}
        hasAlerts={!isEngagementType(draft.type)}
      />
    </>
  );
}

interface DeliveryFieldProps {
  delivery: Draft["delivery"];
  onChange: (delivery: Draft["delivery"]) => void;
}

function DeliveryField({ delivery, onChange }: DeliveryFieldProps) {
  return (
    <Select
      label="Delivery"
      param="delivery"
      value={delivery}
      onChange={onChange}
      options={choices({
        single: "One event per message: {event, user}",
        multiple: "Up to five events of a user per message: {events, user}",
      })}
    />
  );
}

const TYPES = [...EVENT_TYPES, ...CAMPAIGN_EVENT_TYPES] as const;

const withoutAlerts = (types: string[] | undefined) => types?.filter((type) => !isAlertType(type));

interface EventTypesProps {
  chosen: string[] | undefined;
  onChange: (types: string[] | undefined) => void;
  /** Alerts have no user, which some destinations need. */
  hasAlerts: boolean;
}

function EventTypes({ chosen, onChange, hasAlerts }: EventTypesProps) {
  const types: readonly string[] = hasAlerts ? [...TYPES, ...ALERT_TYPES] : TYPES;
  const own = (chosen ?? []).filter((type) => !types.includes(type));
  return (
    <fieldset class="types">
      <legend>Events</legend>
      <Check type="radio" value={chosen === undefined} onChange={() => onChange(undefined)}>
        All, and conversions; no alerts
      </Check>
      <Check type="radio" value={chosen !== undefined} onChange={() => onChange(chosen ?? ["user.entered_geofence"])}>
        Selected
      </Check>
      {chosen && (
        <>
          <div class="type-list">
            {types.map((type) => (
              <Check key={type} value={chosen.includes(type)} onChange={(on) => onChange(toggled(chosen, type, on))}>
                <span title={type}>{typeWords(type)}</span>
              </Check>
            ))}
          </div>
          <ConversionNames
            names={own}
            onChange={(names) => onChange([...chosen.filter((type) => !own.includes(type)), ...names])}
          />
        </>
      )}
    </fieldset>
  );
}

/** The field keeps the text as typed: a comma at its end belongs to no name yet. */
function ConversionNames({ names, onChange }: { names: readonly string[]; onChange: (names: string[]) => void }) {
  const [typed, setTyped] = useState(names.join(", "));
  const change = (text: string) => {
    setTyped(text);
    onChange(listOf(text));
  };
  return <Field label="Conversion names, comma-separated" value={typed} onChange={change} param="eventTypes" />;
}
