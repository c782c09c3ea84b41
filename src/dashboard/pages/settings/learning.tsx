import { Field, Switch } from "../../forms/fields.tsx";
import { type Settings, SettingsSection } from "./use-settings.tsx";

const read = ({ learning }: Settings) => ({ ...learning, minimumDevices: String(learning.minimumDevices) });

export function Learning() {
  return (
    <SettingsSection read={read} write={(learning) => ({ learning })}>
      {({ draft, set }) => (
        <section class="setting-group">
          <h2>Learning from live devices</h2>
          <p class="muted">
            Speeds of roads are learned from drives of live devices. Inform the people who carry them first. Disabling
            this deletes what was collected.
          </p>
          <div class="form-grid">
            <Switch label="Learn speeds of roads" value={draft.enabled} onChange={(enabled) => set({ enabled })} />
            <Switch
              label="Correct arrival times"
              hint="By what was learned from earlier drives, once it is better than the routing engine"
              value={draft.eta}
              onChange={(eta) => set({ eta })}
            />
            <Field
              label="Devices per road"
              hint="A road has a learned speed only if so many devices used it, 3 to 20"
              type="number"
              value={draft.minimumDevices}
              onChange={(minimumDevices) => set({ minimumDevices })}
              param="learning[minimumDevices]"
            />
          </div>
        </section>
      )}
    </SettingsSection>
  );
}
