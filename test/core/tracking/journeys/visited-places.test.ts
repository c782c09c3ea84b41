import { expect, it } from "vitest";
import { destination } from "../../../../src/core/geo/distance.ts";
import type { Entry, UpdateEntry } from "../../../../src/core/tracking/history/entry.ts";
import { PastReader } from "../../../../src/core/tracking/journeys/past-reader.ts";
import { timelineOf } from "../../../../src/core/tracking/journeys/timeline.ts";
import { random } from "./simulated-day.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 6, 1, 6);
const HOME = { latitude: 48.2, longitude: 16.37 };
const placeOf = (id: number) => ({ _id: `place-${id}`, name: `Place ${id}` });

/** An update a minute. */
interface Minute {
  meters: number;
  /** Where the user stands, and whether the device says so. */
  place?: number;
  settled?: boolean;
}

/** Stored as updates are: a page begins with everything, later entries have what differs. */
function pagesOf(minutes: readonly Minute[], perPage: number): Entry[][] {
  const pages: Entry[][] = [];
  let [place, stopped]: [number | undefined, boolean | undefined] = [undefined, undefined];
  minutes.forEach((minute, n) => {
    if (n % perPage === 0) {
      pages.push([]);
      [place, stopped] = [undefined, undefined];
    }
    const { latitude, longitude } = destination(HOME, 90, minute.meters);
    const entry: UpdateEntry = { u: [START + n * MINUTE, 0, latitude, longitude, 10] };
    const now = minute.settled ? minute.place : undefined;
    if (minute.settled !== stopped) entry.m = { stopped: minute.settled === true };
    if (now !== place) {
      if (now === undefined) entry.x = ["place"];
      else entry.a = { place: placeOf(now) };
    }
    [place, stopped] = [now, minute.settled];
    pages[pages.length - 1].push(entry);
  });
  return pages;
}

const placesAtStops = (minutes: readonly Minute[], perPage: number): string[][] => {
  const reader = new PastReader();
  for (const page of pagesOf(minutes, perPage)) reader.add(page);
  const query = { from: START - 1, to: START + minutes.length * MINUTE, minStopSeconds: 300 };
  return timelineOf(reader.fixes, reader.visits(), query).flatMap((part) =>
    part.kind === "stop" ? [part.places.map(({ _id }) => _id)] : [],
  );
};

it("a stop names the place where the user stood, not those that they visited before and after it, on 300 random days", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const draw = random(seed);
    const minutes: Minute[] = [];
    const truth: string[][] = [];
    let at = Math.floor(draw() * 4);
    for (let n = 0; n < 8; n++) {
      // Nothing is known of every fourth location.
      const place = at === 3 ? undefined : at;
      const length = 15 + Math.floor(draw() * 40);
      // Now and then, an update does not say that the device has stopped.
      for (let i = 0; i < length; i++) minutes.push({ meters: at * 3000, place, settled: i > 1 && draw() < 0.8 });
      truth.push(place === undefined ? [] : [placeOf(place)._id]);
      const next = (at + 1 + Math.floor(draw() * 3)) % 4;
      for (let i = 1; i < 8; i++) minutes.push({ meters: (at + ((next - at) * i) / 8) * 3000, settled: false });
      at = next;
    }
    expect(placesAtStops(minutes, 5 + Math.floor(draw() * 60)), `seed ${seed}`).toEqual(truth);
  }
});
