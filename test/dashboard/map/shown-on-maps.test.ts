import { describe, expect, it } from "vitest";
import { distance } from "../../../src/core/geo/distance.ts";
import {
  circleFeature,
  fenceFeatures,
  lineFeature,
  pixelsAtZoom22,
  userFeatures,
} from "../../../src/dashboard/map/layers/features.ts";
import {
  countStates,
  QUIET_AFTER_MS,
  STATE_LOOKS,
  stateOf,
  USER_STATES,
} from "../../../src/dashboard/map/marks/user-states.ts";
import { asCurl, asJavaScript, withQuery } from "../../../src/dashboard/map/tools/request-text.ts";
import { nameOfRecord } from "../../../src/dashboard/parts/values/names.ts";

const NOW = Date.parse("2026-11-22T09:00:00Z");
const user = (more: object = {}) => ({
  _id: "1",
  updatedAt: "2026-11-22T08:59:00.000Z",
  stopped: false,
  location: { coordinates: [-111.2, 48.99] },
  locationAccuracy: 12,
  ...more,
});

/** Contrast of two colours (WCAG 2.2, "contrast ratio"). */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [r, g, blue] = [1, 3, 5].map((i) => {
      const c = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

describe("a user on the map", () => {
  it.each([
    [user(), "moving"],
    [user({ stopped: true }), "stopped"],
    [user({ stopped: true, trip: { status: "started" } }), "trip"],
    [user({ trip: {}, updatedAt: new Date(NOW - QUIET_AFTER_MS - 1).toISOString() }), "quiet"],
    [user({ trip: {}, fraud: { passed: false } }), "flagged"],
    [user({ fraud: { passed: true } }), "moving"],
  ])("is in the state that matters most: %#", (seen, state) => {
    expect(stateOf(seen, NOW)).toBe(state);
  });

  it("is called by what a person wrote, then by what an app gave, then by its id", () => {
    expect(nameOfRecord(user({ description: "Van 7", userId: "u", deviceId: "d" }))).toBe("Van 7");
    expect(nameOfRecord(user({ userId: "u", deviceId: "d" }))).toBe("u");
    expect(nameOfRecord(user())).toBe("1");
    // A trip is not called by its user.
    expect(nameOfRecord({ _id: "1", externalId: "order-7", userId: "u", deviceId: "d" })).toBe("order-7");
  });

  it.each([
    "",
    "   ",
    "\t\n",
    "\u00a0\u3000",
    "\u200b\ufeff",
    "\u2800",
    "\u3164\u115f",
    "\u202e\u2066",
    "\u00ad\u034f",
    "\ufe0f",
  ])("is not called by a text that nobody sees: %j", (unseen) => {
    expect(nameOfRecord({ _id: "1", description: unseen, userId: unseen, deviceId: "d" })).toBe("d");
    expect(nameOfRecord({ _id: "1", description: unseen, externalId: unseen })).toBe("1");
    expect(
      fenceFeatures([
        { _id: "f", description: unseen, type: "circle", enabled: true, geometry: { coordinates: [[[0, 0]]] } },
      ]).features[0].properties.name,
    ).toBe("f");
  });

  it.each(["🚚", "👩‍🚒", "ا", "०", "-", " x\u200b"])("is called by what can be seen: %j", (name) => {
    expect(nameOfRecord({ _id: "1", description: name })).toBe(name);
  });

  it("is counted once, in its state", () => {
    expect(countStates([user(), user({ stopped: true }), user()], NOW)).toEqual({
      moving: 2,
      stopped: 1,
      trip: 0,
      flagged: 0,
      quiet: 0,
    });
    expect(userFeatures([user()], NOW).features[0].properties).toMatchObject({
      id: "1",
      state: "moving",
    });
  });

  it("can be told from land, roads and water in both themes", () => {
    for (const state of USER_STATES) {
      const { light, dark } = STATE_LOOKS[state];
      for (const ground of ["#f5f5f3", "#ffffff", "#cad8e0"]) expect(contrast(light, ground)).toBeGreaterThanOrEqual(3);
      for (const ground of ["#1b1f24", "#30363d"]) expect(contrast(dark, ground)).toBeGreaterThanOrEqual(3);
    }
  });
});

describe("what a map draws", () => {
  it("goes on across the 180th meridian instead of around the world", () => {
    const ring = [[179, 0], [-179, 0], [-179, 1], [179, 1], [179, 0]]; // biome-ignore format: a drawing
    const fence = {
      _id: "1",
      description: "Date line",
      type: "polygon",
      enabled: true,
      geometry: { coordinates: [ring] },
    };
    expect(fenceFeatures([fence]).features[0].geometry.coordinates).toEqual([
      [[179, 0], [181, 0], [181, 1], [179, 1], [179, 0]], // biome-ignore format: a drawing
    ]);
    expect(lineFeature([[-179.5, 0], [179.5, 0]]).geometry.coordinates).toEqual([[-179.5, 0], [-180.5, 0]]); // biome-ignore format: a drawing
  });

  it("leaves out a geofence that was listed without its geometry", () => {
    expect(fenceFeatures([{ _id: "1", description: "x", type: "circle", enabled: true }]).features).toEqual([]);
  });

  it("has an accuracy as wide as the map draws its metres, at every latitude", () => {
    // MapLibre's own arithmetic: 512 pixels are the Earth at zoom 0.
    const metresPerPixel = (latitude: number) =>
      (2 * Math.PI * 6_378_137 * Math.cos((latitude * Math.PI) / 180)) / (512 * 2 ** 22);
    for (const latitude of [0, 52.5, -60, 84])
      expect(pixelsAtZoom22(12, latitude) * metresPerPixel(latitude)).toBeCloseTo(12, 3);
    expect(pixelsAtZoom22(12, 90)).toBe(pixelsAtZoom22(12, 85));
  });

  it("shows an accuracy as a circle true to scale", () => {
    const center = { latitude: 60, longitude: 10 };
    const { geometry } = circleFeature(center, 500);
    const ring = (geometry.coordinates as number[][][])[0];
    for (const [longitude, latitude] of ring) expect(distance(center, { latitude, longitude })).toBeCloseTo(500, 3);
    expect(ring[0]).toEqual(ring[ring.length - 1]);
  });
});

describe("a request, shown to be copied", () => {
  const origin = "https://maps.example";

  it("as curl is safe in a shell, whatever was typed, and names the key instead of holding one", () => {
    const path = withQuery("/v1/geocode/forward", { query: "O'Hare & $HOME", layers: "", country: undefined });
    expect(asCurl({ method: "GET", path, level: "publishable" }, origin)).toBe(
      "curl 'https://maps.example/v1/geocode/forward?query=O'\\''Hare%20%26%20%24HOME' \\\n" +
        '  -H "Authorization: $PUBLISHABLE"',
    );
  });

  it("as curl and as JavaScript carries its body", () => {
    const request = {
      method: "POST",
      path: "/v1/route/match",
      level: "publishable",
      body: { path: [{ a: "it's" }] },
    } as const;
    expect(asCurl(request, origin)).toContain(`-d '{"path":[{"a":"it'\\''s"}]}'`);
    const code = asJavaScript(request, origin);
    expect(code).toContain('method: "POST"');
    const run = new Function("fetch", "PUBLISHABLE", `return (async () => { ${code}; return answer; })()`);
    const fetched = (url: string, init: { body: string }) => ({ ok: true, json: () => ({ url, body: init.body }) });
    return expect(run(fetched, "key")).resolves.toEqual({
      url: "https://maps.example/v1/route/match",
      body: '{"path":[{"a":"it\'s"}]}',
    });
  });

  it("keeps coordinates readable in its query", () => {
    expect(withQuery("/v1/route/distance", { origin: "40.7,-73.9", modes: "car,foot", limit: 0 })).toBe(
      "/v1/route/distance?origin=40.7,-73.9&modes=car,foot&limit=0",
    );
  });
});
