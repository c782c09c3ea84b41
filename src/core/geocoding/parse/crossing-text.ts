/**
 * "A / B" and its variants: between the streets, characters and words that rarely occur in names, then those that do
 * ("y", "e"). A text may also begin with "corner of", "Ecke", "esquina de", or end with "sarok", "köşesi".
 */
const SURE =
  /\s*[&@×]\s*|\/\s*(?:ecke|hoek)\s+|\s+\/\s*|(?<=\p{L}|[.)])\/\s*(?=\p{L}|\d+\p{L})|(?<=\p{L}\s?\d+)\/(?=\p{L}{2})|\/\s+|\s+(?:at|x|ecke|cnr\.?|corner(?:\s+of)?|esquina(?:\s+(?:con|com|de|da))?|esq\.?|coin|angle|angolo(?:\s+(?:con|di))?|ang\.|cruce(?:\s+(?:con|de))?|cruzamento(?:\s+(?:com|de))?|incrocio(?:\s+con)?|hoek|róg|roh|sarok|kulma|kulman|hörnet|hjørnet|köşesi|угол|ъгъл|ріг|colț(?:\s+cu)?|ugao|γωνία|角)\s+/giu;
const DOUBTFUL =
  /\s+(?:com\s+[ao]|com|and|und|y|et\s+de|et|e|con|en|i|og|och|ja|a|és|ve|ile|cu|și|si|и|і|та|και|และ)\s+|(?<=[路街道巷])[与和與](?=\p{Script=Han})|(?<=[로길])(?:와|과)\s+|(?<=[目通道線筋路町])と(?=\p{Script=Han})/giu;
const AHEAD =
  /^\s*(?:(?:the|at the|op de|an der|na|на|au|à l['’]|en la|all['’]|σε|la)\s*)?(?<!\p{L})(?:corner|cnr\.?|intersection|junction|crossing|crossroads|ecke|kreuzung|esquina|esq\.|cruce|intersección|coin|angle|croisement|carrefour|angolo|incrocio|hoek|kruispunt|kruising|rogu|róg|skrzyżowani[eu]|rohu|roh|nároží|křižovat[kc][ae]|križovat[kc][ae]|cruzamento|hjørnet|hörnet|gathörnet|korsningen|krysset|risteys|угол|углу|перекр[её]сток|пересечение|ъгъла|ъгъл|кръстовището|розі|ріг|перехрестя|colțul|colț|intersecția|ugao|uglu|križanje|raskrižje|γωνία|διασταύρωση)(?:\s+(?:of|between|на|von|zwischen|de la|del|de|da|do|di|tra|fra|van|tussen|af|av|mellom|mellan|ulic|улиц|вулиць|между|між|entre|des|der))?\s+/iu;
/** Words after the second street, before a comma or the end. */
const BEHIND =
  /(?:\s(?:sarok|sarka|kulma|kulmassa|köşesi|kesişimi|kavşağı|교차로|사거리)|の?(?:交差点|角)|(?:十字)?路口|交叉(?:路)?口)(?=,|$)/iu;
/** A town before the streets: "Тверь, улица Ленина и проспект Мира". */
const TOWN_FIRST = /^([^,\d]{2,60}),([^,]+)$/u;

/** Maximum number of readings of a text as two streets. */
const MAX_COUNT = 3;

export interface CrossingText {
  streets: readonly [string, string];
  /** A separator that rarely occurs in names, or a leading "corner of". */
  sure: boolean;
}

/** The two streets in a text, the likeliest reading first; the text after the second street's comma applies to both. */
export function crossingsIn(text: string): CrossingText[] {
  const found = streetsIn(text);
  const turned = found.length === 0 ? TOWN_FIRST.exec(text) : null;
  return turned ? streetsIn(`${turned[2].trim()}, ${turned[1].trim()}`) : found;
}

function streetsIn(text: string): CrossingText[] {
  const ahead = AHEAD.exec(text);
  const after = ahead ? text.slice(ahead[0].length) : text;
  const behind = BEHIND.exec(after);
  const rest = behind ? after.slice(0, behind.index) + after.slice(behind.index + behind[0].length) : after;
  const out: CrossingText[] = [];
  for (const [signs, isSure] of [
    [SURE, true],
    [DOUBTFUL, ahead !== null || behind !== null],
  ] as const) {
    for (const sign of rest.matchAll(signs)) {
      const streets = [rest.slice(0, sign.index), rest.slice(sign.index + sign[0].length)] as const;
      // The town follows a comma: "Main St, Salem and …" is not a crossing.
      if (streets.some((street) => !/\p{L}{2}|\d/u.test(street)) || streets[0].includes(",")) continue;
      if (out.length < MAX_COUNT) out.push({ streets, sure: isSure });
    }
  }
  return out;
}
