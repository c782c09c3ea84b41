import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { COLUMN_NAMES } from "../../../src/core/archive/columns.ts";
import { type Group, readDirectory, writeDirectory } from "../../../src/core/archive/directory.ts";
import { byUser, docColumns, type EventRow, newestFirst } from "../../../src/core/archive/event-row.ts";
import { allMatch, matches, mayMatch, type Place, type RowFilter } from "../../../src/core/archive/filter.ts";
import { monthKey, nextMonth, objectKey } from "../../../src/core/archive/part.ts";
import { rangeOf, readGroup } from "../../../src/core/archive/read-group.ts";
import { hashesOf, mayHold, POSITIONS, writeUserFilter } from "../../../src/core/archive/user-filter.ts";
import { GROUP_ROWS, writeObject } from "../../../src/core/archive/write-object.ts";
import { someRows, userName } from "./rows.ts";

/* What docs/formats/archive.md promises to readers of the files. */

const row = (more: Partial<EventRow> = {}): EventRow => ({
  id: "e1",
  time: 1000,
  type: "a",
  user: "u1",
  doc: '{"confidence":2}',
  ...more,
});

const bufferOf = (bytes: Uint8Array) => bytes.slice().buffer;

describe("a file of events", () => {
  const EVENT = {
    _id: "e1",
    confidence: 3,
    user: { _id: "u1", userId: "ann", deviceId: "phone" },
    location: { latitude: 1.5, longitude: -2.5 },
    geofence: { tag: "shop", externalId: "7" },
  };

  it("has the documented columns", async () => {
    const doc = JSON.stringify(EVENT);
    const { bytes } = writeObject([row({ doc }), row({ id: "e0", doc: "{}" })], "types");
    expect(await parquetReadObjects({ file: bufferOf(bytes) })).toEqual([
      {
        id: "e1",
        type: "a",
        user: "u1",
        created_at: new Date(1000),
        doc,
        confidence: 3,
        user_id: "ann",
        device_id: "phone",
        latitude: 1.5,
        longitude: -2.5,
        geofence_tag: "shop",
        geofence_external_id: "7",
      },
      {
        id: "e0",
        type: "a",
        user: "u1",
        created_at: new Date(1000),
        doc: "{}",
        confidence: null,
        user_id: null,
        device_id: null,
        latitude: null,
        longitude: null,
        geofence_tag: null,
        geofence_external_id: null,
      },
    ]);
  });

  it("says what each column is: text, a time in UTC, a number; required or not", () => {
    const { schema, created_by: createdBy } = parquetMetadata(bufferOf(writeObject([row()], "users").bytes));
    const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    const optional = { repetition_type: "OPTIONAL" };
    const required = { repetition_type: "REQUIRED" };
    const time = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" };
    expect(schema[0]).toMatchObject({ name: "event", num_children: 12 });
    expect(schema.slice(1)).toMatchObject([
      { name: "id", ...required, ...text },
      { name: "type", ...required, ...text },
      { name: "user", ...required, ...text },
      { name: "created_at", ...required, type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type: time },
      { name: "doc", ...required, ...text },
      { name: "confidence", ...optional, type: "INT32" },
      { name: "user_id", ...optional, ...text },
      { name: "device_id", ...optional, ...text },
      { name: "latitude", ...optional, type: "DOUBLE" },
      { name: "longitude", ...optional, type: "DOUBLE" },
      { name: "geofence_tag", ...optional, ...text },
      { name: "geofence_external_id", ...optional, ...text },
    ]);
    expect(createdBy).toBe("graticule archive 1");
  });

  it("is compressed, and notes the least and greatest type, user and time of each group", () => {
    const rows = someRows(300);
    const { row_groups: groups } = parquetMetadata(bufferOf(writeObject(rows, "users").bytes));
    for (const { columns } of groups) {
      expect(new Set(columns.map(({ meta_data }) => meta_data?.codec))).toEqual(new Set(["SNAPPY"]));
      const noted = columns.filter(({ meta_data }) => meta_data?.statistics?.min_value !== undefined);
      expect(noted.map(({ meta_data }) => meta_data?.path_in_schema[0])).toEqual(["type", "user", "created_at"]);
    }
  });

  it("has dictionaries where values repeat, and none for ids and docs", () => {
    const rows = Array.from({ length: 100 }, (_, n) => row({ id: `e${n % 2}`, doc: `{"n":${n % 2}}` }));
    const [{ columns }] = parquetMetadata(bufferOf(writeObject(rows, "users").bytes)).row_groups;
    const withDictionary = columns.filter(({ meta_data }) => meta_data?.dictionary_page_offset !== undefined);
    const names = withDictionary.map(({ meta_data }) => meta_data?.path_in_schema[0]);
    expect(names).toEqual(expect.arrayContaining(["type", "user"]));
    expect(names).not.toContain("id");
    expect(names).not.toContain("doc");
  });

  it("has groups of 512 rows by types and of 128 by users", () => {
    expect(GROUP_ROWS).toEqual({ types: 512, users: 128 });
    const rows = Array.from({ length: 1025 }, (_, n) => row({ id: String(n), type: n < 1024 ? "a" : "b" }));
    expect(writeObject(rows, "types").groups.map((group) => [group.rows, group.type])).toEqual([
      ...[
        [512, "a"],
        [512, "a"],
        [1, "b"],
      ],
    ]);
    expect(writeObject(rows.slice(0, 257), "users").groups.map((group) => group.rows)).toEqual([128, 128, 1]);
  });

  it("is named by scope and day, or month", () => {
    const day = Date.UTC(2026, 9, 5) / 86_400_000;
    expect(objectKey({ scope: 3, id: "x", day }, "users")).toBe(
      "archive/events/scope=3/day=2026-10-05/users-x.parquet",
    );
    expect(monthKey({ scope: 3, id: "x", month: day - 4 })).toBe(
      "archive/events/scope=3/month=2026-10/users-x.parquet",
    );
    expect(nextMonth(day)).toBe(Date.UTC(2026, 10, 1) / 86_400_000);
    expect(nextMonth(Date.UTC(2026, 11, 31) / 86_400_000)).toBe(Date.UTC(2027, 0, 1) / 86_400_000);
  });
});

