import { describe, expect, it } from "vitest";
import { coveringCells } from "../../../src/core/engagement/meetings/coarse-cells.ts";
import { isWithoutRecovery, recoverTo } from "../../../src/worker/objects/point-in-time.ts";
import { recoverPage } from "../../../src/worker/objects/recovery/recoverable-objects.ts";
import type { Env } from "../../../src/worker/platform/env.ts";

describe("an object", () => {
  const calls: string[] = [];
  const object = {
    storage: {
      getBookmarkForTime: async (at: number) => `at-${at}`,
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        calls.push(bookmark);
        return "undo";
      },
    },
    abort: (reason?: string) => void calls.push(`abort: ${reason}`),
  };

  it("reports its state at a time, and stays as it is", async () => {
    expect(await recoverTo(object, 5, false)).toEqual({ bookmark: "at-5" });
    expect(calls).toEqual([]);
  });

  it("restarts with it, after the response", async () => {
    expect(await recoverTo(object, 5, true)).toEqual({ bookmark: "at-5", undo: "undo" });
    expect(calls).toEqual(["at-5"]);
    await new Promise((wake) => setTimeout(wake, 80));
    expect(calls).toEqual(["at-5", "abort: restored to an earlier state"]);
  });

  it("of a platform without recovery is told from one that did not exist then", () => {
    const workerd = "Error: This Durable Object's storage back-end does not implement point-in-time recovery.";
    expect([workerd, "Error: Bookmark is before the object existed"].map(isWithoutRecovery)).toEqual([true, false]);
  });
});

describe("the pages of all objects", () => {
  const users = Array.from({ length: 5 }, (_, i) => ({ scope: 2 + (i > 2 ? 1 : 0), id: `u${i}`, name: `phone:${i}` }));
  /** A scope has a rule about meetings: two users in one area, of whom one is also in another cell. */
  const inRules = [
    { scope: 3, id: "u3", name: "phone:3", latitude: 48.2, longitude: 16.37, cells: [] },
    { scope: 3, id: "u4", name: "phone:4", latitude: 48.2, longitude: 16.37, cells: ["elsewhere"] },
  ];
  const around = coveringCells(inRules[0], [{ radius: 10_000 }]);
  const tables: Record<string, { scope: number; id: string; name: string }[]> = {
    project: [2, 3].map((scope) => ({ scope, id: "", name: "" })),
    webhook: [{ scope: 3, id: "w1", name: "w1" }],
    user: users,
  };
  /** As SQLite compares rows. */
  const isAfter = (one: { scope: number; id: string }, scope: number, id: string) =>
    one.scope > scope || (one.scope === scope && one.id > id);
  const DB = {
    prepare: (query: string) => ({
      bind: (scope: number, id: string, limit: number) => ({
        all: async () => {
          const rows = query.includes("FROM meeting") ? inRules : tables[/FROM (\w+)/.exec(query)?.[1] ?? ""];
          return { results: rows.filter((one) => isAfter(one, scope, id)).slice(0, limit) };
        },
      }),
    }),
  };
  const reached: string[] = [];
  const namespace = (kind: string) => ({
    idFromName: (name: string) => name,
    get: (name: string) => ({
      meetingCells: async () => {
        if (name === "3:phone:3") throw new Error("unreadable");
        return inRules.find((one) => name === `${one.scope}:${one.name}`)?.cells ?? [];
      },
      recover: async (at: number, restores: boolean) => {
        reached.push(`${kind} ${name} ${at} ${restores}`);
        if (name === "2:phone:1") throw new Error("Bookmark is before the object existed");
        return { bookmark: `b-${name}`, undo: "u" };
      },
    }),
  });
  const env = {
    DB,
    DEVICE_TRACKER: namespace("tracker"),
    WEBHOOK_SENDER: namespace("webhook"),
    GEOFENCE_INDEX: namespace("geofences"),
    CAMPAIGN_INDEX: namespace("campaigns"),
    GEOCODE_JOBS: namespace("jobs"),
    MEETING_CELL: namespace("meetings"),
  } as unknown as Env;

  it("reach each object once, whatever their size, and report those that fail", async () => {
    for (const limit of [1, 2, 3, 5, 100]) {
      reached.length = 0;
      const failed: unknown[] = [];
      let after: string | undefined;
      let pages = 0;
      do {
        const page = await recoverPage(env, { at: 9, restores: true, after, limit });
        failed.push(...page.objects.filter(({ error }) => error !== undefined));
        const others = page.objects.filter(({ object }) => !object.startsWith("meetings"));
        expect(others.length).toBeLessThanOrEqual(limit);
        expect(page.isUnsupported).toBe(false);
        after = page.next;
        if (++pages > 50) throw new Error("no end");
      } while (after !== undefined);
      // The cells of meetings before the trackers, which know them; each at least once.
      const cells = reached.filter((one) => one.startsWith("meetings"));
      expect(new Set(cells)).toEqual(new Set([...around, "elsewhere"].map((cell) => `meetings 3:${cell} 9 true`)));
      expect(reached.indexOf(cells[0])).toBeLessThan(reached.findIndex((one) => one.startsWith("tracker")));
      expect(reached.filter((one) => !cells.includes(one))).toEqual(
        [
          ...[
            "geofences 2",
            "geofences 3",
            "campaigns 2",
            "campaigns 3",
            "jobs 2",
            "jobs 3",
            "jobs 2:routes",
            "jobs 3:routes",
          ],
          ...["webhook 3:w1", ...users.map(({ scope, name }) => `tracker ${scope}:${name}`)],
        ].map((name) => `${name} 9 true`),
      );
      expect(failed).toEqual([{ object: "trackers 2:phone:1", error: "Error: Bookmark is before the object existed" }]);
    }
  });

  it("of a cursor that was not returned are an error", async () => {
    await expect(recoverPage(env, { at: 9, restores: false, after: "x", limit: 1 })).rejects.toThrow(SyntaxError);
  });
});
