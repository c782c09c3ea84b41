import { expect, it } from "vitest";
import { addReport, NO_REPORTS, offlineEvent, reconcile, SAME_WITHIN_MS } from "../../../src/core/tracking/offline.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import { Device, NOON } from "./world.ts";

const device = new Device();
const [entry] = device.send(0).events;
const user = device.state as NonNullable<typeof device.state>;
const report = { key: "phone-1", type: "user.entered_geofence", geofence: "f1", at: entry.createdAt } as const;

it("an event that the phone reported first keeps its id when the server generates it", () => {
  const reported = addReport(NO_REPORTS, user._id, report, undefined);
  const [{ event: id }] = reported.reports;
  expect(offlineEvent(reported.reports[0], user, { _id: "f1" }, NOON)).toMatchObject({ _id: id, type: report.type });
  const first = reconcile(reported, [entry]);
  expect(first?.events.map(({ _id }) => _id)).toEqual([id]);
  expect(first?.stored).toEqual([]);
  // The same update, sent again.
  expect(reconcile(first?.after ?? NO_REPORTS, [entry])?.events.map(({ _id }) => _id)).toEqual([id]);
  // The next entry is another event.
  const later: TrackEvent = { ...entry, _id: "later", createdAt: entry.createdAt + 1 };
  expect(reconcile(first?.after ?? NO_REPORTS, [later])).toBeUndefined();
});

it("an event of another geofence, type or time is another event", () => {
  const reported = addReport(NO_REPORTS, user._id, report, undefined);
  const same = (more: Partial<TrackEvent>) => reconcile(reported, [{ ...entry, ...more }]) !== undefined;
  expect(same({ createdAt: entry.createdAt + SAME_WITHIN_MS })).toBe(true);
  expect(same({ createdAt: entry.createdAt + SAME_WITHIN_MS + 1 })).toBe(false);
  expect(same({ type: "user.exited_geofence" })).toBe(false);
  expect(same({ geofence: { _id: "f2" } })).toBe(false);
});

it("the nearest of two reports is taken, and each only once", () => {
  const two = [0, 60_000].reduce(
    (all, away) => addReport(all, user._id, { ...report, key: `k${away}`, at: report.at + away }, undefined),
    NO_REPORTS,
  );
  const events = [50_000, 70_000].map(
    (away, i): TrackEvent => ({ ...entry, _id: `e${i}`, createdAt: report.at + away }),
  );
  const ids = reconcile(two, events)?.events.map(({ _id }) => _id);
  expect(ids).toEqual([two.reports[1].event, two.reports[0].event]);
});

it("a report of an event that the server has already generated changes nothing", () => {
  const known = addReport(NO_REPORTS, user._id, report, entry._id);
  expect(known.reports[0].event).toBe(entry._id);
  expect(reconcile(known, [entry])).toBeUndefined();
});
