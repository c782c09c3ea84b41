import { LANGUAGES, type Language } from "../../../core/geocoding/entry/entry.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { allowedMistakes, mistakes } from "../../../core/geocoding/words/typo.ts";
import { type City, worldCities } from "../../../importer/world/cities.ts";
import { ARABIC, arabicNames } from "./arabic-names.ts";
import { withoutArea } from "./area-words.ts";
import { type EasternNames, easternNames } from "./chinese-names.ts";
import { readCities, readNames } from "./geonames.ts";

/** Smaller cities have no names without a language. */
const MIN_POPULATION = 100_000;
/** Smaller cities have no names at all: the world base data would grow by 8 MB (GeoNames has names from 15,000 people). */
const MIN_NAMED_POPULATION = 60_000;
/** Number of names without a language, by script. */
const MAX_NAMES: readonly (readonly [script: RegExp, count: number])[] = [
  [/^[\p{Script=Latin}\p{M}\s'’.-]+$/u, 16],
  [/^[\p{Script=Cyrillic}\p{M}\s'’.-]+$/u, 4],
  [/^[\p{Script=Arabic}\p{M}\s]+$/u, 3],
  [/^[\p{Script=Han}]+$/u, 4],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}ー・]+$/u, 2],
  [/^[\p{Script=Hangul}\s]+$/u, 2],
  [/^[\p{Script=Greek}\p{M}\s-]+$/u, 2],
  [/^[\p{Script=Hebrew}\p{M}\s'"׳-]+$/u, 2],
  [/^[\p{Script=Armenian}\s-]+$/u, 1],
  [/^[\p{Script=Georgian}\s-]+$/u, 1],
  ...[
    "Devanagari",
    "Bengali",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Thai",
    "Khmer",
    "Myanmar",
    "Lao",
    "Ethiopic",
    "Gujarati",
    "Gurmukhi",
    "Oriya",
    "Sinhala",
  ].map((script) => [new RegExp(`^[\\p{Script=${script}}\\p{M}\\s-]+$`, "u"), 1] as const),
];
/** The first name in a script of few languages is its name of today. */
const FEW_LANGUAGES =
  /^[\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Lao}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Sinhala}]/u;
/** Airports and telephone codes are among the names: "GVA". */
const CODE = /^[\p{Lu}\d]{1,4}$/u;
/** Some are romanized without capitals: "ri nei wa". Georgian has none. */
const LOWER = /^(?!\p{Script=Georgian})\p{Ll}/u;

/** Scripts of languages; GeoNames has some of their names in Latin letters. */
const SCRIPTS: Partial<Record<Language, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};
const isIn = (language: Language, name: string) => SCRIPTS[language]?.test(name) ?? true;

/** The language of a name that GeoNames has without one. */
const ALONE: readonly (readonly [Language, RegExp])[] = [
  ["ko", /^[\p{Script=Hangul}\s]+$/u],
  ["ja", /^[\p{Script=Hiragana}\p{Script=Katakana}ー・]+$/u],
  ["zh", /^\p{Script=Han}+$/u],
  ["ar", ARABIC],
];
/** Countries where such a name is one of another language. */
const OTHERWISE: Partial<Record<Language, readonly string[]>> = {
  zh: ["JP", "KR", "KP"],
  ar: ["IR", "PK", "IN", "AF", "CN"],
};

/**
 * city-aliases.txt: GeoNames id, names by language ("de:Mailand") where they differ from the city's own, then names
 * without a language. These omit names that a larger city is called by, and those that are one letter from another one.
 */
export async function cityAliases(folder: string): Promise<string[]> {
  const eastern = await easternNames(folder);
  return [...namedCities(folder, eastern)];
}

/** Languages of scripts in which cities are only found. */
const OTHER_SCRIPTS = "hi bn ta te kn ml th km my lo am ka mr ne gu pa or si fa ur ps sd".split(" ");
/** "Cox's Bazar District" in letters of the language. */
export const FOREIGN = /^[^\p{Script=Latin}\p{Script=Han}]+$/u;

/** Of Devanagari, a nasal before a consonant of its class, which may be a dot: मुम्बई is मुंबई. */
const NASAL = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/gu;

/** Names of a city in the scripts that the API does not have, by id. */
function inOtherScripts(folder: string) {
  const catalogs = OTHER_SCRIPTS.map((language) => [language, readNames(folder, language)] as const);
  return ({ id, country, name }: City): string[] => {
    const found = catalogs.flatMap(([language, byId]) => {
      const other = byId.get(id);
      if (other === undefined || !FOREIGN.test(other)) return [];
      const own = withoutArea(language, country, other, name).trim();
      return [own, own.replace(NASAL, "ं")];
    });
    return [...new Set(found)];
  };
}

/** Languages of today whose names of a city are main ones; GeoNames also has names in Latin, Esperanto and small languages. */
const LIVING =
  "af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lb lo lt lv mk ml mn mr ms mt my nb ne nl or pa pl pt ro ru si sk sl so sq sr sv sw ta te tg th tk tr uk ur uz vi zh".split(
    " ",
  );

