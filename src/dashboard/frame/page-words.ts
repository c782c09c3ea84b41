/** Other words for a page, by its path: the palette finds it by them. */
export const WORDS: Readonly<Record<string, string>> = {
  "": "statistics usage errors calls",
  map: "positions follow dispatcher",
  users: "devices replay fraud delete data erase export gdpr",
  trips: "eta delay share link",
  events: "explain live tail",
  campaigns: "in-app messages notifications a/b test variants",
  segments: "groups audience cohorts computed rules visits",
  meetings: "near proximity users meet part rules",
  journeys: "logbook mileage distance stops speeding report timesheet drivers",
  "arrival-times": "eta error accuracy learning speeds closed roads",
  geofences: "areas circle polygon isochrone draw import geojson",
  places: "chains categories mappings poi",
  beacons: "ibeacon eddystone import csv",
  tools: "geocode autocomplete validate distance matrix directions match optimise isochrone static map explorer",
  batch: "geocode csv file job bulk validate addresses reverse",
  simulator: "walk device test track",
  webhooks: "deliveries dead letters secret replay retry retries failed test",
  geodata: "builds import roll back attribution sources",
  status: "health metrics latency queues alerts version errors disk",
  costs: "price bill month cloudflare usage mix calculator",
  settings: "keys members limits quota audit retention passkeys",
};

/** What can be done on a page, under the name that its button has. */
export const ACTIONS = [
  {
    title: "Why no event?",
    page: "Events",
    path: "events",
    query: "event=why",
    words: "explain missing event not generated",
  },
] as const;

/** How many parts a page's path may have below it, such as the id of a record. */
const PARTS: Readonly<Record<string, number>> = { users: 1, trips: 1, geofences: 2, places: 2, geodata: 1 };

/** Whether a path leads to a page: what is below one that has nothing below it does not. */
export const isPage = (page: string, rest: readonly string[]) =>
  Object.hasOwn(WORDS, page) && rest.length <= (PARTS[page] ?? 0);
