import { describe, expect, it } from "vitest";
import { hanForms } from "../../../../src/core/geocoding/words/han-variants.ts";
import {
  houseNumberKey,
  looksLikeHouseNumber,
  trimHouseNumber,
} from "../../../../src/core/geocoding/words/house-number.ts";
import { fold, tokensOf } from "../../../../src/core/geocoding/words/normalise.ts";

describe("digits", () => {
  it("of every script of Unicode are those from 0 to 9", () => {
    let scripts = 0;
    for (let code = 0x80; code < 0x1_0000; code++) {
      // Blocks of digits are in order, so ten in a row that begin one are its digits.
      const is = (at: number) => /\p{Nd}/u.test(String.fromCharCode(at));
      if (!is(code) || is(code - 1)) continue;
      const run = String.fromCharCode(...Array.from({ length: 10 }, (_, i) => code + i));
      expect([code.toString(16), fold(run)]).toEqual([code.toString(16), "0123456789"]);
      scripts++;
    }
    expect(scripts).toBeGreaterThan(30);
  });

  it("are counted where a sign writes them as words", () => {
    expect(tokensOf("銀座四丁目")).toEqual(tokensOf("銀座4丁目"));
    expect(tokensOf("信義路二段")).toEqual(tokensOf("信義路2段"));
    expect(tokensOf("北十二条西三丁目")).toEqual(tokensOf("北12条西3丁目"));
  });
});

describe("two ways to write one house number", () => {
  const same: (readonly [string, string])[] = [
    ["١٢", "12"],
    ["๑๒/๓", "12/3"],
    ["B-115", "b115"],
    ["# 65a-04", "65A - 04"],
    ["Blk 284A", "284a"],
    ["1727號", "1727"],
    ["197번지", "197"],
    ["79之3", "79-3"],
    ["Casa 16", "16"],
    ["No. 12", "12"],
    ["Nr. 12 b", "12B"],
    ["N6 W23001", "n6w23001"],
    ["1.578", "1578"],
    ["S.C.O. 12", "SCO-12"],
  ];
  it.each(same)("%s and %s", (a, b) => expect(houseNumberKey(a)).toBe(houseNumberKey(b)));

  const different: (readonly [string, string])[] = [
    ["C-112", "112"],
    ["SCO 12", "12"],
    ["H-5", "5"],
    ["N 12", "12"],
    ["4-6-1", "4-61"],
    ["65a-04", "65-04"],
    ["12-31/4", "12-31"],
  ];
  it.each(different)("but %s is not %s", (a, b) => expect(houseNumberKey(a)).not.toBe(houseNumberKey(b)));

  it("a floor behind it is a unit, a grid's sign is none", () => {
    expect(trimHouseNumber("702號1樓", "TW")).toEqual({ number: "702", unit: "1樓" });
    expect(trimHouseNumber("# 65a-04", "CO")).toEqual({ number: "# 65a-04" });
    expect(trimHouseNumber("#288 1388", "CA")).toEqual({ number: "1388", unit: "288" });
  });

  it("a word with letters in front may be one, a name with a number behind is none", () => {
    for (const word of ["b115", "a5", "n6w23001", "w23001", "65a-04"])
      expect([word, looksLikeHouseNumber(word)]).toEqual([word, true]);
    for (const word of ["block13", "1st", "abc", "v6b"])
      expect([word, looksLikeHouseNumber(word)]).toEqual([word, false]);
  });
});

it("Chinese characters have the forms of other countries", () => {
  expect(hanForms("臺北")).toContain("台北");
  expect(hanForms("台北")).toContain("臺北");
  expect(hanForms("爱义")).toContain("愛義");
  expect(hanForms("大安")).toEqual([]);
  expect(hanForms("広島")).toEqual(expect.arrayContaining(["廣島", "广岛"]));
});
