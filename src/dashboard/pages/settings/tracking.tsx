import { EVENT_TYPES } from "../../../tracking/types/event.ts";
import { Field, problemOf, Switch } from "../../forms/fields.tsx";
import { typeWords } from "../events/event-words.ts";
import { type Settings, SettingsSection } from "./use-settings.tsx";

type Tracking = Settings["tracking"];

/** As it is typed: numbers are texts until the server has checked them. */
type Draft = Omit<Tracking, "dwellThreshold" | "accuracyLimit" | "fraudAccuracy"> & {
  dwellThreshold: string;
  accuracyLimit: string;
  fraudAccuracy: string;
  returned: string[] | undefined;
  sdk: Settings["sdk"];
};

const read = ({ tracking, returnedEventTypes, sdk }: Settings): Draft => ({
  ...tracking,
  dwellThreshold: String(tracking.dwellThreshold),
  accuracyLimit: String(tracking.accuracyLimit),
  fraudAccuracy: String(tracking.fraudAccuracy),
  returned: returnedEventTypes,
  sdk,
});

const FEATURES = [
  ["places", "Places", "place and chain entries and exits"],
  ["beacons", "Beacons", "beacon entries and exits"],
  ["fraud", "Fraud checks", "mocked locations, jumps, proxies and more; failures generate events"],
] as const;

const REGIONS = [
  ["country", "Countries"],
  ["state", "States"],
  ["dma", "DMAs (United States)"],
  ["postalCode", "Postal codes"],
] as const;

export function Tracking() {
  return (
    <SettingsSection read={read} write={write}>
      {({ draft, set, problem, locked }) => {
        const number = (
          name: "dwellThreshold" | "accuracyLimit" | "fraudAccuracy",
          label: string,
          unit: string,
          hint: string,
        ) => (
          <Field
            label={label}
            unit={unit}
            hint={hint}
            type="number"
            step="any"
            value={draft[name]}
            onChange={(value) => set({ [name]: value })}
            problem={problemOf(problem, `tracking[${name}]`)}
            disabled={locked}
          />
        );
        return (
          <>
            <section class="setting-group">
              <h2>Features</h2>
              {FEATURES.map(([name, label, hint]) => (
                <Switch
                  key={name}
                  label={label}
                  hint={hint}
                  value={draft[name]}
                  disabled={locked}
                  onChange={(value) => set({ [name]: value })}
                />
              ))}
              <div class="form-grid">
                {REGIONS.map(([name, label]) => (
                  <Switch
                    key={name}
                    label={label}
                    value={draft.regions[name]}
                    disabled={locked}
                    onChange={(value) => set({ regions: { ...draft.regions, [name]: value } })}
                  />
                ))}
              </div>
            </section>
            <section class="setting-group">
              <h2>Event generation</h2>
              <Switch
                label="Buffered entries"
                hint="Extends geofences by the location accuracy."
                value={draft.bufferedEntries}
                disabled={locked}
                onChange={(bufferedEntries) => set({ bufferedEntries })}
              />
              <Switch
                label="Only when stopped"
                hint="Only stopped devices enter."
                value={draft.stopDetection}
                disabled={locked}
                onChange={(stopDetection) => set({ stopDetection })}
              />
              <div class="form-grid">
                {number("dwellThreshold", "Dwell after", "minutes", "0: no dwell events. Geofences can override this.")}
                {number(
                  "accuracyLimit",
                  "Worst accuracy",
                  "meters",
                  "Less accurate updates trigger no entries or exits.",
                )}
                {number(
                  "fraudAccuracy",
                  "Suspicious accuracy",
                  "meters",
                  "Less accurate updates fail the “inaccurate” check.",
                )}
              </div>
            </section>
            <Returned chosen={draft.returned} locked={locked} onChange={(returned) => set({ returned })} />
            <section class="setting-group">
              <h2>SDK startup</h2>
              <Switch
                label="Start tracking on initialization"
                value={draft.sdk.startTrackingOnInitialize}
                disabled={locked}
                onChange={(startTrackingOnInitialize) => set({ sdk: { ...draft.sdk, startTrackingOnInitialize } })}
              />
              <Switch
                label="Track once when the app opens"
                value={draft.sdk.trackOnceOnAppOpen}
                disabled={locked}
                onChange={(trackOnceOnAppOpen) => set({ sdk: { ...draft.sdk, trackOnceOnAppOpen } })}
              />
            </section>
          </>
        );
      }}
    </SettingsSection>
  );
}

const write = ({ returned, sdk, ...tracking }: Draft) => ({
  tracking,
  returnedEventTypes: returned ?? ("all" as const),
  sdk: { startTrackingOnInitialize: sdk.startTrackingOnInitialize, trackOnceOnAppOpen: sdk.trackOnceOnAppOpen },
});

function Returned({
  chosen,
  locked,
  onChange,
}: {
  chosen: string[] | undefined;
  locked: boolean;
  onChange: (types: string[] | undefined) => void;
}) {
  return (
    <section class="setting-group">
      <h2>Events in track responses</h2>
      <Switch
        label="All"
        hint="Affects only the response to the app. All events are stored and sent to webhooks."
        value={chosen === undefined}
        disabled={locked}
        onChange={(all) => onChange(all ? undefined : [...EVENT_TYPES])}
      />
      {chosen && (
        <div class="form-grid">
          {EVENT_TYPES.map((type) => (
            <Switch
              key={type}
              label={typeWords(type)}
              value={chosen.includes(type)}
              disabled={locked}
              onChange={(on) => onChange(on ? [...chosen, type] : chosen.filter((one) => one !== type))}
            />
          ))}
        </div>
      )}
    </section>
  );
}
