import { CircleAlert } from "lucide";
import type { ComponentType } from "preact";
import { useAddress, useQueryValue } from "../base/router.tsx";
import { BareSelect } from "../forms/bare.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { Agents } from "./settings/agents.tsx";
import { Audit } from "./settings/audit.tsx";
import { BEACON_LISTS, DATA, LEARNING } from "./settings/field-groups.ts";
import { Geocoding } from "./settings/geocoding.tsx";
import { Keys } from "./settings/keys.tsx";
import { Limits } from "./settings/limits.tsx";
import { MapUploads } from "./settings/map-uploads.tsx";
import { Members } from "./settings/members.tsx";
import { WaysIn } from "./settings/passkeys.tsx";
import { Places } from "./settings/places.tsx";
import { Project } from "./settings/project.tsx";
import { SETTING_SECTIONS } from "./settings/sections.ts";
import { FieldsSection } from "./settings/setting-fields.tsx";
import type { SettingGroup } from "./settings/setting-values.ts";
import { Tokens } from "./settings/tokens.tsx";
import { Tracking } from "./settings/tracking.tsx";
import { TrackingOptionsSection } from "./settings/tracking-options.tsx";
import "./settings.css";

/** A section is a component, or groups of fields. */
const PARTS: Readonly<Record<(typeof SETTING_SECTIONS)[number]["name"], ComponentType | readonly SettingGroup[]>> = {
  tracking: Tracking,
  "tracking-options": TrackingOptionsSection,
  places: Places,
  geocoding: Geocoding,
  learning: LEARNING,
  beacons: BEACON_LISTS,
  maps: MapUploads,
  keys: Keys,
  tokens: Tokens,
  limits: Limits,
  data: DATA,
  members: Members,
  agents: Agents,
  passkeys: WaysIn,
  audit: Audit,
  project: Project,
};

/** Settings apply to Test and Live, unless marked otherwise. */
export default function Settings() {
  const path = useAddress().to("settings");
  const [name, setName] = useQueryValue("section", "tracking");
  const section = SETTING_SECTIONS.find((one) => one.name === name);
  const groups = [...new Set(SETTING_SECTIONS.map(({ group }) => group))];
  const Part = section && PARTS[section.name];
  return (
    <>
      <PageHead title="Settings" about="Settings apply to both Test and Live. Changes take effect within 10 seconds." />
      <div class="settings">
        <nav class="settings-nav" aria-label="Settings">
          <BareSelect
            class="settings-select"
            label="Section"
            value={section?.name ?? ""}
            onChange={setName}
            options={SETTING_SECTIONS.map(({ name, title }) => [name, title] as const)}
          />
          {groups.map((group) => (
            <div key={group} class="page-group">
              <h2>{group}</h2>
              {SETTING_SECTIONS.filter((one) => one.group === group).map(({ name, title }) => (
                <a
                  key={name}
                  href={`${path}?section=${name}`}
                  aria-current={name === section?.name ? "page" : undefined}
                >
                  {title}
                </a>
              ))}
            </div>
          ))}
        </nav>
        <div class="settings-body stack">
          {!Part ? (
            <Empty icon={CircleAlert} title="Section not found">
              <a href={path}>Go to the settings</a>
            </Empty>
          ) : typeof Part === "function" ? (
            <Part key={name} />
          ) : (
            <FieldsSection key={name} groups={Part} />
          )}
        </div>
      </div>
    </>
  );
}
