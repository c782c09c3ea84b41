import { EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { Switch } from "../../forms/fields.tsx";
import { typeWords } from "../../parts/values/type-words.ts";
import { FEATURES, STARTUP } from "./field-groups.ts";
import { SettingGroups, SwitchList } from "./setting-fields.tsx";
import { readValues, writeValues } from "./setting-values.ts";
import { type Settings, SettingsSection } from "./use-settings.tsx";

const GROUPS = [...FEATURES, ...STARTUP];

const read = (settings: Settings) => ({ values: readValues(settings, GROUPS), returned: settings.returnedEventTypes });
const write = ({ values, returned }: ReturnType<typeof read>) => ({
  ...writeValues(values, GROUPS),
  returnedEventTypes: returned ?? ("all" as const),
});

export function Tracking() {
  return (
    <SettingsSection read={read} write={write}>
      {(form) => (
        <>
          <SettingGroups groups={FEATURES} form={form} />
          <ReturnedEvents chosen={form.draft.returned} onChange={(returned) => form.set({ returned })} />
          <SettingGroups groups={STARTUP} form={form} />
        </>
      )}
    </SettingsSection>
  );
}

const EVENTS = EVENT_TYPES.map((type) => [type, typeWords(type)] as const);

interface ReturnedEventsProps {
  /** Undefined: all, also those that come later. */
  chosen: string[] | undefined;
  onChange: (types: string[] | undefined) => void;
}

function ReturnedEvents({ chosen, onChange }: ReturnedEventsProps) {
  return (
    <section class="setting-group">
      <h2>Events in track responses</h2>
      <Switch
        label="All"
        hint="Affects only the response to the app. All events are stored and sent to webhooks."
        value={chosen === undefined}
        onChange={(all) => onChange(all ? undefined : [...EVENT_TYPES])}
      />
      {chosen && <SwitchList options={EVENTS} chosen={chosen} onChange={onChange} />}
    </section>
  );
}
