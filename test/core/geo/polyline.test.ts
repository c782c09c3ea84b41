/// <reference path="../../../src/core/geo/shapes/mapbox-polyline.d.ts" />
import polyline from "@mapbox/polyline";
import { describe, expect, it } from "vitest";
import {
  decodeLine,
  encodeLine,
  formatLine,
  isEncodedLine,
  joinEncoded,
} from "../../../src/core/geo/shapes/polyline.ts";
import { seededRandom } from "../../bench/support/random.ts";

describe("a line", () => {
  const line = [
    { latitude: 38.5, longitude: -120.2 },
    { latitude: 40.7, longitude: -120.95 },
    { latitude: 43.252, longitude: -126.453 },
  ];

  it("is written as GeoJSON or as a polyline of 5 or 6 decimals", () => {
    expect(formatLine(line, "linestring")).toEqual({
      type: "LineString",
      coordinates: [
        [-120.2, 38.5],
        [-120.95, 40.7],
        [-126.453, 43.252],
      ],
    });
    // The example of Google's description of the format.
    expect(formatLine(line, "polyline5")).toEqual({ polyline: "_p~iF~ps|U_ulLnnqC_mqNvxq`@" });
    expect(formatLine(line, "polyline6")).not.toEqual(formatLine(line, "polyline5"));
  });

  it("is the same from its parts", () => {
    const random = seededRandom(4);
    for (let n = 1; n < 40; n++) {
      const point = () => ({ latitude: random() * 180 - 90, longitude: random() * 360 - 180 });
      const points = Array.from({ length: 2 + n }, point);
      const cuts = [0, ...[...points.keys()].filter((i) => i > 0 && i < n && random() < 0.3), n + 1];
      const parts = cuts.slice(1).map((cut, i) => encodeLine(points.slice(cuts[i], cut + 1), 6));
      expect(joinEncoded(parts)).toBe(encodeLine(points, 6));
    }
  });

  it("is told from other texts", () => {
    const encoded = encodeLine(line, 5);
    expect(isEncodedLine(encoded)).toBe(true);
    for (const other of ["!!!", "   ", `${encoded}\n`, encoded.slice(0, -1), `${encoded}?`, "~~~", `${encoded}é`])
      expect([other, isEncodedLine(other)]).toEqual([other, false]);
  });

  it.each([5, 6] as const)("comes back from %i decimals", (decimals) => {
    const written = formatLine(line, decimals === 5 ? "polyline5" : "polyline6");
    expect("polyline" in written && decodeLine(written.polyline, decimals)).toEqual(line);
  });

  it.each([2, 5, 6] as const)(
    "is the text that @mapbox/polyline writes with %i decimals, however long it is",
    (decimals) => {
      const random = seededRandom(decimals);
      const within = (most: number) => (random() * 2 - 1) * most;
      for (const points of [0, 1, 2, 30, 5_000]) {
        for (const share of [1e-6, 1e-3, 1]) {
          const drawn = Array.from({ length: points }, () => ({
            latitude: within(90 * share),
            longitude: within(180 * share),
          }));
          const pairs = drawn.map(({ latitude, longitude }): [number, number] => [latitude, longitude]);
          expect(encodeLine(drawn, decimals)).toBe(polyline.encode(pairs, decimals));
        }
      }
      const corners = [90, -90, 0.5e-6, -0.5e-6, 0].map((latitude) => ({ latitude, longitude: latitude * 2 }));
      const pairs = corners.map(({ latitude, longitude }): [number, number] => [latitude, longitude]);
      expect(encodeLine(corners, decimals)).toBe(polyline.encode(pairs, decimals));
    },
  );
});
