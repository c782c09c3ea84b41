import { describe, expect, it } from "vitest";
import { changesOf, readViews, viewQuery, withView } from "../../src/dashboard/forms/views.ts";

const NAMES = ["type", "user", "after"];

describe("a saved view", () => {
  it("has the filters of the address and nothing else, and shows them again", () => {
    const query = new URLSearchParams("type=user.entered_geofence&user=ada+%26+grace&event=e1&live=off");
    const view = { name: "Ada", query: viewQuery(query, NAMES) };
    expect(view.query).toBe("type=user.entered_geofence&user=ada+%26+grace");
    expect(changesOf(view, NAMES)).toEqual({ type: "user.entered_geofence", user: "ada & grace", after: "" });
  });

  it("replaces one of its name, and the oldest of too many is dropped", () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `v${i}`, query: `user=${i}` }));
    expect(withView(many, { name: "v5", query: "user=new" })).toHaveLength(30);
    expect(withView(many, { name: "v5", query: "user=new" }).at(-1)).toEqual({ name: "v5", query: "user=new" });
    const next = withView(many, { name: "new", query: "user=1" });
    expect([next.length, next[0].name, next.at(-1)?.name]).toEqual([30, "v1", "new"]);
  });

  it("is skipped if what is stored is not a view", () => {
    for (const text of [null, "", "{", "{}", "3", '[{"name": 3, "query": ""}, null, 7]'])
      expect(readViews(text)).toEqual([]);
    expect(readViews('[{"name": "a", "query": "user=1"}, null]')).toEqual([{ name: "a", query: "user=1" }]);
  });
});
