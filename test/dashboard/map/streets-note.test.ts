import type { Map as MapLibre } from "maplibre-gl";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StreetsNote } from "../../../src/dashboard/map/streets-note.ts";

type Area = [west: number, south: number, east: number, north: number];

/** What the note uses of a map: its view, its style, and the call when it moved. */
function noteOn(areas: Area[] | undefined, zoom: number, [west, south, east, north]: Area) {
  const calls: (() => void)[] = [];
  const map = {
    on: (_: string, call: () => void) => calls.push(call),
    off: () => undefined,
    getZoom: () => zoom,
    getCenter: () => ({ lng: (west + east) / 2 }),
    getStyle: () => ({ metadata: areas && { "graticule:streets": areas } }),
    getBounds: () => ({ getWest: () => west, getEast: () => east, getSouth: () => south, getNorth: () => north }),
  };
  const box = new StreetsNote().onAdd(map as unknown as MapLibre);
  expect(box.hidden).toBe(true);
  for (const call of calls) call();
  return !box.hidden;
}

const HEIDELBERG: Area = [8.57, 49.35, 8.8, 49.46];
const FIJI: Area = [176, -20, 180, -15];
const VIEW: Area = [8.6, 49.38, 8.7, 49.42];
const BESIDE: Area = [8.9, 49.38, 9, 49.42];

describe("the note of a map where no streets are imported", () => {
  beforeEach(() => {
    vi.stubGlobal("document", { createElement: () => ({ hidden: false, remove: () => undefined }) });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each<[what: string, isShown: boolean, areas: Area[] | undefined, zoom: number, view: Area]>([
    ["is shown beside every import", true, [HEIDELBERG, FIJI], 12, BESIDE],
    ["is shown without any import", true, [], 14, VIEW],
    ["is not shown in an import", false, [FIJI, HEIDELBERG], 14, VIEW],
    ["is not shown where an import begins at the edge of the view", false, [HEIDELBERG], 14, [8.79, 49.38, 8.9, 49.42]],
    ["is not shown on maps that are farther", false, [HEIDELBERG], 11.9, BESIDE],
    ["is not shown with a style that does not list areas", false, undefined, 14, BESIDE],
    ["is shown north of an import", true, [HEIDELBERG], 14, [8.6, 49.5, 8.7, 49.6]],
    ["is not shown in another copy of the world", false, [HEIDELBERG], 14, [368.6, 49.38, 368.7, 49.42]],
    ["is not shown across the 180th meridian from the west", false, [FIJI], 12, [179.9, -18, 180.1, -17]],
    ["is not shown across the 180th meridian from the east", false, [FIJI], 12, [-180.1, -18, -179.9, -17]],
  ])("%s", (_, isShown, areas, zoom, view) => {
    expect(noteOn(areas, zoom, view)).toBe(isShown);
  });
});
