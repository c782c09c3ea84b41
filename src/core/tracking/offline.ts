import { eventId } from "./emit.ts";
import type { TrackEvent } from "./types/event.ts";
import type { FenceLabel } from "./types/fence.ts";
import type { UserState } from "./types/state.ts";

/**
 * Events that a phone generated without a network. Its buffered updates make the server generate the same events: an
 * event of both sides is one event, whichever arrives first.
 */

export const OFFLINE_TYPES = ["user.entered_geofence", "user.exited_geofence", "user.dwelled_in_geofence"] as const;
export type OfflineType = (typeof OFFLINE_TYPES)[number];

/** The phone and the server judge the same fixes, but the server's accuracy rules may decide at a later one [ms]. */
export const SAME_WITHIN_MS = 10 * 60_000;
/** Maximum reports per user. */
const MAX_REPORTS = 50;
/** Sequence numbers of events that only the phone generated. */
const FIRST_SEQ = 0xc000_0000;

/** A reported event. */
export interface OfflineReport {
  /** The phone's own id of the event. */
  key: string;
  type: OfflineType;
  geofence: string;
  /** When it happened [ms]. */
  at: number;
  /** _id of the event at the server. */
  event: string;
  /** _id that the server's own event would have; absent = it has not generated it. */
  own?: string;
}

export interface OfflineReports {
  seq: number;
  reports: readonly OfflineReport[];
}

export const NO_REPORTS: OfflineReports = { seq: 0, reports: [] };

export type NewReport = Pick<OfflineReport, "key" | "type" | "geofence" | "at">;

/**
 * Adds a report.
 * @param known the server's event, if it was first
 */
export function addReport(
  { seq, reports }: OfflineReports,
  user: string,
  report: NewReport,
  known: string | undefined,
): OfflineReports {
  const event = known ?? eventId(user, FIRST_SEQ + seq);
  const added: OfflineReport = { ...report, event, ...(known !== undefined && { own: known }) };
  return { seq: known === undefined ? seq + 1 : seq, reports: [...reports, added].slice(-MAX_REPORTS) };
}

/** The event of a report, while the server has not generated it. */
export function offlineEvent(
  { type, at, event }: OfflineReport,
  user: UserState,
  fence: FenceLabel,
  now: number,
): TrackEvent {
  const person: TrackEvent["user"] = { _id: user._id, deviceId: user.deviceId };
  if (user.userId !== undefined) person.userId = user.userId;
  if (user.metadata !== undefined) person.metadata = user.metadata;
  return {
    _id: event,
    type,
    live: user.live,
    createdAt: at,
    actualCreatedAt: now,
    user: person,
    location: fence.center ?? user.location,
    locationAccuracy: fence.type === "circle" ? (fence.radius ?? user.locationAccuracy) : user.locationAccuracy,
    // The phone compares its position with a circle only.
    confidence: 1,
    geofence: fence,
    metadata: { offline: true },
    replayed: true,
  };
}

/**
 * The server's events, with those that phones have reported before under the ids of the reports.
 * @returns undefined: none was reported. `stored`: the events that are not in the database yet
 */
export function reconcile(
  before: OfflineReports,
  events: readonly TrackEvent[],
): { events: TrackEvent[]; stored: TrackEvent[]; after: OfflineReports } | undefined {
  const reports = [...before.reports];
  const stored: TrackEvent[] = [];
  const shown = events.map((event) => {
    const found = reportOf(reports, event);
    if (found < 0) {
      stored.push(event);
      return event;
    }
    reports[found] = { ...reports[found], own: event._id };
    return { ...event, _id: reports[found].event, metadata: { ...event.metadata, offline: true } };
  });
  return stored.length === events.length ? undefined : { events: shown, stored, after: { ...before, reports } };
}

/** The nearest report of an event in time, by its position; -1: none. */
function reportOf(reports: readonly OfflineReport[], { _id, type, geofence, createdAt }: TrackEvent): number {
  let best = -1;
  let distance = SAME_WITHIN_MS;
  for (const [i, report] of reports.entries()) {
    if (report.own === _id) return report.event === _id ? -1 : i;
    if (report.own !== undefined || report.type !== type || report.geofence !== geofence?._id) continue;
    const away = Math.abs(report.at - createdAt);
    if (away > distance) continue;
    best = i;
    distance = away;
  }
  return best;
}
