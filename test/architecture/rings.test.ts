import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/**
 * The loop of ray casting: a flag is inverted (`inside = !inside`) where one end of an edge is above the point and the other is not
 * (`ay > y !== by > y`).
 */
const RAY_CASTING =
  /[<>]=?\s*([\w.[\]]+)\)?\s*(?:!==?|\^)\s*\(?[^;{}]{1,80}[<>]=?\s*\1(?![\w.[\]])[^;]{0,200}\b(\w+)\s*(?:=\s*!\s*\2\b|\^=)/;

/** Files with a loop of their own. */
const OTHERS = {
  "src/core/routing/areas/area.ts": "walks only the edges of one row; to use `crossingAt`",
};

it("points are found in rings by the functions of geo/shapes/in-ring.ts", () => {
  const found = sourcesBelow(join(ROOT, "src"))
    .filter((path) => RAY_CASTING.test(readFileSync(path, "utf8")))
    .map((path) => relative(ROOT, path));
  expect(found).toEqual(Object.keys(OTHERS));
});

it("another loop is recognized in each of its usual forms", () => {
  const forms = [
    "if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;",
    "if ((ring[j][1] > lat) !== (ring[i][1] > lat) && lon < crossing) { isIn = !isIn; }",
    "if (yi <= y != yj <= y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) c = !c;",
    "if (((a.y >= p.y) !== (b.y >= p.y)) && p.x <= x(a, b)) odd ^= 1;",
  ];
  expect(forms.filter((text) => !RAY_CASTING.test(text))).toEqual([]);
  expect(RAY_CASTING.test("if (y0 > y !== y1 > y) crossings.push(x);")).toBe(false);
});
