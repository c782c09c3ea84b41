import { expect, it } from "vitest";
import { RecentEvents } from "../../../src/worker/objects/live/recent-events.ts";

const of = (event?: string) => ({
  kind: event ? ("event" as const) : ("position" as const),
  names: ["u"],
  event,
  text: "",
});

it("viewers get an event once that a tracker sends again later, and each position", () => {
  const events = new RecentEvents();
  expect(events.unsent([of(), of("a"), of("b")])).toEqual([of(), of("a"), of("b")]);
  expect(events.unsent([of(), of("b"), of("c"), of("a")])).toEqual([of(), of("c")]);
});

it("remembers the last ones", () => {
  const events = new RecentEvents(2);
  events.unsent([of("a"), of("b"), of("c")]);
  expect(events.unsent([of("c"), of("b")])).toEqual([]);
  expect(events.unsent([of("a")])).toEqual([of("a")]);
});
