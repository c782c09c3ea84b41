import { describe, expect, it } from "vitest";
import type { Graticule } from "../../../src/client/index.ts";
import { applyChanges, secretsFor } from "../../../src/client/terminal/config/apply.ts";
import { planOf } from "../../../src/client/terminal/config/changes.ts";
import { formatFile, parseFile } from "../../../src/client/terminal/config/file.ts";
import type { Kind, Stored, Values } from "../../../src/client/terminal/config/kind.ts";
import { KINDS } from "../../../src/client/terminal/config/kinds.ts";
import { describeChange } from "../../../src/client/terminal/config/report.ts";

/** Configuration as a file, without a server. */

const kind = (name: string) => KINDS.find((one) => one.name === name) as Kind;
const OPTIONS = { prune: false, updateSecrets: false };
const NO_CLIENT = {} as Graticule;

const plan = (name: string, wanted: Values[], stored: Stored[], options = OPTIONS) =>
  planOf(new Map([[kind(name), wanted]]), new Map([[kind(name), stored]]), options);

const circle = (externalId: string, radius = 100): Values => ({
  tag: "store",
  externalId,
  description: externalId,
  type: "circle",
  coordinates: [1, 2],
  radius,
});

describe("a plan", () => {
  it("has a change per item that differs, and deletes only with prune", () => {
    const stored = [circle("a"), circle("b"), { ...circle("c"), enabled: true }].map((item, i) => ({
      id: `${i}`,
      item,
    }));
    const wanted = [circle("d"), circle("c"), circle("b", 200)];
    const { changes, unchanged, kept } = plan("geofences", wanted, stored);
    expect(changes.map(({ action, key }) => [action, key])).toEqual([
      ["update", "store/b"],
      ["create", "store/d"],
    ]);
    expect(changes[0].fields).toEqual([{ path: "radius", from: 100, to: 200 }]);
    expect([unchanged, kept.map(({ key }) => key)]).toEqual([1, ["store/a"]]);
    const pruned = plan("geofences", wanted, stored, { ...OPTIONS, prune: true });
    expect(pruned.changes.map(({ action, key }) => [action, key]).at(-1)).toEqual(["delete", "store/a"]);
    expect(pruned.kept).toEqual([]);
  });

  it("treats what the server writes in another way as equal", () => {
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const polygon = { ...circle("p"), type: "polygon", radius: undefined, coordinates: [ring] };
    const stored = { ...circle("p"), type: "polygon", radius: undefined, coordinates: ring, enabled: true };
    expect(plan("geofences", [polygon], [{ item: stored }]).changes).toEqual([]);
    const until = { ...circle("u"), disableAfter: "2030-01-01T01:00:00+01:00" };
    const untilStored = { ...circle("u"), disableAfter: "2030-01-01T00:00:00.000Z", enabled: true };
    expect(plan("geofences", [until], [{ item: untilStored }]).changes).toEqual([]);
    const hook = { description: "h", url: "https://Example.com", eventTypes: [] };
    const hookStored = {
      description: "h",
      type: "webhook",
      url: "https://example.com/",
      delivery: "single",
      enabled: true,
    };
    expect(plan("webhooks", [hook], [{ item: hookStored }]).changes).toEqual([]);
    const beacon = { tag: "t", externalId: "1", type: "eddystone", uid: "AB", instance: "1" };
    expect(plan("beacons", [beacon], [{ item: { ...beacon, uid: "ab" } }]).changes).toEqual([]);
  });

  it("changes only the settings that the file has, and removes token keys only with prune", () => {
    const stored = {
      timeZone: "UTC",
      tracking: { places: true, regions: { country: true, state: true } },
      chainMappings: { a: "1", b: "2" },
      tokens: { required: false, keys: { old: { alg: "ES256" } } },
    };
    const wanted = {
      tracking: { regions: { state: false } },
      chainMappings: { a: "1" },
      tokens: { keys: { new: { alg: "ES256", variable: "KEY" } } },
    };
    const paths = (options = OPTIONS) =>
      plan("settings", [wanted], [{ item: stored }], options).changes[0].fields.map(({ path }) => path);
    expect(paths()).toEqual(["tracking.regions.state", "chainMappings.b", "tokens.keys.new"]);
    expect(paths({ ...OPTIONS, prune: true })).toContain("tokens.keys.old");
    expect(() => plan("settings", [{ rateLimits: {} }], [{ item: stored }])).toThrow(/read-only/);
    expect(() => plan("settings", [{ colour: 1 }], [{ item: stored }])).toThrow("The server has no setting colour.");
  });

  it("sends a secret once, and again only on request", () => {
    const stored = { description: "h", url: "https://example.com/", secrets: { "headers.X-A": "?" } };
    const wanted = { ...stored, secrets: { "headers.X-A": "TOKEN" } };
    expect(plan("webhooks", [wanted], [{ id: "1", item: stored }]).changes).toEqual([]);
    const again = plan("webhooks", [wanted], [{ id: "1", item: stored }], { ...OPTIONS, updateSecrets: true });
    expect(again.changes[0].fields).toEqual([{ path: "secrets", to: "TOKEN" }]);
    const created = plan("webhooks", [wanted], []).changes;
    expect(() => secretsFor(created, {}, OPTIONS)).toThrow("Set these environment variables: TOKEN.");
    expect(secretsFor(created, { TOKEN: "t" }, OPTIONS)("TOKEN")).toBe("t");
  });

  it("rejects several items with one key, and counts items without a key", () => {
    const twin = { item: { description: "h", url: "https://example.com/" } };
    expect(() => plan("webhooks", [], [twin, twin])).toThrow(/several webhooks with the key "h"/);
    const { keyless } = plan("geofences", [], [{ item: { description: "no tag" } }], { ...OPTIONS, prune: true });
    expect(keyless).toEqual([{ kind: kind("geofences"), count: 1 }]);
  });
});

