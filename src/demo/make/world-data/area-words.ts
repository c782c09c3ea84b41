/** Words for the area of a town, which GeoNames has in some names: "Wilayat Djelfa", "Korba district", "Gifu city". */
const WORDS: Readonly<Record<string, RegExp>> = {
  ar: /^(?:ولاية|محافظة|إمارة|قضاء)\s(?!.*\sو)/,
  bn: /\sজেলা$/,
  es: /^(?:Distrito|Municipio|Provincia) de /,
  fa: /^(?:شهرستان|استان)\s/,
  fr: /^District (?:londonien )?(?:de |d['’])/,
  km: /^ក្រុង/,
  ne: /\s(?:उप)?(?:महा)?नगरपालिका$/,
  hi: /\s(?:जिला|ज़िला)$/,
  th: /^(?:จังหวัด|เทศบาลนคร|เทศบาลเมือง)/,
};

/** The name of a town as maps have it: without the word for its area ("大阪市", "성남시"), but where the Latin name has it too. */
export function withoutArea(language: string, country: string, name: string, latin: string): string {
  // Maps are without the vowels of Arabic: "اَلْفَرْوَانِيَّة".
  const clean = name.replace(/\s*[|(:،].*$/, "").replace(/[\u064b-\u0652]/g, "");
  const word = WORDS[language];
  if (word) return clean.replace(word, "");
  if (language === "my") return /myo$/i.test(latin) ? clean : clean.replace(/(?<=.{3})မြို့$/u, "");
  if (language === "ko") return withoutKorean(clean, country);
  if (language !== "ja" && language !== "zh") return clean;
  if (clean.endsWith("市市")) return clean.slice(0, -1);
  if (clean.length > 2 && clean.endsWith("市") && !/(?:ichi|(?<!n)ishi)$/i.test(latin))
    return clean.slice(0, -1).trim();
  if (country === "JP") return /(?:ch[oō]|machi|mura)$/i.test(latin) ? clean : clean.replace(/(?<=.{2})[町村]$/u, "");
  // In Katakana: "ハートヤイ郡" is Hat Yai. In China: "张家口市宣化区".
  if (language === "ja" && /^[\p{Script=Katakana}ー・]+\p{Script=Han}+$/u.test(clean))
    return clean.replace(/(?:地区|[郡県区])$/u, "");
  // Jingdezhen (景德镇) has the word in its name.
  if (/(?:zhen|xian)$/i.test(latin)) return clean;
  return clean.replace(/^[^市]+市(?=.{2,}区$)/u, "").replace(/(?<=.{2})(?:地区|[区區县縣鎮镇])$/u, "");
}

function withoutKorean(name: string, country: string): string {
  if (name.length > 2 && name.endsWith("시")) return name.slice(0, -1).trim();
  return country === "KR" ? name.replace(/(?<=.{2})군$/u, "") : name.replace(/\s구$/u, "");
}
