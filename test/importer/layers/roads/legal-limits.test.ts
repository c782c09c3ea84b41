import { describe, expect, it } from "vitest";
import { CAR, TRUCK } from "../../../../src/core/routing/graph/modes.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { BuiltUp } from "../../../../src/importer/layers/roads/graph/built-up.ts";
import { WayNodes } from "../../../../src/importer/layers/roads/graph/way-nodes.ts";
import { LEGAL_LIMIT, withLegalLimit } from "../../../../src/importer/layers/roads/profiles/legal-limits.ts";
import { parseSpeed } from "../../../../src/importer/layers/roads/profiles/tag-values.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { parseTags } from "../../../core/routing/scenario.ts";

/** "outside/in town": the limits that the law adds; "" where none. */
function limits(tags: string, country?: string): string {
  const { rural, builtUp } = withLegalLimit(parseTags(tags), country);
  return [rural, builtUp].map((one) => one[LEGAL_LIMIT] ?? "").join("/");
}

describe("the limit of the law", () => {
  it.each([
    ["highway=primary", "PT", "90/50"],
    ["highway=primary_link", "PT", "90/50"],
    ["highway=residential", "GB", "97/48"],
    ["highway=secondary", "SE", "70/50"],
    ["highway=motorway", "PT", "120/120"],
    ["highway=motorway", "DE", "/"],
    ["highway=motorway_link", "PT", "/"],
    ["highway=trunk", "PT", "90/70"],
    ["highway=trunk motorroad=yes", "PT", "100/100"],
    ["highway=primary expressway=yes", "JP", "60/60"],
    ["highway=trunk", "HK", "70/70"],
    ["highway=primary maxspeed=80", "PT", "/"],
    ["highway=primary maxspeed=signals", "PT", "/"],
    ["highway=primary zone:traffic=PT:urban", "PT", "50/50"],
    ["highway=primary zone:traffic=PT:rural", "PT", "90/90"],
    ["highway=primary", "AF", "90/"],
    ["highway=primary", "QQ", "/"],
    ["highway=primary", undefined, "/"],
    ["highway=constructor", "PT", "/"],
    ["highway=track", "PT", "/"],
    ["highway=cycleway", "PT", "/"],
    ["route=ferry", "PT", "/"],
  ])("of %s in %s is %s", (tags, country, expected) => {
    expect(limits(tags, country)).toBe(expected);
  });

  it.each([
    ["DE:zone30", 30],
    ["DE:zone:20", 20],
    ["IT:30", 30],
    ["BE-VLG:zone30", 30],
    ["SE:rural", 70],
    ["GB:rural", 60 * 1.609],
    ["RU:urban", 60],
    ["DE:motorway", undefined],
    ["QQ:urban", 50],
    ["sign", undefined],
  ])("%s is %s km/h", (text, expected) => {
    expect(parseSpeed(text)).toBe(expected);
  });
});

/** A road from west to east of a grid of streets 100 m apart, or in the open country, and its speed by car and truck [km/h]. */
function speedsOf(tags: Tags, { inTown, country }: { inTown: boolean; country?: string }) {
  const elements: OsmElement[] = [];
  const node = (row: number, column: number) => {
    const id = 1 + row * 100 + column;
    elements.push({ type: "node", id, latitude: 41 + row * 0.0009, longitude: -8 + column * 0.0012, tags: {} });
    return id;
  };
  const line = (row: number) => Array.from({ length: 20 }, (_, column) => node(row, column));
  for (let row = 0; row < 20; row++) {
    const refs = row === 10 || inTown ? line(row) : [];
    const own: Tags = row === 10 ? tags : { highway: "residential" };
    if (refs.length > 0) elements.push({ type: "way", id: 1000 + row, refs, tags: own });
  }
  if (inTown) {
    for (let column = 0; column < 20; column++) {
      const refs = Array.from({ length: 20 }, (_, row) => 1 + row * 100 + column);
      elements.push({ type: "way", id: 2000 + column, refs, tags: { highway: "residential" } });
    }
  }
  const graph = buildGraph(elements, country ? { country: () => country } : {});
  const middle = Math.round(41e6 + 10 * 900);
  const isRoad = (node: number) => graph.nodeLatitude[node] === middle;
  const piece = graph.pieceStart.findIndex((start, at) => {
    const between = !inTown || Math.abs(graph.nodeLongitude[start] + 8e6 - 10 * 1200) < 10;
    return isRoad(start) && isRoad(graph.pieceEnd[at]) && between;
  });
  const { passages } = graph.profiles[graph.pieceForward[piece]];
  const back = graph.profiles[graph.pieceBackward[piece]].passages;
  return [passages[CAR].speed, passages[TRUCK].speed, back[CAR].speed].map((speed) => speed / 10);
}