describe("columns of a doc", () => {
  it.each([
    [{ confidence: 2.5 }, null],
    [{ confidence: 2 ** 31 }, null],
    [{ confidence: 2 ** 31 - 1 }, 2 ** 31 - 1],
    [{ confidence: -(2 ** 31) }, null],
    [{ confidence: "3" }, null],
  ])("the confidence of %j is %s", (event, confidence) => {
    expect(docColumns(JSON.stringify(event)).confidence).toBe(confidence);
  });

  it("are none where they are not of their type", () => {
    const { userId, latitude } = docColumns('{"user":{"userId":7},"location":{"latitude":"1"}}');
    expect([userId, latitude]).toEqual([null, null]);
  });
});

describe("the order of events", () => {
  it("is the newest first, of one time the greatest id first; by users, user by user", () => {
    const [a, b, c] = [row({ id: "a" }), row({ id: "b" }), row({ id: "c", time: 2000 })];
    expect([a, b, c].toSorted(newestFirst)).toEqual([c, b, a]);
    expect([b, a, c].toSorted(newestFirst)).toEqual([c, b, a]);
    expect(newestFirst(a, a)).toBe(0);
    const other = row({ id: "d", time: 9000, user: "u2" });
    expect([other, a, b, c].toSorted(byUser)).toEqual([c, b, a, other]);
    expect([c, other].toSorted(byUser)).toEqual([c, other]);
  });
});

describe("a directory of groups", () => {
  const group: Group = { rows: 1, offset: 4, sizes: [1, 2], from: 10, to: 20 };

  it("gives back groups by type and by users", () => {
    const groups: Group[] = [
      { ...group, type: "a" },
      { ...group, users: ["u1", "u9"] },
    ];
    expect(writeDirectory(groups)).toBe('[[1,4,10,20,"a",null,[1,2]],[1,4,10,20,"u1","u9",[1,2]]]');
    expect(readDirectory(writeDirectory(groups))).toEqual(groups);
  });

  it("takes a group with neither as one of a type without a name", () => {
    expect(readDirectory(writeDirectory([group]))).toEqual([{ ...group, type: "" }]);
  });
});

