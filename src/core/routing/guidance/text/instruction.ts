import type { Step } from "../types.ts";
import { withParticle } from "./particles.ts";
import {
  forMode,
  inflect,
  type Language,
  type Phrases,
  phraseAt,
  type Translation,
  translationOf,
} from "./translation.ts";
import { WORDS } from "./words.ts";

/** Known properties of the road ahead that may be used in a sentence. */
export interface SentenceOptions {
  /** Leave names, exits and destinations out: "Turn left". */
  plain?: boolean;
  /** The traveler is on this road already: "Keep right at the fork", without its name. */
  stays?: boolean;
  /** A future arrival ("You will arrive …"). */
  upcoming?: boolean;
  /** Which of several destinations this is, from 1; absent for the last. */
  waypoint?: number;
  /** The cyclist has to start pushing the bike here: "Turn left onto Mall. Get off your bike and walk". */
  dismount?: boolean;
  /** In words, for a departure: "Head north on Main Street for 300 meters". */
  distance?: string;
}

/**
 * The sentence for a maneuver, as osrm-text-instructions composes it (Project OSRM contributors, BSD-2-Clause): the
 * text of a sign takes precedence over the name of the road; the name is combined with its number except on motorways.
 */
export function instruction(step: Step, language: Language, options: SentenceOptions = {}): string {
  const translation = translationOf(language);
  const words = WORDS[language];
  if (step.mode === "pushing" && step.maneuver.type === "notification") return words.pushBike;
  const branch = branchOf(step, translation);
  const sentence = forMode(sentenceOf(step, branch, language, options), step.mode, language);
  const text = compose(sentence, (token) => wordsFor(token, step, language, options), language);
  return options.dismount ? `${text.replace(/\.$/, "")}${words.stop}${words.pushBike}` : text;
}

function asBranch(phrases: Phrases | undefined): { [key: string]: Phrases } | undefined {
  return typeof phrases === "object" ? phrases : undefined;
}

/** The sentences for this type and modifier. */
function branchOf(step: Step, translation: Translation): { [key: string]: Phrases } {
  const { type, modifier, exit } = step.maneuver;
  const at = (...path: string[]) => asBranch(phraseAt(translation, ...path));
  const boards = step.mode === "ferry" && type !== "arrive";
  const ferry = boards ? at("modes", "ferry") : undefined;
  if (ferry) return ferry;
  // Exits are usually on the driving side, which is then not mentioned.
  const usualSide = type === "off ramp" && modifier?.includes(step.drivingSide);
  const byModifier = modifier && !usualSide ? at(type, modifier) : undefined;
  let branch = byModifier ?? at(type, "default");
  if (type === "roundabout" || type === "rotary") {
    const kinds = [
      step.rotaryName && exit ? "name_exit" : "",
      step.rotaryName ? "name" : "",
      exit ? "exit" : "",
      "default",
    ];
    for (const kind of kinds) {
      const found = kind === "" ? undefined : asBranch(branch?.[kind]);
      if (found) {
        branch = found;
        break;
      }
    }
  }
  if (!branch) throw new Error(`no sentence for ${type}`);
  return branch;
}

function sentenceOf(
  step: Step,
  branch: { [key: string]: Phrases },
  language: Language,
  options: SentenceOptions,
): string {
  const pick = (key: string): string | undefined => {
    const phrase = branch[key];
    return typeof phrase === "string" ? phrase : undefined;
  };
  const standard = pick("default") ?? "";
  if (step.maneuver.type === "arrive") return (options.upcoming && pick("upcoming")) || standard;
  if (options.plain || endsOnCircle(step)) return standard;
  const signed = signedDestination(step, language) !== "";
  const exit = step.exitRef;
  const named = !options.stays && wayName(step) !== "" && step.name !== step.rotaryName;
  return (
    (signed && exit && pick("exit_destination")) ||
    (signed && pick("destination")) ||
    (exit && pick("exit")) ||
    (named && options.distance && pick("namedistance")) ||
    (named && pick("name")) ||
    (!named && step.junctionName && pick("junction_name")) ||
    standard
  );
}

/** The leg ends on the circle, whose name the step has: there is no exit to take. */
const endsOnCircle = ({ maneuver: { type, exit } }: Step): boolean =>
  (type === "roundabout" || type === "rotary") && exit === undefined;

/** Returns the text for a token of a sentence. */
function wordsFor(token: string, step: Step, language: Language, options: SentenceOptions): string {
  const { modifier, exit, bearingAfter } = step.maneuver;
  switch (token) {
    case "way_name":
      return wayName(step);
    case "destination":
      return signedDestination(step, language);
    case "junction_name":
      return step.junctionName ?? "";
    case "exit":
      return first(step.exitRef);
    case "exit_number":
      return ordinal(exit ?? 1, language);
    case "rotary_name":
      return step.rotaryName ?? "";
    case "modifier":
      return constant(language, "modifier", modifier ?? "straight");
    case "direction":
      return constant(language, "direction", compass(bearingAfter));
    case "nth":
      if (!options.waypoint) return "";
      return WORDS[language].nth?.(options.waypoint) ?? ordinal(options.waypoint, language);
    case "distance":
      return options.distance ?? "";
    default:
      return "";
  }
}

