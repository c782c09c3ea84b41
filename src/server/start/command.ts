import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseProxies } from "../../core/limits/client-address.ts";
import { openPlace } from "../backup/place.ts";
import { CommandError, readArguments, runCommand, UsageError, wholeNumber } from "../base/command.ts";
import { fileTrouble } from "../base/file-trouble.ts";
import { onGoodbye } from "../base/goodbye.ts";
import { keepPrivate } from "../base/private-files.ts";
import { databaseIds, ROOT, workerName } from "../base/wrangler.ts";
import { query } from "../data/database.ts";
import { DEFAULT_STATE, openLocalDatabase } from "../data/local-database.ts";
import { freePort } from "../dev/dev-server.ts";
import { geodataBucketName } from "../geodata/geodata-bucket.ts";
import { geodataS3 } from "../geodata/geodata-s3.ts";
import { letOthersRead } from "../make/let-others-read.ts";
import { LOCAL_MEMBER, writeDevKeys } from "../project/dev-keys.ts";
import { addMember, memberLink, settleOperator } from "../project/members.ts";
import { createProject } from "../project/projects.ts";
import { writeServerUrl } from "../project/server-url.ts";
import { refuseHalfRestored } from "../state/half-restored.ts";
import { explained, refuseDamaged } from "../state/integrity.ts";
import { lockForServer, lockState } from "../state/lock.ts";
import { mendState } from "../state/mend.ts";
import { metricsToken } from "../state/metrics-token.ts";
import { placeTrouble, preparePlace } from "../state/place.ts";
import { prepareCurrentWorld, prepareWorld } from "../state/prepare-world.ts";
import { remakeLiveList } from "../state/remake-live-list.ts";
import { endOrphan } from "../state/runtime.ts";
import { emptyTemporary } from "../state/temporary.ts";
import { VARIABLES } from "../state/variables.ts";
import { refuseInState, wantedBackups } from "./backup-folder.ts";
import { buildApart } from "./build-apart.ts";
import { cacheMegabytes } from "./cache-size.ts";
import { continueAsServer } from "./continue-as-server.ts";
import { DEFAULT_LEARN_AT, learnAt } from "./learn-at.ts";
import { processCount } from "./process-count.ts";
import { readTlsFiles, type TlsFiles } from "./socket/tls-front.ts";

const USAGE = "npm start -- [options]";

const HELP = `${USAGE}

Runs Graticule in production on this machine, without Cloudflare. For TLS, use a reverse proxy, or --tls-cert. docs/self-hosting.md

  --port N          listen on port N (8787)
  --host ADDRESS    listen on ADDRESS (127.0.0.1: a proxy on this machine; 0.0.0.0: all interfaces)
  --persist-to DIR  keep database, objects and geodata in DIR (${DEFAULT_STATE})
  --url URL         public URL: https://maps.example.com. Used for links, cookies, passkeys and signed URLs
  --trust-proxy LIST  proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: comma-separated addresses and networks (loopback; with --tls-cert none), or none
  --backup-to PLACE back up continuously to DIR or s3://BUCKET/PREFIX. docs/backup.md
  --every INTERVAL  with --backup-to: how often (60s)
  --follow PLACE    be the standby of a server that backs up to PLACE: keep a copy, and start after --take-over
  --take-over       tell the standby of --persist-to DIR to take over
  --processes N     answer requests by N processes, at most 16 (default: 1; auto: one per core and GB of memory)
  --learn-at HH:MM  learn road speeds daily at this time in UTC (${DEFAULT_LEARN_AT}). docs/guides/learning.md
  --tls-cert FILE   serve https with this certificate and its chain (PEM); a renewed file is used within a minute
  --tls-key FILE    its private key (PEM)
  --quiet           log only errors, not every request
  --build           build everything for a start, readable by all users, and the world base of DIR if there is a state, then exit
  --help            show this help

Environment variables: ${VARIABLES.join(", ")}.
GEODATA_BUCKET=s3://BUCKET stores geodata, icons and styles in an S3-compatible bucket instead of DIR.`;

const KEPT_BY_NPM = [
  ...["port", "host", "persist-to", "url", "trust-proxy", "backup-to", "every", "follow", "learn-at"],
  "processes",
  ...["tls-cert", "tls-key"],
] as const;

