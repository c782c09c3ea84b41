import { type ParseArgsConfig, parseArgs } from "node:util";
import { ImportError } from "../../importer/common/import-error.ts";
import { fileTrouble } from "./file-trouble.ts";

/** A sentence for the person who typed the command: what is wrong and what to do. Shown without a stack trace. */
export class CommandError extends Error {}

/** The command was typed wrong: shown together with its usage. */
export class UsageError extends CommandError {}

/**
 * Runs a command to its end. A command that was typed wrong shows its sentence and `usage`, and ends with code 2; one
 * that fails shows its sentence and ends with code 1.
 */
export async function runCommand(command: () => Promise<void>, usage?: string): Promise<void> {
  try {
    await command();
  } catch (error) {
    const typedWrong = error instanceof UsageError;
    process.exitCode = typedWrong ? 2 : 1;
    if (typedWrong && usage)
      console.error(`${error.message}\n\n${usage}\n\nEverything it knows: ${nameOf(usage)} -- --help`);
    else console.error(shownError(error));
  }
}

/** The variable that shows stack traces. */
const DEBUG = "GRATICULE_DEBUG";

/** What a person sees of an error: its sentence; of an unexpected one its message and where to get its stack trace. */
export function shownError(error: unknown): string {
  if (error instanceof CommandError || error instanceof ImportError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (process.env[DEBUG]) return error.stack ?? error.message;
  const aboutFile = fileTrouble(error);
  if (aboutFile !== undefined) return aboutFile;
  return `Unexpected error: ${error.message}. For its stack trace, run the command again with ${DEBUG}=1.`;
}

const nameOf = (usage: string) => /^npm (run )?\S+/.exec(usage)?.[0];

/**
 * The options and words of a command line, as `parseArgs` reads them.
 * @throws UsageError for unknown options, and for options without their value
 */
export function readArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!(error instanceof Error) || !code.startsWith("ERR_PARSE_ARGS")) throw error;
    // Its first sentence says what is wrong; the rest is for programmers.
    const [sentence] = error.message.split(/\. |\n/);
    throw new UsageError(`${sentence.replace(/\.$/, "")}.`);
  }
}

/** A whole number in an argument. @throws UsageError naming the argument and the rule. */
export function wholeNumber(
  text: string | undefined,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number {
  const value = /^\d+$/.test(text ?? "") ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const rule = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new UsageError(`${name} must be an integer ${rule}, not ${text ? `"${text}"` : "empty"}.`);
}
