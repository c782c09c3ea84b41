import { expect, it } from "vitest";
import type { Applied } from "../../src/core/tracking/history/entry.ts";
import { rerun } from "../../src/core/tracking/history/rerun.ts";
import { eventVerdict, fenceVerdict } from "../../src/core/tracking/history/verdict.ts";
import { applyUpdate } from "../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../src/core/tracking/trace/decision.ts";
import { TrackerStore } from "../../src/worker/objects/tracker/tracker-store.ts";
import { memorySql } from "../bench/support/sqlite.ts";
import { isNight } from "../support/night.ts";
import { simulateDay } from "./day.ts";

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it("explaining any event of a simulated day gives that very event, from what a tracker has kept; the recorder changes nothing", async () => {
  const stores = new Map<string, TrackerStore>();
  const made: Applied[] = [];
  const storeOf = (user: string) => {
    const store = stores.get(user) ?? new TrackerStore(memorySql());
    stores.set(user, store);
    return store;
  };
  let heard = 0;
  const report = await simulateDay(isNight ? 3 : 1, 11, undefined, {
    applied(applied) {
      const { before, update, surroundings, settings, outcome } = applied;
      const { _id, live } = outcome.state;
      const decisions: Decision[] = [];
      const traced = applyUpdate(before, update, surroundings, settings, before ?? { _id, live }, (one) =>
        decisions.push(one),
      );
      expect(traced).toEqual(outcome);
      heard += decisions.length;
      storeOf(_id).save(outcome.state, outcome.events, outcome.trips, { applied, days: 7 });
      made.push(applied);
    },
    changed(before, after) {
      storeOf(before._id).save(after, []);
    },
  });
  expect(report.differences).toEqual([]);
  expect(heard).toBeGreaterThan(3_000);

  // Every event, with the words that explain it; and each update tells what became of every geofence it concerned.
  let at = 0;
  let explained = 0;
  for (const [user, store] of stores) {
    for (const { base, entries } of store.history.pages(user, 0, Number.MAX_SAFE_INTEGER)) {
      for (const [i, entry] of entries.entries()) {
        if (!("u" in entry)) continue;
        const { outcome, before } = made[at++];
        const again = rerun(base, entries, user, i, new Map());
        if (!again) throw new Error("a page that cannot be run again");
        expect(again.same).toBe(true);
        expect(plain(again.events)).toEqual(plain(outcome.events));
        for (const event of outcome.events) {
          const found = again.events.find(({ _id }) => _id === event._id);
          expect([found?.type, found?.geofence?._id]).toEqual([event.type, event.geofence?._id]);
          const { verdict, sentence, steps } = eventVerdict(again, event);
          expect([verdict, sentence.length > 20, steps.length > 0]).toEqual([event.type, true, true]);
          expect(sentence).not.toMatch(/undefined|NaN|null/);
          explained++;
        }
        for (const id of new Set([...Object.keys(before?.geofences ?? {}), ...Object.keys(outcome.state.geofences)])) {
          const was = before?.geofences[id] !== undefined;
          const is = outcome.state.geofences[id] !== undefined;
          const { verdict } = fenceVerdict(again, id);
          const dwelled = outcome.events.some(
            ({ type, geofence }) => type === "user.dwelled_in_geofence" && geofence?._id === id,
          );
          expect(verdict).toBe(dwelled ? "dwelled" : !was ? "entered" : is ? "inside" : "exited");
        }
      }
    }
  }
  expect(at).toBe(made.length);
  expect(explained).toBeGreaterThan(80);
}, 120_000);