/** The names of today in these languages, by id. */
function mainNames(folder: string): ReadonlyMap<number, ReadonlySet<string>> {
  const names = new Map<number, Set<string>>();
  for (const language of LIVING) {
    for (const [id, name] of readNames(folder, language)) {
      const own = names.get(id);
      if (own) own.add(fold(name));
      else names.set(id, new Set([fold(name)]));
    }
  }
  return names;
}

/** GeoNames has the Japanese name of Puyang in Henan for the one in Zhejiang. */
function namesIn(folder: string, language: Language): Map<number, string> {
  const names = readNames(folder, language);
  if (language === "ja") names.delete(1798425);
  return names;
}

function* namedCities(folder: string, eastern: EasternNames): Generator<string> {
  const main = mainNames(folder);
  const inScripts = inOtherScripts(folder);
  const languages = LANGUAGES.map((language) => [language, namesIn(folder, language)] as const);
  const addedNames = namesOfOtherScripts(folder, eastern);
  const alternates = new Map(readCities(folder).map((city) => [city.id, city.alternates]));
  const larger = new Set<string>();
  for (const city of worldCities()) {
    const { id, name, country, population, rank } = city;
    const isCapital = rank === "capital";
    if (population < MIN_NAMED_POPULATION && !isCapital) continue;
    const isLarge = population >= MIN_POPULATION || isCapital;
    const isMain = (other: string) => FEW_LANGUAGES.test(other) || main.get(id)?.has(fold(other));
    const sign = (other: string) => (isMain(other) ? ":" : "");
    const known = new Set([fold(name)]);
    const names: string[] = [];
    for (const [language, byId] of languages) {
      const other = byId.get(id)?.replace(/\s*[|(:].*$/, "");
      if (!other || other === name || CODE.test(other) || (!isLarge && isKnownBy(fold(other), known))) continue;
      // GeoNames' English names are often older ("Anking") or longer ("Sharjah city") than its own name of a city.
      if (language !== "en" && isIn(language, other)) names.push(`${language}:${other}`);
      else if (!known.has(fold(other))) names.push(`${sign(other)}${other}`);
      known.add(fold(other));
    }
    if (isLarge) {
      for (const [language, other] of addedNames(country, name, names, alternates.get(id) ?? [])) {
        names.push(`${language}:${other}`);
        known.add(fold(other));
      }
      const counts = MAX_NAMES.map(() => 0);
      const short = shortNames(name, alternates.get(id) ?? []).filter((one) => !larger.has(fold(one)));
      for (const other of short) {
        if (known.has(fold(other))) continue;
        known.add(fold(other));
        names.push(`~${other}`);
      }
      for (const other of inScripts(city)) {
        if (other === "" || known.has(fold(other))) continue;
        known.add(fold(other));
        names.push(`:${other}`);
      }
      for (const other of alternates.get(id) ?? []) {
        const folded = fold(other);
        const script = MAX_NAMES.findIndex(([pattern]) => pattern.test(other));
        if (script < 0 || counts[script] === MAX_NAMES[script][1] || isKnownBy(folded, known)) continue;
        if (CODE.test(other) || LOWER.test(other) || larger.has(folded) || folded.length < 2) continue;
        counts[script]++;
        known.add(folded);
        names.push(`${sign(other)}${other}`);
        const dotted = other.replace(NASAL, "ं");
        if (dotted !== other && !known.has(fold(dotted))) names.push(`${sign(other)}${dotted}`);
      }
    }
    larger.add(fold(name));
    if (names.length > 0) yield [id, ...names].join("|");
  }
}

/** Names in languages of other scripts that a city lacks: from its names without a language, or computed. */
function namesOfOtherScripts(folder: string, eastern: EasternNames) {
  const arabic = arabicNames(folder);
  return (country: string, name: string, names: readonly string[], others: readonly string[]) => {
    const nameIn = (language: Language) => names.find((one) => one.startsWith(`${language}:`))?.slice(3);
    const alone = ALONE.flatMap(([language, script]) => {
      const other = OTHERWISE[language]?.includes(country) ? undefined : others.find((one) => script.test(one));
      return other === undefined ? [] : [[language, language === "zh" ? eastern.simplified(other) : other] as const];
    });
    const local = country === "JP" ? nameIn("ja") : undefined;
    const computed: Partial<Record<Language, string>> = country === "CN" ? eastern.chinese(name) : {};
    const added: Partial<Record<Language, string>> = {
      ar: arabic(country, name),
      ...Object.fromEntries(alone),
      ...computed,
      ...(local !== undefined && /^\p{Script=Han}+$/u.test(local) && { zh: eastern.japanese(local) }),
    };
    return LANGUAGES.flatMap((language) => {
      const other = added[language];
      return other === undefined || nameIn(language) !== undefined ? [] : [[language, other] as const];
    });
  };
}

/** "Frankfurt" of Frankfurt am Main, which is the name of it. */
const shortNames = (name: string, others: readonly string[]) =>
  others.filter((other) => fold(name).startsWith(`${fold(other)} `) && !CODE.test(other));

/** A name of at least five letters is found with a wrong letter, one of eight with two. */
function isKnownBy(name: string, known: ReadonlySet<string>): boolean {
  if (known.has(name)) return true;
  if (name.length < 5) return false;
  const most = allowedMistakes(name);
  for (const other of known) if (mistakes(name, other, most) <= most) return true;
  return false;
}
