import { parseArgs } from "node:util";
import { Graticule, GraticuleError } from "../index.ts";
import { type Command, type Run, UsageError } from "./base/command.ts";
import { outputTo } from "./base/output.ts";
import { COMMANDS } from "./commands.ts";
import { completionScript } from "./completion.ts";

/** `graticule`: the client in a terminal. */

export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
  printError(text: string): void;
  /** Columns of the terminal; undefined: not a terminal. */
  width: number | undefined;
  signal: AbortSignal;
  /** Asks the person; absent: there is none. */
  ask?: (question: string) => Promise<boolean>;
  fetch?: typeof fetch;
}

const SHARED = {
  host: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;
const SHARED_TEXTS = {
  host: "URL of the server; default: the variable GRATICULE_HOST",
  key: "API key; default: the variable GRATICULE_KEY, which other users of the machine cannot see",
  json: "print JSON",
  help: "show this help",
};

/** Runs a command. @returns the exit code: 1 for an error, 2 for wrong arguments */
export async function runTerminal(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { print, printError, environment, width, signal } = surroundings;
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    print(helpText());
    return name === undefined ? 2 : 0;
  }
  if (name === "completion") {
    const script = completionScript(rest[0], COMMANDS, Object.keys(SHARED));
    if (script !== undefined) print(script);
    else printError("Usage: graticule completion bash|zsh|fish\n");
    return script === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    printError(`Unknown command "${name}". Run "graticule help" for the list.\n`);
    return 2;
  }
  try {
    const { values, positionals } = parse(command, rest);
    if (values.help) {
      print(commandHelp(command));
      return 0;
    }
    const output = outputTo(print, values.json === true, width);
    const run: Run = {
      words: positionals,
      values,
      environment,
      output,
      signal,
      client: () => clientOf(values, surroundings),
      confirm: async (question) => (await surroundings.ask?.(question)) ?? false,
    };
    await command.run(run);
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    const [text, code] = sentenceOf(error, command);
    printError(`${text}\n`);
    return code;
  }
}

/** Marks a word that begins with a minus and a digit, such as coordinates, which is not an option. */
const NEGATIVE = "\u0001";

function parse({ options }: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg) => (/^-\d/.test(arg) ? NEGATIVE + arg : arg)),
      options: { ...SHARED, ...options },
      allowPositionals: true,
    });
    const plain = <T>(value: T) => (typeof value === "string" ? value.replace(NEGATIVE, "") : value);
    return {
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)])) as Run["values"],
      positionals: positionals.map(plain),
    };
  } catch (error) {
    throw new UsageError((error as Error).message.split("\n")[0]);
  }
}

function clientOf(values: Run["values"], { environment, signal, fetch: send = fetch }: Surroundings): Graticule {
  const host = values.host ?? environment.GRATICULE_HOST;
  const key = values.key ?? environment.GRATICULE_KEY;
  if (typeof host !== "string" || host === "")
    throw new UsageError("Set the URL of the server: export GRATICULE_HOST=https://…, or --host.");
  if (!URL.canParse(host))
    throw new UsageError(`The host must be a URL such as https://maps.example.com, not "${host}".`);
  if (typeof key !== "string" || key === "")
    throw new UsageError("Set an API key: export GRATICULE_KEY=prj_…, or --key.");
  return new Graticule({
    host,
    key,
    headers: { "user-agent": "graticule-terminal" },
    // Ctrl+C ends the request.
    fetch: (url, init) =>
      send(url, { ...init, signal: AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]) }),
  });
}

/** One sentence per error, with the request id to look up in the server's log. */
function sentenceOf(error: unknown, command: Command): [text: string, code: number] {
  if (error instanceof UsageError) return [`${error.message} Usage: graticule ${command.name} ${command.usage}`, 2];
  if (error instanceof GraticuleError) {
    const wait = error.retryAfter === undefined ? "" : ` Try again in ${Math.ceil(error.retryAfter)} s.`;
    const id = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
    return [`${error.message}${wait}${id}`, 1];
  }
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return [`There is no file ${path}.`, 1];
  return [error instanceof SyntaxError ? `The response is not JSON: ${message}.` : (message ?? String(error)), 1];
}

function helpText(): string {
  const names = [
    ...COMMANDS.map(({ name, summary }) => [name, summary]),
    ["completion", "Prints completion for bash, zsh or fish."],
  ];
  const width = Math.max(...names.map(([name]) => name.length));
  return `Usage: graticule COMMAND …

${names.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}

Set GRATICULE_HOST to the URL of the server and GRATICULE_KEY to a key. --json prints JSON. "graticule COMMAND --help" shows the options.
`;
}

function commandHelp({ name, usage, summary, options = {}, optionTexts = {} }: Command): string {
  const all: NonNullable<Command["options"]> = { ...options, ...SHARED };
  const texts = Object.entries({ ...optionTexts, ...SHARED_TEXTS }).map(([option, text]) => [
    `--${option}${all[option]?.short ? `, -${all[option].short}` : ""}`,
    text,
  ]);
  const width = Math.max(...texts.map(([option]) => option.length));
  return `Usage: graticule ${name} ${usage}\n\n${summary}\n\n${texts.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`).join("\n")}\n`;
}
