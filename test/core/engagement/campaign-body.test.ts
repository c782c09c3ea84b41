import { describe, expect, it } from "vitest";
import { campaignBody, campaignPatch, campaignValues } from "../../../src/worker/http/campaigns/campaign-body.ts";
import { ApiError } from "../../../src/worker/platform/errors.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";

type Json = Record<string, unknown>;

const MESSAGE = { title: { text: "Hi" }, body: { text: "Coffee" } };
const RIGHT: Json = {
  name: "Spring",
  type: "inAppMessage",
  trigger: { event: "user.entered_geofence", geofenceTags: ["store"] },
  content: MESSAGE,
};
const NOTE: Json = {
  ...RIGHT,
  type: "geofenceNotification",
  content: { text: "Hi" },
  trigger: { geofenceTags: ["a"] },
};

/** The field that the error names; undefined: the body is accepted. */
function faultOf(body: Json): string | undefined {
  try {
    campaignValues(validate(campaignBody, body));
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    return error.param;
  }
}

const message = (more: Json): Json => ({ ...RIGHT, content: { ...MESSAGE, ...more } });
const link = (deepLink: string) => message({ button: { text: "Go", deepLink } });
const image = (url: string) => message({ image: { name: "cup", url } });
const tests = (...variants: Json[]): Json => ({ ...RIGHT, content: undefined, variants });
const when = (schedule: Json): Json => ({ ...RIGHT, schedule });
const most = (limits: Json): Json => ({ ...RIGHT, limits });

describe("a campaign that is wrong names the field", () => {
  it.each<[string | RegExp, Json]>([
    ["name", { ...RIGHT, name: undefined }],
    ["name", { ...RIGHT, name: "x".repeat(257) }],
    ["name", { ...RIGHT, name: "" }],
    ["type", { ...RIGHT, type: "sms" }],
    ["enabled", { ...RIGHT, enabled: "maybe" }],
    ["trigger", { ...RIGHT, trigger: "x" }],
    ["trigger.event", { ...RIGHT, trigger: { event: "user.flew" } }],
    ["trigger.event", { ...RIGHT, trigger: {} }],
    ["trigger.geofenceTags", { ...RIGHT, trigger: { geofenceTags: [] } }],
    ["trigger.geofenceTags", { ...RIGHT, trigger: { geofenceTags: Array(101).fill("a") } }],
    [/^trigger.geofenceTags/, { ...RIGHT, trigger: { geofenceTags: [{}] } }],
    ["trigger.minimumConfidence", { ...RIGHT, trigger: { event: "user.entered_geofence", minimumConfidence: 4 } }],
    ["trigger.tripModes", { ...RIGHT, trigger: { event: "user.entered_geofence", tripModes: ["car"] } }],
    ["content", { ...RIGHT, content: undefined }],
    ["content", { ...RIGHT, content: "x" }],
    ["content.title", message({ title: undefined })],
    ["content.title", message({ title: "Hi" })],
    ["content.title.text", message({ title: { text: "" } })],
    ["content.title.text", message({ title: { text: "x".repeat(257) } })],
    ["content.title.color", message({ title: { text: "x", color: "#12345" } })],
    ["content.title.color", message({ title: { text: "x", color: "#123456;a" } })],
    ["content.body.text", message({ body: { text: "x".repeat(4097) } })],
    ["content.metadata.a", message({ metadata: { a: { b: 1 } } })],
    ["content.metadata", message({ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 1])) })],
    ...[
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//x",
      "x",
      " javascript:x",
    ].map((url): [string, Json] => ["content.button.deepLink", link(url)]),
    ...["http://x.com/a.png", "ftp://x", "../x", "a/b", "", `https://x/${"x".repeat(2048)}`].map(
      (url): [string, Json] => ["content.image.url", image(url)],
    ),
    ["variants", tests({ content: MESSAGE })],
    ["variants", tests(...Array(11).fill({ content: MESSAGE }))],
    ["variants", { ...tests({ content: MESSAGE }, { content: MESSAGE }), content: MESSAGE }],
    ["variants[0].weight", tests({ weight: 0, content: MESSAGE }, { content: MESSAGE })],
    ["variants[1].content.body", tests({ content: MESSAGE }, { content: { title: { text: "x" } } })],
    ["holdout", { ...RIGHT, holdout: 1 }],
    ["goal.event", { ...RIGHT, goal: { event: "user.entered_geofence" } }],
    ["goal.days", { ...RIGHT, goal: { event: "paid", days: 91 } }],
    [/^schedule.hours/, when({ hours: [["25:00", "26:00"]] })],
    [/^schedule.hours/, when({ hours: [["09:00"]] })],
    [/^schedule.daysOfWeek/, when({ daysOfWeek: ["Funday"] })],
    ["schedule.timeZone", when({ timeZone: "Moon/Base" })],
    ["schedule.startsAt", when({ startsAt: "tomorrow" })],
    ["schedule.startsAt", when({ startsAt: "2026-02-30" })],
    ["schedule.endsAt", when({ startsAt: "2026-02-02", endsAt: "2026-02-01" })],
    ["schedule.endsAt", when({ startsAt: "2026-02-02", endsAt: "2026-02-02" })],
    ["schedule.endsAt", when({ startsAt: "2026-02-02", endsAt: "2026-03-01T00:00:00Z" })],
    ["limits.perUser", most({ perUser: 0 })],
    ["limits.perUser", most({ perUser: 101 })],
    ["limits.perUser", most({ days: 3 })],
    ["limits.total", most({ total: 0 })],
    ["limits.cooldownMinutes", most({ cooldownMinutes: 0 })],
    [/^audience.deviceTypes/, { ...RIGHT, audience: { deviceTypes: ["Symbian"] } }],
    ["audience.userIds", { ...RIGHT, audience: { userIds: Array(1001).fill("a") } }],
    ["audience.exclude.segments", { ...RIGHT, audience: { exclude: { segments: "x" } } }],
    ["trigger.event", { ...NOTE, trigger: { event: "user.entered_geofence", geofenceTags: ["a"] } }],
    ["trigger.geofenceTags", { ...NOTE, trigger: {} }],
    ["limits.total", { ...NOTE, limits: { total: 1 } }],
    ["holdout", { ...NOTE, holdout: 0.5 }],
    ["trigger.beaconTags", { ...NOTE, trigger: { geofenceTags: ["a"], beaconTags: ["b"] } }],
    ["limits", { ...NOTE, trigger: { beaconTags: ["b"] }, limits: { perUser: 1 } }],
    ["audience", { ...NOTE, trigger: { beaconTags: ["b"] }, audience: { userIds: ["ann"] } }],
    ["content.url", { ...NOTE, content: { text: "x", url: "javascript:x" } }],
    ["content.text", { ...NOTE, content: {} }],
  ])("%s in %.120j", (param, body) => {
    const fault = faultOf(body);
    if (typeof param === "string") expect(fault).toBe(param);
    else expect(fault).toMatch(param);
  });
});

