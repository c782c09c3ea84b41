import { readFile, writeFile } from "node:fs/promises";
import type { Input, Operation } from "../../index.ts";
import { OPERATIONS } from "../../operations.ts";
import { type Command, textOf, UsageError } from "../base/command.ts";

export const call: Command = {
  name: "call",
  usage: "OPERATION [NAME=VALUE …]",
  parts: Object.keys(OPERATIONS),
  summary: "Calls any operation of the API with parameters of its path, query and body, and prints the response.",
  options: { input: { type: "string" }, output: { type: "string", short: "o" } },
  optionTexts: { input: "a JSON file with further parameters", output: "write the response to this file" },
  async run(run) {
    const [name = "", ...pairs] = run.words;
    if (!isOperation(name)) throw new UsageError(`There is no operation "${name}"; /openapi.json lists them.`);
    const [input, output] = [textOf(run, "input"), textOf(run, "output")];
    const stored: object = input === undefined ? {} : JSON.parse(await readFile(input, "utf8"));
    const values = { ...stored, ...Object.fromEntries(pairs.map(parsePair)) };
    const response = await run.client().raw(name, values as Input<Operation>);
    if (output !== undefined) {
      await writeFile(output, new Uint8Array(await response.arrayBuffer()));
      return run.output.say(`The response is in ${output}.`);
    }
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("application/json")) run.output.write(`${JSON.stringify(await response.json(), null, 2)}\n`);
    else if (/^text\/|json|xml/.test(type) || response.status === 204) run.output.write(await response.text());
    else throw new UsageError(`The response is a file (${type}). Set --output.`);
  },
};

const isOperation = (name: string): name is Operation => Object.hasOwn(OPERATIONS, name);

/** "limit=5" → ["limit", 5]. Lists and objects are JSON, as are numbers that JSON would write the same. */
function parsePair(pair: string): [name: string, value: unknown] {
  const at = pair.indexOf("=");
  if (at < 1) throw new UsageError(`"${pair}" must be NAME=VALUE.`);
  const text = pair.slice(at + 1);
  try {
    const value: unknown = JSON.parse(text);
    return [pair.slice(0, at), typeof value === "number" && String(value) !== text ? text : value];
  } catch {
    return [pair.slice(0, at), text];
  }
}
