import { Field } from "../../forms/fields.tsx";
import { fromLines, type Settings, SettingsSection, toLines } from "./use-settings.tsx";

const read = ({ beacons }: Settings) => ({ uuids: toLines(beacons.uuids), uids: toLines(beacons.uids) });
const write = ({ uuids, uids }: ReturnType<typeof read>) => ({
  beacons: { uuids: fromLines(uuids), uids: fromLines(uids) },
});

export function BeaconLists() {
  return (
    <SettingsSection read={read} write={write}>
      {({ field }) => (
        <section class="setting-group">
          <h2>Beacon ranging</h2>
          <p class="muted">
            If set, devices range only these UUIDs and UIDs, everywhere. If empty, they range the nearby beacons of the
            project.
          </p>
          <Field
            label="iBeacon UUIDs"
            hint="One per line, up to 100."
            lines={6}
            mono
            {...field("uuids", "beacons[uuids]")}
          />
          <Field
            label="Eddystone UIDs"
            hint="One per line, up to 100."
            lines={6}
            mono
            {...field("uids", "beacons[uids]")}
          />
        </section>
      )}
    </SettingsSection>
  );
}
