import { describe, expect, it } from "vitest";
import { findFork } from "../../../../../src/core/routing/guidance/junctions/fork.ts";
import { obviousBranch } from "../../../../../src/core/routing/guidance/junctions/obvious.ts";
import { type View, viewOf } from "../../../../../src/core/routing/guidance/junctions/view.ts";
import type { Road } from "../../../../../src/core/routing/guidance/types.ts";
import { turnsOf, World } from "../drawing.ts";

const road = (more: Partial<Road> = {}): Road => ({
  name: "Main",
  ref: "",
  class: "primary",
  link: false,
  mode: "driving",
  oneway: false,
  ...more,
});

/** A junction as seen on arrival by Main Street: other roads by their turn angles (180 is straight on, 90 right). */
function junction(...others: [angle: number, more?: Partial<Road> & { entry?: boolean }][]): View {
  const arms: typeof others = [[0], ...others];
  const roads = arms.map(([angle, { entry = true, ...more } = {}]) => ({
    road: road(more),
    bearing: (540 - angle) % 360,
    entry,
    leaves: true,
    edge: -1,
  }));
  return viewOf({ location: { latitude: 0, longitude: 0 }, roads, arrival: 0, departure: 1 }, roads[0].road);
}

const anglesOf = ({ branches }: View) => branches.map(({ angle }) => angle);

describe("a fork", () => {
  it("is two roads that part ahead", () => {
    const view = junction([165, { name: "Right" }], [195, { name: "Left" }]);
    expect(anglesOf(view)).toEqual([0, 165, 195]);
    expect(findFork(view)).toEqual({ right: 1, left: 2 });
  });

  it.each([
    [115, "right"],
    [245, "left"],
  ])("stands alone: another road at %i degrees, close on its %s, makes it a junction", (angle) => {
    const view = junction([165, { name: "Right" }], [195, { name: "Left" }], [angle, { name: "Other" }]);
    expect(findFork(view)).toBeUndefined();
  });

  it.each([
    [100, { right: 2, left: 3 }],
    [260, { right: 1, left: 2 }],
  ])("another road at %i degrees is apart from it", (angle, fork) => {
    const view = junction([165, { name: "Right" }], [195, { name: "Left" }], [angle, { name: "Other" }]);
    expect(findFork(view)).toEqual(fork);
  });
});

describe("the obvious road", () => {
  it("is the street that continues, where a worthier direction has another name", () => {
    const view = junction([178], [125, { name: "Side" }], [230, { name: "Other" }]);
    expect(view.branches[obviousBranch(view)].road.name).toBe("Main");
  });

  it("is none of two that are alike", () => {
    expect(obviousBranch(junction([65], [5]))).toBe(0);
    expect(obviousBranch(junction([120], [240]))).toBe(0);
    expect(obviousBranch(junction([165, { name: "Right" }], [195, { name: "Left" }]))).toBe(0);
  });
});

describe("lanes", () => {
  it("are shown for turns, not where a leg begins or ends", () => {
    const world = new World({
      map: `
    a---b---c
        |
        d`,
      ways: `
    ab name=Main turn:lanes=through|through;right
    bc name=Main turn:lanes=through|right
    bd name=Side turn:lanes=left|through`,
    });
    const steps = world.steps("a", "d");
    expect(turnsOf(steps)).toBe("depart, turn right, arrive");
    expect(steps.map(({ lanes }) => lanes?.map(({ valid }) => valid))).toEqual([undefined, [false, true], undefined]);
    expect(world.steps("a", "c").map(({ lanes }) => lanes)).toEqual([undefined, undefined]);
  });
});
