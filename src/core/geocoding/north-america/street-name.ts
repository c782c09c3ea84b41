import { stateCodeOf } from "../parse/states.ts";
import { highwayOf } from "./highway.ts";
import { type Country, DIRECTION_WORDS, directionalOf, FRENCH, ordinalOf, SUFFIXES, spelledOut } from "./words.ts";

/** The parts of a street's name in standard forms, upper case; "" for parts it does not have. */
export interface StreetParts {
  /** Stands before the name: "N" of "N Main St". */
  predirectional: string;
  /** "MAIN", "AVENUE OF THE AMERICAS", "US HIGHWAY 50", "1700" */
  name: string;
  /** "ST" */
  suffix: string;
  postdirectional: string;
  /** The type stands before the name, as in French: "RUE SAINTE-CATHERINE O". */
  french: boolean;
}

/**
 * In French a type before the name is one only when the name follows: "Rue Main", "Avenue du Parc"; "Avenue Rd" is
 * English.
 */
const FRENCH_ONLY = new Set(
  "RUE CH CHEMIN BOUL MONTEE RANG COTE IMPASSE IMP RUELLE RLE SENTIER CROISSANT CROIS TERRASSE TSSE QUAI PLACE ALLEE COURS AUTOROUTE AUT CARRE CERCLE MONT LAC VOIE ROND-POINT".split(
    " ",
  ),
);
const FRENCH_BY_PLACE = new Set(
  "AV AVENUE AVE BOULEVARD BD BLVD ROUTE RTE PARC PROMENADE CIRCUIT VILLAGE DOMAINE".split(" "),
);
const ARTICLE = /^(?:DE|DU|DES|D|LA|LE|LES|L|AUX?|SAINT|SAINTE|ST|STE|SAINT-.*|SAINTE-.*|ST-.*|STE-.*|D'.*|L'.*)$/;

/**
 * Words of a street without house number and unit → its parts, by USPS Publication 28 (section 23) or Canada Post's
 * guidelines.
 *
 * @param words upper case, as returned by `upper`
 */
export function streetParts(words: readonly string[], country: Country, stateCode = ""): StreetParts {
  const french = country === "CA" ? frenchStreet(words, stateCode) : undefined;
  return french ?? englishStreet(words, country);
}

function frenchStreet(words: readonly string[], stateCode: string): StreetParts | undefined {
  const french = stateCode === "QC" || stateCode === "NB" || stateCode === "";
  const type = FRENCH.get(words[0]);
  const last = words.length - 1;
  // "3e Avenue", "5e Rang": the ordinal stands first.
  const behind = /^\d+(?:E|ER|RE|EME|IEME)$/.test(words[0] ?? "") ? FRENCH.get(words[1] ?? "") : undefined;
  if (behind) {
    const [, , ...rest] = words;
    const direction = rest.length === 1 ? directionalOf(rest[0], true) : undefined;
    if (rest.length > 0 && !direction) return undefined;
    return { predirectional: "", name: words[0], suffix: behind, postdirectional: direction ?? "", french: false };
  }
  if (type === undefined || last < 1) return undefined;
  const telling =
    FRENCH_ONLY.has(words[0]) || ARTICLE.test(words[1]) || (FRENCH_BY_PLACE.has(words[0]) && stateCode === "QC");
  if (!telling || (!french && words[0] !== "RUE" && !ARTICLE.test(words[1]))) return undefined;
  // "Place Rd", "Park Ave": with an English type at the end, the first word is the name.
  if (stateCode !== "QC" && SUFFIXES.CA.has(words[last]) && !FRENCH_ONLY.has(words[0]) && last === 1) return undefined;
  const direction = last > 1 ? directionalOf(words[last], true) : undefined;
  const name = words.slice(1, direction ? -1 : undefined).join(" ");
  return { predirectional: "", name, suffix: type, postdirectional: direction ?? "", french: true };
}

