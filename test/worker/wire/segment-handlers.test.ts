import type { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import {
  createSegment,
  deleteSegment,
  getSegment,
  listAllSegments,
  listSegmentUsers,
  previewSegment,
  updateSegment,
} from "../../../src/worker/http/segments/segments.ts";
import { campaignEpochOf } from "../../../src/worker/http/serve/callers/caller.ts";
import type { Caller } from "../../../src/worker/http/serve/callers/identity.ts";
import type { Endpoint } from "../../../src/worker/http/serve/endpoint.ts";
import { listAllUsers } from "../../../src/worker/http/users/users.ts";
import type { ApiError } from "../../../src/worker/platform/errors.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { entered } from "../../core/engagement/campaigns.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY = 24 * 3600_000;
let scope = 9500;
let sqlite: DatabaseSync;
beforeEach(() => {
  scope += 2;
  sqlite = newDatabase();
});

const writer = { settle: async () => {} };
const callerOf = () =>
  ({ project: scope / 2, live: false, secret: true, scope, settings: {}, campaignEpoch: 0 }) as Caller;
async function run(what: unknown, { id = "", body = {}, query = {} }: { id?: string; body?: object; query?: object }) {
  const endpoint = what as Endpoint;
  const call = {
    params: { id },
    now: NOW,
    caller: callerOf(),
    env: { DB: d1On(sqlite), DATABASE_WRITER: { idFromName: () => "", get: () => writer } },
    requestId: "r",
    request: new Request("http://h/"),
    body: endpoint.body ? validate(endpoint.body, body as never) : undefined,
    query: endpoint.query ? validate(endpoint.query, query as never) : {},
    waitUntil() {},
    leftOut() {},
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read
  return (await endpoint.handle(call as never)) as any;
}
const problem = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    ({ status, param }: ApiError) => `${status} ${param}`,
  );

const store = (more: object = {}) => ({ type: "geofenceTag", value: "store", ...more });
const create = (externalId: string, ...conditions: object[]) =>
  run(createSegment, { body: { externalId, description: externalId, rule: { conditions } } });

/** A user that was last seen some days ago. */
function addUser(id: string, days: number, more: object = {}): void {
  const { state } = entered();
  const at = NOW - days * DAY;
  const doc = { ...state, _id: id, deviceId: id, userId: id, updatedAt: at, createdAt: at, ...more };
  sqlite
    .prepare(
      `INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc, day)
       VALUES (?, ?, ?, 0, 0, 0, 1, ?, ?, ?, ?)`,
    )
    .run(scope, id, id, at, at, JSON.stringify(doc), Math.floor(at / DAY));
}

describe("segments", () => {
  it.each([
    ["rule.conditions", {}],
    ["rule.conditions", { conditions: [] }],
    ["rule.match", { match: "none", conditions: [store()] }],
    ["rule.conditions[0].type", { conditions: [{ type: "moon" }] }],
    ["rule.conditions[1].value", { conditions: [store(), { type: "chain" }] }],
    ["rule.conditions[0].days", { conditions: [store({ days: 91 })] }],
    ["rule.conditions[0].weeks", { conditions: [store({ days: 9, weeks: 2 })] }],
    ["rule.conditions[0].weeks", { conditions: [store({ weeks: 13 })] }],
    ["rule.conditions[0].visits", { conditions: [store({ visits: 0 })] }],
    ["rule.conditions[0].days", { conditions: [{ type: "lastSeen" }] }],
    ["rule.conditions[0].visits", { conditions: [{ type: "lastSeen", days: 1, visits: 1 }] }],
    ["rule.conditions[0].values", { conditions: [{ type: "deviceType", values: ["Toaster"] }] }],
    ["rule.conditions[0].values", { conditions: [{ type: "userTag", values: [] }] }],
    ["rule.conditions[0].metadata", { conditions: [{ type: "metadata", metadata: {} }] }],
  ])("with a wrong %s are rejected, and nothing is created", async (param, rule) => {
    const body = { externalId: "x", description: "x", rule };
    expect(await problem(run(createSegment, { body }))).toBe(`400 ${param}`);
    expect(await problem(run(previewSegment, { body }))).toBe(`400 ${param}`);
    expect((await run(listAllSegments, {})).segments).toEqual([]);
  });

  it("are created with their users, changed, and deleted with their memberships", async () => {
    addUser("ann", 1);
    addUser("bob", 9);
    const { segment } = await create("active", { type: "lastSeen", days: 7 });
    expect(segment).toMatchObject({ externalId: "active", size: 1, live: false });
    expect(campaignEpochOf(callerOf())).toBe(1);
    expect((await run(getSegment, { id: "active" })).segment).toEqual(segment);
    const users = async (externalId: string) =>
      (await run(listAllUsers, { query: { segment: externalId } })).users.map(
        ({ userId }: { userId: string }) => userId,
      );
    expect(await users("active")).toEqual(["ann"]);
    const own = (await run(listSegmentUsers, { id: "active", query: { limit: 1 } })).users;
    expect(own[0].segments).toEqual([{ externalId: "active", description: "active", computed: true }]);

    const rule = { match: "any", conditions: [{ type: "lastSeen", days: 30 }, store()] };
    const changed = await run(updateSegment, { id: segment._id, body: { externalId: "seen", rule } });
    expect(changed.segment).toMatchObject({
      externalId: "seen",
      size: 2,
      rule: {
        match: "any",
        conditions: [
          { type: "lastSeen", days: 30 },
          { ...store(), visits: 1, days: 30 },
        ],
      },
    });
    expect(changed.segment.updatedAt > segment.updatedAt).toBe(true);
    expect(await users("seen")).toEqual(["ann", "bob"]);
    expect(await users("active")).toEqual([]);
    await create("other", store({ weeks: 2, not: true }));
    expect(await problem(create("seen", store()))).toBe("409 externalId");
    expect(await problem(run(updateSegment, { id: "other", body: { externalId: "seen" } }))).toBe("409 externalId");
    expect((await run(listAllSegments, {})).segments.map(({ size }: { size: number }) => size)).toEqual([2, 2]);

    await run(deleteSegment, { id: "seen" });
    expect(await problem(run(getSegment, { id: "seen" }))).toBe("404 undefined");
    expect(await users("seen")).toEqual([]);
    expect(sqlite.prepare("SELECT count(*) AS n FROM segment_member WHERE segment = ?").get(segment._id)).toEqual({
      n: 0,
    });
  });

  it("list their users page by page", async () => {
    for (const id of ["a", "b", "c"]) addUser(id, 1);
    await create("active", { type: "lastSeen", days: 7 });
    const page = async (after?: string) => {
      const { meta, users } = await run(listSegmentUsers, { id: "active", query: { limit: 2, after } });
      return [users.map(({ _id }: { _id: string }) => _id).join(""), meta.hasMore];
    };
    expect([await page(), await page("b")]).toEqual([
      ["ab", true],
      ["c", false],
    ]);
  });

  it("are previewed without being created", async () => {
    addUser("ann", 1, { metadata: { plan: "pro" } });
    addUser("bob", 2);
    const rule = { conditions: [{ type: "metadata", metadata: { plan: "pro" } }] };
    const preview = await run(previewSegment, { body: { rule } });
    expect(preview).toMatchObject({ compared: 2, matched: 1, users: [{ userId: "ann" }] });
    expect((await run(listAllSegments, {})).segments).toEqual([]);
  });

  it("are at most 100", async () => {
    const insert = sqlite.prepare("INSERT INTO segment VALUES (?, ?, ?, 1, 1, '{}')");
    for (let i = 0; i < 100; i++) insert.run(scope, `s${i}`, `s${i}`);
    expect(await problem(create("more", store()))).toBe("409 undefined");
  });
});
