import { Switch } from "../../forms/fields.tsx";
import { type Settings, SettingsSection } from "./use-settings.tsx";

type Draft = Settings["geocoding"];
type Layer = Draft["forwardLayers"][number];

const LAYERS: readonly (readonly [layer: Layer, label: string])[] = [
  ["place", "Places"],
  ["address", "Addresses"],
  ["postalCode", "Postal codes"],
  ["locality", "Cities"],
  ["county", "Counties"],
  ["state", "States"],
  ["country", "Countries"],
];

export function Geocoding() {
  return (
    <SettingsSection read={({ geocoding }): Draft => geocoding} write={(geocoding) => ({ geocoding })}>
      {({ draft: { forwardLayers }, set }) => (
        <section class="setting-group">
          <h2>Default layers of forward geocoding</h2>
          <p class="muted">
            Requests without the layers parameter search these. If none is selected, all layers except places are
            searched.
          </p>
          <div class="form-grid">
            {LAYERS.map(([layer, label]) => (
              <Switch
                key={layer}
                label={label}
                value={forwardLayers.includes(layer)}
                onChange={(on) =>
                  set({ forwardLayers: on ? [...forwardLayers, layer] : forwardLayers.filter((one) => one !== layer) })
                }
              />
            ))}
          </div>
        </section>
      )}
    </SettingsSection>
  );
}
