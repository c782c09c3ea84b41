import { expect, it } from "vitest";
import { liveEvent, liveMessages, livePosition } from "../../../src/worker/wire/live.ts";
import { EVENT, USER } from "./samples.ts";

it("viewers get positions, then events, an event that was written twice once, and no row that cannot be read", () => {
  const [user, event, other] = [USER, EVENT, { ...EVENT, _id: "other" }].map((row) => JSON.stringify(row));
  const unreadable: unknown[] = [];
  const messages = liveMessages([user, user], [event, "{", other, event], (error) => unreadable.push(error));
  expect(messages).toEqual([livePosition(user), livePosition(user), liveEvent(event), liveEvent(other)]);
  expect(unreadable).toEqual([expect.any(SyntaxError)]);
});
