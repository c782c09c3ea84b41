import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  evenPadding,
  fitBounds,
  fitView,
  MIN_ZOOM,
  project,
  type Subject,
  tilesBehind,
  toPixels,
  unproject,
} from "../../../src/core/maps/base/view.ts";
import { anywhere } from "../geo/arbitrary.ts";

const PIN = { left: 15, right: 15, above: 39, below: 3 };
const fit = { width: 600, height: 400, padding: evenPadding(16), maxZoom: 16 };

describe("the projection", () => {
  it("has Null Island in the middle, and Alaska's end beside Siberia's", () => {
    expect(project({ latitude: 0, longitude: 0 })).toEqual([0.5, 0.5]);
    expect(project({ latitude: 0, longitude: 180 })[0]).toBe(1);
    expect(project({ latitude: 90, longitude: 0 })[1]).toBeCloseTo(0, 9);
    expect(project({ latitude: -90, longitude: 0 })[1]).toBeCloseTo(1, 9);
  });

  it("comes back to the place it left", () => {
    fc.assert(
      fc.property(anywhere, (point) => {
        if (Math.abs(point.latitude) > 85) return;
        const back = unproject(...project(point));
        expect(back.latitude).toBeCloseTo(point.latitude, 9);
        expect(back.longitude).toBeCloseTo(point.longitude, 9);
      }),
      { seed: 1 },
    );
  });
});

describe("autofit", () => {
  it("shows a single point from zoom 16, its pin in the middle", () => {
    const view = fitView([{ latitude: 49.4, longitude: 8.7, ...PIN }], fit);
    expect(view.zoom).toBe(16);
    const [x, y] = toPixels(view, { latitude: 49.4, longitude: 8.7 });
    expect([x, y - 18]).toEqual([expect.closeTo(300, 3), expect.closeTo(200, 3)]);
  });

  it("has every marker in view with its pin, 16 pixels from the edge, wherever they are", () => {
    const size = fc.integer({ min: 100, max: 2048 });
    fc.assert(
      fc.property(fc.array(anywhere, { minLength: 1, maxLength: 12 }), size, size, (points, width, height) => {
        const subjects: Subject[] = points.map((point) => ({ ...point, ...PIN }));
        const view = fitView(subjects, { ...fit, width, height });
        if (view.zoom === MIN_ZOOM) return;
        for (const point of points) {
          const [x, y] = toPixels(view, point);
          expect(x - 15).toBeGreaterThanOrEqual(16 - 0.01);
          expect(x + 15).toBeLessThanOrEqual(width - 16 + 0.01);
          // At the upper end of the world's square the view's center cannot go farther: in view, but nearer to the edge.
          const free = point.latitude > 80 ? 0 : 16;
          expect(y - 39).toBeGreaterThanOrEqual(free - 0.01);
          expect(y + 3).toBeLessThanOrEqual(height - 16 + 0.01);
        }
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it("is as near as it can be", () => {
    const subjects = [
      { latitude: 48.1, longitude: 11.5, ...PIN },
      { latitude: 52.5, longitude: 13.4, ...PIN },
    ];
    const view = fitView(subjects, fit);
    const [, north] = toPixels({ ...view, zoom: view.zoom + 0.02 }, subjects[1]);
    const [, south] = toPixels({ ...view, zoom: view.zoom + 0.02 }, subjects[0]);
    expect(south + 3 - (north - 39)).toBeGreaterThan(400 - 32);
  });

  it("goes across the 180th meridian where that is the shorter way: Fiji is one place", () => {
    const view = fitView(
      [
        { latitude: -16.8, longitude: 179.3, ...PIN },
        { latitude: -17.2, longitude: -178.9, ...PIN },
      ],
      fit,
    );
    expect(view.zoom).toBeGreaterThan(6);
    expect(Math.abs(view.center.longitude)).toBeGreaterThan(179);
  });

  it("keeps the center and fits the zoom", () => {
    const center = { latitude: 50, longitude: 8 };
    const view = fitView([{ latitude: 51, longitude: 9, ...PIN }], { ...fit, center });
    expect(view.center).toEqual(center);
    const [x, y] = toPixels(view, { latitude: 51, longitude: 9 });
    expect(x).toBeLessThanOrEqual(600 - 16 - 15 + 0.01);
    expect(y).toBeGreaterThanOrEqual(16 + 39 - 0.01);
  });

  it("keeps the zoom and fits the center", () => {
    const view = fitView([{ latitude: 51, longitude: 9 }], { ...fit, zoom: 7.25 });
    expect(view).toMatchObject({
      zoom: 7.25,
      center: { latitude: expect.closeTo(51, 6), longitude: expect.closeTo(9, 6) },
    });
  });

  it("of a box shows all of it, also when it is wider than half the world, or crosses the 180th meridian", () => {
    for (const [west, east] of [
      [-170, 170],
      [170, -170],
      [8.6, 8.8],
    ]) {
      const view = fitBounds({ south: -20, west, north: 30, east }, { ...fit, padding: evenPadding(0), maxZoom: 23 });
      const world = 512 * 2 ** view.zoom;
      const wide = (((east - west + 360) % 360) / 360) * world;
      expect(wide).toBeLessThanOrEqual(600.01);
      const middle = west + ((east - west + 360) % 360) / 2;
      expect(Math.cos(((view.center.longitude - middle) * Math.PI) / 180)).toBeCloseTo(1, 9);
    }
  });
});

describe("tiles", () => {
  it("cover the image without a gap and without one that is not seen", () => {
    const zoom = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(anywhere, zoom, (center, z) => {
        const view = { center, zoom: z, width: 600, height: 400 };
        const tiles = tilesBehind(view, 15);
        let area = 0;
        for (const { left, top, size, x, y, z: whole } of tiles) {
          expect(x >= 0 && y >= 0 && x < 2 ** whole && y < 2 ** whole).toBe(true);
          const w = Math.min(600, left + size) - Math.max(0, left);
          const h = Math.min(400, top + size) - Math.max(0, top);
          expect(w > 0 && h > 0).toBe(true);
          area += w * h;
        }
        const [, north] = toPixels(view, { latitude: 90, longitude: center.longitude });
        const [, south] = toPixels(view, { latitude: -90, longitude: center.longitude });
        const rows = Math.max(0, Math.min(400, south) - Math.max(0, north));
        expect(area).toBeCloseTo(600 * rows, 0);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
