/** Countries whose languages are written in other letters: their Latin names are transcripts. */
const TRANSCRIBED = new Set(
  (
    "AE AF AM BD BG BH BT BY CN CY DZ EG ER ET GE GR IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK LY MA MK MM MN MO " +
    "MR MV NP OM PK PS QA RS RU SA SD SY TH TJ TN TW UA YE"
  ).split(" "),
);

/**
 * A name in English where no list has one: transcripts without the marks of scholars ("Allahābād", "Kazan’", "Gifu-shi"; but "Cox’s
 * Bazar"), and no capitals as in a table. Names of languages in Latin letters stay as they are ("Düsseldorf").
 */
export function plainEnglish(country: string, name: string): string {
  const calm = isShouted(name) ? name.replace(/\p{Lu}\p{Lu}+/gu, capitalized) : name;
  if (!TRANSCRIBED.has(country)) return calm;
  const plain = calm
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[’‘ʼʹʻ'`](s\b)?/g, (_, s = "") => (s || country === "CN" || country === "TW" ? `'${s}` : ""));
  return country === "JP" ? plain.replace(/-(?:shi|machi|cho|mura)$/, "") : plain.replace(/-(?:si|gun|up)$/, "");
}

const isShouted = (name: string) => name === name.toUpperCase() && /\p{Lu}{4}/u.test(name);
const capitalized = (word: string) => word[0] + word.slice(1).toLowerCase();

/** "Kansas City" is a name; in these countries GeoNames adds the word to that of the district around it. */
const ADDS_CITY = new Set("CN DZ ID IN JP KR NG PH TW VN".split(" "));
/** Their names are English already. */
const ENGLISH = new Set("AU CA GB NZ US".split(" "));
const NO_TOWN = /\b(?:Area|Census|Charter|County|District|Governorate|Metropolitan|Municipality|Province|Township)\b/;

/** The English name of a town by its own name and GeoNames' English one, which may be that of the district around it. */
export function englishTown(country: string, name: string, listed: string | undefined): string {
  const plain = plainEnglish(country, name);
  if (listed === undefined || NO_TOWN.test(listed) || !/^[\p{Script=Latin}\p{M}\s\p{P}]+$/u.test(listed)) return plain;
  const english = ADDS_CITY.has(country) ? listed.replace(/ City$/, "") : listed;
  if (ENGLISH.has(country)) return plain.startsWith(english) ? english : plain;
  // GeoNames' English names of China are transcripts from before 1958 (Anking), and others differ in marks only.
  if (country === "CN" || isSame(english, plain)) return plain;
  return plainEnglish(country, english);
}

const isSame = (one: string, other: string) => letters(one) === letters(other);
const letters = (name: string) =>
  name
    .normalize("NFD")
    .replace(/[\p{M}\p{P}\s]/gu, "")
    .toLowerCase();