describe("applying", () => {
  it("stops at the first failure, and reports what was and was not applied", async () => {
    const written: string[] = [];
    const failing: Kind = {
      ...kind("geofences"),
      async write(_, { item }) {
        if (item.externalId === "b") throw new Error("no");
        written.push(String(item.externalId));
        return { ...item, description: "other" };
      },
    };
    const wanted = ["a", "b", "c"].map((id) => circle(id));
    const { changes } = planOf(new Map([[failing, wanted]]), new Map(), OPTIONS);
    const outcome = await applyChanges(NO_CLIENT, changes, () => "", OPTIONS);
    expect(written).toEqual(["a"]);
    expect(outcome.applied.map(({ key }) => key)).toEqual(["store/a"]);
    expect(outcome.failed?.change.key).toBe("store/b");
    expect(outcome.remaining.map(({ key }) => key)).toEqual(["store/c"]);
    expect(outcome.differing).toMatchObject([{ paths: ["description"] }]);
  });
});

describe("the file", () => {
  it("has one text for one configuration", () => {
    const text = formatFile(new Map([[kind("geofences"), [circle("b"), { radius: 1, ...circle("a") }]]]));
    expect(formatFile(parseFile(text, "f"))).toBe(text);
    expect(JSON.parse(text).geofences.map(({ externalId }: Values) => externalId)).toEqual(["a", "b"]);
    expect(text.indexOf('"tag"')).toBeLessThan(text.indexOf('"radius"'));
  });

  it.each([
    ["[", /^f is not JSON: .+\.$/],
    ["[]", "f must have a JSON object."],
    ["{}", 'f must have "version": 1.'],
    ['{"version":1,"shops":[]}', /^f has an unknown section "shops"\. Sections: settings, .*geofences/],
    ['{"version":1,"geofences":{}}', "geofences must be a list."],
    ['{"version":1,"settings":[]}', "settings must be an object."],
    ['{"version":1,"geofences":[1]}', "geofences[0] must be an object."],
    ['{"version":1,"geofences":[{"tag":"a"}]}', "geofences[0] has no key. Give it a tag and an externalId."],
    [
      '{"version":1,"geofences":[{"tag":"a","externalId":"b","_id":"1"}]}',
      /^geofences\[0\] has an unknown field "_id"/,
    ],
    ['{"version":1,"styles":[{"id":"a"},{"id":"a"}]}', "styles[1] has the same key as another item: a."],
  ])("%s is rejected", (text, message) => {
    expect(() => parseFile(text, "f")).toThrow(message);
  });

  it("shows text of the server without characters that control a terminal", () => {
    const [change] = plan("geofences", [circle("a\u001b[31m")], []).changes;
    expect(describeChange(change)).toBe("+ geofences store/a[31m");
  });
});
