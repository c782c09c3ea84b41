import { expect, it } from "vitest";
import { toNotices } from "../../../src/worker/wire/notices.ts";

/** An event as a tracker hands it over; `createdAt` beyond every calendar is what an old release could have let in. */
const event = (id: string, createdAt: number) =>
  JSON.stringify({
    _id: id,
    type: "user.entered_geofence",
    live: false,
    createdAt,
    actualCreatedAt: 1,
    user: { _id: `user-${id}`, deviceId: "d" },
    location: { latitude: 1, longitude: 2 },
    confidence: 3,
  });

it("an event that cannot be written out is told to no webhook, and holds up none of the others", () => {
  const unreadable: string[] = [];
  const docs = [event("a", 1), event("b", -1e21), "{", event("c", 3)];
  const notices = toNotices(
    docs,
    (type) => type.startsWith("user."),
    (error) => unreadable.push(String(error)),
  );
  expect(notices.map(({ id, user }) => [id, user])).toEqual([
    ["a", "user-a"],
    ["c", "user-c"],
  ]);
  expect(unreadable).toEqual([expect.stringContaining("the years 0 to 9999"), expect.stringContaining("JSON")]);
  expect(
    toNotices(
      docs,
      () => false,
      () => undefined,
    ),
  ).toEqual([]);
});
