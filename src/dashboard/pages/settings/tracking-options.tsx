import { Plus, X } from "lucide";
import { type BatteryCost, batteryCost, type Wake } from "../../../core/engagement/battery.ts";
import {
  PRESETS,
  type REMOTE_TYPES,
  resolveOptions,
  type TrackingOptions,
} from "../../../core/engagement/tracking-options.ts";
import { Field, Select } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { fromLines, toLines } from "./setting-values.ts";
import { type Settings, SettingsSection } from "./use-settings.tsx";
import "./tracking-options.css";
import { plural } from "../../parts/values/numbers.ts";

type Situation = (typeof REMOTE_TYPES)[number];
type Preset = (typeof PRESETS)[number];

/** As it is typed. */
interface Row {
  type: Situation;
  tags: string;
  preset: Preset | "none";
  /** Changes to the preset, JSON. */
  changes: string;
}

interface Draft {
  rows: Row[];
}

function read({ sdk }: Settings): Draft {
  const rows = (sdk.remoteTrackingOptions ?? []).map(({ type, geofenceTags = [], trackingOptions }): Row => {
    const { preset = "none", ...changes } = trackingOptions as TrackingOptions & { preset?: Preset };
    const isChanged = Object.keys(changes).length > 0;
    return { type, tags: toLines(geofenceTags), preset, changes: isChanged ? JSON.stringify(changes) : "" };
  });
  return { rows };
}

/** Invalid JSON is sent as is, so that the server reports the error. */
function optionsOf({ preset, changes }: Row) {
  const base = preset === "none" ? {} : { preset };
  if (changes.trim() === "") return base;
  try {
    const own: unknown = JSON.parse(changes);
    return typeof own === "object" && own !== null && !Array.isArray(own) ? { ...own, ...base } : changes;
  } catch {
    return changes;
  }
}

const write = ({ rows }: Draft) => ({
  sdk: {
    remoteTrackingOptions:
      rows.length === 0
        ? null
        : rows.map((row) => ({
            type: row.type,
            trackingOptions: optionsOf(row),
            ...(row.type === "inGeofence" && { geofenceTags: fromLines(row.tags) }),
          })),
  },
});

const SITUATIONS: [Situation, string][] = [
  ["default", "Otherwise"],
  ["inGeofence", "In a geofence with a tag"],
  ["onTrip", "On a trip"],
];
const PRESET_OPTIONS: [Row["preset"], string][] = [
  ["responsive", "Responsive"],
  ["efficient", "Efficient"],
  ["continuous", "Continuous"],
  ["none", "None: only your own options"],
];
const PLATFORMS = ["iOS", "Android"] as const;

export function TrackingOptionsSection() {
  return (
    <SettingsSection read={read} write={write}>
      {({ draft: { rows }, set, locked }) => (
        <>
          <section class="setting-group">
            <h2>Tracking options by situation</h2>
            <p class="muted">
              Phones use the options of the first situation that applies: in a geofence, on a trip, otherwise. Without
              any, phones use the options of the app.
            </p>
            {rows.map((row, i) => (
              <Situation
                key={i}
                row={row}
                param={`sdk[remoteTrackingOptions][${i}]`}
                isLocked={locked !== undefined}
                onChange={(next) => set({ rows: rows.map((one, at) => (at === i ? next : one)) })}
                onRemove={() => set({ rows: rows.filter((_, at) => at !== i) })}
              />
            ))}
            <div>
              <Button
                icon={Plus}
                disabled={locked !== undefined}
                onClick={() => set({ rows: [...rows, newRow(rows)] })}
              >
                Add a situation
              </Button>
            </div>
          </section>
          <Presets />
        </>
      )}
    </SettingsSection>
  );
}

/** The first situation that can be added: only geofences can be there several times. */
function newRow(rows: readonly Row[]): Row {
  const type = (["default", "onTrip"] as const).find((one) => rows.every((row) => row.type !== one)) ?? "inGeofence";
  return { type, tags: "", preset: type === "onTrip" ? "continuous" : "responsive", changes: "" };
}

interface SituationProps {
  row: Row;
  param: string;
  isLocked: boolean;
  onChange: (row: Row) => void;
  onRemove: () => void;
}