function englishStreet(written: readonly string[], country: Country): StreetParts {
  let words = [...written];
  const parts: StreetParts = { predirectional: "", name: "", suffix: "", postdirectional: "", french: false };
  const suffixes = SUFFIXES[country];
  const isSuffix = (word: string | undefined) => word !== undefined && suffixes.has(word);
  const early = highwayOf(words, country);
  if (!early) words = takePredirectional(words, parts, isSuffix);
  const highway = early ?? highwayOf(words, country);
  if (highway) {
    const rest = words.slice(highway.taken);
    const direction = joined(rest);
    if (rest.length === 0 || direction) {
      return { ...parts, name: highway.name, postdirectional: direction ?? "" };
    }
    // "HIGHWAY 101 N FRONTAGE RD" and the like stay as they are.
    if (!isSuffix(rest[rest.length - 1])) return { ...parts, name: [highway.name, ...rest].join(" ") };
  }
  words = takePostdirectional(words, parts, isSuffix);
  const last = words[words.length - 1];
  // A type before a letter or number is part of the name: "AVENUE A", "CALLE 5", "AVENUE OF THE AMERICAS".
  if (words.length > 1 && isSuffix(last) && !(isAvenueLike(words) && words.length === 2 && last.length === 1)) {
    parts.suffix = suffixes.get(last) ?? "";
    words = words.slice(0, -1);
    // Of two suffixes the first is part of the name and spelled out: "3RD STREET CIR".
    const before = words[words.length - 1];
    if (words.length > 1 && suffixes.has(before) && country === "US" && before !== "ST") {
      words[words.length - 1] = spelledOut(suffixes.get(before)!);
    } else if (words.length > 1 && before === "ST") words[words.length - 1] = "STREET";
  } else if (words.length > 1 && isAvenueLike(words)) {
    words[0] = spelledOut(SUFFIXES.US.get(words[0]) ?? words[0]);
  }
  // Within a name a direction is spelled out: "BAY WEST DR".
  if (words.length > 1 && parts.suffix !== "") {
    const at = words.length - 1;
    const direction = words[at].length === 1 ? directionalOf(words[at]) : undefined;
    if (direction && !isSuffix(words[at - 1])) words[at] = DIRECTION_WORDS[direction];
  }
  if (words.length === 1 && parts.suffix !== "" && parts.predirectional === "") {
    // "N ST" is the street of the letter; "NORTH AVE" that of the word.
    parts.name = words[0];
    return parts;
  }
  parts.name = words.join(" ");
  return parts;
}

/** "AVENUE A", "AVE OF THE AMERICAS", "BOULEVARD OF THE ALLIES" */
function isAvenueLike(words: readonly string[]): boolean {
  return (
    /^(?:AVE|AVENUE|AV|BLVD|BOULEVARD|ST|STREET|RD|ROAD|CALLE|LANE|CIRCLE|CIR|COURT|CT)$/.test(words[0]) &&
    (/^(?:OF|DE|DEL|THE)$/.test(words[1]) || (words.length === 2 && /^(?:[A-Z]|\d+|[IVX]+)$/.test(words[1])))
  );
}

/** One word, or two that form one direction: "NORTH EAST" → "NE". */
function joined(words: readonly string[]): string | undefined {
  if (words.length === 1) return directionalOf(words[0]);
  if (words.length !== 2) return undefined;
  const both = `${directionalOf(words[0]) ?? "?"}${directionalOf(words[1]) ?? "?"}`;
  return /^[NS][EW]$/.test(both) ? both : undefined;
}

type IsSuffix = (word: string | undefined) => boolean;

