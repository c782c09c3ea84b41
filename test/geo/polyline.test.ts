/// <reference path="../../src/geo/mapbox-polyline.d.ts" />
import { describe, expect, it } from "vitest";
import { decodeLine, formatLine } from "../../src/geo/polyline.ts";

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

  it.each([5, 6] as const)("comes back from %i decimals", (decimals) => {
    const written = formatLine(line, decimals === 5 ? "polyline5" : "polyline6");
    expect("polyline" in written && decodeLine(written.polyline, decimals)).toEqual(line);
  });
});
