/** The sections of the settings, with other words that they are found by. */
export const SETTING_SECTIONS = [
  {
    name: "tracking",
    title: "Tracking",
    group: "Features",
    words: "buffered entries dwell accuracy events fraud regions stop detection",
  },
  {
    name: "tracking-options",
    title: "Tracking options",
    group: "Features",
    words: "battery presets responsive efficient continuous remote sdk intervals",
  },
  { name: "places", title: "Places and chains", group: "Features", words: "mappings nearby chains place filters" },
  { name: "geocoding", title: "Geocoding", group: "Features", words: "default layers forward" },
  {
    name: "learning",
    title: "Learning",
    group: "Features",
    words: "speeds roads arrival times eta devices privacy consent",
  },
  { name: "beacons", title: "Beacons", group: "Features", words: "uuid uid lists ranging" },
  { name: "maps", title: "Styles and icons", group: "Features", words: "custom map markers upload" },
  { name: "keys", title: "Keys", group: "API access", words: "api publishable secret rotate reveal" },
  { name: "tokens", title: "Signed tokens", group: "API access", words: "jwt user verification" },
  { name: "limits", title: "Limits and quota", group: "API access", words: "rate calls per second monthly usage 429" },
  {
    name: "data",
    title: "Data and access",
    group: "API access",
    words: "retention allowed origins cors blocked countries",
  },
  { name: "members", title: "Members", group: "People", words: "invite role owner admin" },
  { name: "agents", title: "Agents", group: "People", words: "mcp oauth claude chatgpt cursor connect disconnect" },
  { name: "passkeys", title: "Sign-in", group: "People", words: "passkeys sessions sign out" },
  { name: "audit", title: "Audit log", group: "People", words: "changes history export" },
  { name: "project", title: "Project", group: "People", words: "name disable enable" },
] as const;
