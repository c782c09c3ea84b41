import type { Json } from "./expression.ts";

/** The first letters after Latin ones: a name from here on needs its Latin name below. */
const FIRST_NOT_LATIN = "\u0370";

/** First letter of a language's script, and the first one after it. */
const SCRIPTS: Readonly<Record<string, readonly [first: string, end: string]>> = {
  am: ["\u1200", "\u1400"],
  ar: ["\u0600", "\u0780"],
  bg: ["\u0400", "\u0530"],
  bn: ["\u0980", "\u0a00"],
  el: ["\u0370", "\u0400"],
  fa: ["\u0600", "\u0780"],
  he: ["\u0590", "\u0600"],
  hi: ["\u0900", "\u0980"],
  hy: ["\u0530", "\u0590"],
  ja: ["\u3040", "\ua000"],
  ka: ["\u10a0", "\u1100"],
  km: ["\u1780", "\u1800"],
  ko: ["\uac00", "\ud7b0"],
  lo: ["\u0e80", "\u0f00"],
  my: ["\u1000", "\u10a0"],
  ru: ["\u0400", "\u0530"],
  si: ["\u0d80", "\u0e00"],
  sr: ["\u0400", "\u0530"],
  ta: ["\u0b80", "\u0c00"],
  te: ["\u0c00", "\u0c80"],
  th: ["\u0e00", "\u0e80"],
  uk: ["\u0400", "\u0530"],
  ur: ["\u0600", "\u0780"],
  zh: ["\u2e80", "\ua000"],
};

const LOCAL: Json = ["get", "name"];
const LATIN: Json = ["coalesce", ["get", "name:en"], ["get", "name:latin"], ""];
const WITH_LATIN: Json = [
  "case",
  ["all", [">=", ["coalesce", LOCAL, ""], FIRST_NOT_LATIN], ["!=", LATIN, ""]],
  ["concat", LOCAL, "\n", LATIN],
  LOCAL,
];

const IN_LATIN: Json = [
  "case",
  ["all", [">=", ["coalesce", LOCAL, ""], FIRST_NOT_LATIN], ["!=", LATIN, ""]],
  LATIN,
  LOCAL,
];

/** The names in a language ("pt-BR": Brazilian, else Portuguese) that a feature may have, best first. */
const requested = (language: string | undefined): Json[] =>
  language === undefined
    ? []
    : [...new Set([language, language.split("-")[0]])].map((tag): Json => ["get", `name:${tag}`]);

/** The name along a line: in the language, else in Latin letters, else the local name. */
export const lineName = (language: string | undefined): Json => nameIn(language, LOCAL, IN_LATIN);

/** The name at a point: in the language, else the local name, with the Latin name below where it has other letters. */
export const pointName = (language: string | undefined): Json => nameIn(language, WITH_LATIN, WITH_LATIN);

/**
 * Tiles omit a name in a language that only repeats the local one, so a local name in the language's script is the name.
 * @param local without a language
 * @param otherwise where a name in the language is missing
 */
function nameIn(language: string | undefined, local: Json, otherwise: Json): Json {
  const names = requested(language);
  if (language === undefined || names.length === 0) return local;
  const script = SCRIPTS[language.split("-")[0]];
  const isOwn: Json[] = script ? [["all", [">=", LOCAL_TEXT, script[0]], ["<", LOCAL_TEXT, script[1]]], LOCAL] : [];
  return ["coalesce", ...names, isOwn.length > 0 ? ["case", ...isOwn, otherwise] : otherwise];
}

const LOCAL_TEXT: Json = ["coalesce", LOCAL, ""];