function constant(language: Language, group: string, key: string): string {
  const phrase = phraseAt(translationOf(language), "constants", group, key);
  return typeof phrase === "string" ? phrase : "";
}

function ordinal(number: number, language: Language): string {
  return constant(language, "ordinalize", String(number)) || String(number);
}

/** The first of a list with ";" or ",". */
function first(list: string | undefined): string {
  if (!list) return "";
  // Most signs and numbers have one part.
  if (!list.includes(";") && !list.includes(",")) return list.trim();
  return list.slice(0, list.search(/[;,]/)).trim();
}

/** Name of the road: "Main Street (B 3)"; on a motorway only its number. */
export function wayName(step: Step): string {
  const ref = first(step.ref);
  const name = step.name === step.ref ? "" : step.name;
  if (name === "" || ref === "" || name === ref) return name || ref;
  return step.class === "motorway" && /\d/.test(ref) ? ref : [name, " (", ref, ")"].join("");
}

/** Maximum number of destinations of a sign that are shown or spoken: travelers forget more before they turn. */
const MAX_DESTINATIONS = 2;
/** Separator of two destinations, in languages whose signs do not use a comma. */
const BETWEEN: Partial<Record<Language, string>> = { ja: "・" };

/** The parts of a list, each once. Where a list has ";" a comma is part of a name: "Washington, DC;Baltimore". */
export function partsOfSign(list: string): string[] {
  // Most signs and numbers have one part.
  if (!list.includes(";") && !list.includes(",")) return list.trim() === "" ? [] : [list.trim()];
  const parts = list.split(list.includes(";") ? ";" : ",").map((part) => part.trim());
  return [...new Set(parts)].filter((part) => part !== "");
}

function firstOnes(list: string | undefined, language: Language): string {
  return partsOfSign(list ?? "")
    .slice(0, MAX_DESTINATIONS)
    .join(BETWEEN[language] ?? ", ");
}

/** The first destinations on the sign: "A 1: Porto, Braga"; for an exit without destinations its name. */
export function signedDestination(step: Step, language: Language): string {
  if (!step.destination && !step.destinationRef) return step.maneuver.type === "off ramp" ? (step.exitName ?? "") : "";
  return [firstOnes(step.destinationRef, language), firstOnes(step.destination, language)]
    .filter((part) => part !== "")
    .join(": ");
}

function compass(bearing: number): string {
  if (bearing <= 20 || bearing >= 340) return "north";
  if (bearing < 70) return "northeast";
  if (bearing <= 110) return "east";
  if (bearing < 160) return "southeast";
  if (bearing <= 200) return "south";
  if (bearing < 250) return "southwest";
  return bearing <= 290 ? "west" : "northwest";
}

/** Text, or a token in a grammatical case. */
type Part = string | { token: string; grammaticalCase: string | undefined };

/** Sentences split into their parts; there are some hundred to a language. */
const splitSentences = new Map<string, Part[]>();

function partsOf(sentence: string): Part[] {
  let parts = splitSentences.get(sentence);
  if (!parts) {
    parts = [];
    let at = 0;
    for (const match of sentence.matchAll(/\{(\w+)(?::(\w+))?\}/g)) {
      parts.push(sentence.slice(at, match.index), { token: match[1], grammaticalCase: match[2] });
      at = match.index + match[0].length;
    }
    parts.push(sentence.slice(at));
    splitSentences.set(sentence, parts);
  }
  return parts;
}

/**
 * Flattens a concatenated string: a string that is still a rope makes JSON serialization of the entire response slow.
 */
export function inOnePiece(text: string): string {
  return [text.charAt(0), text.slice(1)].join("");
}

/** The shortest word that a name does not repeat: "Take the ferry (Ferry) Valletta"; "en EN 12-1" is right. */
const REPEATED = 4;

function withoutRepetition(before: string | undefined, words: string): string {
  if (!before?.endsWith(" ") || !words.includes(" ")) return words;
  const said = before.slice(before.lastIndexOf(" ", before.length - 2) + 1, -1);
  const repeats = said.length >= REPEATED && words.toLowerCase().startsWith(`${said.toLowerCase()} `);
  return repeats ? words.slice(said.length + 1) : words;
}

function compose(sentence: string, wordsFor: (token: string) => string, language: Language): string {
  // Joined, not added up: see `inOnePiece`.
  const parts: string[] = [];
  for (const part of partsOf(sentence)) {
    if (typeof part === "string") {
      const before = language === "ko" ? parts[parts.length - 1] : undefined;
      parts.push(before ? withParticle(before, part) : part);
    } else {
      const words = wordsFor(part.token);
      const inflected = part.grammaticalCase ? inflect(language, words, part.grammaticalCase) : words;
      parts.push(withoutRepetition(parts[parts.length - 1], inflected));
    }
  }
  let text = parts.join("");
  if (text.includes("  ")) text = inOnePiece(text.replace(/ {2,}/g, " "));
  text = text.trim();
  if (!translationOf(language).capitalize) return text;
  const small = text.charAt(0);
  const capital = small.toUpperCase();
  return capital === small ? text : [capital, text.slice(1)].join("");
}
