import { FEET_PER_METRE, type Units } from "../../../geo/units.ts";
import type { Step } from "../types.ts";
import { inOnePiece, instruction, type SentenceOptions } from "./instruction.ts";
import { type Language, phraseAt, translationOf } from "./translation.ts";
import { PLAIN_METERS_DE, WORDS, type Words } from "./words.ts";

const FEET_PER_MILE = 5280;
/** Shorter distances are not spoken: the maneuver is immediate [m]. */
const AT_HAND = 20;

/**
 * Text of a voice instruction: the sentence with the distance to it, which is the length of the previous step ("In 300
 * meters, turn left onto Main Street"); for a departure the distance to go ("Head north on Main Street for 300
 * meters"). `said`: the result of `instruction` with these options.
 */
export function voice(
  step: Step,
  before: Step | undefined,
  language: Language,
  units: Units,
  options: SentenceOptions = {},
  said = instruction(step, language, options),
): string {
  const words = WORDS[language];
  if (!before) {
    const plain = language === "de" ? { ...words, ...PLAIN_METERS_DE } : words;
    const distance = step.distance >= AT_HAND ? spokenDistance(step.distance, units, plain) : undefined;
    return distance ? instruction(step, language, { ...options, distance }) : said;
  }
  if (before.distance < AT_HAND) return said;
  // Of all sentences those of arrivals alone differ.
  const sentence = step.maneuver.type === "arrive" ? instruction(step, language, { ...options, upcoming: true }) : said;
  const lanes = laneSentence(step, language);
  const both = lanes ? linked(lanes, within(sentence, language), language) : sentence;
  return inOnePiece(words.inDistance(spokenDistance(before.distance, units, words), within(both, language)));
}

/**
 * The lanes to take, where the maneuver does not imply them: "Keep left" before a turn to the right, or in the middle of
 * a wide road. Undefined if all lanes lead on, or those on the side of the maneuver.
 */
function laneSentence({ lanes, maneuver }: Step, language: Language): string | undefined {
  if (!lanes || maneuver.type === "fork") return undefined;
  const runs = lanes.map(({ active }) => (active ? "o" : "x")).filter((lane, at, all) => lane !== all[at - 1]);
  const pattern = runs.join("");
  if (pattern === "ox" && maneuver.modifier?.includes("left")) return undefined;
  if (pattern === "xo" && maneuver.modifier?.includes("right")) return undefined;
  const phrase = phraseAt(translationOf(language), "constants", "lanes", pattern);
  return typeof phrase === "string" ? phrase : undefined;
}

function linked(first: string, second: string, language: Language): string {
  const phrase = phraseAt(translationOf(language), "phrase", "two linked");
  if (typeof phrase !== "string") return second;
  return phrase.replace("{instruction_one}", () => first).replace("{instruction_two}", () => second);
}

/** A sentence as it stands inside another: with a small first letter, where the language allows it. */
function within(sentence: string, language: Language): string {
  if (!translationOf(language).capitalize || WORDS[language].capitals.test(sentence)) return sentence;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/**
 * Formats a distance for voice output: "300 meters", "1.5 kilometers", "500 feet", "1.2 miles" (one decimal below ten).
 */
export function spokenDistance(metres: number, units: Units, words: Words): string {
  if (units === "metric") {
    if (metres < 975) return words.meters(...rounded(metres, metres < 100 ? 10 : 50, words));
    return words.kilometers(...long(metres / 1000, words));
  }
  const feet = metres * FEET_PER_METRE;
  if (feet < 950) return words.feet(...rounded(feet, feet < 100 ? 10 : 50, words));
  return words.miles(...long(feet / FEET_PER_MILE, words));
}

function rounded(value: number, step: number, words: Words): [number, string] {
  return inWords(Math.max(step, Math.round(value / step) * step), words);
}

function long(value: number, words: Words): [number, string] {
  return inWords(value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value), words);
}

function inWords(value: number, words: Words): [number, string] {
  const text = String(value);
  return [value, words.comma ? text.replace(".", ",") : text];
}