describe("a road without a sign", () => {
  it("is driven at four fifths of its country's limit in a town, and never faster than its class", () => {
    const primary = { highway: "primary" };
    expect(speedsOf(primary, { inTown: true, country: "PT" })).toEqual([40, 40, 40]);
    expect(speedsOf(primary, { inTown: false, country: "PT" })).toEqual([65, 65, 65]);
    expect(speedsOf(primary, { inTown: false, country: "SE" })).toEqual([56, 56, 56]);
    expect(speedsOf(primary, { inTown: true })).toEqual([65, 65, 65]);
    expect(speedsOf({ highway: "residential" }, { inTown: true, country: "PT" })).toEqual([25, 25, 25]);
  });

  it("has its sign's speed where there is one, also in one direction only", () => {
    const signed = { highway: "primary", maxspeed: "70" };
    expect(speedsOf(signed, { inTown: true, country: "PT" })).toEqual([56, 56, 56]);
    const oneSide = { highway: "primary", "maxspeed:forward": "70" };
    expect(speedsOf(oneSide, { inTown: true, country: "PT" })).toEqual([56, 56, 40]);
    const zone = { highway: "primary", "zone:maxspeed": "PT:30" };
    expect(speedsOf(zone, { inTown: true, country: "PT" })).toEqual([24, 24, 24]);
    const source = { highway: "primary", "source:maxspeed": "PT:rural" };
    expect(speedsOf(source, { inTown: true, country: "PT" })).toEqual([72, 72, 72]);
  });
});

describe("built-up areas", () => {
  /** The same with a plain table. */
  class Model {
    readonly #cells = new Map<string, number>();
    add(segments: readonly (readonly [number, number, number, number])[]): void {
      for (const [y0, x0, y1, x1] of segments) {
        const y = (y0 + y1) / 2;
        const key = `${Math.floor(y / 0.005)} ${(Math.floor((x0 + x1) / 2 / 0.005) + 72000) % 72000}`;
        const meters = Math.hypot(y1 - y0, (x1 - x0) * Math.cos((y * Math.PI) / 180)) * 111195;
        this.#cells.set(key, (this.#cells.get(key) ?? 0) + meters);
      }
    }
    /** Meters per km². */
    density(y: number, x: number): number {
      let meters = 0;
      for (const row of [0, 1]) {
        for (const column of [0, 1]) {
          const at = [Math.floor(y / 0.005 - 0.5) + row, Math.floor(x / 0.005 - 0.5) + column];
          const share = [y / 0.005 - 0.5 - at[0], x / 0.005 - 0.5 - at[1]].map((off) => 1 - Math.abs(off));
          meters += share[0] * share[1] * (this.#cells.get(`${at[0]} ${(at[1] + 72000) % 72000}`) ?? 0);
        }
      }
      return meters / ((0.005 * 111.195) ** 2 * Math.cos((y * Math.PI) / 180));
    }
  }

  it.each([
    ["Porto", 41.15, -8.6],
    ["Auckland", -36.85, 174.76],
    ["the antimeridian", -16.8, 179.98],
    ["the equator", 0, 0],
    ["Tromsø", 69.65, 18.95],
  ])("around %s are where a plain sum says, whatever the order of roads", (_, latitude, longitude) => {
    const random = seededRandom(54);
    const segments = Array.from({ length: 6000 }, () => {
      const [y, x] = [latitude + (random() - 0.5) * 0.4, longitude + random() ** 3 * 0.4 - 0.2];
      return [y, x, y + (random() - 0.5) * 0.003, x + (random() - 0.5) * 0.003] as const;
    });
    const model = new Model();
    model.add(segments);
    const [one, other] = [new BuiltUp(), new BuiltUp()];
    for (const [built, list] of [
      [one, segments],
      [other, segments.toReversed()],
    ] as const) {
      for (const [y0, x0, y1, x1] of list) {
        const nodes = new WayNodes();
        nodes.begin(3);
        nodes.latitude.set([y0, Number.NaN, y1]);
        nodes.longitude.set([x0, Number.NaN, x1]);
        nodes.begin(3);
        built.add("service", nodes);
        nodes.latitude.set([y0, y1]);
        nodes.longitude.set([x0, x1]);
        nodes.begin(2);
        built.add("residential", nodes);
      }
    }
    const seen = { town: 0, country: 0 };
    for (let i = 0; i < 2000; i++) {
      const [y, x] = [latitude + (random() - 0.5) * 0.4, longitude + random() ** 3 * 0.4 - 0.2];
      const density = model.density(y, x);
      expect(one.has(y, x)).toBe(other.has(y, x));
      if (Math.abs(density - 4000) < 10) continue;
      expect(one.has(y, x)).toBe(density > 4000);
      seen[density > 4000 ? "town" : "country"]++;
    }
    expect(Math.min(seen.town, seen.country)).toBeGreaterThan(50);
  });
});
