import frGrammar from "osrm-text-instructions/languages/grammar/fr.json" with { type: "json" };
import ruGrammar from "osrm-text-instructions/languages/grammar/ru.json" with { type: "json" };
import de from "osrm-text-instructions/languages/translations/de.json" with { type: "json" };
import en from "osrm-text-instructions/languages/translations/en.json" with { type: "json" };
import es from "osrm-text-instructions/languages/translations/es.json" with { type: "json" };
import fr from "osrm-text-instructions/languages/translations/fr.json" with { type: "json" };
import ja from "osrm-text-instructions/languages/translations/ja.json" with { type: "json" };
import ko from "osrm-text-instructions/languages/translations/ko.json" with { type: "json" };
import pt from "osrm-text-instructions/languages/translations/pt-BR.json" with { type: "json" };
import ptPT from "osrm-text-instructions/languages/translations/pt-PT.json" with { type: "json" };
import ru from "osrm-text-instructions/languages/translations/ru.json" with { type: "json" };
import { BoundedMap } from "../../../geo/bounded-map.ts";
import type { TravelMode } from "../types.ts";
import { AT_ROUNDABOUT, BY_BIKE, ON_FOOT } from "./contexts.ts";
import CORRECTIONS from "./corrections.json" with { type: "json" };

/**
 * The sentences of osrm-text-instructions (Project OSRM contributors, BSD-2-Clause). Only its tables are used: its code
 * would load 31 languages.
 */
