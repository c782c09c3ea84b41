import { CAMPAIGN_EVENT_TYPES, EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { ALERT_TYPES, isAlertType } from "../../../core/webhooks/alerts.ts";
import { isEngagementType, type SinkType } from "../../../core/webhooks/sink-settings.ts";
import { Check } from "../../forms/bare.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { AddressField, SettingsFields, type TypedSettings, TypeField } from "./sink-fields.tsx";
import "./webhooks.css";

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

export function WebhookForm({
  draft,
  onChange,
  saved,
}: {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** For an existing webhook: its type is fixed, and its secrets are kept. */
  saved?: { secrets: readonly string[] };
}) {
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

function DeliveryField({
  delivery,
  onChange,
}: {
  delivery: Draft["delivery"];
  onChange: (delivery: Draft["delivery"]) => void;
}) {
  return (
    <Select
      label="Delivery"
      param="delivery"
      value={delivery}
      onChange={onChange}
      options={[
        ["single", "One event per message: {event, user}"],
        ["multiple", "Up to five events of a user per message: {events, user}"],
      ]}
    />
  );
}

const TYPES = [...EVENT_TYPES, ...CAMPAIGN_EVENT_TYPES] as const;

const withoutAlerts = (types: string[] | undefined) => types?.filter((type) => !isAlertType(type));

function EventTypes({
  chosen,
  onChange,
  hasAlerts,
}: {
  chosen: string[] | undefined;
  onChange: (types: string[] | undefined) => void;
  /** Alerts have no user, which some destinations need. */
  hasAlerts: boolean;
}) {
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
              <Check
                key={type}
                value={chosen.includes(type)}
                onChange={(on) => onChange(on ? [...chosen, type] : chosen.filter((one) => one !== type))}
              >
                <code>{type}</code>
              </Check>
            ))}
          </div>
          <Field
            label="Conversion names, comma-separated"
            value={own.join(", ")}
            onChange={(text) => {
              const names = text.split(",").map((name) => name.trim());
              onChange([...chosen.filter((type) => !own.includes(type)), ...names.filter((name) => name !== "")]);
            }}
            param="eventTypes"
          />
        </>
      )}
    </fieldset>
  );
}
