import { EVENT_TYPES } from "../../../tracking/types/event.ts";
import { Field, problemOf, Switch } from "../../parts/form.tsx";
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
  ["places", "Places", "entries and exits of places and chains"],
  ["beacons", "Beacons", "entries and exits of beacons"],
  ["fraud", "Fraud checks", "mocked locations, jumps, proxies and more; failures make events"],
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
              <h2>When events are made</h2>
              <Switch
                label="Buffered entries"
                hint="An entry waits for a second update inside, so that a single bad fix makes no event."
                value={draft.bufferedEntries}
                disabled={locked}
                onChange={(bufferedEntries) => set({ bufferedEntries })}
              />
              <Switch
                label="Only when stopped"
                hint="Passing by makes no entry."
                value={draft.stopDetection}
                disabled={locked}
                onChange={(stopDetection) => set({ stopDetection })}
              />
              <div class="form-grid">
                {number("dwellThreshold", "Dwell after", "minutes", "0: no dwell events. A geofence may have its own.")}
                {number("accuracyLimit", "Worst accuracy", "metres", "A fix worse than this moves nobody.")}
                {number(
                  "fraudAccuracy",
                  "Suspicious accuracy",
                  "metres",
                  "A fix worse than this fails the check “inaccurate”.",
                )}
              </div>
            </section>
            <Returned chosen={draft.returned} locked={locked} onChange={(returned) => set({ returned })} />
            <section class="setting-group">
              <h2>SDKs, when they start</h2>
              <Switch
                label="Start tracking at once"
                value={draft.sdk.startTrackingOnInitialize}
                disabled={locked}
                onChange={(startTrackingOnInitialize) => set({ sdk: { ...draft.sdk, startTrackingOnInitialize } })}
              />
              <Switch
                label="Track once when an app is opened"
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
      <h2>Events that track returns</h2>
      <Switch
        label="All"
        hint="Events are made, kept and sent to webhooks either way; this is about the answer to the app."
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