export const LANGUAGES = ["de", "en", "es", "fr", "ja", "ko", "pt", "pt-PT", "ru"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Other codes of these languages. */
const ALIASES = { "pt-BR": "pt" } as const;
/** All codes that callers may use. */
export const LANGUAGE_CODES = ["de", "en", "es", "fr", "ja", "ko", "pt", "pt-BR", "pt-PT", "ru"] as const;

export function languageOf(code: (typeof LANGUAGE_CODES)[number]): Language {
  return code === "pt-BR" ? ALIASES[code] : code;
}

/**
 * Corrections to the tables of osrm-text-instructions 0.15.0, by language: words that are not inflected for their context, misspellings, and
 * "turn" where the driver only keeps to a side, by path; and words that are always wrong, in order: in all sentences, or in those of one type
 * of maneuver.
 */
const corrections: {
  phrases: Partial<Record<Language, Readonly<Record<string, string>>>>;
  replacements: Partial<Record<Language, readonly { type?: string; find: string; by: string }[]>>;
} = CORRECTIONS;

/** A sentence, or sentences by modifier, by the known properties of the road ("name", "destination", …). */
export type Phrases = string | { [key: string]: Phrases };

export interface Translation {
  capitalize: boolean;
  phrases: { [key: string]: Phrases };
}

interface TranslationFile {
  meta: { capitalizeFirstLetter: boolean };
  v5: { [key: string]: Phrases };
}

const FILES: Record<Language, TranslationFile> = { de, en, es, fr, ja, ko, pt, "pt-PT": ptPT, ru };
const loaded = new Map<Language, Translation>();

export function translationOf(language: Language): Translation {
  let translation = loaded.get(language);
  if (!translation) {
    const file = FILES[language];
    const phrases = structuredClone(file.v5);
    replaceWords(phrases, language);
    for (const [path, text] of Object.entries(corrections.phrases[language] ?? {}))
      correct(phrases, path.split("/"), text);
    turnAtRoundabouts(phrases, language);
    translation = { capitalize: file.meta.capitalizeFirstLetter, phrases };
    loaded.set(language, translation);
  }
  return translation;
}

function replaceWords(phrases: { [key: string]: Phrases }, language: Language): void {
  for (const { type, find, by } of corrections.replacements[language] ?? []) {
    for (const key of type ? [type] : Object.keys(phrases)) phrases[key] = replaced(phrases[key], find, by);
  }
}

function replaced(phrases: Phrases, find: string, by: string): Phrases {
  if (typeof phrases === "string") return phrases.replaceAll(find, by);
  return Object.fromEntries(Object.entries(phrases).map(([key, inner]) => [key, replaced(inner, find, by)]));
}

/** Modifiers that a type of maneuver may lack in the tables. */
const MODIFIERS = new Set(["sharp left", "sharp right", "slight left", "slight right"]);

function correct(phrases: { [key: string]: Phrases }, path: string[], text: string): void {
  const [key, ...rest] = path;
  const inner = phrases[key];
  if (rest.length === 0) {
    phrases[key] = text;
  } else if (inner === undefined && rest.length === 1 && MODIFIERS.has(key)) {
    phrases[key] = { [rest[0]]: text };
  } else if (typeof inner === "object") {
    correct(inner, rest, text);
  } else {
    throw new Error(`no phrase ${path.join("/")} to correct`);
  }
}

/**
 * A small roundabout is a turn, but drivers see a roundabout: "Turn left onto Main Street" becomes "At the roundabout,
 * turn left onto Main Street".
 */
function turnAtRoundabouts(phrases: { [key: string]: Phrases }, language: Language): void {
  const { before, uturn } = AT_ROUNDABOUT[language];
  const turns = phrases.turn as { [key: string]: Phrases };
  const straight = (phrases["roundabout turn"] as { [key: string]: Phrases }).straight;
  const back = uturn ?? (phrases.continue as { [key: string]: Phrases }).uturn;
  phrases["roundabout turn"] = prefixed({ ...turns, straight, uturn: back }, before);
}

function prefixed(phrases: Phrases, before: string): Phrases {
  if (typeof phrases === "string") return before + phrases.charAt(0).toLowerCase() + phrases.slice(1);
  return Object.fromEntries(Object.entries(phrases).map(([key, inner]) => [key, prefixed(inner, before)]));
}

const sentencesOnFoot = new Map<string, string>();
const sentencesByBike = new Map<string, string>();

/**
 * A sentence with the verbs of the traveler's mode: people on foot do not "fahren". Names are inserted later, so they stay.
 * A sentence belongs to one language of those with other verbs.
 */
export function forMode(sentence: string, mode: TravelMode, language: Language): string {
  const walks = mode === "walking" || mode === "pushing";
  const verbs = walks ? ON_FOOT[language] : mode === "cycling" ? BY_BIKE[language] : undefined;
  if (!verbs) return sentence;
  const known = walks ? sentencesOnFoot : sentencesByBike;
  let text = known.get(sentence);
  if (text === undefined) {
    text = verbs.reduce((words, [driving, instead]) => words.replaceAll(driving, instead), sentence);
    known.set(sentence, text);
  }
  return text;
}

/** The phrase at a path of keys; undefined if there is none. */
export function phraseAt(translation: Translation, ...path: string[]): Phrases | undefined {
  let at: Phrases | undefined = translation.phrases;
  for (const key of path) at = typeof at === "object" ? at[key] : undefined;
  return at;
}

type Rule = [find: RegExp, replacement: string];
const GRAMMARS: Partial<Record<Language, { flags: string; cases: Record<string, string[][]> }>> = {
  fr: { flags: frGrammar.meta.regExpFlags, cases: frGrammar.v5 },
  ru: { flags: ruGrammar.meta.regExpFlags, cases: ruGrammar.v5 },
};
const rules = new Map<string, Rule[]>();
const MAX_INFLECTED = 4000;
/** Inflecting a name tries hundreds of rules, so the results are remembered, at most MAX_INFLECTED of them. */
const inflected = new BoundedMap<string, string>(MAX_INFLECTED);

/** Puts the name of a street into a grammatical case ("улица Ленина" → "улицу Ленина"). Unknown words stay. */
export function inflect(language: Language, name: string, grammaticalCase: string): string {
  const grammar = GRAMMARS[language];
  if (!grammar?.cases[grammaticalCase]) return name;
  const key = `${language} ${grammaticalCase}`;
  let list = rules.get(key);
  if (!list) {
    list = grammar.cases[grammaticalCase].map(
      ([find, replacement]): Rule => [new RegExp(find, grammar.flags), replacement],
    );
    rules.set(key, list);
  }
  const known = `${key} ${name}`;
  let text = inflected.get(known);
  if (text === undefined) {
    text = ` ${name} `;
    for (const [find, replacement] of list) text = text.replace(find, replacement);
    text = text.trim();
    inflected.set(known, text);
  }
  return text;
}