function takePredirectional(words: string[], parts: StreetParts, isSuffix: IsSuffix): string[] {
  const isName = (rest: readonly string[]) => {
    if (rest.length === 0) return false;
    if (rest.length === 2 && isAvenueLike(rest) && /^[A-Z]$/.test(rest[1])) return true;
    // A suffix alone is no name: "NORTH AVE", "E ST NW". A number, or a name without suffix, is: "N 1700", "W MAIN".
    const core = rest.filter((word, i) => i === 0 || directionalOf(word) === undefined);
    return (
      !(
        core.length === 1 &&
        isSuffix(core[0]) &&
        !/^(?:PARK|LAKE|VIEW|HILL|RIDGE|GROVE|FALLS|HIGHLAND)$/.test(core[0])
      ) ||
      (rest.length > 1 && isSuffix(rest[1]))
    );
  };
  const two = words.length > 2 ? joined(words.slice(0, 2)) : undefined;
  // "N E 5TH ST" is northeast; of "NORTH EAST ST" the second is the name.
  if (two && isName(words.slice(2)) && !(words.length === 3 && isSuffix(words[2]))) {
    parts.predirectional = two;
    return words.slice(2);
  }
  const one = directionalOf(words[0] ?? "");
  if (one === undefined || !isName(words.slice(1))) return words;
  // "NO 5" is a number and "SO" a word if only those follow.
  if (/^(?:NO|SO)$/.test(words[0]) && words.length === 2 && /^\d+$/.test(words[1])) return words;
  parts.predirectional = one;
  return words.slice(1);
}

function takePostdirectional(words: string[], parts: StreetParts, isSuffix: IsSuffix): string[] {
  if (words.length > 2) {
    const two = joined(words.slice(-2));
    if (two && isSuffix(words[words.length - 3])) {
      parts.postdirectional = two;
      return words.slice(0, -2);
    }
  }
  if (words.length < 2) return words;
  const last = words[words.length - 1];
  const direction = directionalOf(last);
  if (direction === undefined || /^(?:NO|SO)$/.test(last)) return words;
  const before = words[words.length - 2];
  // "AVENUE E" is the avenue of that letter.
  if (words.length === 2 && isSuffix(before) && last.length === 1 && isAvenueLike(words)) return words;
  // "KEY WEST", "BAY EAST": a direction in full after a name without suffix may be part of the name.
  parts.postdirectional = direction;
  return words.slice(0, -1);
}

/** Words of a name that mean the same: "SAINT" and "ST", "FIRST" and "1ST", "MOUNT" and "MT". */
const SAME: Record<string, string> = {
  SAINT: "ST",
  SAINTE: "STE",
  MOUNT: "MT",
  FORT: "FT",
  DOCTOR: "DR",
  AND: "&",
  JUNIOR: "JR",
  SENIOR: "SR",
};

const NUMBERED = /^(?:([A-Z]+(?: [A-Z]+)?) )?(?:(?:STATE )?(?:HIGHWAY|HWY|ROAD|RD|ROUTE|RTE)) (\d+[A-Z]?)\b(.*)$/;

/** The form in which names are compared: the same for "MT. VERNON" and "Mount Vernon", "FIFTH" and "5TH". */
export function nameKey(name: string): string {
  const road = NUMBERED.exec(name);
  if (road) {
    // "STATE ROUTE 18", "SR 18", "CA HIGHWAY 18", "CALIFORNIA 18" are one road; so are "US HIGHWAY 50" and "US ROUTE
    // 50".
    const [, whose, number, rest] = road;
    const owner = whose === undefined ? "" : /^(?:US|COUNTY|TOWNSHIP|FOREST)$/.test(whose) ? whose : "STATE";
    if (owner !== "STATE" || whose === "STATE" || stateCodeOf(whose, "US")) return `${owner} # ${number}${rest}`.trim();
  }
  // "KY 1207"
  const short = /^([A-Z]+(?: [A-Z]+)?) (\d+[A-Z]?)$/.exec(name);
  if (short && stateCodeOf(short[1], "US")) return `STATE # ${short[2]}`;
  return name
    .replace(/(?<=\D)-|-(?=\D)/g, " ")
    .replace(/&/g, " & ")
    .trim()
    .split(/\s+/)
    .map((word) => {
      const ordinal = ordinalOf(word);
      return ordinal === undefined ? (SAME[word] ?? word) : String(ordinal);
    })
    .join(" ");
}
