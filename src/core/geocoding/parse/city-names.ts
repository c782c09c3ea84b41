import type { Language } from "../entry/entry.ts";

import { fold } from "../words/normalise.ts";

/**
 * Names of large cities in the languages of the API where GeoNames' English name differs: key "country name". Includes
 * the local name, if the local language is one of the ten, and the names in neighboring countries.
 */
const NAMES: Record<string, Partial<Record<Language, string>>> = {
  "AT Vienna": {
    de: "Wien",
    fr: "Vienne",
    es: "Viena",
    pt: "Viena",
    ru: "Вена",
    ja: "ウィーン",
    zh: "维也纳",
    ko: "빈",
    ar: "فيينا",
  },
  "BE Brussels": { fr: "Bruxelles", de: "Brüssel", es: "Bruselas", pt: "Bruxelas" },
  "CH Geneva": { fr: "Genève", de: "Genf", es: "Ginebra", pt: "Genebra" },
  "CN Beijing": {
    zh: "北京",
    ja: "北京",
    de: "Peking",
    fr: "Pékin",
    es: "Pekín",
    pt: "Pequim",
    ru: "Пекин",
    ko: "베이징",
    ar: "بكين",
  },
  "CN Shanghai": { zh: "上海", ja: "上海", ru: "Шанхай", ko: "상하이", ar: "شنغهاي" },
  "CZ Prague": {
    de: "Prag",
    es: "Praga",
    pt: "Praga",
    ru: "Прага",
    ja: "プラハ",
    zh: "布拉格",
    ko: "프라하",
    ar: "براغ",
  },
  "DE Berlin": { ru: "Берлин", ja: "ベルリン", zh: "柏林", ko: "베를린", ar: "برلين", es: "Berlín", pt: "Berlim" },
  "DE Köln": { en: "Cologne", fr: "Cologne", es: "Colonia", pt: "Colônia", ru: "Кёльн", ja: "ケルン", zh: "科隆" },
  "DE Munich": { de: "München", es: "Múnich", pt: "Munique", ru: "Мюнхен", ja: "ミュンヘン", zh: "慕尼黑", ko: "뮌헨" },
  "DE Nürnberg": { en: "Nuremberg", fr: "Nuremberg", es: "Núremberg" },
  "DE Hannover": { en: "Hanover", fr: "Hanovre" },
  "DK Copenhagen": { de: "Kopenhagen", fr: "Copenhague", es: "Copenhague", pt: "Copenhaga" },
  "EG Cairo": { ar: "القاهرة", de: "Kairo", fr: "Le Caire", es: "El Cairo", ru: "Каир" },
  "ES Madrid": { ru: "Мадрид", ja: "マドリード", zh: "马德里", ko: "마드리드", ar: "مدريد" },
  "ES Sevilla": { en: "Seville", fr: "Séville" },
  "FR Paris": { ru: "Париж", ja: "パリ", zh: "巴黎", ko: "파리", ar: "باريس", es: "París" },
  "FR Lyon": { ru: "Лион", ja: "リヨン", zh: "里昂" },
  "GB London": {
    fr: "Londres",
    es: "Londres",
    pt: "Londres",
    ru: "Лондон",
    ja: "ロンドン",
    zh: "伦敦",
    ko: "런던",
    ar: "لندن",
  },
  "MX Mexico City": {
    es: "Ciudad de México",
    pt: "Cidade do México",
    fr: "Mexico",
    de: "Mexiko-Stadt",
    ja: "メキシコシティ",
  },
  "GR Athens": { de: "Athen", fr: "Athènes", es: "Atenas", pt: "Atenas", ru: "Афины" },
  "HU Budapest": { ru: "Будапешт", ja: "ブダペスト", zh: "布达佩斯" },
  "IT Rome": { es: "Roma", pt: "Roma", de: "Rom", ru: "Рим", ja: "ローマ", zh: "罗马", ko: "로마", ar: "روما" },
  "IT Milan": { es: "Milán", pt: "Milão", de: "Mailand", ru: "Милан", ja: "ミラノ", zh: "米兰" },
  "IT Florence": { de: "Florenz", es: "Florencia", pt: "Florença" },
  "IT Venice": { de: "Venedig", fr: "Venise", es: "Venecia", pt: "Veneza" },
  "IT Naples": { de: "Neapel", es: "Nápoles", pt: "Nápoles" },
  "IT Turin": { es: "Turín", pt: "Turim" },
  "JP Tokyo": { ja: "東京", zh: "东京", ko: "도쿄", ru: "Токио", ar: "طوكيو", de: "Tokio", es: "Tokio", pt: "Tóquio" },
  "JP Osaka-shi": { ja: "大阪", en: "Osaka", zh: "大阪", ko: "오사카", ru: "Осака" },
  "JP Kyoto": { ja: "京都", zh: "京都", ko: "교토", ru: "Киото" },
  "KR Seoul": { ko: "서울", ja: "ソウル", zh: "首尔", ru: "Сеул", ar: "سول", es: "Seúl", pt: "Seul" },
  "KR Busan": { ko: "부산", ja: "釜山", zh: "釜山", ru: "Пусан" },
  "PL Warsaw": { de: "Warschau", fr: "Varsovie", es: "Varsovia", pt: "Varsóvia", ru: "Варшава" },
  "PT Lisbon": { pt: "Lisboa", es: "Lisboa", de: "Lissabon", fr: "Lisbonne", ru: "Лиссабон" },
  "RO Bucharest": { de: "Bukarest", fr: "Bucarest", es: "Bucarest", ru: "Бухарест" },
  "RU Moscow": {
    ru: "Москва",
    de: "Moskau",
    fr: "Moscou",
    es: "Moscú",
    pt: "Moscovo",
    ja: "モスクワ",
    zh: "莫斯科",
    ko: "모스크바",
  },
  "RU Saint Petersburg": {
    ru: "Санкт-Петербург",
    de: "Sankt Petersburg",
    fr: "Saint-Pétersbourg",
    es: "San Petersburgo",
  },
  "SA Riyadh": { ar: "الرياض", de: "Riad", fr: "Riyad", es: "Riad", ru: "Эр-Рияд" },
  "TR Istanbul": { ru: "Стамбул", fr: "Istanbul", es: "Estambul", pt: "Istambul", ar: "إسطنبول" },
  "UA Kyiv": { de: "Kiew", ru: "Киев", es: "Kiev" },
  "US Washington, D.C.": { en: "Washington" },
  "US New York City": {
    en: "New York",
    es: "Nueva York",
    pt: "Nova Iorque",
    ru: "Нью-Йорк",
    ja: "ニューヨーク",
    zh: "纽约",
    ko: "뉴욕",
    ar: "نيويورك",
  },
};

