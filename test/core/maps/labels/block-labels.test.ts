import { describe, expect, it } from "vitest";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { DEFAULT_FONT } from "../../../../src/core/maps/fonts/fonts.ts";
import { AROUND, placeInBlock } from "../../../../src/core/maps/labels/block-labels.ts";
import type { Candidate, Look } from "../../../../src/core/maps/labels/candidates.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { ready } from "../town.ts";

const SIDE = 512;
const ICONS = { dot: { width: 12, height: 12, svg: "" } };
const ANCHORS = [["center"], ["left", "right", "top", "bottom"], ["bottom"], ["right", "left"]];

const look = (random: () => number): Look => ({
  size: 10 + Math.floor(random() * 6),
  color: [0, 0, 0, 1],
  haloColor: undefined,
  haloWidth: 1,
  spacing: 0,
  every: 250,
  maxWidth: 8,
  padding: 2,
  anchors: ANCHORS[Math.floor(random() * ANCHORS.length)],
  offset: [0, 0],
  radialOffset: 0.6,
  iconScale: 1,
  iconRotation: 0,
  iconPadding: 2,
  textOptional: random() < 0.3,
  iconOptional: false,
});

/** Names over a square of 3 × 3 blocks, the most important first. */
function names(random: () => number): Candidate[] {
  return Array.from({ length: 400 }, (_, i) => ({
    layer: { id: `layer-${i % 3}` } as Candidate["layer"],
    sortKey: i,
    text: `${"Lower Upper New Saint Port".split(" ")[Math.floor(random() * 5)]} ${"abcdefghijkl".slice(0, 2 + Math.floor(random() * 10))}`,
    fallback: "",
    font: DEFAULT_FONT,
    icon: random() < 0.5 ? "dot" : undefined,
    look: look(random),
    point: [random() * 3 * SIDE, random() * 3 * SIDE],
    lines: [],
  }));
}

describe("labels of neighbouring blocks", () => {
  it("agree on every name that reaches over their edge, and show none twice", async () => {
    const fonts = await ready();
    let over = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const all = names(seededRandom(seed));
      await fonts.prepare(all);
      const shown = new Map<string, { text: string; left: number; top: number; right: number; bottom: number }[]>();
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) {
          const [left, top] = [column * SIDE - AROUND, row * SIDE - AROUND];
          const reach = SIDE + 2 * AROUND;
          const candidates = all
            .map((one): Candidate => ({ ...one, point: [one.point![0] - left, one.point![1] - top] }))
            .filter(({ point }) => point!.every((at) => at >= 0 && at < reach));
          const { texts } = await placeInBlock(
            candidates,
            { width: SIDE, height: SIDE },
            { fonts, icons: ICONS, pace: unpaced() },
          );
          const boxes = texts.map(({ text, boxes: [box] }) => ({
            text,
            left: box.left + column * SIDE,
            top: box.top + row * SIDE,
            right: box.right + column * SIDE,
            bottom: box.bottom + row * SIDE,
          }));
          for (const [i, a] of boxes.entries()) {
            for (const b of boxes.slice(i + 1)) {
              expect(a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top).toBe(false);
            }
          }
          shown.set(`${column} ${row}`, boxes);
        }
      }
      for (const [key, boxes] of shown) {
        const [column, row] = key.split(" ").map(Number);
        for (const { text, left, top, right, bottom } of boxes) {
          for (let y = Math.floor(top / SIDE); y * SIDE < bottom; y++) {
            for (let x = Math.floor(left / SIDE); x * SIDE < right; x++) {
              if (x === column && y === row) continue;
              const there = shown.get(`${x} ${y}`);
              if (!there) continue;
              over++;
              const same = there.filter(
                (other) => other.text === text && Math.hypot(other.left - left, other.top - top) < 0.01,
              );
              expect([seed, key, text, same.length]).toEqual([seed, key, text, 1]);
            }
          }
        }
      }
    }
    expect(over).toBeGreaterThan(200);
  });
});
