/**
 * "A / B" and its variants: between the streets, characters and words that rarely occur in names, then those that do
 * ("y", "e"). A text may also begin with "corner of", "Ecke", "esquina de".
 */
const SURE =
  /\s*[&@×]\s*|\s+\/\s*|(?<=\p{L}|[.)])\/\s*(?=\p{L}|\d+\p{L})|(?<=\p{L}\s?\d+)\/(?=\p{L}{2})|\/\s+|\s+(?:at|x|ecke|corner(?:\s+of)?|esquina(?:\s+(?:con|com|de))?|esq\.?|angle|angolo(?:\s+(?:con|di))?|cruce(?:\s+(?:con|de))?|cruzamento(?:\s+(?:com|de))?|incrocio(?:\s+con)?|hoek|róg|sarok|kulma|kulman|hörnet|hjørnet|köşesi|угол|角)\s+/giu;
const DOUBTFUL = /\s+(?:com\s+[ao]|com|and|und|y|et|e|con|en|i|og|och|ja|a|és|ve|и|і|และ)\s+/giu;
const AHEAD =
  /^\s*(?:the\s+)?(?:corner|intersection|junction|crossing|crossroads|ecke|kreuzung|esquina|esq\.|cruce|angle|intersection|carrefour|angolo|incrocio|hoek|kruispunt|kruising|róg|skrzyżowanie|roh|křižovatka|esquina|cruzamento|hjørnet|hörnet|risteys|угол)(?:\s+(?:of|von|de|del|da|do|di|van|af|av|ulic))?\s+/iu;

/** Maximum number of readings of a text as two streets. */
const MAX_COUNT = 3;

export interface CrossingText {
  streets: readonly [string, string];
  /** A separator that rarely occurs in names, or a leading "corner of". */
  sure: boolean;
}

/** The two streets in a text, the likeliest reading first; the text after the second street's comma applies to both. */
export function crossingsIn(text: string): CrossingText[] {
  const ahead = AHEAD.exec(text);
  const rest = ahead ? text.slice(ahead[0].length) : text;
  const out: CrossingText[] = [];
  for (const [signs, isSure] of [
    [SURE, true],
    [DOUBTFUL, ahead !== null],
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
