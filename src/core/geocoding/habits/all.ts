import { EASTERN } from "./eastern.ts";
import { ENGLISH } from "./english.ts";
import { GERMANIC } from "./germanic.ts";
import type { Habit } from "./habit.ts";
import { NORDIC } from "./nordic.ts";
import { ROMANCE } from "./romance.ts";
import { SLAVIC } from "./slavic.ts";

/**
 * The conventions of all countries: callers rarely specify the country, and many people write addresses as in their own
 * country.
 */
export const HABITS: readonly Habit[] = [...ENGLISH, ...GERMANIC, ...NORDIC, ...ROMANCE, ...SLAVIC, ...EASTERN];

/** The words of one of their columns. */
export function wordsOfHabits(column: "silent" | "marks" | "joined"): string[] {
  return [...new Set(HABITS.flatMap((habit) => (habit[column] ?? "").split(" ")))].filter((word) => word !== "");
}

/** The lines of one of their columns, each a group of words. */
export function groupsOfHabits(column: "types" | "words"): string[][] {
  const lines = HABITS.flatMap((habit) => (habit[column] ?? "").trim().split("\n"));
  return lines.filter((line) => line !== "").map((line) => line.split(" "));
}

/** The end of a compound word, and its short forms with their countries. */
export interface End {
  long: string;
  shorts: readonly string[];
  countries: readonly string[];
}

export function endsOfHabits(): End[] {
  return HABITS.flatMap(({ ends = "", countries }) =>
    (ends.trim() === "" ? [] : ends.trim().split("\n")).map((line) => {
      const [long, ...shorts] = line.split(" ");
      return { long, shorts, countries: countries.split(" ") };
    }),
  );
}
