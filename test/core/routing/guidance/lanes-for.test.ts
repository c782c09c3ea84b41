import { expect, it } from "vitest";
import { lanesFor } from "../../../../src/core/routing/guidance/lanes.ts";

const valid = (...[markings, modifier, options]: Parameters<typeof lanesFor>) =>
  lanesFor(markings, modifier, options)?.map((lane) => lane.valid);

it("turns around from the one lane nearest to the oncoming traffic, unless others are marked for it", () => {
  expect(valid("left|left|through", "uturn")).toEqual([true, false, false]);
  expect(valid("through|none", "uturn", { drivingSide: "left" })).toEqual([false, true]);
  expect(valid("through|right|right", "uturn", { drivingSide: "left" })).toEqual([false, false, true]);
  expect(valid("left|through", "uturn", { drivingSide: "left" })).toBeUndefined();
  expect(valid("reverse|reverse|through", "uturn")).toEqual([true, true, false]);
  expect(valid("through|through;reverse", "uturn", { drivingSide: "left" })).toEqual([false, true]);
  // Other turns may be made from each lane that is marked for them.
  expect(valid("left|left|through", "left")).toEqual([true, true, false]);
});

it("goes straight on from lanes without a marking, and turns from the outermost one", () => {
  expect(valid("left|none|through", "straight")).toEqual([false, true, true]);
  expect(valid("through|none", "right")).toEqual([false, true]);
  expect(valid("none|through", "right")).toBeUndefined();
});
