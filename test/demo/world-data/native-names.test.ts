import { describe, expect, it } from "vitest";
import { withoutArea } from "../../../src/demo/make/world-data/area-words.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { plainEnglish } from "../../../src/importer/world/english-names.ts";
import { withLocalName } from "../../../src/importer/world/local-names.ts";
import { townNames } from "../../../src/importer/world/map-names.ts";

/** Countries by the script of their signs, or of the language that most people read. */
const SCRIPTS: readonly (readonly [script: string, countries: string])[] = [
  ["Arabic", "AE AF BH DZ EG IQ IR JO KW LB LY MA MR OM PK PS QA SA SD SY TN YE"],
  ["Armenian", "AM"],
  ["Bengali", "BD"],
  ["Cyrillic", "BG BY KG KZ MK MN RS RU TJ UA"],
  ["Devanagari", "IN NP"],
  ["Ethiopic", "ER ET"],
  ["Georgian", "GE"],
  ["Greek", "CY GR"],
  ["Han", "CN HK MO TW"],
  ["Hangul", "KP KR"],
  ["Hebrew", "IL"],
  ["Khmer", "KH"],
  ["Lao", "LA"],
  ["Myanmar", "MM"],
  ["Sinhala", "LK"],
  ["Thai", "TH"],
];

describe("names of towns on maps of the world", () => {
  it("are in the script of the country for all towns of 50,000 people, but two in China", () => {
    const scripts = new Map(
      SCRIPTS.flatMap(([script, countries]) =>
        countries.split(" ").map((country) => [country, new RegExp(`\\p{Script=${script}}`, "u")] as const),
      ),
    );
    scripts.set("JP", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
    const list = townNames();
    const without = worldCities().filter(({ id, country, name, population }) => {
      const script = scripts.get(country);
      return (
        population >= 50_000 &&
        script &&
        !Object.values(list.of(`${id}`, country, name)).some((one) => script.test(one))
      );
    });
    expect(without.map(({ country, name }) => `${country} ${name}`)).toEqual(["CN Guli", "CN Wuyang"]);
  });

  it.each([
    ["ja", "JP", "四日市市", "Yokkaichi", "四日市"],
    ["ja", "JP", "川西市", "Kawanishi", "川西"],
    ["ja", "JP", "十日町", "Tokamachi", "十日町"],
    ["ja", "TH", "ハートヤイ郡", "Hat Yai", "ハートヤイ"],
    ["zh", "CN", "张家口市宣化区", "Xuanhua", "宣化"],
    ["zh", "CN", "景德镇", "Jingdezhen", "景德镇"],
    ["zh", "CN", "礼县", "Lixian", "礼县"],
    ["ko", "KR", "홍천군", "Hongcheon", "홍천"],
    ["my", "MM", "ပဲခူးမြို့", "Bago", "ပဲခူး"],
    ["my", "MM", "သရက်မြို့", "Thayetmyo", "သရက်မြို့"],
    ["ar", "DZ", "ولاية الجلفة", "Djelfa", "الجلفة"],
    ["hi", "IN", "कोरबा जिला", "Korba", "कोरबा"],
    ["ar", "KW", "اَلْفَرْوَانِيَّة", "Al Farwaniyah", "الفروانية"],
    ["ne", "NP", "बिराटनगर उपमहानगरपालिका", "Biratnagar", "बिराटनगर"],
    ["th", "TH", "เทศบาลนครนนทบุรี", "Nonthaburi", "นนทบุรี"],
  ])("%s in %s: %s (%s) is %s", (language, country, name, latin, short) => {
    expect(withoutArea(language, country, name, latin)).toBe(short);
  });

  it("keep the apostrophe of an English genitive only", () => {
    expect(plainEnglish("BD", "Cox’s Bāzār")).toBe("Cox's Bazar");
    expect(plainEnglish("RU", "Kazan’")).toBe("Kazan");
  });

  it("are English for rivers of several languages", () => {
    const river = { name: "Brahmaputra", "name:zh": "雅鲁藏布江" };
    const [india, tibet] = [[93, 26.7] as const, [88.5, 29.3] as const];
    expect(withLocalName(river, [[...india], [...tibet], [91.5, 29.3]]).name).toBe("Brahmaputra");
    expect(withLocalName(river, [[...tibet], [91.5, 29.3]]).name).toBe("雅鲁藏布江");
  });
});
