import type { SettingGroup } from "./setting-values.ts";
import type { SettingName } from "./use-settings.tsx";

/** The fields of settings by section: a new setting is a line here. */

type Groups = readonly SettingGroup<SettingName>[];

export const BEACON_LISTS: Groups = [
  {
    title: "Beacon ranging",
    about:
      "If set, devices range only these UUIDs and UIDs, everywhere. If empty, they range the nearby beacons of the project.",
    stack: [
      { name: "beacons[uuids]", label: "iBeacon UUIDs", hint: "One per line, up to 100.", lines: 6, mono: true },
      { name: "beacons[uids]", label: "Eddystone UIDs", hint: "One per line, up to 100.", lines: 6, mono: true },
    ],
  },
];

const days = { unit: "days", type: "number" } as const;
const list = { lines: 5, mono: true } as const;

export const DATA: Groups = [
  {
    title: "Data retention",
    grid: [
      { name: "retention[users]", label: "Users", hint: "Since their last update", ...days },
      { name: "retention[events]", label: "Events", hint: "Since they happened", ...days },
      { name: "retention[trips]", label: "Trips", hint: "Since their last change", ...days },
      { name: "retention[locations]", label: "Locations of trips", hint: "The tracks of trips", ...days },
      { name: "retention[updates]", label: "Updates of users", hint: "Used by replay and explanations", ...days },
    ],
  },
  {
    title: "Publishable key restrictions",
    grid: [
      {
        ...{ name: "allowedOrigins", label: "Allowed origins", ...list },
        hint: "One origin per line, such as https://example.com. Empty: all origins.",
      },
      {
        ...{ name: "allowedReferrers", label: "Allowed map referrers", ...list },
        hint: "One per line, such as https://example.com or https://*.example.com. Empty: all.",
      },
      {
        ...{ name: "blockedCountries", label: "Blocked countries", isUpper: true, lines: 5, picks: "countries" },
        hint: "Calls from these countries return 451.",
      },
    ],
  },
];

export const LEARNING: Groups = [
  {
    title: "Learning from live devices",
    about:
      "Speeds of roads are learned from drives of live devices. Inform the people who carry them first. Disabling this deletes what was collected.",
    grid: [
      { name: "learning[enabled]", label: "Learn speeds of roads" },
      {
        ...{ name: "learning[eta]", label: "Correct arrival times" },
        hint: "By what was learned from earlier drives, once it is better than the routing engine",
      },
      {
        ...{ name: "learning[minimumDevices]", label: "Devices per road", type: "number" },
        hint: "A road has a learned speed only if so many devices used it, 3 to 20",
      },
    ],
  },
];

export const PLACE_FILTERS: Groups = [
  {
    title: "Place filters",
    grid: [
      { name: "placeFilters[chain]", label: "Only these chains", hint: "One slug per line. Empty: all.", lines: 5 },
      {
        ...{ name: "placeFilters[category]", label: "Only these categories", lines: 5 },
        hint: "One slug per line. Empty: all.",
      },
      {
        ...{ name: "nearbyChains", label: "Nearby chains", lines: 5 },
        hint: "Users who arrive near these chains generate events.",
      },
    ],
  },
];

const number = { type: "number", step: "any" } as const;

export const FEATURES: Groups = [
  {
    title: "Features",
    stack: [
      { name: "tracking[places]", label: "Places", hint: "Place and chain entries and exits" },
      { name: "tracking[beacons]", label: "Beacons", hint: "Beacon entries and exits" },
      {
        ...{ name: "tracking[insights]", label: "Insights" },
        hint: "Learns stays, home and work of each user. Disabling it deletes them with the next update.",
      },
      {
        ...{ name: "tracking[speedLimits]", label: "Speed limits" },
        hint: "Compares speeds with the limits of imported roads.",
      },
      {
        ...{ name: "tracking[fraud]", label: "Fraud checks" },
        hint: "Mocked locations, jumps, proxies and more. Failures generate events.",
      },
    ],
    grid: [
      { name: "tracking[regions][country]", label: "Countries" },
      { name: "tracking[regions][state]", label: "States" },
      { name: "tracking[regions][dma]", label: "DMAs (United States)" },
      { name: "tracking[regions][postalCode]", label: "Postal codes" },
    ],
  },
  {
    title: "Event generation",
    stack: [
      {
        ...{ name: "tracking[bufferedEntries]", label: "Buffered entries" },
        hint: "A device enters when it is inside, or no farther outside than its location accuracy. It exits when it is farther outside than its accuracy. If disabled, only the position counts.",
      },
      {
        ...{ name: "tracking[stopDetection]", label: "Only when stopped" },
        hint: "Devices enter geofences only while they are stopped or the app is in the foreground. Geofences can override this.",
      },
      {
        ...{ name: "tracking[acceptZeros]", label: "Accept 0, 0" },
        hint: "Apps send latitude 0, longitude 0 without a position: such updates are ignored, unless this is enabled.",
      },
    ],
    grid: [
      {
        ...{ name: "tracking[dwellThreshold]", label: "Dwell after", unit: "minutes", ...number },
        hint: "0: no dwell events. Geofences can override this.",
      },
      {
        ...{ name: "tracking[exitDelay]", label: "Exit delay", unit: "seconds", ...number },
        hint: "Exits need a second update outside, at least this much later. 0: the first suffices.",
      },
      {
        ...{ name: "tracking[accuracyLimit]", label: "Worst accuracy", unit: "meters", ...number },
        hint: "Less accurate updates trigger no entries or exits.",
      },
      {
        ...{ name: "tracking[fraudAccuracy]", label: "Suspicious accuracy", unit: "meters", ...number },
        hint: "Less accurate updates fail the “inaccurate” check.",
      },
    ],
  },
];

export const STARTUP: Groups = [
  {
    title: "SDK startup",
    stack: [
      { name: "sdk[startTrackingOnInitialize]", label: "Start tracking on initialization" },
      { name: "sdk[trackOnceOnAppOpen]", label: "Track once when the app opens" },
    ],
  },
];
