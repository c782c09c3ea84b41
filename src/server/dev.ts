import { mkdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CommandError, readArguments, runCommand, UsageError, wholeNumber } from "./base/command.ts";
import { onGoodbye } from "./base/goodbye.ts";
import { keepPrivate } from "./base/private-files.ts";
import { ROOT } from "./base/wrangler.ts";
import type { Database } from "./data/database.ts";
import { DEFAULT_STATE, openLocalDatabase } from "./data/local-database.ts";
import { prepareDemoTown, showDemoDay } from "./demo-day.ts";
import { freePort, startDevServer, untilReady } from "./dev/dev-server.ts";
import { firstRequests } from "./dev/first-requests.ts";
import {
  type DevKeys,
  LOCAL_MEMBER,
  readDevKeys,
  settleDevKeys,
  settleLocalMember,
  writeDevKeys,
} from "./project/dev-keys.ts";
import { memberLink } from "./project/members.ts";
import { writeServerUrl } from "./project/server-url.ts";
import { buildDashboardApart } from "./start/build-apart.ts";
import { refuseHalfRestored } from "./state/half-restored.ts";
import { lockState } from "./state/lock.ts";
import { prepareWorld } from "./state/prepare-world.ts";

const USAGE = "npm run dev -- [options]";

const HELP = `${USAGE}

Starts Graticule on this machine. Needs no account and no network. State persists across restarts.

  --port N          listen on port N (8787; 0: any free port)
  --host ADDRESS    listen on ADDRESS (127.0.0.1; 0.0.0.0: reachable from a phone in the same network)
  --persist-to DIR  keep database, objects and geodata in DIR (${DEFAULT_STATE})
  --keys-file FILE  write the keys to FILE (.dev.keys.json)
  --demo-data       import a town and 30 days of simulated users in Test, so that every page shows data (rerun: up to now)
  --verbose         show all requests and the logs of the Worker
  --help            show this help`;

/**
 * `npm run dev --port 9000` would start at 8787: without "--" npm takes options as its own, and these variables show
 * it.
 */
const KEPT_BY_NPM = ["port", "host", "persist-to", "keys-file", "demo-data"] as const;

async function dev(): Promise<void> {
  const { values } = readArguments({
    options: {
      port: { type: "string", default: "8787" },
      host: { type: "string", default: "127.0.0.1" },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      "keys-file": { type: "string", default: resolve(ROOT, ".dev.keys.json") },
      "demo-data": { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const kept = KEPT_BY_NPM.find((option) => process.env[`npm_config_${option.replaceAll("-", "_")}`] !== undefined);
  if (kept) throw new UsageError(`npm consumed --${kept}. Put "--" before it: npm run dev -- --${kept} …`);

  if (process.env.GEODATA_BUCKET)
    console.log("GEODATA_BUCKET applies only to npm start. npm run dev stores geodata on disk.");
  delete process.env.GEODATA_BUCKET;
  const { host, verbose } = values;
  const port = await freePort(host, wholeNumber(values.port, "--port", { max: 65_535 }));
  const state = resolve(values["persist-to"]);
  const baseUrl = `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;

  keepPrivate();
  mkdirSync(state, { recursive: true });
  keepPrivate(state);
  const unlock = lockState(state);
  refuseHalfRestored(state);
  const { keys, notes, link } = await prepare(state, resolve(values["keys-file"]), baseUrl);
  writeServerUrl(state, baseUrl);
  // One after the other, each in a process of its own: beside each other they would take 700 MB.
  await prepareWorld(state);
  if (values["demo-data"]) await prepareDemoTown(state);
  await buildDashboardApart();

  const server = startDevServer({ host, port, state, verbose });
  let leaving = false;
  onGoodbye(() => {
    leaving = true;
    void server.stop();
  });
  const ready = await untilReady(baseUrl, server);
  if (ready && values["demo-data"]) await showDemoDay(state, keys, () => leaving);
  if (ready && !leaving) console.log(welcome(keys, relative(process.cwd(), resolve(values["keys-file"])), notes, link));
  const code = await server.ended;
  unlock();
  if (!leaving) throw new CommandError(`The server exited with code ${code}. See the error above.`);
}

/** Prepares what the Worker needs: the tables, a project, and its keys in the database and in the file. */
async function prepare(
  state: string,
  keysFile: string,
  baseUrl: string,
): Promise<{ keys: DevKeys; notes: string[]; link: string }> {
  const held = readDevKeys(keysFile);
  const database = openLocalDatabase(state);
  try {
    const { keys, notes } = await settleDevKeys(database, held);
    writeDevKeys(keysFile, { baseUrl, ...keys });
    return { keys: { baseUrl, ...keys }, notes, link: await ownLink(database, baseUrl) };
  } finally {
    database.close();
  }
}

/** Creates a sign-in link for the user who starts the server, who owns the local project. */
async function ownLink(database: Database, baseUrl: string): Promise<string> {
  await settleLocalMember(database);
  return memberLink(database, LOCAL_MEMBER, baseUrl);
}

function welcome(keys: DevKeys, keysFile: string, notes: string[], link: string): string {
  const { first, demo } = firstRequests(keys);
  return `Graticule is ready at ${keys.baseUrl}

  dashboard         ${link}
                    (signs in once; another: npm run project -- member link ${LOCAL_MEMBER})

  test publishable  ${keys.testPublishable}
  test secret       ${keys.testSecret}
  live publishable  ${keys.livePublishable}
  live secret       ${keys.liveSecret}
  (also in ${keysFile})
${notes.map((note) => `  ${note}\n`).join("")}
Create a geofence, track a device into it, get the context of the place, send events to your server, and test the webhook (WEBHOOK is the _id in the previous response):

${first.join("\n\n")}

After npm run import -- --demo: a route, nearby places and a map:

${demo.join("\n\n")}

Guides: ${keys.baseUrl}/docs/guides, run by: npm run example -- tour
Reference: ${keys.baseUrl}/docs    Stop: Ctrl-C`;
}

await runCommand(dev, USAGE);
