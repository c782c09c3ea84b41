/** A sentence for whoever typed the command: what is wrong and what to do. Shown without a stack. */
export class CommandError extends Error {}

/** Runs a command to its end: its sentence and exit code 1 where it fails, a stack only for what nobody foresaw. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = 1;
    console.error(isForTheReader(error) ? error.message : error);
  }
}

/** Our own sentences, and those `parseArgs` has for options it does not know. */
function isForTheReader(error: unknown): error is Error {
  if (error instanceof CommandError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** A whole number in an argument. @throws CommandError naming the argument. */
export function wholeNumber(text: string | undefined, name: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d+$/.test(text ?? "") ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new CommandError(`${name} is a whole number from 0 to ${max}, not ${text ?? "empty"}.`);
  return value;
}
