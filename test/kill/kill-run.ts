import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { query } from "../../src/cli/database.ts";
import { openLocalDatabase } from "../../src/cli/local-database.ts";
import { createProject } from "../../src/cli/projects.ts";
import { send } from "../bench/load.ts";
import { seededRandom } from "../bench/random.ts";
import { buildWorker } from "../bench/worker.ts";
import { type Audit, audit, isFlawless } from "./audit.ts";
import { LISTENING, listen } from "./listener.ts";
import { FENCES, travel } from "./travellers.ts";
import { startVictim } from "./victim.ts";

export interface KillOptions {
  kills: number;
  /** Mean time under load [s]; death comes at a random moment of twice that time. */
  seconds: number;
  seed?: number;
  /** Is it enough? Asked before each kill: the one that follows is the last. */
  enough?(): boolean;
  /** What happens, line by line. */
  report?(line: string): void;
}

export interface KillTotals {
  kills: number;
  /** Updates answered with 200. */
  updates: number;
  /** Updates sent again because an answer did not come. */
  repeated: number;
  /** Events that those answers told of. */
  events: number;
  users: number;
  /** Messages that the webhook's receiver acknowledged, and failures it answered with. */
  messages: number;
  refusals: number;
  /** Events that it was told of more than once, with the same id. */
  toldAgain: number;
  /** Time until the database and the receiver had everything after the last start [s]. */
  drained: number;
  audit: Audit;
}

/** Updates that a server acknowledges before it may die: by then it is under load. */
const UNDER_LOAD = 20;

/** How long the last server may take to bring everything into the database [ms]: alarms come within 10 s. */
const DRAIN_MS = 45_000;

/**
 * Kills a server under load again and again on the same state, and audits the database at the end. After the last start
 * no update is sent any more: only what the trackers kept by themselves can reach the database then.
 */
export async function killRun({
  kills,
  seconds,
  seed = 1,
  enough = () => false,
  report = () => {},
}: KillOptions): Promise<KillTotals> {
  const state = mkdtempSync(join(tmpdir(), "graticule-kill-"));
  const built = await buildWorker();
  const random = seededRandom(seed);
  const database = openLocalDatabase(state);
  const listener = await listen(seededRandom(seed + 1));
  let victim: Awaited<ReturnType<typeof startVictim>> | undefined;
  try {
    const { id, keys } = await createProject(database, "kill");
    const settings = JSON.stringify({ rateLimits: { track: 1_000_000 } });
    await query(database, "UPDATE project SET settings = ? WHERE id = ?", settings, id);
    database.close();

    let server = await startVictim(built, state, LISTENING);
    victim = server;
    for (const [name, shape] of Object.entries(FENCES)) {
      const body = { description: name, ...shape };
      const headers = { authorization: keys.testSecret };
      const { status, text } = await send(server, { method: "PUT", path: `/v1/geofences/kill/${name}`, headers, body });
      if (status !== 200) throw new Error(text);
    }
    await listener.subscribe(server, keys.testSecret);
    const travellers = travel(() => server, keys.testPublishable, random, { lanes: 8, devicesPerLane: 6 });
    const { account } = travellers;
    let kill = 0;
    for (let last = false; !last; ) {
      last = ++kill === kills || enough();
      const before = account.acknowledged;
      while (account.acknowledged < before + UNDER_LOAD) await sleep(10);
      await sleep(seconds * 2000 * random());
      // The last death ends the journey: nobody sends again what was lost with it.
      const ended = last ? travellers.stop() : undefined;
      await server.kill();
      await ended;
      server = await startVictim(built, state, LISTENING);
      victim = server;
      report(`kill ${kill}: ${account.acknowledged} updates and ${account.events.size} events acknowledged so far`);
    }
    const start = Date.now();
    let found = audit(state, account, listener.told);
    while (!isFlawless(found) && Date.now() - start < DRAIN_MS) {
      await sleep(250);
      found = audit(state, account, listener.told);
    }
    return {
      kills: kill,
      updates: account.acknowledged,
      repeated: account.repeated,
      events: account.events.size,
      users: account.users.size,
      messages: listener.told.messages,
      refusals: listener.told.refusals,
      toldAgain: [...listener.told.events.values()].filter(({ times }) => times > 1).length,
      drained: (Date.now() - start) / 1000,
      audit: found,
    };
  } finally {
    await victim?.kill();
    await listener.stop();
    built.discard();
    rmSync(state, { recursive: true, force: true });
  }
}
