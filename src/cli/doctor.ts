import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { layers } from "../importer/layers.ts";
import { CommandError, readArguments, runCommand, UsageError } from "./command.ts";
import { query } from "./database.ts";
import { askerOf } from "./doctor/ask.ts";
import { examine, type Finding } from "./doctor/checks.ts";
import { DEFAULT_STATE, openLocalDatabase } from "./local-database.ts";
import { createProject, revokeKeys, rotateKey } from "./projects.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = "npm run doctor -- [--remote URL] [options]";

const HELP = `${USAGE}

Asks a running Graticule how it is: bindings, tables, geodata, clock, disk, and a request of each kind. A line for each,
with what to do where something is wrong. Ends with code 0 where nothing is.

  --remote URL      the deployment, such as https://maps.example.com; otherwise the server on this machine
  --port N          of the server on this machine (8787)
  --persist-to DIR  its state (${DEFAULT_STATE}): without --key a project "doctor" is made there, with a key for this run
  --key KEY         a secret key, best of Test; or GRATICULE_KEY in the environment, where no history keeps it
  --json            the findings as JSON
  --help            this page

It writes one location update of a device "graticule-doctor" in the key's environment, and deletes that user again.`;

const PROJECT = "doctor";

async function doctor(): Promise<void> {
  const { values } = readArguments({
    options: {
      remote: { type: "string" },
      port: { type: "string", default: "8787" },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      key: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const url = baseUrl(values.remote ?? `http://127.0.0.1:${values.port}`);
  const given = values.key ?? process.env.GRATICULE_KEY;
  if (values.remote !== undefined && !given)
    throw new UsageError("A deployment wants a secret key: --key, or GRATICULE_KEY in the environment.");
  const { key, end } = given ? { key: given, end: async () => {} } : await ownKey(resolve(values["persist-to"]));
  let findings: Finding[];
  try {
    findings = await examine(askerOf(url, key), knownHere());
  } finally {
    await end();
  }
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  if (values.json) console.log(JSON.stringify({ url, ok: wrong === 0, findings }, null, 2));
  else {
    console.log(`${url}\n`);
    for (const finding of findings) console.log(lineOf(finding));
    console.log(wrong === 0 ? "\nNothing is wrong." : `\n${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong.`);
  }
  if (wrong > 0) process.exitCode = 1;
}

function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--remote is an address such as https://maps.example.com, not "${text}".`);
  return url.origin;
}

/** "ok     tables         0007_rows.sql" */
function lineOf({ check, state, said, todo }: Finding): string {
  return `${state.padEnd(6)} ${check.padEnd(24)} ${said}${todo ? `\n${" ".repeat(32)}→ ${todo}` : ""}`;
}

/** A key of a project of its own in the local state, for this run. */
async function ownKey(state: string): Promise<{ key: string; end: () => Promise<void> }> {
  const database = openLocalDatabase(state);
  try {
    const [known] = await query(database, "SELECT id FROM project WHERE name = ? ORDER BY id LIMIT 1", PROJECT);
    const project = known ? Number(known.id) : (await createProject(database, PROJECT)).id;
    const { key } = await rotateKey(database, project, "testSecret");
    return {
      key,
      async end() {
        await revokeKeys(database, project, "testSecret");
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw new CommandError(
      `No key could be made in ${state}: ${error instanceof Error ? error.message : error}. Give one: --key`,
    );
  }
}

function knownHere() {
  const schema = readdirSync(join(ROOT, "migrations")).sort().at(-1) ?? "";
  return { schema, formats: Object.fromEntries(layers.map(({ name, formatVersion }) => [name, formatVersion])) };
}

if (import.meta.main) await runCommand(doctor, USAGE);
