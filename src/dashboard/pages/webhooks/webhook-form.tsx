import { EVENT_TYPES } from "../../../tracking/types/event.ts";
import { ALERT_TYPES } from "../../../webhooks/alerts.ts";
import type { SinkType } from "../../../webhooks/sinks/settings.ts";
import type { Problem } from "../../api/client.ts";
import { Field, problemOf, Select } from "../../forms/fields.tsx";
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

export const DRAFT_FIELDS = ["url", "description", "delivery", "eventTypes", "settings"];

export function WebhookForm({
  draft,
  onChange,
  problem,
  saved,
}: {
  draft: Draft;
  onChange: (draft: Draft) => void;
  problem?: Problem;
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
          onChange={(type) => change({ type, settings: {}, ...(type === "queue" && { url: "" }) })}
        />
      )}
      <AddressField type={draft.type} url={draft.url} onChange={(url) => change({ url })} problem={problem} />
      <Field
        label="Description"
        value={draft.description}
        onChange={(description) => change({ description })}
        problem={problemOf(problem, "description")}
      />
      <Select
        label="Form"
        value={draft.delivery}
        onChange={(delivery) => change({ delivery })}
        options={[
          ["single", "One event per message: {event, user}"],
          ["multiple", "Up to five events of a user per message: {events, user}"],
        ]}
      />
      <SettingsFields
        type={draft.type}
        settings={draft.settings}
        onChange={(settings) => change({ settings })}
        kept={saved?.secrets}
        problem={problem}
      />
      <EventTypes
        chosen={draft.eventTypes}
        onChange={(eventTypes) => change({ eventTypes })}
        problem={problemOf(problem, "eventTypes")}
      />
    </>
  );
}

const TYPES = [...EVENT_TYPES, ...ALERT_TYPES] as const;

function EventTypes({
  chosen,
  onChange,
  problem,
}: {
  chosen: string[] | undefined;
  onChange: (types: string[] | undefined) => void;
  problem?: string;
}) {
  const own = (chosen ?? []).filter((type) => !(TYPES as readonly string[]).includes(type));
  return (
    <fieldset class="types">
      <legend>Events</legend>
      <label class="row">
        <input type="radio" checked={chosen === undefined} onChange={() => onChange(undefined)} /> All, and conversions;
        no alerts
      </label>
      <label class="row">
        <input
          type="radio"
          checked={chosen !== undefined}
          onChange={() => onChange(chosen ?? ["user.entered_geofence"])}
        />
        Selected
      </label>
      {chosen && (
        <>
          <div class="type-list">
            {TYPES.map((type) => (
              <label key={type} class="row">
                <input
                  type="checkbox"
                  checked={chosen.includes(type)}
                  onChange={(event) =>
                    onChange(event.currentTarget.checked ? [...chosen, type] : chosen.filter((one) => one !== type))
                  }
                />
                <code>{type}</code>
              </label>
            ))}
          </div>
          <Field
            label="Conversion names, comma-separated"
            value={own.join(", ")}
            onChange={(text) => {
              const names = text.split(",").map((name) => name.trim());
              onChange([...chosen.filter((type) => !own.includes(type)), ...names.filter((name) => name !== "")]);
            }}
            problem={problem}
          />
        </>
      )}
    </fieldset>
  );
}
