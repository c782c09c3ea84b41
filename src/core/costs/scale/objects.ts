import { COPIED_MS, GATHER_MS, HISTORY } from "../../limits/capacity.ts";
import { LEASE_MS } from "../../limits/lease.ts";
import { DAY_S, HOUR_S, type Load, MONTH_S } from "./load.ts";
import { against, type Part } from "./part.ts";
import type { ScaleProject } from "./project.ts";
import rates from "./rates.json" with { type: "json" };

/** Memory that is billed while an object is awake [GB], and for how long one is for a call [s]. */
const [OBJECT_GB, CALL_S] = [0.128, 0.03];
const GB = 1e9;
/** How much of an object's second its calls leave awake: one that is called all the time is always billed. */
const awakeGBs = (calls: number) => Math.min(1, calls * CALL_S) * MONTH_S * OBJECT_GB;

/** A tracker for each device. */
export function trackers(project: ScaleProject, load: Load): Part {
  const { update, event } = rates.moving;
  const { users, activePerDay, updateDays, hoursMovingPerDay, secondsBetweenUpdates } = project;
  const { updatesAMonth, eventsAMonth } = load;
  const alarms = updatesAMonth * update.alarms + eventsAMonth * event.alarms;
  const ofBusiest = Math.min(
    HISTORY.pages * HISTORY.pageUpdates,
    (updateDays * hoursMovingPerDay * HOUR_S) / secondsBetweenUpdates,
  );
  const bytesOf = (updates: number) => rates.bytes.tracker + updates * rates.bytes.update;
  const bytes = users * bytesOf((ofBusiest * activePerDay) / users);
  return {
    name: "trackers",
    calls: load.updates * (1 + update.alarms) + load.events * event.alarms,
    objects: users,
    bytes,
    usage: {
      objectRequests: updatesAMonth + alarms,
      objectDuration: (updatesAMonth + alarms) * CALL_S * OBJECT_GB,
      objectReads: updatesAMonth * update.trackerReads,
      objectRows: updatesAMonth * update.trackerRows + eventsAMonth * event.trackerRows,
      objectStorage: bytes / GB,
    },
    checks: [
      against("objectCalls", 1 / secondsBetweenUpdates, "one device in motion"),
      against("objectBytes", bytesOf(ofBusiest), "one device that moves every day"),
    ],
  };
}

/** One object for all geofences: trackers ask it for those around them, isolates for those around a search. */
export function geofenceIndex({ geofences, geofenceCacheShare }: ScaleProject, load: Load): Part {
  const missed = geofences === 0 ? 0 : 1 - geofenceCacheShare;
  const calls = load.updates * load.asked + load.geofenceSearches * missed;
  const bytes = geofences * rates.bytes.geofence;
  return {
    name: "geofence index",
    calls,
    objects: 1,
    bytes,
    usage: {
      objectRequests:
        load.updatesAMonth * load.asked + load.searchesAMonth * (load.geofenceSearches / (load.searches || 1)) * missed,
      objectDuration: awakeGBs(calls),
      objectStorage: bytes / GB,
    },
    checks: [
      against("objectCalls", calls, "updates and searches that ask for geofences"),
      against("objectBytes", bytes, "all geofences and their cells"),
    ],
  };
}

/** One object for all campaigns and for what each person got of them. */
export function campaignIndex(project: ScaleProject, load: Load): Part {
  const { campaigns, campaignEventShare, phoneCampaigns, movingAtOnce } = project;
  const isUsed = campaigns > 0 ? 1 : 0;
  // What was compared is forgotten with the tracker's memory.
  const copies = load.isAsleep
    ? load.updates
    : movingAtOnce / Math.max(COPIED_MS / 1000, project.secondsBetweenUpdates);
  const asks = load.events * campaignEventShare * isUsed;
  const calls = asks + copies * phoneCampaigns * isUsed;
  const monthly = (calls / (load.peak || 1)) * MONTH_S;
  return {
    name: "campaign index",
    calls,
    objects: 1,
    bytes: 0,
    usage: {
      objectRequests: monthly,
      objectRows: (2 * asks * MONTH_S) / (load.peak || 1),
      objectDuration: awakeGBs(calls),
    },
    checks: [against("objectCalls", calls, "messages with limits")],
  };
}

/** The objects that join the writes of all trackers. A search for users first asks each of them to finish. */
export function writers({ writers: count }: ScaleProject, load: Load): Part {
  const ofOne = load.updates / count + load.userSearches;
  return {
    name: "database writers",
    calls: ofOne * count,
    objects: count,
    bytes: 0,
    usage: {
      objectRequests: load.updatesAMonth + load.searchesAMonth * (load.userSearches / (load.searches || 1)) * count,
      objectDuration: awakeGBs(ofOne) * count,
    },
    checks: [against("objectCalls", ofOne, "updates, and searches for users that wait for them")],
  };
}

/** A counter in memory for each endpoint; isolates borrow from it for a tenth of a second. */
export function rateLimits({ isolates }: ScaleProject, load: Load): Part {
  const kinds = [load.userSearches, load.geofenceSearches, load.searches - load.userSearches - load.geofenceSearches];
  const asked = kinds.map((rate) => Math.min(rate, (isolates * 1000) / LEASE_MS));
  const calls = asked.reduce((sum, one) => sum + one, 0);
  return {
    name: "rate limits",
    calls,
    objects: kinds.filter((rate) => rate > 0).length,
    bytes: 0,
    usage: {
      objectRequests: (calls * MONTH_S) / load.peak,
      objectDuration: asked.reduce((sum, one) => sum + awakeGBs(one), 0),
    },
    checks: [against("objectCalls", Math.max(...asked), "the busiest kind of search")],
  };
}

/** One object for each webhook: writers hand it the events of each batch. */
export function webhookSenders({ webhooks, writers: count }: ScaleProject, load: Load): Part {
  const ofOne = Math.min(load.events, (count * 1000) / GATHER_MS);
  return {
    name: "webhook senders",
    calls: ofOne * webhooks,
    objects: webhooks,
    bytes: 0,
    usage: {
      objectRequests: Math.min(load.eventsAMonth, ((count * 1000) / GATHER_MS) * MONTH_S) * webhooks,
      objectRows: 2 * load.eventsAMonth * webhooks,
      objectDuration: awakeGBs(ofOne) * webhooks,
    },
    checks: [against("objectCalls", webhooks > 0 ? ofOne : 0, "batches with events")],
  };
}

/** One object for each cell of 250 km² in which a user takes part in a rule about meetings. */
export function meetingCells(project: ScaleProject, load: Load): Part {
  const { users, meetingShare, busiestCellShare } = project;
  const calls = load.updates * meetingShare * rates.meetings.calls;
  const members = users * meetingShare * busiestCellShare;
  return {
    name: "meeting cells",
    calls,
    objects: meetingShare > 0 ? Math.ceil(1 / Math.max(busiestCellShare, 1e-4)) : 0,
    bytes: 0,
    usage: {
      objectRequests: load.updatesAMonth * meetingShare * rates.meetings.calls,
      objectDuration: Math.min(MONTH_S * 1e4, (load.updatesADay / DAY_S) * MONTH_S * CALL_S) * meetingShare * OBJECT_GB,
    },
    checks: [
      against("objectCalls", calls * busiestCellShare, "the busiest cell"),
      against("memory", members * rates.meetings.heap, "users in the busiest cell"),
    ],
  };
}
