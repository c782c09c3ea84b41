import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../../src/core/geocoding/parse/query.ts";
import { otherForms } from "../../../../src/core/geocoding/words/abbreviations.ts";
import { fold, tokensOf } from "../../../../src/core/geocoding/words/normalise.ts";
import { mistakes, mistakesOf } from "../../../../src/core/geocoding/words/typo.ts";

describe("a text becomes words", () => {
  it.each([
    ["Straße des 17. Juni", "strasse des 17 juni"],
    ["St. John's N.E.", "st johns ne"],
    ["217-14 Jamaica Ave.", "217-14 jamaica ave"],
    ["10½ Elm", "10 1/2 elm"],
    ["Łódź, Øster Allé", "lodz oster alle"],
    ["L'Hôpital", "lhopital"],
    ["ул. Ленина, 5", "ул ленина 5"],
    ["東京都千代田区", "東京 京都 都千 千代 代田 田区"],
    ["القاهرة", "القاهره"],
    ["ジュネーヴ", tokensOf("ジュネーブ").join(" ")],
    ["ヴェネツィア", tokensOf("ベネツィア").join(" ")],
    ["서울특별시", fold("서울특별시")],
    ["14 - 18 Grabengasse", "14-18 grabengasse"],
    ["C.so Italia, P.zza Duomo", "cso italia pzza duomo"],
    ["  ,;. ", ""],
  ])("%s", (text, words) => expect(tokensOf(text).join(" ")).toBe(words));

  it("of bounded number and length", () => {
    expect(parseQuery("a ".repeat(5000), false).words.length).toBeLessThanOrEqual(16);
    expect(tokensOf("x".repeat(10_000))[0]).toHaveLength(256);
  });
});

describe("words stand for each other", () => {
  it.each([
    ["st", "street"],
    ["st", "saint"],
    ["street", "st"],
    ["ave", "avenue"],
    ["blvd", "boulevard"],
    ["hauptstr", "hauptstrasse"],
    ["kerkstr", "kerkstraat"],
    ["n", "north"],
    ["5", "5th"],
    ["first", "1st"],
    ["112", "112th"],
    ["11", "11th"],
    ["c", "calle"],
    ["av", "avenida"],
    ["pza", "piazza"],
    ["ул", "улица"],
    ["muenchen", "munchen"],
  ])("%s → %s", (word, other) => expect(otherForms(word)).toContain(other));

  it("a doubled letter is a mistake and no umlaut", () => {
    expect(otherForms("avenuee")).not.toContain("avenue");
    expect(otherForms("strasseue")).toContain("strasseu");
  });
});

describe("mistakes between words", () => {
  it.each([
    ["jamaica", "jamaica", 0],
    ["jamaca", "jamaica", 1],
    ["jmaaica", "jamaica", 1],
    ["jamaicca", "jamaica", 1],
    ["jamaixa", "jamaica", 1],
    ["gamaica", "jamaica", 2],
    ["ajmaica", "jamaica", 2],
  ])("%s, %s: %i", (a, b, count) => expect(mistakes(a, b, 2)).toBe(count));

  it("of a word of three letters are letters left out, nothing else", () => {
    expect(mistakesOf("rad", "road", 1)).toBe(1);
    expect(mistakesOf("oav", "oak", 1)).toBeGreaterThan(1);
    expect(mistakesOf("new", "ne", 1)).toBeGreaterThan(1);
  });

  it("of the beginning of a word only count as far as it is typed", () => {
    expect(mistakes("heidlb", "heidelberg", 2, true)).toBe(1);
    expect(mistakes("heidlb", "heidelberg", 2)).toBeGreaterThan(2);
  });

  it("agree with the plain table of edits on random words", () => {
    let seed = 5;
    const draw = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * n);
    };
    const word = () => Array.from({ length: 1 + draw(7) }, () => "abc"[draw(3)]).join("");
    for (let i = 0; i < 3000; i++) {
      const [a, b] = [`x${word()}`, `x${word()}`];
      const plain = edits(a, b);
      expect([a, b, Math.min(3, mistakes(a, b, 2))]).toEqual([a, b, Math.min(3, plain)]);
    }
  });
});

/** Optimal string alignment, the whole table. Words with the same first letter. */
function edits(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i ? 0 : j) + (j ? 0 : i)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.length][b.length];
}

describe("a query", () => {
  it.each(["414 Oak Blvd, Lake City, FL 36075", "414 Oak Blvd, Lake City FL. 36075-1234"])(
    "of Florida keeps its state and code: %s",
    (text) => {
      const { unit, words } = parseQuery(text, false);
      expect(unit).toBeUndefined();
      expect(words.map((word) => word.text)).toEqual(expect.arrayContaining(["fl", expect.stringMatching(/^36075/)]));
    },
  );

  it("leaves its last word open only while it is typed", () => {
    expect(parseQuery("main st", true).words.map(({ open }) => open)).toEqual([false, true]);
    expect(parseQuery("main st ", true).words.map(({ open }) => open)).toEqual([false, false]);
    expect(parseQuery("main st", false).words.map(({ open }) => open)).toEqual([false, false]);
  });

  it.each([
    ["20 Jay St Apt 4B, Brooklyn", "4B"],
    ["20 Jay St #12", "12"],
    ["20 Jay St, Suite 300", "300"],
    ["Hauptstr. 5, Whg 3", "3"],
    ["20 Jay St FL 3, Brooklyn", "3"],
  ])("%s has unit %s, which is no word of it", (text, unit) => {
    const parsed = parseQuery(text, false);
    expect(parsed.unit).toBe(unit);
    expect(parsed.words.map(({ text: word }) => word)).not.toContain(unit.toLowerCase());
  });
});
