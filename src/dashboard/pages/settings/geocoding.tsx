import { LAYERS } from "../../forms/pick-options.ts";
import { SwitchList } from "./setting-fields.tsx";
import { SettingsSection } from "./use-settings.tsx";

export function Geocoding() {
  return (
    <SettingsSection read={({ geocoding }) => geocoding} write={(geocoding) => ({ geocoding })}>
      {({ draft: { forwardLayers }, set }) => (
        <section class="setting-group">
          <h2>Default layers of forward geocoding</h2>
          <p class="muted">
            Requests without the layers parameter search these. If none is selected, all layers except places are
            searched.
          </p>
          <SwitchList options={LAYERS} chosen={forwardLayers} onChange={(layers) => set({ forwardLayers: layers })} />
        </section>
      )}
    </SettingsSection>
  );
}