describe("a campaign that is right", () => {
  const valuesOf = (body: Json) => campaignValues(validate(campaignBody, body));

  it("has the usual event, colors, times and weights", () => {
    expect(valuesOf({ ...RIGHT, trigger: { beaconTags: ["b"] } }).trigger.event).toBe("user.entered_beacon");
    expect(valuesOf(link("myapp://x")).content).toMatchObject({
      title: { color: "#000000" },
      button: { color: "#FFFFFF", backgroundColor: "#000000", deepLink: "myapp://x" },
    });
    expect(valuesOf(when({ startsAt: "2026-12-24", endsAt: "2026-12-24T18:30:00.5" })).schedule).toEqual({
      startsAt: "2026-12-24T00:00:00.000",
      endsAt: "2026-12-24T18:30:00.500",
    });
    expect(valuesOf(when({ startsAt: "2026-12-24T08:00:00+01:00" })).schedule?.startsAt).toBe(
      "2026-12-24T07:00:00.000Z",
    );
    expect(
      valuesOf(tests({ content: MESSAGE }, { weight: 3, content: MESSAGE })).variants?.map((one) => one.weight),
    ).toEqual([1, 3]);
  });

  it("has no empty sections", () => {
    const empty = { ...NOTE, trigger: { beaconTags: ["b"] }, limits: {}, audience: {}, schedule: {} };
    expect(Object.keys(valuesOf(empty)).sort()).toEqual(["content", "enabled", "name", "trigger", "type"]);
  });

  it("can lose a section by a change", () => {
    expect(validate(campaignPatch, { limits: {}, goal: {} })).toEqual({ limits: null, goal: null });
  });
});
