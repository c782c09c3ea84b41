import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { ROOT } from "./base/wrangler.ts";
import { readGuides } from "./docs/build-docs.ts";
import { curlOf, type Example, requestOf } from "./docs/example.ts";
import { asker, readRecords, removeNew } from "./docs/project-records.ts";
import { type DevKeys, readDevKeys } from "./project/dev-keys.ts";

const USAGE = "npm run example -- GUIDE|tour [options]";

const HELP = `${USAGE}

Runs the examples of a guide against the running server (npm run dev), in the order of the page, and prints the requests and responses.
"tour" runs all guides. Most need the demo town: npm run import -- --demo. At the end, what the examples created is deleted, and the
settings are as before.

  --keys-file FILE  keys and URL of the server (.dev.keys.json)
  --keep            keep what the examples create, with their images in the current folder
  --quiet           print only requests and statuses
  --help            show this help`;

async function example(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      "keys-file": { type: "string", default: resolve(ROOT, ".dev.keys.json") },
      keep: { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const guides = readGuides().filter(({ steps }) => steps.length > 0);
  const names = guides.map(({ name }) => name);
  if (values.help || positionals.length === 0) return console.log(`${HELP}\n\nGuides: ${names.join(", ")}`);
  const [asked] = positionals;
  if (asked !== "tour" && !names.includes(asked))
    throw new UsageError(`Unknown guide "${asked}". Guides: ${names.join(", ")}, and tour.`);
  const keys = readDevKeys(resolve(values["keys-file"])) as DevKeys | undefined;
  if (!keys) throw new CommandError(`${values["keys-file"]} contains no keys. Start the server with npm run dev.`);
  const folder = values.keep ? process.cwd() : mkdtempSync(join(tmpdir(), "graticule-examples-"));
  const ask = asker(keys.baseUrl, keys.testSecret);
  const before = values.keep ? undefined : await readRecords(ask);
  const failed: string[] = [];
  for (const guide of guides.filter(({ name }) => asked === "tour" || name === asked)) {
    console.log(`\n# ${guide.title}`);
    const variables = { HOST: keys.baseUrl, PUBLISHABLE: keys.testPublishable, SECRET: keys.testSecret };
    for (const { example } of guide.steps)
      if (!(await runOne(example, variables, { quiet: values.quiet, folder })))
        failed.push(`${example.method} ${example.path}`);
  }
  if (before) {
    console.log(`\n${await removeNew(ask, before)} records of the examples deleted; --keep keeps them.`);
    rmSync(folder, { recursive: true, force: true });
  }
  if (failed.length > 0) throw new CommandError(`Responses that differ from the guides: ${failed.join(", ")}`);
}

/** Sends an example, saves values for later ones, and prints both. @returns whether the response was as expected */
async function runOne(
  example: Example,
  variables: Record<string, string>,
  { quiet, folder }: { quiet: boolean; folder: string },
): Promise<boolean> {
  console.log(`\n${filled(curlOf(example), variables)}`);
  const { url, ...init } = requestOf(example, variables);
  let answer = await fetch(url, init);
  // A device may report once a second.
  if (answer.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get("retry-after") ?? 1)));
    answer = await fetch(url, init);
  }
  if (example.file && answer.ok) {
    writeFileSync(join(folder, example.file), Buffer.from(await answer.arrayBuffer()));
    console.log(`→ ${answer.status}, ${example.file}`);
    return true;
  }
  const body = (await answer.json().catch(() => ({}))) as unknown;
  for (const { name, path } of example.save) {
    const value = path.split(".").reduce((one, part) => (one as Record<string, unknown> | undefined)?.[part], body);
    if (value !== undefined) variables[name] = String(value);
  }
  console.log(quiet ? `→ ${answer.status}` : `→ ${answer.status} ${JSON.stringify(body, null, 2)}`);
  return answer.status === example.status;
}

function filled(text: string, variables: Record<string, string>): string {
  return text.replace(/\$([A-Z_]+)/g, (whole, name) => variables[name] ?? whole);
}

await runCommand(example, USAGE);
