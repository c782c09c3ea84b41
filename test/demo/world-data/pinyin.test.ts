import { describe, expect, it } from "vitest";
import { hangulOf, palladiusOf } from "../../../src/demo/make/world-data/pinyin.ts";

describe("names of cities in China", () => {
  it.each([
    ["guang zhou", "Гуанчжоу", "광저우"],
    ["chang an", "Чанъань", "창안"],
    ["xi an", "Сиань", "시안"],
    ["zhu ma dian", "Чжумадянь", "주마뎬"],
    ["jiu quan", "Цзюцюань", "주취안"],
    ["lü liang", "Люйлян", "뤼량"],
    ["zi bo", "Цзыбо", "쯔보"],
    ["hui zhou", "Хуэйчжоу", "후이저우"],
    ["shi jia zhuang", "Шицзячжуан", "스자좡"],
    ["yun cheng", "Юньчэн", "윈청"],
    ["e zhou", "Эчжоу", "어저우"],
    ["qing yuan", "Цинъюань", "칭위안"],
  ])("%s: %s, %s", (pinyin, russian, korean) => {
    const syllables = pinyin.replace("ü", "v").split(" ");
    expect(palladiusOf(syllables)).toBe(russian);
    expect(hangulOf(syllables)).toBe(korean);
  });
});