async function start(): Promise<void> {
  const { values } = readArguments({
    options: {
      port: { type: "string", default: "8787" },
      host: { type: "string", default: "127.0.0.1" },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      url: { type: "string" },
      "trust-proxy": { type: "string" },
      "backup-to": { type: "string" },
      every: { type: "string" },
      "learn-at": { type: "string", default: DEFAULT_LEARN_AT },
      processes: { type: "string", default: "1" },
      follow: { type: "string" },
      "take-over": { type: "boolean", default: false },
      "tls-cert": { type: "string" },
      "tls-key": { type: "string" },
      quiet: { type: "boolean", default: false },
      build: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const kept = KEPT_BY_NPM.find((option) => process.env[`npm_config_${option.replaceAll("-", "_")}`] !== undefined);
  if (kept) throw new UsageError(`npm consumed --${kept}. Put "--" before it: npm start -- --${kept} …`);
  const { host, quiet } = values;
  const processes = processCount(values.processes);
  const geodataCache = cacheMegabytes(processes);
  const asked = wholeNumber(values.port, "--port", { max: 65_535 });
  const url = publicUrl(values.url);
  const tls = tlsFiles(values["tls-cert"], values["tls-key"]);
  // With a certificate of its own, the server is usually behind no proxy.
  const trustedProxies = proxyList(values["trust-proxy"] ?? (tls ? "none" : "loopback"));
  const s3 = geodataS3();
  const state = resolve(values["persist-to"]);
  if (values.build) {
    await buildApart();
    letOthersRead(join(ROOT, "dist"));
    // Not into an image, which has no state yet.
    if (existsSync(join(state, "v3"))) await buildWorldIn(state);
    return;
  }
  keepPrivate();
  if (values["take-over"]) {
    const { takeOver } = await import("../backup/continuous/follow.ts");
    await takeOver(state);
    return console.log(`The standby of ${state} took over and is starting.`);
  }
  const learning = learnAt(values["learn-at"]);
  const backups = wantedBackups(values["backup-to"], values.every, state);
  if (values.follow !== undefined) refuseInState("--follow", values.follow, state);
  const note = preparePlace(state);
  if (note) console.error(note);
  if (values.follow !== undefined) await beStandby(values.follow, state);
  const unlock = await lockForServer(state);
  refuseHalfRestored(state);
  refuseDamaged(state, undefined, "quick");
  await endOrphan(state);
  mendState(state);
  emptyTemporary(state);
  const port = await freePort(host, asked, "npm start");
  const baseUrl = url ?? `${tls ? "https" : "http"}://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
  const { firstSteps, hasOtherWorld } = await prepare(state, baseUrl);
  writeServerUrl(state, baseUrl);
  const bundle = await buildApart();
  const variables = variablesOfWorker();
  variables.TRUSTED_PROXIES = trustedProxies;
  variables.GEODATA_CACHE_MB = geodataCache;
  if (url !== undefined) variables.PUBLIC_URL = url;
  if (s3) variables.GEODATA_S3 = JSON.stringify(s3);
  variables.METRICS_TOKEN = metricsToken(state);
  await continueAsServer(unlock, {
    ...{ state, host, port, processes, tls, quiet, variables, learning, bundle },
    ready: `Graticule is ready at ${baseUrl}${firstSteps}`,
    hasOtherWorld,
    backups,
  });
}

/** A server that runs may be of the version before, which could not read the new base: the start after it builds it. */
async function buildWorldIn(state: string): Promise<void> {
  let unlock: () => void;
  try {
    unlock = lockState(state, "npm start");
  } catch {
    return console.log(`A server is using ${state}. The next start builds the base of the world while it answers.`);
  }
  await prepareCurrentWorld(state);
  unlock();
}

/** What the operator's environment sets of the Worker's variables. */
const variablesOfWorker = (): Record<string, string> =>
  Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** What a start builds is built before, so that a takeover only restores and starts. Ends the process after a signal. */
async function beStandby(target: string, state: string): Promise<void> {
  const place = openPlace(target);
  await buildApart();
  const ending = new AbortController();
  onGoodbye(() => ending.abort());
  const to = { state, worker: workerName(), ...databaseIds(), bucket: geodataBucketName() };
  // Meanwhile, not before: the first copy must not wait for it. If it fails, the start after the takeover tries again.
  const world = prepareWorld(state).then(
    () => {},
    (error) => console.error(error instanceof Error ? error.message : error),
  );
  const { follow } = await import("../backup/continuous/follow.ts");
  await follow(place, to, { log: console.log, signal: ending.signal, prepared: world });
  if (ending.signal.aborted) process.exit(0);
}

function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.hash)
    throw new UsageError(`--url must be a URL without a path, such as https://maps.example.com, not "${text}".`);
  return url.origin;
}

/** @throws UsageError, or CommandError for files that are no certificate and key */
function tlsFiles(cert: string | undefined, key: string | undefined): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new UsageError("Specify both --tls-cert and --tls-key.");
  const files = { cert: resolve(cert), key: resolve(key) };
  readTlsFiles(files);
  return files;
}

function proxyList(text: string): string {
  try {
    parseProxies(text);
    return text;
  } catch (error) {
    throw new UsageError(`--trust-proxy: ${(error as Error).message}.`);
  }
}

/** The tables, the world's base, and for the first start a project with its keys, of which `firstSteps` tells. */
async function prepare(state: string, baseUrl: string): Promise<{ firstSteps: string; hasOtherWorld: boolean }> {
  try {
    const database = openLocalDatabase(state);
    let firstSteps = "";
    try {
      const [{ projects }] = await query(database, "SELECT count(*) AS projects FROM project");
      if (projects === 0) {
        const { id, keys } = await createProject(database, "first");
        await addMember(database, id, LOCAL_MEMBER, "owner");
        const file = join(state, "keys.json");
        writeDevKeys(file, { baseUrl, ...keys });
        firstSteps = `\n\nCreated the first project. Its keys: ${file}\nSign in as its owner with this single-use link: ${await memberLink(database, LOCAL_MEMBER, baseUrl)}`;
      }
      await settleOperator(database, LOCAL_MEMBER);
    } finally {
      database.close();
    }
    await remakeLiveList(state);
    return { firstSteps, hasOtherWorld: await prepareWorld(state) };
  } catch (error) {
    throw stateError(error, state);
  }
}

/** SQLite names its own errors: 8 is a file that cannot be written, 13 a full disk, 14 one that cannot be opened. */
const SQLITE: Record<number, string> = { 8: "EACCES", 13: "ENOSPC", 14: "EACCES" };

function stateError(error: unknown, state: string): unknown {
  const { code, errcode } = error as { code?: string; errcode?: number };
  const known = errcode === undefined ? code : SQLITE[errcode & 0xff];
  const sentence = (known === "EACCES" ? fileTrouble(error) : undefined) ?? placeTrouble(known, state);
  return sentence && existsSync(state) ? new CommandError(sentence) : explained(error, state);
}

await runCommand(start, USAGE);
