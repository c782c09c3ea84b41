import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/core/archive/digest.ts";
import { readDirectory, writeDirectory } from "../../../src/core/archive/directory.ts";
import { docColumns, type EventRow, newestFirst } from "../../../src/core/archive/event-row.ts";
import { ORDERS, type Order } from "../../../src/core/archive/orders.ts";
import { rangeOf, readGroup } from "../../../src/core/archive/read-group.ts";
import { mayHold, writeUserFilter } from "../../../src/core/archive/user-filter.ts";
import { GROUP_ROWS, writeObject } from "../../../src/core/archive/write-object.ts";
import { someRows, userName } from "./rows.ts";

/** Each group of an object, as it is read by its range alone. */
function groupsOf(rows: EventRow[], order: Order): Promise<EventRow[][]> {
  const { bytes, groups } = writeObject(rows, order);
  const read = readDirectory(writeDirectory(groups));
  expect(read).toEqual(groups);
  return Promise.all(
    read.map((group) => {
      const { offset, length } = rangeOf(group);
      return readGroup(group, bytes.slice(offset, offset + length));
    }),
  );
}

const sorted = (rows: EventRow[]) => rows.toSorted(newestFirst);

describe("an object of archived events", () => {
  const rows = someRows(3000);

  it.each(ORDERS)(
    "by %s gives back every event letter for letter, group by group, without its footer",
    async (order) => {
      expect(sorted((await groupsOf(rows, order)).flat())).toEqual(sorted(rows));
    },
  );

  it("by types has all of a type together and newest first, and no group of two types", async () => {
    const groups = await groupsOf(rows, "types");
    expect(groups.every((group) => new Set(group.map(({ type }) => type)).size === 1)).toBe(true);
    const seen = groups.map(([{ type }]) => type);
    expect(seen).toEqual(seen.toSorted());
    for (const type of new Set(seen)) {
      const ofType = groups.flat().filter((row) => row.type === type);
      expect(ofType).toEqual(sorted(ofType));
    }
  });

  it("by users has all of a user together and newest first, in as few groups as can be", async () => {
    const groups = await groupsOf(rows, "users");
    expect(groups.map((group) => group.length)).toEqual([
      ...Array(23).fill(GROUP_ROWS.users),
      3000 - 23 * GROUP_ROWS.users,
    ]);
    const flat = groups.flat();
    expect(flat.map(({ user }) => user)).toEqual(flat.map(({ user }) => user).toSorted());
    const one = flat.filter(({ user }) => user === userName(3));
    expect(one).toEqual(sorted(one));
  });

  it("lists the users, the type and the times of each group", async () => {
    for (const order of ORDERS) {
      const { groups } = writeObject(rows, order);
      for (const [i, mine] of (await groupsOf(rows, order)).entries()) {
        const { from, to, type, users } = groups[i];
        const times = mine.map(({ time }) => time);
        expect([from, to]).toEqual([Math.min(...times), Math.max(...times)]);
        if (order === "types") expect(type).toBe(mine[0].type);
        else expect(users).toEqual([mine[0].user, mine.at(-1)?.user]);
      }
    }
  });

  it("is rejected if its bytes are not those that were written", async () => {
    const { bytes, groups } = writeObject(rows, "types");
    const { offset, length } = rangeOf(groups[0]);
    await expect(readGroup(groups[0], bytes.slice(offset, offset + length - 1))).rejects.toThrow("bytes");
    await expect(readGroup(groups[0], new Uint8Array(length))).rejects.toThrow();
  });

  it("keeps whatever texts there are, also docs that are no JSON", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const row = fc.record({ id: text, time: fc.nat({ max: 2 ** 42 }), type: text, user: text, doc: text });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 40 }), async (some) => {
        for (const order of ORDERS) {
          const back = (await groupsOf(some, order)).flat();
          expect(sorted(back)).toEqual(sorted(some));
          expect(await digestOf(back)).toBe(await digestOf(some));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("the columns of a doc", () => {
  it("are what the event says of its user, place and geofence", () => {
    const [{ doc }] = someRows(1);
    const { user, location, geofence, confidence } = JSON.parse(doc);
    expect(docColumns(doc)).toEqual({
      confidence,
      userId: user.userId ?? null,
      deviceId: user.deviceId,
      ...location,
      geofenceTag: geofence.tag,
      geofenceExternalId: geofence.externalId,
    });
  });

  it.each(["{", "null", "[1]", '{"user":5,"confidence":1e300,"location":null,"geofence":{"tag":7}}'])(
    "of %s are none, and nothing fails",
    (doc) => expect(new Set(Object.values(docColumns(doc)))).toEqual(new Set([null])),
  );
});

describe("the digest of events", () => {
  it("is the same in any order, and another when one letter, time or event is", async () => {
    const rows = someRows(1500);
    const digest = await digestOf(rows);
    expect(await digestOf(rows.toReversed())).toBe(digest);
    const [first, ...others] = rows;
    for (const changed of [
      { ...first, doc: `${first.doc} ` },
      { ...first, time: first.time + 1 },
      { ...first, type: "x" },
    ])
      expect(await digestOf([changed, ...others])).not.toBe(digest);
    expect(await digestOf(others)).not.toBe(digest);
  });
});

describe("the filter of users", () => {
  it("knows everybody who is there, and few of those who are not", () => {
    const there = Array.from({ length: 4000 }, (_, i) => userName(i));
    const filter = writeUserFilter(there);
    expect(filter.length).toBe(5000);
    expect(there.every((user) => mayHold(filter, user))).toBe(true);
    const wrong = Array.from({ length: 4000 }, (_, i) => userName(i + 10_000)).filter((user) => mayHold(filter, user));
    expect(wrong.length).toBeLessThan(80);
  });
});
