import type { ComponentType } from "preact";
import { BareSelect } from "../forms/bare.tsx";
import { PageHead } from "../parts/layout/page-head.tsx";
import { useAddress, useQueryValue } from "../router.tsx";
import { Audit } from "./settings/audit.tsx";
import { BeaconLists } from "./settings/beacon-lists.tsx";
import { Data } from "./settings/data.tsx";
import { Geocoding } from "./settings/geocoding.tsx";
import { Keys } from "./settings/keys.tsx";
import { Limits } from "./settings/limits.tsx";
import { MapUploads } from "./settings/map-uploads.tsx";
import { Members } from "./settings/members.tsx";
import { WaysIn } from "./settings/passkeys.tsx";
import { Places } from "./settings/places.tsx";
import { Project } from "./settings/project.tsx";
import { Tokens } from "./settings/tokens.tsx";
import { Tracking } from "./settings/tracking.tsx";
import "./settings.css";

const SECTIONS: readonly { name: string; title: string; group: string; part: ComponentType }[] = [
  { name: "tracking", title: "Tracking", group: "Features", part: Tracking },
  { name: "places", title: "Places and chains", group: "Features", part: Places },
  { name: "geocoding", title: "Geocoding", group: "Features", part: Geocoding },
  { name: "beacons", title: "Beacons", group: "Features", part: BeaconLists },
  { name: "maps", title: "Styles and icons", group: "Features", part: MapUploads },
  { name: "keys", title: "Keys", group: "API access", part: Keys },
  { name: "tokens", title: "Signed tokens", group: "API access", part: Tokens },
  { name: "limits", title: "Limits and quota", group: "API access", part: Limits },
  { name: "data", title: "Data and access", group: "API access", part: Data },
  { name: "members", title: "Members", group: "People", part: Members },
  { name: "passkeys", title: "Sign-in", group: "People", part: WaysIn },
  { name: "audit", title: "Audit log", group: "People", part: Audit },
  { name: "project", title: "Project", group: "People", part: Project },
];

/** Settings apply to Test and Live, unless marked otherwise. */
export default function Settings() {
  const { path } = { path: useAddress().to("settings") };
  const [name, setName] = useQueryValue("section", "tracking");
  const section = SECTIONS.find((one) => one.name === name) ?? SECTIONS[0];
  const groups = [...new Set(SECTIONS.map(({ group }) => group))];
  const Part = section.part;
  return (
    <>
      <PageHead title="Settings" about="Settings apply to both Test and Live. Changes take effect within 10 seconds." />
      <div class="settings">
        <nav class="settings-nav" aria-label="Settings">
          <BareSelect
            class="settings-select"
            label="Section"
            value={section.name}
            onChange={setName}
            options={SECTIONS.map(({ name, title }) => [name, title] as const)}
          />
          {groups.map((group) => (
            <div key={group} class="page-group">
              <h3>{group}</h3>
              {SECTIONS.filter((one) => one.group === group).map(({ name, title }) => (
                <a
                  key={name}
                  href={`${path}?section=${name}`}
                  aria-current={name === section.name ? "page" : undefined}
                >
                  {title}
                </a>
              ))}
            </div>
          ))}
        </nav>
        <div class="settings-body stack">
          <Part key={section.name} />
        </div>
      </div>
    </>
  );
}
