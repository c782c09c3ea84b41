import VARIANTS from "./han-variants.json" with { type: "json" };

const variants = new Map<string, string>();
for (const group of VARIANTS.groups.split(" ")) for (const character of group) variants.set(character, group);

/** A word of more spellings than this is looked up in the first of them. */
const MAX_FORMS = 12;

/** Other spellings of a word in Chinese characters: traditional, simplified, Japanese. "臺北" → "台北". */
export function hanForms(word: string): string[] {
  let forms = [""];
  for (const character of word) {
    const others = variants.get(character) ?? character;
    const all = [character, ...[...others].filter((other) => other !== character)];
    forms = all.flatMap((other) => forms.map((form) => form + other)).slice(0, MAX_FORMS);
  }
  return forms.filter((form) => form !== word);
}
