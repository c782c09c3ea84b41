/** Faults of texts that a person would hear on reading a page aloud. */

/** Nouns that pages count. */
const NOUNS =
  "user|event|update|trip|row|geofence|beacon|call|day|hour|minute|second|meter|type|message|place|stop|journey|key|corner|month|week|campaign|segment|webhook|error|request|address|point|code|person|device|member|record|change|upload|drive|road|build|condition|situation|token|chain|file|delivery|error|failure";

/** Words between a number and a noun that do not count it: "50 per hour", "5 of the day". */
const NO_COUNT =
  "per|an?|each|every|the|of|in|for|by|and|to|this|or|at|on|until|after|before|within|is|are|if|with|without|from";

/** Words that end in "s" and are one. */
const SINGULAR = "is|has|was|its|this|as|us|ms|status|address|access|less|GPS|kbps|bus|class|always|across";

/** Names of fields that the API gives to people, and spellings of others. */
const CAMEL = /^(userIds?|deviceId|iOS|iPadOS|macOS|iPhone\d*|iBeacon|ipGeocode|tvOS|externalId)$/;

const FAULTS: readonly (readonly [fault: string, pattern: RegExp])[] = [
  ["one of many", new RegExp(`(?<![\\w.,:/–−-])1 (?!(?:${SINGULAR})\\b)[a-z]+s\\b`, "g")],
  [
    "many of one",
    new RegExp(
      `(?<![\\w.,:/–−-])(?:0|[2-9]|[1-9]\\d+|[1-9]\\d{0,2}(?:,\\d{3})+) (?:(?!(?:${NO_COUNT})\\b)[A-Za-z]+ )?(?:${NOUNS})\\b(?![\\w-])`,
      "g",
    ),
  ],
  ["a type of the API", /\b(?:user|campaign|alert)\.[a-z]+(?:_[a-z]+)*\b/g],
  ["a name of code", /\b[a-z]+(?:_[a-z]+)+\b/g],
  ["no value", /\b(?:undefined|NaN|null|Infinity|Invalid Date)\b|\[object/g],
  ["empty parentheses", /\(\s*\)|\[\s*\]|""|“”/g],
  ["a word twice", /\b(?!Pago\b)([A-Za-z]{2,}) \1\b/g],
  ["punctuation", /^[,;]|\s[,;](?=\s|$)|,,|,\.|;\.|\.\.(?!\.)|\(,/g],
  ["a percent sign without a space", /\d%/g],
  [
    "an article",
    /(?:\ba|^A) (?!one\b|once\b|uni|use[rd]?\b|euro|UR|US|UU|UID|UTC)[aeiouAEIO][a-z]+|\b[Aa]n (?!hour|honest)[bcdfghjkmnpqrstvwxyz][a-z]+/g,
  ],
];

/** What is wrong in a text, with the place: "many of one: 33,781 ZIP code". */
export function textFaults(text: string): string[] {
  const plain = text.replace(/\s+/g, " ").trim();
  const found = FAULTS.flatMap(([fault, pattern]) =>
    [...plain.matchAll(pattern)].map(([part, , ...rest]) => {
      const at = Number(rest.find((one) => typeof one === "number") ?? 0);
      return `${fault}: ${part.trim() || plain.slice(at, at + 20)} in “${plain.slice(0, 120)}”`;
    }),
  );
  // A name alone is one of a list of them; a label says what it is of.
  if (/^(?:Calls of |Custom limit of )?\w+$/.test(plain)) return found;
  const camel = [...plain.matchAll(/(?<![\w./-])[a-z]+[A-Z]\w*\b/g)]
    .filter(([name]) => !CAMEL.test(name))
    .map(([name]) => `a name of code: ${name} in “${plain.slice(0, 120)}”`);
  return [...found, ...camel];
}

/**
 * Runs in a page: the texts of all blocks that are shown, each as it reads as a whole, and labels, titles and placeholders. Code, what
 * was typed and ids are left out.
 */
export const TEXTS = `(() => {
  const CODE = "code, pre, kbd, textarea, script, style, option, .maplibregl-map, .id, .code";
  const texts = new Set();
  const isInline = (element) => getComputedStyle(element).display === "inline";
  const blockOf = (element) => { let one = element; while (isInline(one) && one.parentElement) one = one.parentElement; return one; };
  const blocks = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.data.trim() === "" || parent.closest(CODE) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    blocks.add(blockOf(parent));
  }
  const textOf = (element) => [...element.childNodes].map((node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    if (node.matches(CODE)) return "X";
    return isInline(node) ? textOf(node) : " | ";
  }).join("");
  for (const block of blocks) texts.add(textOf(block));
  for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (!element.checkVisibility() || element.closest(".maplibregl-map")) continue;
    for (const name of ["aria-label", "placeholder"]) texts.add(element.getAttribute(name) ?? "");
  }
  for (const option of document.body.querySelectorAll("option")) texts.add(option.textContent);
  return [...texts].filter((text) => text.trim() !== "");
})()`;
