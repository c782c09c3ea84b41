import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FontSet, withForm } from "../../../../src/core/maps/text/font-set.ts";
import { readStoreBlock, readStoreIndex, writeGlyphStore } from "../../../../src/core/maps/text/glyph-store.ts";
import type { Glyph } from "../../../../src/core/maps/text/glyphs.ts";
import { shapeText } from "../../../../src/core/maps/text/shape-text.ts";
import { hanFormAt, hanFormOf, toCapitals, unitOf } from "../../../../src/core/maps/text/units.ts";
import { NameUnits } from "../../../../src/importer/glyphs/name-units.ts";
import { UnitShaper } from "../../../../src/importer/glyphs/shape-units.ts";

const unitsOf = (text: string) => [...shapeText(text)].map((character) => unitOf(character.codePointAt(0) as number));

const unique = (unit: string, i: number, all: string[]) => all.indexOf(unit) === i;

describe("a name in a script whose letters change beside each other", () => {
  const names: [script: string, name: string, units: string[]][] = [
    ["Devanagari", "दिल्ली", ["दि", "ल्ली"]],
    ["Devanagari with three joined consonants", "राष्ट्र", ["रा", "ष्ट्र"]],
    ["Bengali", "ঢাকা", ["ঢা", "কা"]],
    ["Tamil, where only some consonants join", "தமிழ் ஸ்ரீ", ["த", "மி", "ழ்", " ", "ஸ்ரீ"]],
    ["Telugu", "హైదరాబాద్", ["హై", "ద", "రా", "బా", "ద్"]],
    ["Sinhala, which joins where it is said", "ශ්‍රී ලංකාව", ["ශ්‍රී", " ", "ලං", "කා", "ව"]],
    ["Thai", "น้ำ", ["น้ำ"]],
    ["Lao", "ວຽງຈັນ", ["ວ", "ຽ", "ງ", "ຈັ", "ນ"]],
    ["Khmer", "ភ្នំពេញ", ["ភ្នំ", "ពេ", "ញ"]],
    ["Georgian, letter by letter", "თბ", ["თ", "ბ"]],
    ["Latin", "Köln", ["K", "ö", "l", "n"]],
  ];
  it.each(names)("falls into its syllables: %s", (_, name, units) => expect(unitsOf(name)).toEqual(units));

  it("keeps nothing of marks that only say how letters join", () => {
    expect(shapeText("a\u200bb\u2060\u200c")).toBe("ab");
  });
});

describe("capitals", () => {
  it.each([
    ["Πειραιάς", "ΠΕΙΡΑΙΑΣ"],
    ["Ἀθῆναι", "ΑΘΗΝΑΙ"],
    ["თბილისი", "თბილისი"],
    ["Երևան", "ԵՐԵՒԱՆ"],
    ["straße", "STRASSE"],
  ])("of %s are %s on maps", (name, capitals) => expect(toCapitals(name)).toBe(capitals));
});

describe("ideographs", () => {
  it("have the form of the text's other letters, else of the place", () => {
    expect(hanFormOf("東京タワー", "zh")).toBe("ja");
    expect(hanFormOf("서울 漢江", "zh")).toBe("ko");
    expect(hanFormOf("東京", "ja")).toBe("ja");
    expect(hanFormAt(139.7, 35.7)).toBe("ja");
    expect(hanFormAt(127, 37.5)).toBe("ko");
    expect([hanFormAt(116.4, 39.9), hanFormAt(121.5, 25), hanFormAt(2, 48)]).toEqual(["zh", "zh", "zh"]);
  });
});

describe("glyphs made at the import", () => {
  const shaper = new UnitShaper();
  const glyph = async (unit: string) => (await shaper.glyph(unit)) as Glyph;

  it("differ between China, Japan and Korea where the countries write differently", async () => {
    const [zh, ja] = [await glyph("zh:直"), await glyph("ja:直")];
    expect(Buffer.compare(zh.field as Uint8Array, ja.field as Uint8Array)).not.toBe(0);
    expect([zh.advance, ja.advance]).toEqual([24, 24]);
  });

  it("put a vowel sign before its consonant, and marks above and below without taking room", async () => {
    const [consonant, syllable] = [await glyph("द"), await glyph("दि")];
    expect(syllable.advance).toBeGreaterThan(consonant.advance + 3);
    const [base, marked] = [await glyph("ร"), await glyph("รุ")];
    expect(Math.abs(marked.advance - base.advance)).toBeLessThanOrEqual(1);
    expect(marked.height).toBeGreaterThan(base.height);
  });

  it("join consonants into one shape, narrower than side by side", async () => {
    const joined = await glyph("ष्ट्र");
    const apart = await Promise.all(["ष", "ट", "र"].map(glyph));
    expect(joined.advance).toBeLessThan(apart.reduce((sum, { advance }) => sum + advance, 0));
  });

  it("are none for what no font has", async () => {
    expect(await shaper.glyph("\u{1f600}")).toBeUndefined();
  });
});

describe("a build's glyphs", () => {
  const gunzip = async (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes));
  const names = new NameUnits();
  names.add({ name: "東京", "name:zh": "东京", "name:hi": "टोक्यो", "name:de": "Tokio", kind: "東" }, 0, 0);

  it("are those of its names that do not ship: ideographs by country, syllables and their characters", () => {
    expect([...names.counts.keys()].sort()).toEqual(
      ["zh:东", "zh:京", "zh:東", "क्यो", "टो", ..."क्यट्ो"].filter(unique).sort(),
    );
  });

  it("come back from the object, and nothing else does", async () => {
    const shaper = new UnitShaper();
    const made: [string, Glyph][] = [];
    for (const unit of names.counts.keys()) made.push([unit, (await shaper.glyph(unit)) as Glyph]);
    // Several blocks.
    for (let i = 0; i < 100; i++) made.push([`x${i}`, made[0][1]]);
    const bytes = writeGlyphStore(made, (block) => gzipSync(block));
    const { units, starts } = await readStoreIndex(bytes, gunzip);
    expect(starts.at(-1)).toBe(bytes.length);
    for (const [unit, { width, height, left, top, advance, field }] of made) {
      const [block, place] = units.get(unit) as readonly [number, number];
      const glyphs = await readStoreBlock(bytes.subarray(starts[block], starts[block + 1]), gunzip);
      expect(glyphs[place]).toEqual({ id: place, width, height, left, top, advance, field });
    }
    expect(units.get("zh:山")).toBeUndefined();
    await expect(readStoreIndex(new Uint8Array(40), gunzip)).rejects.toThrow("no glyphs of version 1");
  });

  it("are asked for once, and an ideograph of another country stands in", async () => {
    const asked: string[][] = [];
    const one: Glyph = { id: 0, width: 1, height: 1, left: 0, top: 0, advance: 24, field: undefined };
    const fonts = new FontSet({
      range: async () => undefined,
      async units(units) {
        asked.push([...units]);
        return new Map(units.filter((unit) => unit === "zh:東" || unit === "दि").map((unit) => [unit, one]));
      },
    });
    const font = withForm("Noto Sans Regular", "ja");
    const text = shapeText("東दि");
    await fonts.prepare([
      { font, text },
      { font, text },
    ]);
    expect(fonts.covers(font, text)).toBe(true);
    expect(fonts.covers(font, "西")).toBe(false);
    expect(asked).toEqual([
      ["ja:東", "दि"],
      ["zh:東", "ko:東"],
    ]);
    await fonts.prepare([{ font, text }]);
    expect(asked).toHaveLength(2);
  });
});
