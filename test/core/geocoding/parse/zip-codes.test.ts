import { describe, expect, it } from "vitest";
import { zipCodes } from "../../../../src/importer/world/lists.ts";
import { usShapes } from "../../../../src/importer/world/states.ts";
import { stateOfZip } from "../../../../src/importer/world/zip-states.ts";

type Ring = readonly (readonly [number, number] | { longitude: number; latitude: number })[];

/** Even-odd rule, for rings of either form of a corner. */
function isInside(rings: readonly Ring[], longitude: number, latitude: number): boolean {
  let inside = false;
  const at = (corner: Ring[number]) =>
    "longitude" in corner ? ([corner.longitude, corner.latitude] as const) : ([corner[0], corner[1]] as const);
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[x, y], [u, v]] = [at(ring[i]), at(ring[j])];
      if (y > latitude !== v > latitude && longitude < ((u - x) * (latitude - y)) / (v - y) + x) inside = !inside;
    }
  }
  return inside;
}

describe("ZIP codes of the world base data", () => {
  it("are in the states that their prefixes name", () => {
    const states = new Map(
      usShapes().flatMap(({ kind, country, code, rings }) =>
        kind === "state" && country === "US" ? [[code, rings as readonly Ring[]] as const] : [],
      ),
    );
    // Every 17th, and one in a hundred may be on the other side of a border or off a simplified coast.
    const sample = zipCodes().filter((_, i) => i % 17 === 0);
    const wrong = sample.filter(({ code, latitude, longitude }) => {
      const rings = states.get(stateOfZip(code) ?? "");
      return rings !== undefined && !isInside(rings, longitude, latitude);
    });
    expect(sample.length).toBeGreaterThan(1900);
    expect(wrong.length / sample.length, wrong.map(({ code }) => code).join(" ")).toBeLessThan(0.01);
    expect(zipCodes().filter(({ code }) => stateOfZip(code) === undefined).length).toBeLessThan(20);
  });
});
