import { describe, expect, it } from "vitest";
import { type MatchedTrace, match } from "../../../../src/core/routing/match/match.ts";
import { roadParts } from "../../../../src/core/routing/match/road-attributes.ts";
import type { TracePoint } from "../../../../src/core/routing/match/trace.ts";
import { build, type World } from "../scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

function traceOf(world: World, text: string): TracePoint[] {
  return text.split(" ").map((word) => {
    const [place, time] = word.replace("~", "").split("@");
    return {
      ...world.at(place),
      ...(word.startsWith("~") ? { accuracy: 40 } : {}),
      ...(time === undefined ? {} : { time: Number(time) }),
    };
  });
}

function roadsOf({ courses }: MatchedTrace): string {
  return courses
    .map((course) => {
      const names: string[] = [];
      for (const { tile, edge, from, to } of course.stretches) {
        if (tile.lengthOf(edge) * (to - from) < 20 && course.stretches.length > 1) continue;
        const { name } = tile.recordOf(tile.pieceOf(edge));
        if (name && names[names.length - 1] !== name) names.push(name);
      }
      return names.join();
    })
    .join("|");
}

describe("a trace is matched to", () => {
  it.each(SCENARIOS)("$what", async ({ trace, roads, dropped = [], metres, mode = "car", ...scenario }) => {
    const world = await build(scenario);
    const points = traceOf(world, trace);
    const found = await match(world.router, points, { mode });
    expect(roadsOf(found)).toBe(roads);
    const kept = found.points.map(({ index }) => index);
    expect(kept).toEqual(points.map((_, i) => i).filter((i) => !dropped.includes(i)));
    if (metres !== undefined) expect(Math.abs(found.distance - metres)).toBeLessThan(3);
    for (const course of found.courses) {
      const parts = roadParts(course);
      for (let i = 1; i < parts.length; i++) {
        expect(Math.abs(parts[i].start.latitude - parts[i - 1].end.latitude)).toBeLessThan(2e-6);
        expect(Math.abs(parts[i].start.longitude - parts[i - 1].end.longitude)).toBeLessThan(2e-6);
      }
    }
  });
});
