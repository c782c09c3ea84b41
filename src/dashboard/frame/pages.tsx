import {
  Activity,
  Bluetooth,
  Calculator,
  ChartColumn,
  ClockCheck,
  Compass,
  Database,
  FileSpreadsheet,
  Footprints,
  Handshake,
  HeartPulse,
  Hexagon,
  type IconNode,
  MapPinned,
  Megaphone,
  Route,
  Settings,
  Store,
  Users,
  UsersRound,
  Waypoints,
  Webhook,
} from "lucide";
import type { ComponentType } from "preact";
import { Overview } from "../pages/overview.tsx";
import { WORDS } from "./page-words.ts";

/**
 * The table of contents: every page, in the order of the navigation. Its code is loaded when it is first looked at, except for the first page. A page gets
 * nothing: it reads the address (router.tsx) and asks the API (api/hooks.ts).
 */
export interface Page {
  /** Its part of the path: /dashboard/1/test/<path>. */
  path: string;
  title: string;
  icon: IconNode;
  group: string;
  words?: string;
  /** In Test alone. */
  testOnly?: boolean;
  /** Fills the window, without padding: a map. */
  full?: boolean;
  load: () => Promise<{ default: ComponentType }>;
  /** What `load` returns, if it is part of the app: painted with the first frame. */
  content?: ComponentType;
}

type Load = Page["load"];
const makePage = (path: string, title: string, icon: IconNode, load: Load, more: Partial<Page> = {}) => ({
  ...{ path, title, icon, load, words: WORDS[path], ...more },
});
const groupPages = (group: string, ...pages: Omit<Page, "group">[]) => pages.map((one) => ({ ...one, group }));
const MAP = { full: true };

/** Groups that fold, in the order of the navigation. */
export const FOLDING = ["Places", "Engagement", "Build", "Operation"];

export const PAGES: readonly Page[] = [
  ...groupPages(
    "",
    makePage("", "Overview", ChartColumn, async () => ({ default: Overview }), { content: Overview }),
    makePage("map", "Live map", MapPinned, () => import("../pages/live-map.tsx"), MAP),
    makePage("users", "Users", Users, () => import("../pages/users.tsx")),
    makePage("trips", "Trips", Route, () => import("../pages/trips.tsx"), MAP),
    makePage("events", "Events", Activity, () => import("../pages/events.tsx")),
  ),
  ...groupPages(
    "Places",
    makePage("geofences", "Geofences", Hexagon, () => import("../pages/geofences.tsx"), MAP),
    makePage("places", "Places", Store, () => import("../pages/places.tsx"), MAP),
    makePage("beacons", "Beacons", Bluetooth, () => import("../pages/beacons.tsx")),
  ),
  ...groupPages(
    "Engagement",
    makePage("campaigns", "Campaigns", Megaphone, () => import("../pages/campaigns.tsx")),
    makePage("segments", "Segments", UsersRound, () => import("../pages/segments.tsx")),
    makePage("meetings", "Meetings", Handshake, () => import("../pages/meetings.tsx")),
    makePage("journeys", "Journeys", Waypoints, () => import("../pages/journeys.tsx")),
  ),
  ...groupPages(
    "Build",
    makePage("tools", "Tools", Compass, () => import("../pages/tools.tsx"), MAP),
    makePage("batch", "Batch", FileSpreadsheet, () => import("../pages/batch.tsx")),
    makePage("simulator", "Simulator", Footprints, () => import("../pages/simulator.tsx"), {
      full: true,
      testOnly: true,
    }),
    makePage("webhooks", "Webhooks", Webhook, () => import("../pages/webhooks.tsx")),
  ),
  ...groupPages(
    "Operation",
    makePage("arrival-times", "Arrival times", ClockCheck, () => import("../pages/arrival-times.tsx")),
    makePage("geodata", "Geodata", Database, () => import("../pages/geodata.tsx"), MAP),
    makePage("status", "Status", HeartPulse, () => import("../pages/status.tsx")),
    makePage("costs", "Costs", Calculator, () => import("../pages/costs.tsx")),
  ),
  ...groupPages(
    "Project",
    makePage("settings", "Settings", Settings, () => import("../pages/settings.tsx")),
  ),
];

export const pageOf = (path: string) => PAGES.find((page) => page.path === path);
