import { EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { Field, Switch } from "../../forms/fields.tsx";
import type { DraftForm } from "../../forms/use-form.ts";
import { typeWords } from "../events/event-words.ts";
import { type Settings, SettingsSection } from "./use-settings.tsx";

type Tracking = Settings["tracking"];

/** As it is typed: numbers are texts until the server has checked them. */
type Draft = Omit<Tracking, "dwellThreshold" | "accuracyLimit" | "fraudAccuracy" | "exitDelay"> & {
  dwellThreshold: string;
  accuracyLimit: string;
  fraudAccuracy: string;
  exitDelay: string;
  returned: string[] | undefined;
  sdk: Settings["sdk"];
};

const read = ({ tracking, returnedEventTypes, sdk }: Settings): Draft => ({
  ...tracking,
  dwellThreshold: String(tracking.dwellThreshold),
  accuracyLimit: String(tracking.accuracyLimit),
  fraudAccuracy: String(tracking.fraudAccuracy),
  exitDelay: String(tracking.exitDelay),
  returned: returnedEventTypes,
  sdk,
});

const FEATURES = [
  ["places", "Places", "Place and chain entries and exits"],
  ["beacons", "Beacons", "Beacon entries and exits"],
  ["insights", "Insights", "Learns stays, home and work of each user. Disabling it deletes them with the next update."],
  ["fraud", "Fraud checks", "Mocked locations, jumps, proxies and more. Failures generate events."],
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
      {(form) => (
        <>
          <Features {...form} />
          <EventGeneration {...form} />
          <Returned chosen={form.draft.returned} onChange={(returned) => form.set({ returned })} />
          <Startup {...form} />
        </>
      )}
    </SettingsSection>
  );
}

function Features({ draft, set, field }: DraftForm<Draft>) {
  return (
    <section class="setting-group">
      <h2>Features</h2>
      {FEATURES.map(([name, label, hint]) => (
        <Switch key={name} label={label} hint={hint} {...field(name, `tracking[${name}]`)} />
      ))}
      <div class="form-grid">
        {REGIONS.map(([name, label]) => (
          <Switch
            key={name}
            label={label}
            param={`tracking[regions][${name}]`}
            value={draft.regions[name]}
            onChange={(value) => set({ regions: { ...draft.regions, [name]: value } })}
          />
        ))}
      </div>
    </section>
  );
}

function EventGeneration({ field }: DraftForm<Draft>) {
  const number = (name: "dwellThreshold" | "accuracyLimit" | "fraudAccuracy" | "exitDelay") => ({
    type: "number" as const,
    step: "any" as const,
    ...field(name, `tracking[${name}]`),
  });
  return (
    <section class="setting-group">
      <h2>Event generation</h2>
      <Switch
        label="Buffered entries"
        hint="A device enters when it is inside, or no farther outside than its location accuracy. It exits when it is farther outside than its accuracy. If disabled, only the position counts."
        {...field("bufferedEntries", "tracking[bufferedEntries]")}
      />
      <Switch
        label="Only when stopped"
        hint="Devices enter geofences only while they are stopped or the app is in the foreground. Geofences can override this."
        {...field("stopDetection", "tracking[stopDetection]")}
      />
      <Switch
        label="Accept 0, 0"
        hint="Apps send latitude 0, longitude 0 without a position: such updates are ignored, unless this is enabled."
        {...field("acceptZeros", "tracking[acceptZeros]")}
      />
      <div class="form-grid">
        <Field
          label="Dwell after"
          unit="minutes"
          hint="0: no dwell events. Geofences can override this."
          {...number("dwellThreshold")}
        />
        <Field
          label="Exit delay"
          unit="seconds"
          hint="Exits need a second update outside, at least this much later. 0: the first suffices."
          {...number("exitDelay")}
        />
        <Field
          label="Worst accuracy"
          unit="meters"
          hint="Less accurate updates trigger no entries or exits."
          {...number("accuracyLimit")}
        />
        <Field
          label="Suspicious accuracy"
          unit="meters"
          hint="Less accurate updates fail the “inaccurate” check."
          {...number("fraudAccuracy")}
        />
      </div>
    </section>
  );
}

function Startup({ draft: { sdk }, set }: DraftForm<Draft>) {
  return (
    <section class="setting-group">
      <h2>SDK startup</h2>
      <Switch
        label="Start tracking on initialization"
        param="sdk[startTrackingOnInitialize]"
        value={sdk.startTrackingOnInitialize}
        onChange={(startTrackingOnInitialize) => set({ sdk: { ...sdk, startTrackingOnInitialize } })}
      />
      <Switch
        label="Track once when the app opens"
        param="sdk[trackOnceOnAppOpen]"
        value={sdk.trackOnceOnAppOpen}
        onChange={(trackOnceOnAppOpen) => set({ sdk: { ...sdk, trackOnceOnAppOpen } })}
      />
    </section>
  );
}

const write = ({ returned, sdk, ...tracking }: Draft) => ({
  tracking,
  returnedEventTypes: returned ?? ("all" as const),
  sdk: { startTrackingOnInitialize: sdk.startTrackingOnInitialize, trackOnceOnAppOpen: sdk.trackOnceOnAppOpen },
});

function Returned({
  chosen,
  onChange,
}: {
  chosen: string[] | undefined;
  onChange: (types: string[] | undefined) => void;
}) {
  return (
    <section class="setting-group">
      <h2>Events in track responses</h2>
      <Switch
        label="All"
        hint="Affects only the response to the app. All events are stored and sent to webhooks."
        value={chosen === undefined}
        onChange={(all) => onChange(all ? undefined : [...EVENT_TYPES])}
      />
      {chosen && (
        <div class="form-grid">
          {EVENT_TYPES.map((type) => (
            <Switch
              key={type}
              label={typeWords(type)}
              value={chosen.includes(type)}
              onChange={(on) => onChange(on ? [...chosen, type] : chosen.filter((one) => one !== type))}
            />
          ))}
        </div>
      )}
    </section>
  );
}