/** The local name of a city, where the world base has its English name. */
const LOCAL: Record<string, string> = {
  "AT Vienna": "Wien",
  "BE Antwerp": "Antwerpen",
  "BE Brussels": "Bruxelles",
  "BE Ghent": "Gent",
  "CH Geneva": "Genève",
  "CZ Prague": "Praha",
  "DE Munich": "München",
  "DK Copenhagen": "København",
  "GR Athens": "Αθήνα",
  "IT Florence": "Firenze",
  "IT Genoa": "Genova",
  "IT Milan": "Milano",
  "IT Naples": "Napoli",
  "IT Padova": "Padova",
  "IT Rome": "Roma",
  "IT Syracuse": "Siracusa",
  "IT Turin": "Torino",
  "IT Venice": "Venezia",
  "MX Mexico City": "Ciudad de México",
  "NL The Hague": "Den Haag",
  "PL Warsaw": "Warszawa",
  "PT Lisbon": "Lisboa",
  "RO Bucharest": "București",
  "RS Belgrade": "Beograd",
  "RU Moscow": "Москва",
  "RU Saint Petersburg": "Санкт-Петербург",
  "UA Kyiv": "Київ",
  "US New York City": "New York",
  "US Washington, D.C.": "Washington",
};

/** Alternative names in any language. */
const ALIASES: Record<string, readonly string[]> = {
  "ES A Coruña": ["Corunna"],
  "IN Bengaluru": ["Bangalore"],
  "IN Chennai": ["Madras"],
  "IN Kolkata": ["Calcutta"],
  "IN Mumbai": ["Bombay"],
  "MM Yangon": ["Rangoon"],
  "MX Mexico City": ["CDMX"],
  "PL Bydgoszcz": ["Bromberg"],
  "US Los Angeles": ["L.A."],
  "US New York City": ["NYC", "Nova York"],
  "US Philadelphia": ["Philly"],
  "US San Francisco": ["SF"],
  "VN Ho Chi Minh City": ["Saigon"],
};

/** Other names of a city of the world base, by language; those of no language as English ones, after its own. */
export function cityNames(country: string, name: string): (readonly [Language, string])[] {
  const key = `${country} ${name}`;
  const names = Object.entries(NAMES[key] ?? {}) as [Language, string][];
  const more = [LOCAL[key], ...(ALIASES[key] ?? [])].filter((one) => one !== undefined);
  if (more.length === 0) return names;
  const own: [Language, string][] = names.some(([language]) => language === "en") ? [] : [["en", name]];
  return [...names, ...own, ...more.map((one) => ["en", one] as const)];
}

/** The city's local name, as written in addresses there. */
export function localCityName(country: string, name: string): string {
  return LOCAL[`${country} ${name}`] ?? name;
}

let others: Map<string, readonly string[]> | undefined;

/** Other names of a city that an address names: "Milano" in Italy → Milan, Mailand, Milán. */
export function otherCityNames(country: string, name: string): readonly string[] {
  if (!others) {
    others = new Map();
    for (const key of new Set([...Object.keys(NAMES), ...Object.keys(LOCAL), ...Object.keys(ALIASES)])) {
      const [code, english] = [key.slice(0, 2), key.slice(3)];
      const all = [english, ...cityNames(code, english).map(([, other]) => other)];
      for (const one of all) others.set(`${code} ${fold(one)}`, all);
    }
  }
  return others.get(`${country} ${fold(name)}`) ?? [];
}
