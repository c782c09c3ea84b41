import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { narrowText } from "../../../src/server/start/narrow-text.ts";

/** Each yields a value that depends on characters of two bytes, or of more. */
const SCRIPTS = [
  '"ヴ".replace(/ヴ[ァィェォ]?/g, "v")',
  '/^[\\u4e00丁-目]+$/u.test("丁目")',
  '"a😀b".replace(/[😀😁]/gu, "x")',
  "`é` + `😀`",
  "const größe = 5; größe /* – */ // —",
  // after a backslash that escapes it, and one that does not
  '"\\é" + "\\\\é" + "\\\\\\é"',
  '"–".replace(/\\–/, "-")',
];

it("writes scripts in one byte for each character, with the same meaning", () => {
  for (const script of SCRIPTS) {
    const text = narrowText(script).toString("latin1");
    expect(/^[\0-\x7f]*$/.test(text), text).toBe(true);
    expect(runInNewContext(text), text).toBe(runInNewContext(script));
  }
});
