import { describe, expect, it } from "vitest";
import { PACK_SCRIPTS, PACK_SPANS } from "../../../../src/core/maps/fonts/fonts.ts";
import { readsRightToLeft, shapeText } from "../../../../src/core/maps/text/shape-text.ts";
import { ready } from "../town.ts";

const codes = (text: string) =>
  [...text].map((character) => (character.codePointAt(0) as number).toString(16)).join(" ");

describe("a text", () => {
  it.each(["Main Street", "Königstraße", "Θεσσαλονίκη", "Москва 5"])("that reads from the left stays: %s", (text) => {
    expect(shapeText(text)).toBe(text);
  });

  it("in Hebrew is turned round", () => {
    expect(shapeText("תל אביב")).toBe([..."תל אביב"].reverse().join(""));
    expect(readsRightToLeft(shapeText("תל אביב"))).toBe(true);
  });

  it.each([
    // beh initial, yeh medial, reh final, waw isolated, teh isolated
    ["بيروت", "fe95 feed feae fef4 fe91"],
    // dal, beh initial, yeh final
    ["دبي", "fef2 fe91 fea9"],
    // lam and alef are one shape, joined to what is before it
    ["السلام", "fee1 fefc feb4 fedf fe8d"],
    ["لا", "fefb"],
    // Persian: teh initial, heh medial, reh final, alef, noon
    ["تهران", "fee5 fe8d feae feec fe97"],
    // vowel signs are left out
    ["مُ", "fee1"],
  ])("in Arabic has its letters joined: %s", (text, expected) => {
    expect(codes(shapeText(text))).toBe(expected);
  });

  it("keeps numbers and foreign words in their own direction", () => {
    expect(shapeText("רחוב 15")).toBe("15 בוחר");
    expect(shapeText("כביש A1 צפון")).toBe("ןופצ A1 שיבכ");
    expect(shapeText("Café שלום")).toBe("Café םולש");
  });

  it("has its brackets turned", () => {
    expect(shapeText("עיר (ישן)")).toBe("(ןשי) ריע");
  });
});

describe("the bundled glyphs", () => {
  it("hold every character of their spans that a name is made of", async () => {
    const fonts = await ready();
    const all = [...PACK_SPANS, ...PACK_SCRIPTS.flatMap(({ spans }) => spans)];
    const texts = all.map(([from, to]) =>
      String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i)).replace(
        /[\p{Cn}\p{Cf}]/gu,
        "",
      ),
    );
    for (const font of ["Noto Sans Regular", "Noto Sans Medium", "Noto Sans Italic"]) {
      await fonts.prepare(texts.map((text) => ({ font, text })));
      const missing = texts.flatMap((text) => [...text].filter((character) => !fonts.covers(font, character)));
      expect([font, missing.length]).toEqual([font, expect.toSatisfy((count: number) => count < 12)]);
    }
  });
});
