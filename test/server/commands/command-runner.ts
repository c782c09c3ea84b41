import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { ROOT } from "../../../src/server/base/wrangler.ts";

/**
 * Runs commands of src/server one after the other for its parent (one-process.ts). A query after the file's URL makes Node run the
 * command's own module again; the modules that it imports are loaded once.
 */
export interface CommandRequest {
  script: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

let count = 0;
let output = "";
const capture = (text: string | Uint8Array) => {
  output += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  return true;
};
for (const stream of [process.stdout, process.stderr]) stream.write = capture;
console.log = (...all) => void capture(`${format(...all)}\n`);
console.error = console.log;

let last: Promise<void> = Promise.resolve();
process.on("message", (request: CommandRequest) => {
  last = last.then(() => run(request));
});
process.once("disconnect", () => process.exit());

async function run({ script, args, env }: CommandRequest): Promise<void> {
  const path = join(ROOT, "src/server", script);
  output = "";
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, path, ...args];
  process.exitCode = undefined;
  let thrown: unknown;
  await import(`${pathToFileURL(path)}?${count++}`).catch((error: unknown) => {
    thrown = error;
  });
  const code = thrown === undefined ? Number(process.exitCode ?? 0) : 1;
  process.send?.({ code, output: thrown === undefined ? output : `${output}${(thrown as Error).stack}` });
  process.exitCode = undefined;
  // A command may let its process end although its parent is there.
  process.channel?.ref();
}
