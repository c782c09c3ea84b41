import { isIP } from "node:net";
import { resolve } from "node:path";
import { CommandError, readArguments, runCommand, shownError, UsageError, wholeNumber } from "./base/command.ts";
import { ROOT } from "./base/wrangler.ts";
import type { Database } from "./data/database.ts";
import { DEFAULT_STATE, openLocalDatabase } from "./data/local-database.ts";
import { openRemoteDatabase } from "./data/remote-database.ts";
import { askerOf } from "./doctor/ask.ts";
import { examine } from "./doctor/checks.ts";
import { checkFiles } from "./doctor/file-checks.ts";
import { type Finding, note } from "./doctor/finding.ts";
import { knownHere } from "./doctor/known-here.ts";
import { lineOf } from "./doctor/line-of.ts";
import { checkBackup, checkCertificate, checkObjects, checkPort, checkStandby } from "./doctor/machine-checks.ts";
import { type OwnKey, ownKey } from "./doctor/own-key.ts";
import { checkStructure } from "./doctor/structure.ts";
import { openGeodataBucket } from "./geodata/geodata-bucket.ts";
import { geodataS3, tryBucket } from "./geodata/geodata-s3.ts";
import { readServerUrl } from "./project/server-url.ts";

const USAGE = "npm run doctor -- [--remote URL] [options]";

const HELP = `${USAGE}

Checks a running Graticule: bindings, tables and indexes, geodata and a sample of its objects, clock, disk, port, certificate, the
last backup, and one request of each kind. Prints one line per check, with a suggested fix for each problem. Exits with code 0 if
all checks pass.

  --remote URL      the deployment, such as https://maps.example.com; otherwise the server on this machine
  --url URL         the public URL of the server on this machine, to check its certificate
  --port N          of the server on this machine (that of its last start; 8787)
  --persist-to DIR  its state (${DEFAULT_STATE}); without --key, a project "doctor" with a temporary key is created there
  --key KEY         a secret key, preferably of Test; or GRATICULE_KEY in the environment, which no shell history records
  --json            print the results as JSON
  --help            show this help

It sends one location update of a device "graticule-doctor" in the key's environment, then deletes that user.`;

/** The port at which the server of a state was started; where it has a public URL, only the operator knows it. */
function portOf(state: string): number {
  const { protocol, hostname, port } = new URL(readServerUrl(state) ?? "http://127.0.0.1:8787");
  return protocol === "http:" && isIP(hostname) > 0 ? Number(port || 80) : 8787;
}

async function doctor(): Promise<void> {
  const { values } = readArguments({
    options: {
      remote: { type: "string" },
      url: { type: "string" },
      port: { type: "string" },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      key: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const state = resolve(values["persist-to"]);
  const port = values.port === undefined ? portOf(state) : wholeNumber(values.port, "--port", { min: 1, max: 65_535 });
  const url = baseUrl(values.remote ?? `http://127.0.0.1:${port}`, "--remote");
  const publicUrl = values.url === undefined ? url : baseUrl(values.url, "--url");
  const isRemote = values.remote !== undefined;
  const given = values.key ?? process.env.GRATICULE_KEY;
  if (isRemote && !given)
    throw new UsageError("A deployment requires a secret key: set --key, or GRATICULE_KEY in the environment.");
  const files = isRemote ? { databases: [], objects: [] } : checkFiles(state);
  // With a damaged database, no other check says anything.
  if (files.databases.some(({ state }) => state === "wrong"))
    return report(url, [...files.databases, ...files.objects], values.json);
  const { key, end } = given ? { key: given, end: async () => {} } : await localKey(state);
  let findings: Finding[];
  try {
    const standby = isRemote ? undefined : checkStandby(state, Date.now());
    findings = await examine(askerOf(url, key), knownHere());
    const isReached = findings[0].state !== "wrong";
    // A standby listens on no port.
    if (standby && !isReached) findings = [];
    findings.push(...files.databases, ...files.objects);
    if (standby) findings.push(standby);
    else if (!isRemote && !isReached) findings.push(await checkPort(port));
    const certificate = await checkCertificate(publicUrl, Date.now());
    if (certificate) findings.push(certificate);
    findings.push(...(await stored(state, isRemote)));
    if (!isRemote) {
      findings.push(checkBackup(state, Date.now()));
    }
    if (!isRemote && geodataS3()) findings.push(await bucket());
  } finally {
    await end();
  }
  report(url, findings, values.json);
}

/** Prints the findings, and sets the exit code. */
function report(url: string, findings: readonly Finding[], isJson: boolean): void {
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  if (isJson) console.log(JSON.stringify({ url, ok: wrong === 0, findings }, null, 2));
  else {
    console.log(`${url}\n`);
    for (const finding of findings) console.log(lineOf(finding));
    console.log(wrong === 0 ? "\nAll checks passed." : `\n${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong.`);
  }
  if (wrong > 0) process.exitCode = 1;
}

/** Checks what the database and the bucket contain, from this machine. */
async function stored(state: string, isRemote: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  const attempt = async (check: string, work: () => Promise<Finding>) => {
    try {
      findings.push(await work());
    } catch (error) {
      const said = `not checked: ${shownError(error).split("\n")[0]}`;
      const todo = isRemote
        ? "The check needs access from this machine: npx wrangler login, and the R2_… variables."
        : "Repair this, then run the doctor again.";
      findings.push(note(check, said, todo));
    }
  };
  await attempt("tables and indexes", async () => {
    const database: Database = isRemote ? openRemoteDatabase() : openLocalDatabase(state);
    try {
      return await checkStructure(database);
    } finally {
      database.close();
    }
  });
  await attempt("stored geodata", async () => {
    const bucket = openGeodataBucket({ remote: isRemote, state });
    try {
      return await checkObjects(bucket);
    } finally {
      bucket.close();
    }
  });
  return findings;
}

/** Checks the S3 bucket from this machine, and reports its own error messages. */
async function bucket(): Promise<Finding> {
  const check = "bucket behind S3";
  const opened = openGeodataBucket({ remote: false, state: "" });
  try {
    await tryBucket(opened);
    return { check, state: "ok", said: `${opened.where} responds and supports conditional writes` };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { check, state: "wrong", said, todo: "docs/self-hosting.md, A bucket behind S3" };
  } finally {
    opened.close();
  }
}

function baseUrl(text: string, option: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${option} must be a URL such as https://maps.example.com, not "${text}".`);
  return url.origin;
}

/** A key in the local state, for this run. */
async function localKey(state: string): Promise<OwnKey> {
  const database = openLocalDatabase(state);
  try {
    const { key, end } = await ownKey(database);
    return { key, end: () => end().finally(() => database.close()) };
  } catch (error) {
    database.close();
    throw new CommandError(
      `Could not create a key in ${state}: ${error instanceof Error ? error.message : error}. Specify one with --key`,
    );
  }
}

if (import.meta.main) await runCommand(doctor, USAGE);
