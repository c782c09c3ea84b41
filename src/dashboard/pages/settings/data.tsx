import { Field } from "../../forms/fields.tsx";
import { fromLines, type Settings, SettingsSection, toLines } from "./use-settings.tsx";

const KINDS = {
  users: ["Users", "Since their last update"],
  events: ["Events", "Since they happened"],
  trips: ["Trips", "Since their last change"],
  locations: ["Locations of trips", "The tracks of trips"],
  updates: ["Updates of users", "Used by replay and explanations"],
} as const satisfies Record<string, readonly [string, string]>;

const read = ({ retention, blockedCountries, allowedOrigins, allowedReferrers }: Settings) => ({
  retention: Object.fromEntries(Object.entries(retention).map(([kind, days]) => [kind, String(days)])) as Record<
    string,
    string
  >,
  countries: toLines(blockedCountries),
  origins: toLines(allowedOrigins),
  referrers: toLines(allowedReferrers),
});

const write = ({ retention, countries, origins, referrers }: ReturnType<typeof read>) => ({
  retention,
  blockedCountries: fromLines(countries).map((code) => code.toUpperCase()),
  allowedOrigins: fromLines(origins),
  allowedReferrers: fromLines(referrers),
});

export function Data() {
  return (
    <SettingsSection read={read} write={write}>
      {({ draft, set, field }) => (
        <>
          <section class="setting-group">
            <h2>Data retention</h2>
            <div class="form-grid">
              {Object.entries(draft.retention).map(([kind, days]) => {
                const [label, hint] = kind in KINDS ? KINDS[kind as keyof typeof KINDS] : [kind, ""];
                return (
                  <Field
                    key={kind}
                    label={label}
                    hint={hint}
                    unit="days"
                    type="number"
                    value={days}
                    onChange={(value) => set({ retention: { ...draft.retention, [kind]: value } })}
                    param={`retention[${kind}]`}
                  />
                );
              })}
            </div>
          </section>
          <section class="setting-group">
            <h2>Publishable key restrictions</h2>
            <div class="form-grid">
              <Field
                label="Allowed origins"
                hint="One origin per line, such as https://example.com. Empty: all origins."
                lines={5}
                mono
                {...field("origins", "allowedOrigins")}
              />
              <Field
                label="Allowed map referrers"
                hint="One per line, such as https://example.com or https://*.example.com. Empty: all."
                lines={5}
                mono
                {...field("referrers", "allowedReferrers")}
              />
              <Field
                label="Blocked countries"
                hint="Two-letter codes (ISO 3166-1). Calls from these countries return 451."
                lines={5}
                mono
                {...field("countries", "blockedCountries")}
              />
            </div>
          </section>
        </>
      )}
    </SettingsSection>
  );
}