describe("a group that is not what its directory says", () => {
  /** The bytes of columns of two objects: the first `from` of one, the rest of another. */
  function spliced(first: EventRow[], second: EventRow[], from: number) {
    const [a, b] = [first, second].map((rows) => {
      const { bytes, groups } = writeObject(rows, "types");
      return { bytes, group: groups[0], ends: groups[0].sizes.map((_, i) => sum(groups[0].sizes.slice(0, i))) };
    });
    const sizes = [...a.group.sizes.slice(0, from), ...b.group.sizes.slice(from)];
    const { offset } = a.group;
    const cut = (one: typeof a, start: number, end: number) =>
      one.bytes.slice(one.group.offset + start, one.group.offset + end);
    const head = cut(a, 0, a.ends[from]);
    const tail = cut(b, b.ends[from], rangeOf(b.group).length);
    return { group: { ...a.group, offset, sizes }, bytes: Uint8Array.from([...head, ...tail]) };
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const three = [row({ id: "c" }), row({ id: "b" }), row({ id: "a" })];

  it("is read where it is", async () => {
    const { group, bytes } = spliced(three, three, 4);
    expect(await readGroup(group, bytes)).toEqual(three);
  });

  it("is an error where docs are missing", async () => {
    const { group, bytes } = spliced(three, three.slice(1), COLUMN_NAMES.indexOf("doc"));
    await expect(readGroup(group, bytes)).rejects.toThrow();
  });

  it("is an error where times are missing", async () => {
    const doc = COLUMN_NAMES.indexOf("doc");
    const { bytes, groups } = writeObject(three, "types");
    const short = spliced(three, three.slice(1), COLUMN_NAMES.indexOf("created_at"));
    const start = sum(groups[0].sizes.slice(0, doc));
    const length = sum(short.group.sizes.slice(0, doc));
    // The docs of all three behind the times of two.
    const { offset } = groups[0];
    const docs = bytes.slice(offset + start, offset + start + groups[0].sizes[doc]);
    const group = { ...short.group, sizes: [...short.group.sizes.slice(0, doc), ...groups[0].sizes.slice(doc)] };
    const some = Uint8Array.from([...short.bytes.slice(0, length), ...docs]);
    await expect(readGroup(group, some)).rejects.toThrow("columns");
  });

  it("is an error where ids are missing", async () => {
    const { group, bytes } = spliced(three.slice(1), three, COLUMN_NAMES.indexOf("type"));
    await expect(readGroup({ ...group, rows: 3 }, bytes)).rejects.toThrow();
  });
});

describe("events that are looked for", () => {
  it.each<[RowFilter, boolean]>([
    [{}, true],
    [{ createdBefore: 1001 }, true],
    [{ createdBefore: 1000 }, false],
    [{ createdAfter: 999 }, true],
    [{ createdAfter: 1000 }, false],
    [{ types: ["b", "a"] }, true],
    [{ types: ["b"] }, false],
    [{ users: ["u1"] }, true],
    [{ users: [] }, false],
    [{ confidence: 2 }, true],
    [{ confidence: 3 }, false],
  ])("by %j: %s", (filter, found) => {
    expect(matches(row(), filter)).toBe(found);
  });

  it("by confidence are none whose doc cannot be read", () => {
    expect(matches(row({ doc: "{" }), { confidence: 2 })).toBe(false);
  });

  const byType: Group = { rows: 9, offset: 0, sizes: [], from: 100, to: 200, type: "a" };
  const byUsers: Group = { ...byType, type: undefined, users: ["b", "d"] };
  const behind = (time: number): Place => ({ time, id: "x" });

  it.each<[string, Group, RowFilter, Place | undefined, boolean, boolean]>([
    ["without a filter", byType, {}, undefined, true, true],
    ["behind a later place", byType, {}, behind(201), true, true],
    ["behind a place within it", byType, {}, behind(200), true, false],
    ["behind its first event's time", byType, {}, behind(100), true, false],
    ["behind an earlier place", byType, {}, behind(99), false, false],
    ["before a later time", byType, { createdBefore: 201 }, undefined, true, true],
    ["before its last", byType, { createdBefore: 200 }, undefined, true, false],
    ["before its second", byType, { createdBefore: 101 }, undefined, true, false],
    ["before its first", byType, { createdBefore: 100 }, undefined, false, false],
    ["after an earlier time", byType, { createdAfter: 99 }, undefined, true, true],
    ["after its first", byType, { createdAfter: 100 }, undefined, true, false],
    ["after its last", byType, { createdAfter: 200 }, undefined, false, false],
    ["of its type", byType, { types: ["b", "a"] }, undefined, true, true],
    ["of another type", byType, { types: ["b"] }, undefined, false, false],
    ["of a type, by users", byUsers, { types: ["a"] }, undefined, true, false],
    ["of its first user", byUsers, { users: ["b"] }, undefined, true, false],
    ["of its last user", byUsers, { users: ["e", "d"] }, undefined, true, false],
    ["of a user between", byUsers, { users: ["c"] }, undefined, true, false],
    ["of a user before", byUsers, { users: ["a"] }, undefined, false, false],
    ["of a user behind", byUsers, { users: ["e"] }, undefined, false, false],
    ["of a user, by types", byType, { users: ["z"] }, undefined, true, false],
    ["by confidence", byType, { confidence: 3 }, undefined, true, false],
    ["with two bounds, one unmet", byType, { createdBefore: 300, createdAfter: 200 }, behind(300), false, false],
    ["with two bounds, the other unmet", byType, { createdBefore: 100, createdAfter: 50 }, behind(300), false, false],
  ])("a group %s", (_, group, filter, after, may, all) => {
    expect([mayMatch(group, filter, after), allMatch(group, filter, after)]).toEqual([may, all]);
  });
});

describe("the filter of users", () => {
  /** FNV-1a over 16-bit units, then MurmurHash3's finalizer, 31 bits: stored filters are read with it. */
  function reference(text: string, seed: number): number {
    let hash = BigInt(seed);
    const M = 0xffffffffn;
    for (const unit of Array.from(text, (letter) => letter.charCodeAt(0))) {
      hash = ((hash ^ BigInt(unit)) * 0x01000193n) & M;
    }
    hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) & M;
    hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) & M;
    return Number((hash ^ (hash >> 16n)) >> 1n);
  }

  it.each(["", "a", "64f0c2a1b2c3d4e5f6a7b8c9", "ü"])("has the two documented hashes of %j", (user) => {
    expect(hashesOf(user)).toEqual([reference(user, 0x811c9dc5), reference(user, 0x01000193) | 1]);
  });

  it("has seven positions and ten bits for each user, eight bytes at least", () => {
    expect(POSITIONS).toBe(7);
    const bitsOf = (filter: Uint8Array) =>
      filter.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    const one = writeUserFilter(["ann"]);
    expect([one.length, bitsOf(one)]).toEqual([8, new Set(positionsOf("ann", 64)).size]);
    expect(writeUserFilter([]).length).toBe(8);
    expect(writeUserFilter(Array.from({ length: 100 }, (_, n) => userName(n))).length).toBe(125);
    expect(writeUserFilter(["ann", "ann", "ann", "ann", "ann", "ann", "ann", "ann"]).length).toBe(8);
    for (const at of positionsOf("ann", 64)) {
      const without = one.slice();
      without[at >> 3] &= ~(1 << (at & 7));
      expect(mayHold(without, "ann")).toBe(false);
    }
    expect(mayHold(one, "ann")).toBe(true);
  });

  const positionsOf = (user: string, bits: number) => {
    const [first, second] = hashesOf(user);
    return Array.from({ length: 7 }, (_, i) => (first + i * second) % bits);
  };
});
