import { BUILDINGS } from "./numbers.ts";

/** Of a Vietnamese city: there "P.6, Q3" are a ward and a district. */
const VIETNAM = /tp\.|hcm|h[oồ] ch[ií] minh|h[aà] n[oộ]i|[đd][aà] n[aẵ]ng|vi[eệ]t ?nam|qu[aậ]n|ph[uư][oờ]ng/iu;
const IN_VIETNAM: typeof REWRITES = [
  [/(?<![\p{L}\p{N}])q\.?\s?(?=\d{1,2}(?![\p{L}\p{N}]))/giu, "Quận "],
  [/(?<![\p{L}\p{N}])p\.?\s?(?=\d{1,2}(?![\p{L}\p{N}]))/giu, "Phường "],
];

/**
 * Country-specific forms of house numbers, and their replacements that separate words from numbers. They apply to
 * queries; data stores numbers and names separately.
 */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  // Czech and Slovak: "č.ev. 12", "ev. č. 12", "ev.12" is the number of a cottage; "32 / 12" is one number.
  [/(?<![\p{L}\p{N}])(?:[čc]\.?\s*e(?:v)?\.|čev\.?|ev\.)(?:\s*[čc]\.?)?\s*(?=\d{1,4}(?!\d))/giu, "ev"],
  [/(\d)\s+\/\s+(?=\d)/gu, "$1/"],
  // Russia: "3, корп. 7", "10 стр. 1" are numbers of buildings, as "3к7" and "10с1".
  ...BUILDINGS.map(([letter, words]): readonly [RegExp, string] => [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(\\d{1,4}(?:\\/\\d{1,4})?[а-я]?(?:\\p{L}\\d{1,3})?)[\\s,]*(?:${words}|${letter})\\.?\\s*№?(?=\\d{1,3}(?!\\d))`,
      "giu",
    ),
    `$1${letter}`,
  ]),
  [/(?<![\p{L}\p{N}])(\d{1,4}[a-z]?)[\s,]+(?:korpus|korp)\.?\s*(?=\d{1,3}(?!\d))/giu, "$1к"],
  // "D-88131 Lindau", "CH-8001": the country's letters for its cars before a postal code.
  [/(?<![\p{L}\p{N}])(?:d|a|ch|f|i|b|l|nl|dk|s|n|fin|fi|pl|cz|sk|e|p|gr|hr|si)-(?=\d{4,5}(?![\d-]))/giu, ""],
  // Czech villages: "č. p. 47".
  [/(?<![\p{L}\p{N}])[čc]\.\s*p\.\s*(?=\d)/giu, "čp "],
  // Colombia's grid: "Carrera 7 No. 71A - 21", "Kr 7 71A 21".
  [
    /(?<![\p{L}\p{N}])((?:calle|cll?|carrera|cra|kra|kr|cr|transversal|transv|tv|diagonal|dg|ac|ak)\.?\s+\d+\s?[a-z]?(?:\s?bis)?(?:\s(?:sur|norte|este|oeste))?)\s*(?:#|no?\.?|n[°º]\.?)?\s*(\d{1,3}(?:\s?[a-z])?(?:\s?bis)?)(?:\s*-\s*|\s+)(?=\d{1,3}(?!\d))/giu,
    "$1 $2-",
  ],
  // Pakistan and India: "H# 12", "Street # 5", "House No. 12".
  [
    /(?<=(?<!\p{L})(?:house|h|road|street|st|plot|lane|gali|sector|block))\.?\s*(?:#|no\.?\s?#?|nº)\s*(?=\p{L}?-?\d)/giu,
    " ",
  ],
  // Islamabad: "F7/2" is sector F-7/2.
  [/(?<![\p{L}\p{N}])([a-i])(?=\d{1,2}\/\d(?![\p{L}\p{N}]))/giu, "$1-"],
  // "1.578": a number over a thousand.
  [/(?<![\p{L}\p{N}.,])(\d{1,2})\.(?=\d{3}(?![\p{L}\p{N}.]|,\d))/gu, "$1"],
  // Vietnam: "P.6, Q3, TP.HCM".
  [/(?<![\p{L}\p{N}])tp\.?\s*hcm(?!\p{L})/giu, "Thành phố Hồ Chí Minh"],
  [/(?<![\p{L}\p{N}])tp\.\s*(?=\p{L})/giu, "Thành phố "],
  // Thailand: "ถ.สุขุมวิท", "ซ.ทองหล่อ"; villages are in no name.
  [/(?<!\p{L})ถ\.\s*/gu, "ถนน"],
  [/(?<!\p{L})ซ\.\s*/gu, "ซอย"],
  [/(?<!\p{L})(?:หมู่(?:ที่)?|ม\.)\s*\d+|(?:บ้าน)?เลขที่/gu, " "],
  [/กรุงเทพฯ|กทม\.?/gu, "กรุงเทพมหานคร"],
  // Taiwan: "79之3號".
  [/(?<=\d)之(?=\d)/gu, "-"],
  // Japan: "2丁目8番1号", "2-8-1" after a name, "2ー8ー1".
  [/(?<=\d)\s?[ー－−‐-―]\s?(?=\d)/gu, "-"],
  [/(\d+)番地?(?:の|-)?\s*(\d+)号?/gu, "$1-$2"],
  [
    /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(\d{1,2})-(\d{1,3})-(\d{1,4})(?![\d-])/gu,
    "$1丁目$2-$3",
  ],
  [/(\d{1,2})\s?-?\s?ch[oō]me(?:-(?=\d))?/giu, "$1 chome "],
  [
    /(?<![\d-])(\d{1,2})-(\d{1,3})-(\d{1,4})(?![\d-]),?\s+(\p{Lu}\p{L}+)(?=.*(?:-(?:ku|shi|cho|machi)|japan)(?!\p{L}))/giu,
    "$4 $1 chome $2-$3",
  ],
  [
    /(\p{Lu}\p{L}+)\s(\d{1,2})-(\d{1,3})-(\d{1,4})(?![\d-])(?=.*(?:-(?:ku|shi|cho|machi)|japan)(?!\p{L}))/giu,
    "$1 $2 chome $3-$4",
  ],
  // Australia: "U5/12", "Unit 5/12".
  [/(?<![\p{L}\p{N}])(?:u|unit|flat|apt|apartment|lot|shop|villa)\.?\s*(\d+)\/(?=\d)/giu, "$1/"],
  // Korea: "테헤란로152", and "세종대로 23길", which is one name.
  [/([가-힣\d][로길])(?=\d+(?:-\d+)?(?![\d가-힣-]))/gu, "$1 "],
  // Lots: "서울특별시강남구역삼동736-1번지".
  [/(?<=\d)번지/gu, " "],
  [/([가-힣]{1,3}?[시군구])(?=[가-힣]{1,4}(?:동|읍|면|리|로|길)\s?\d)/gu, "$1 "],
  [/([가-힣](?:동|읍|면|리))(?=\d+(?:-\d+)?(?![\d가-힣-]))/gu, "$1 "],
  [/([가-힣]로)\s+(?=\d+(?:번|가|나|다)?길)/gu, "$1"],
];

/** Every form above contains one of these; most queries contain none, and one test is faster than all forms. */
const MAY_HAVE_FORM =
  /[\u0250-\uffff]|\/|-\d|ev|e\.|korp|ch[oō]me|entre|#|no|[čc]\.|tp|q\.?\s?\d|p\.|\d\.\d{3}|\b(?:c|k|t|d|a)[a-z]*\.?\s\d/i;

/** A query with house numbers of such forms written plainly. */
export function rewriteNumbers(text: string): string {
  if (!MAY_HAVE_FORM.test(text)) return text;
  let out = withoutCrossStreets(text);
  if (VIETNAM.test(out)) for (const [form, plain] of IN_VIETNAM) out = out.replace(form, plain);
  for (const [form, plain] of REWRITES) out = out.replace(form, plain);
  return out;
}

/** "entre Medellín y Monterrey", "e/ 8 y 10". */
const BETWEEN = /[\s,](?:entre\s|e\/)/i;

/**
 * Mexico and Argentina write next to a house number between which streets it is: "Durango 245 entre Medellín y Monterrey, Cuauhtémoc"
 * → "Durango 245, Cuauhtémoc".
 */
function withoutCrossStreets(text: string): string {
  const at = text.search(BETWEEN);
  if (at < 0) return text;
  const before = text.slice(0, at);
  const comma = text.slice(at + 1).search(/[,;]/);
  const end = comma < 0 ? text.length : at + 1 + comma;
  const isHouse = /\d\p{L}?$/u.test(before.trimEnd());
  return isHouse && /\sy\s/i.test(text.slice(at, end)) ? before + text.slice(end) : text;
}
