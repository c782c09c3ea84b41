/**
 * Country-specific forms of house numbers, and their replacements that separate words from numbers. They apply to
 * queries; data stores numbers and names separately.
 */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  // Czech and Slovak: "č.ev. 12", "ev. č. 12", "ev.12" is the number of a cottage; "32 / 12" is one number.
  [/(?<![\p{L}\p{N}])(?:[čc]\.?\s*e(?:v)?\.|čev\.?|ev\.)(?:\s*[čc]\.?)?\s*(?=\d{1,4}(?!\d))/giu, "ev"],
  [/(\d)\s+\/\s+(?=\d)/gu, "$1/"],
  // Russia: "3, корп. 7", "10 стр. 1" are numbers of buildings, as "3к7" and "10с1".
  [/(?<![\p{L}\p{N}])(\d{1,4}(?:\/\d{1,4})?[а-я]?)[\s,]*(?:корпус|корп|кор|к)\.?\s*№?(?=\d{1,3}(?!\d))/giu, "$1к"],
  [
    /(?<![\p{L}\p{N}])(\d{1,4}(?:\/\d{1,4})?[а-я]?(?:к\d{1,3})?)[\s,]*(?:строение|строен|стр|с)\.?\s*№?(?=\d{1,3}(?!\d))/giu,
    "$1с",
  ],
  [/(?<![\p{L}\p{N}])(\d{1,4}[a-z]?)[\s,]+(?:korpus|korp)\.?\s*(?=\d{1,3}(?!\d))/giu, "$1к"],
  // "D-88131 Lindau", "CH-8001": the country's letters for its cars before a postal code.
  [/(?<![\p{L}\p{N}])(?:d|a|ch|f|i|b|l|nl|dk|s|n|fin|fi|pl|cz|sk|e|p|gr|hr|si)-(?=\d{4,5}(?![\d-]))/giu, ""],
  // Japan: "2丁目8番1号", "2-8-1" after a name, "2ー8ー1".
  [/(?<=\d)ー(?=\d)/gu, "-"],
  [/(\d+)番地?(?:の|-)?(\d+)号?/gu, "$1-$2"],
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
  [/([가-힣]로)\s+(?=\d+(?:번|가|나|다)?길)/gu, "$1"],
];

/** Every form above contains one of these; most queries contain none, and one test is faster than all forms. */
const MAY_HAVE_FORM = /[\u0250-\uffff]|\/|-\d|ev|e\.|korp|ch[oō]me|entre/i;

/** A query with house numbers of such forms written plainly. */
export function rewriteNumbers(text: string): string {
  if (!MAY_HAVE_FORM.test(text)) return text;
  let out = withoutCrossStreets(text);
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