function Situation({ row, param, isLocked, onChange, onRemove }: SituationProps) {
  const options = optionsOf(row);
  const change = (part: Partial<Row>) => onChange({ ...row, ...part });
  const name = SITUATIONS.find(([type]) => type === row.type)?.[1] ?? "";
  return (
    <fieldset class="situation">
      <legend>{name}</legend>
      <div class="form-grid">
        <Select
          label="When"
          param={`${param}[type]`}
          value={row.type}
          onChange={(type) => change({ type })}
          options={SITUATIONS}
        />
        <Select label="Preset" value={row.preset} onChange={(preset) => change({ preset })} options={PRESET_OPTIONS} />
      </div>
      {row.type === "inGeofence" && (
        <Field
          label="Geofence tags"
          hint="Separated by commas"
          value={row.tags.replaceAll("\n", ", ")}
          onChange={(tags) => change({ tags })}
          param={`${param}[geofenceTags]`}
        />
      )}
      <Field
        label={row.preset === "none" ? "Options" : "Changes to the preset"}
        hint={
          row.preset === "none"
            ? "JSON with all options that the SDK reads: those that are missing are 0 or off."
            : "JSON, optional"
        }
        placeholder='{"desiredMovingUpdateInterval": 60}'
        lines={2}
        mono
        value={row.changes}
        onChange={(changes) => change({ changes })}
        param={`${param}[trackingOptions]`}
      />
      {typeof options === "object" && (
        <p class="hint situation-cost">
          {PLATFORMS.map((device) => (
            <span key={device}>
              {device}: {inWords(batteryCost(resolveOptions(options as TrackingOptions & { preset?: Preset }, device)))}
            </span>
          ))}
        </p>
      )}
      <div>
        <Button small icon={X} disabled={isLocked} onClick={onRemove}>
          Remove this situation
        </Button>
      </div>
    </fieldset>
  );
}

function inWords({ moving, stopped }: BatteryCost): string {
  const hour = ({ fixes, uploads }: BatteryCost["moving"]) =>
    `${plural(fixes, "fix", "fixes")} and ${plural(uploads, "upload")} per hour`;
  return `moving ${hour(moving)}, stopped ${hour(stopped)}`;
}

/** As the SDKs state it in the comments of their presets. */
const USAGE: Record<Preset, string> = { continuous: "Moderate", responsive: "Low", efficient: "Lowest" };
const WAKES: Record<Wake, string> = {
  stoppedGeofence: "leaving 100 m around a stop",
  movingGeofence: "each 100 m on the way",
  visits: "arrivals and departures",
  significantChanges: "changes of 500 m",
  beacons: "beacons",
};

function Presets() {
  return (
    <section class="setting-group">
      <h2>Battery cost of the presets</h2>
      <div class="preset-costs">
        {PRESETS.map((preset) => (
          <section key={preset} class="preset-cost">
            <h3>{PRESET_OPTIONS.find(([name]) => name === preset)?.[1]}</h3>
            <p class="muted">Battery usage: {USAGE[preset].toLowerCase()}</p>
            {PLATFORMS.map((device) => (
              <PlatformCost key={device} device={device} cost={batteryCost(resolveOptions(preset, device))} />
            ))}
          </section>
        ))}
      </div>
      <p class="muted">
        Estimates for a whole hour in one state, from the intervals of the presets in the SDKs' source (2026). Moving
        means 5 km per hour. Phones deliver fewer fixes in the background. Significant changes: at most one per 5
        minutes (Apple).
      </p>
    </section>
  );
}

function PlatformCost({ device, cost }: { device: string; cost: BatteryCost }) {
  const row = (label: string, { fixes, uploads }: BatteryCost["moving"]) => (
    <div>
      <dt>{label}</dt>
      <dd>
        {plural(fixes, "fix", "fixes")}, {plural(uploads, "upload")} per hour
      </dd>
    </div>
  );
  return (
    <>
      <h4>{device}</h4>
      <dl>
        {row("Moving", cost.moving)}
        {row("Stopped", cost.stopped)}
        <div>
          <dt>Accuracy</dt>
          <dd>{cost.accuracy}</dd>
        </div>
        {cost.wakes.length > 0 && (
          <div>
            <dt>Woken by</dt>
            <dd>{cost.wakes.map((wake) => WAKES[wake]).join(", ")}</dd>
          </div>
        )}
      </dl>
    </>
  );
}
