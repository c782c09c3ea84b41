import {
  ARCHIVED_AN_HOUR,
  FENCE_EPOCH_MS,
  FORGOTTEN_AN_HOUR,
  GATHER_MS,
  LEARNED_AN_HOUR,
  LIVE_LIST_MS,
  LIVE_TRAFFIC_USERS,
  SILENT_AN_HOUR,
  USAGE_MS,
} from "../../limits/capacity.ts";
import { CALL_CLASSES } from "../call-classes.ts";
import { DAY_S, type Load, MONTH_S } from "./load.ts";
import { against, againstOwn, type Part } from "./part.ts";
import type { ScaleProject } from "./project.ts";
import rates from "./rates.json" with { type: "json" };

const GB = 1e9;
/** An event as Parquet [bytes], as in mix.ts. */
const ARCHIVED_BYTES = 100;
/** An isolate reads a key again after so long [s]; a new one is known after at most ten. */
const KEY_S = 10;
/** A user who moved within this time is read for live traffic [min] (objects/rounds/live-traffic-round.ts). */
const RECENT_MIN = 15;

/** Isolates, which answer each request. */
export function worker({ logShare }: ScaleProject, load: Load): Part {
  const requests = load.updatesAMonth + load.searchesAMonth;
  return {
    name: "Worker",
    calls: load.updates + load.searches,
    objects: 0,
    bytes: 0,
    usage: {
      requests,
      cpu: load.updatesAMonth * CALL_CLASSES.track.cpu + load.searchesAMonth * CALL_CLASSES.lookup.cpu,
      logs: requests * logShare,
    },
    checks: [against("logs", (requests / 30) * logShare, "one line a request, sampled")],
  };
}

/** The database with the project's rows. */
export function database(project: ScaleProject, load: Load): Part {
  const { users, eventDays, hotDays, isolates, databases, writers } = project;
  const { update, event } = rates.moving;
  const bytes = users * rates.bytes.user + load.eventsADay * Math.min(hotDays, eventDays) * rates.bytes.event;
  const batches = Math.min(load.updates + load.events, (writers * 1000) / GATHER_MS);
  const epochs = Math.min(load.geofenceSearches, (isolates * 1000) / FENCE_EPOCH_MS);
  const { queryMs, batchMs } = rates.platform;
  const rows = load.updates * rates.writes.updateMs + load.events * rates.writes.eventMs + batches * batchMs;
  const searched = load.searchesAMonth * (load.userSearches / (load.searches || 1));
  return {
    name: "D1, the project's",
    calls: batches * databases + load.userSearches * databases + epochs,
    objects: databases,
    bytes,
    usage: {
      // Events are deleted once they are in the archive.
      databaseRows: load.updatesAMonth * update.databaseRows + load.eventsAMonth * (event.databaseRows + 3),
      databaseReads:
        load.updatesAMonth * update.databaseReads +
        load.eventsAMonth * event.databaseReads +
        searched * CALL_CLASSES.records.databaseReads,
      databaseStorage: bytes / GB,
    },
    checks: [
      against(
        "databaseTime",
        rows / databases + (load.userSearches + epochs / databases) * queryMs,
        "writes and reads",
      ),
      against("databaseBytes", bytes / databases, "users, and events of the hot days"),
      against("accountBytes", bytes, "the same"),
    ],
  };
}

/** The first database, with keys and counts of calls. */
export function firstDatabase({ isolates }: ScaleProject, load: Load): Part {
  const asking = Math.min(isolates, load.updates + load.searches);
  const [keys, counts] = [asking / KEY_S, (asking * 1000) / USAGE_MS];
  return {
    name: "D1, keys and usage",
    calls: keys + counts,
    objects: 1,
    bytes: 0,
    usage: { databaseRows: counts * MONTH_S, databaseReads: (keys + counts) * MONTH_S },
    checks: [
      against("databaseTime", keys * rates.platform.queryMs + counts * rates.platform.batchMs, "keys and counts"),
    ],
  };
}

/** Geodata, archived events and what roads have taught. */
export function bucket({ isolates, eventDays, learning, geodataGB }: ScaleProject, load: Load): Part {
  const lists = Math.min(isolates, load.updates + load.searches) / (LIVE_LIST_MS / 1000);
  const tiles = (load.searches - load.userSearches - load.geofenceSearches) * CALL_CLASSES.lookup.bucketReads;
  const bytes = geodataGB * GB + load.eventsADay * eventDays * ARCHIVED_BYTES;
  return {
    name: "R2, live.json and archive",
    calls: lists + tiles,
    objects: 0,
    bytes,
    usage: {
      bucketReads: lists * MONTH_S + (tiles * MONTH_S) / load.peak,
      bucketWrites: (MONTH_S / 3600) * 10 + (learning * MONTH_S) / 60 + load.eventsAMonth / 8_000,
      bucketStorage: bytes / GB,
    },
    checks: [against("keyWrites", learning / 60, "the live speeds of the project, once a minute")],
  };
}

/** Scheduled runs, each of which does so much at most. */
export function rounds(project: ScaleProject, load: Load): Part {
  const { users, activePerDay, updateDays, leavingPerMonth, learning, hotDays, eventDays } = project;
  const silent = activePerDay * (1 - activePerDay / users) ** updateDays;
  const perHour = (aDay: number) => aDay / 24;
  const recent = (load.updates * project.secondsBetweenUpdates * RECENT_MIN) / RECENT_MIN;
  const checks = [
    againstOwn("events to archive an hour", hotDays < eventDays ? perHour(load.eventsADay) : 0, ARCHIVED_AN_HOUR),
    againstOwn("devices that fall silent an hour", perHour(silent), SILENT_AN_HOUR),
    againstOwn("users to delete an hour", perHour((users * leavingPerMonth) / 30), FORGOTTEN_AN_HOUR),
    againstOwn("updates to learn from an hour", learning * perHour(load.updatesADay), LEARNED_AN_HOUR),
    againstOwn(
      "users in motion to read for live traffic a minute",
      (learning * recent) / RECENT_MIN,
      LIVE_TRAFFIC_USERS,
    ),
  ];
  return {
    name: "scheduled runs",
    calls: (perHour(silent) + perHour((users * leavingPerMonth) / 30)) / 3600,
    objects: 1,
    bytes: 0,
    usage: { objectRequests: (silent / DAY_S) * MONTH_S, databaseRows: load.eventsAMonth / 16_000 },
    checks,
  };
}
