import { describe, expect, it } from "vitest";
import { RTL_TEXT } from "../../../../src/core/maps/text/rtl-text.ts";
import { shapeText } from "../../../../src/core/maps/text/shape-text.ts";

const { applyArabicShaping, processBidirectionalText, processStyledBidirectionalText } = RTL_TEXT;

describe("interactive maps", () => {
  it("show names that are read from the right as images do", () => {
    for (const name of ["مكة المكرمة", "ירושלים (אל-קודס)", "تهران 12", "Hotel شيراز", "Straße 5", "東京"]) {
      expect(processBidirectionalText(applyArabicShaping(name), [])).toEqual([shapeText(name)]);
    }
  });

  it("break them into lines of which the first is read first", () => {
    const name = "תל אביב";
    expect(processBidirectionalText(name, [3])).toEqual([" לת", "ביבא"]);
    expect(processBidirectionalText("Bad Tölz", [4, 8])).toEqual(["Bad ", "Tölz"]);
    // A line of Latin letters within a Hebrew name stays in its order.
    expect(processBidirectionalText("מלון Inn 7", [5])[1]).toBe("Inn 7");
  });

  it("keep what is written in another style in that style, wherever it goes", () => {
    const [[text, styles]] = processStyledBidirectionalText("אב12", [0, 0, 1, 1], []);
    expect(text).toBe("12בא");
    expect(styles).toEqual([1, 1, 0, 0]);
  });
});
