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
  Webhook,
} from "lucide";
import type { ComponentType } from "preact";
import { Overview } from "../pages/overview.tsx";

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
  /** For the palette: what else one would call it. */
  words?: string;
  /** In Test alone. */
  testOnly?: boolean;
  /** Fills the window, without padding: a map. */
  full?: boolean;
  load: () => Promise<{ default: ComponentType }>;
  /** What `load` returns, if it is part of the app: painted with the first frame. */
  content?: ComponentType;
}

export const PAGES: readonly Page[] = [
  {
    path: "",
    title: "Overview",
    icon: ChartColumn,
    group: "",
    words: "statistics usage errors calls",
    load: async () => ({ default: Overview }),
    content: Overview,
  },
  {
    path: "map",
    title: "Live map",
    icon: MapPinned,
    group: "Now",
    full: true,
    words: "positions follow dispatcher",
    load: () => import("../pages/live-map.tsx"),
  },
  {
    path: "users",
    title: "Users",
    icon: Users,
    group: "Now",
    words: "devices replay fraud",
    load: () => import("../pages/users.tsx"),
  },
  {
    path: "trips",
    title: "Trips",
    icon: Route,
    group: "Now",
    full: true,
    words: "eta delay share link",
    load: () => import("../pages/trips.tsx"),
  },
  {
    path: "events",
    title: "Events",
    icon: Activity,
    group: "Now",
    words: "explain live tail",
    load: () => import("../pages/events.tsx"),
  },
  {
    path: "campaigns",
    title: "Campaigns",
    icon: Megaphone,
    group: "Now",
    words: "in-app messages notifications a/b test variants",
    load: () => import("../pages/campaigns.tsx"),
  },
  {
    path: "segments",
    title: "Segments",
    icon: UsersRound,
    group: "Now",
    words: "groups audience cohorts computed rules visits",
    load: () => import("../pages/segments.tsx"),
  },
  {
    path: "arrival-times",
    title: "Arrival times",
    icon: ClockCheck,
    group: "Now",
    words: "eta error accuracy learning speeds closed roads",
    load: () => import("../pages/arrival-times.tsx"),
  },
  {
    path: "geofences",
    title: "Geofences",
    icon: Hexagon,
    group: "Places",
    full: true,
    words: "areas circle polygon isochrone draw import geojson",
    load: () => import("../pages/geofences.tsx"),
  },
  {
    path: "places",
    title: "Places",
    icon: Store,
    group: "Places",
    full: true,
    words: "chains categories mappings poi",
    load: () => import("../pages/places.tsx"),
  },
  {
    path: "beacons",
    title: "Beacons",
    icon: Bluetooth,
    group: "Places",
    words: "ibeacon eddystone import csv",
    load: () => import("../pages/beacons.tsx"),
  },
  {
    path: "tools",
    title: "Tools",
    icon: Compass,
    group: "Build",
    full: true,
    words: "geocode autocomplete validate distance matrix directions match optimise isochrone static map explorer",
    load: () => import("../pages/tools.tsx"),
  },
  {
    path: "batch",
    title: "Batch",
    icon: FileSpreadsheet,
    group: "Build",
    words: "geocode csv file job bulk validate addresses reverse",
    load: () => import("../pages/batch.tsx"),
  },
  {
    path: "simulator",
    title: "Simulator",
    icon: Footprints,
    group: "Build",
    full: true,
    testOnly: true,
    words: "walk device test track",
    load: () => import("../pages/simulator.tsx"),
  },
  {
    path: "webhooks",
    title: "Webhooks",
    icon: Webhook,
    group: "Build",
    words: "deliveries dead letters secret replay retry retries failed test",
    load: () => import("../pages/webhooks.tsx"),
  },
  {
    path: "geodata",
    title: "Geodata",
    icon: Database,
    group: "Build",
    full: true,
    words: "builds import roll back attribution sources",
    load: () => import("../pages/geodata.tsx"),
  },
  {
    path: "status",
    title: "Status",
    icon: HeartPulse,
    group: "Build",
    words: "health metrics latency queues alerts version errors disk",
    load: () => import("../pages/status.tsx"),
  },
  {
    path: "costs",
    title: "Costs",
    icon: Calculator,
    group: "Build",
    words: "price bill month cloudflare usage mix calculator",
    load: () => import("../pages/costs.tsx"),
  },
  {
    path: "settings",
    title: "Settings",
    icon: Settings,
    group: "Build",
    words: "keys members limits quota audit retention passkeys",
    load: () => import("../pages/settings.tsx"),
  },
];

export const pageOf = (path: string) => PAGES.find((page) => page.path === path);
