import type { ParseArgsConfig } from "node:util";
import type { Graticule } from "../../index.ts";
import type { Output } from "./output.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Input of a command, with its parsed arguments. */
export interface Run {
  /** The words after the command. */
  words: readonly string[];
  /** The options, without their dashes. */
  values: Readonly<Record<string, string | boolean | undefined>>;
  /** The client; fails without a host. */
  client(): Graticule;
  output: Output;
  environment: Readonly<Record<string, string | undefined>>;
  /** Ends with Ctrl+C. */
  signal: AbortSignal;
  /** Asks the person; false without a terminal. */
  confirm(question: string): Promise<boolean>;
}

/** A command: `graticule NAME …`. */
export interface Command {
  name: string;
  /** Its arguments, as the help shows them. */
  usage: string;
  summary: string;
  options?: Options;
  /** Descriptions of the options, for the help and completion. */
  optionTexts?: Readonly<Record<string, string>>;
  /** The first word after the command, if it has parts: push, pull. */
  parts?: readonly string[];
  run(run: Run): Promise<void>;
}

/** A mistake in the arguments: exit code 2. */
export class UsageError extends Error {}

/**
 * The words of a command.
 * @param names of the words that it needs
 * @param max number of words
 * @throws UsageError if there are too few or too many
 */
export function wordsOf({ words }: Run, names: readonly string[], max = names.length): string[] {
  if (words.length < names.length) throw new UsageError(`${names[words.length]} is missing.`);
  if (words.length > max) throw new UsageError(`Too many arguments: ${words.at(-1)}. Quote names with spaces.`);
  return [...words];
}

/** An option's text. */
export function textOf({ values }: Run, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** An option's number. @throws UsageError */
export function numberOf(run: Run, name: string): number | undefined {
  const text = textOf(run, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new UsageError(`--${name} must be a number, not "${text}".`);
  return value;
}
