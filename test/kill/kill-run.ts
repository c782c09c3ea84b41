import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { createProject } from "../../src/server/project/projects.ts";
import { send } from "../bench/support/load.ts";
import { seededRandom } from "../bench/support/random.ts";
import { type ArchiveAudit, auditArchive, hotEvents } from "./archived.ts";
import { type Audit, audit, auditText, isFlawless } from "./audit.ts";
import { type BackupAudit, WatchedBackups } from "./backups.ts";
import { type BrokerAudit, listenAtBroker } from "./broker.ts";
import { auditBucket, type BucketAudit, gatherInBucket } from "./bucket.ts";
import { listAll, watchLists } from "./listed.ts";
import { LISTENING, listen } from "./listener.ts";
import { type Account, FENCES, travel } from "./travellers.ts";
import { bareVictims, npmStartVictims, type Victim } from "./victim.ts";

export interface KillOptions {
  kills: number;
  /** Mean time under load [s]; death comes at a random moment of twice that time. */
  seconds: number;
  seed?: number;
  /** Who dies: the Worker as benches open it, or `npm start` with all that is around it. */
  server?: "worker" | "npm start";
  /** With `npm start`: back up so often [s], with a standby; each fifth moment is restored. Absent: no backups. */
  backupEvery?: number | undefined;
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
  /** Lines of the bucket that gathers events: of ones that are not there or twice there, and events without one. */
  bucket: BucketAudit;
  /** The same of an MQTT broker, and what it got in all. */
  broker: BrokerAudit;
  published: number;
  /** The archive, into which events move while the server dies: its objects, and how many events have not moved. */
  archive: ArchiveAudit;
  parts: number;
  hot: number;
  /** Lists that were compared with those of before, all the time, and what was wrong with one. */
  lists: number;
  complaints: string[];
  /** Time until the database and the receiver had everything after the last start [s]. */
  drained: number;
  audit: Audit;
  backups?: BackupAudit;
}

/** Updates that a server acknowledges before it may die: by then it is under load. */
const UNDER_LOAD = 20;

/** A moment is restored after each so many kills, and after the last. */
const RESTORED_EACH = 5;

/** How long the last server may take to bring the next of what is left to where it belongs [ms]: alarms come within 10 s. */
const DRAIN_MS = 45_000;

/** Events move when they are so old, so often [ms]: what a tracker sends once more arrives when the archive has it already. */
const HOT_MS = 2000;
const ROUND_MS = 1000;
const ARCHIVING = { ARCHIVE_AFTER_DAYS: String(HOT_MS / (24 * 3600_000)) };

/**
 * Kills a server under load again and again on the same state, and audits its lists, its database, its archive and its sinks at the end. After the last start
 * no update is sent any more: only what the trackers kept by themselves can reach the database then.
 */
export async function killRun({
  kills,
  seconds,
  seed = 1,
  server: kind = "worker",
  backupEvery,
  enough = () => false,
  report = () => {},
}: KillOptions): Promise<KillTotals> {
  const state = mkdtempSync(join(tmpdir(), "graticule-kill-"));
  const bindings = { ...LISTENING, ...ARCHIVING };
  // `npm start` runs its rounds by itself: each minute, where events are hot for less than a day.
  let accountNow: Account | undefined;
  const backups = backupEvery === undefined ? undefined : new WatchedBackups(backupEvery, () => accountNow);
  const victims =
    kind === "worker"
      ? await bareVictims(state, bindings, ROUND_MS)
      : await npmStartVictims(state, bindings, backups?.options);
  const random = seededRandom(seed);
  const database = openLocalDatabase(state);
  const listener = await listen(seededRandom(seed + 1));
  const broker = await listenAtBroker();
  let victim: Victim | undefined;
  try {
    const { id, keys } = await createProject(database, "kill");
    const settings = JSON.stringify({ rateLimits: { track: 1_000_000, listEvents: 1_000_000 } });
    await query(database, "UPDATE project SET settings = ? WHERE id = ?", settings, id);
    database.close();

    let server = await victims.start(random());
    victim = server;
    for (const [name, shape] of Object.entries(FENCES)) {
      const body = { description: name, ...shape };
      const headers = { authorization: keys.testSecret };
      const { status, text } = await send(server, { method: "PUT", path: `/v1/geofences/kill/${name}`, headers, body });
      if (status !== 200) throw new Error(text);
    }
    await listener.subscribe(server, keys.testSecret);
    await broker.subscribe(server, keys.testSecret);
    const bucket = await gatherInBucket(server, keys.testSecret);
    const travellers = travel(() => server, keys.testPublishable, random, { lanes: 8, devicesPerLane: 6 });
    const { account } = travellers;
    accountNow = account;
    await backups?.follow();
    const watcher = watchLists(() => server, keys.testSecret, seededRandom(seed + 2));
    let kill = 0;
    for (let last = false; !last; ) {
      last = ++kill === kills || enough();
      const before = account.acknowledged;
      while (account.acknowledged < before + UNDER_LOAD) await sleep(10);
      await sleep(seconds * 2000 * random());
      // The last death ends the journey: nobody sends again what was lost with it.
      const ended = last ? travellers.stop() : undefined;
      const noted = backups?.noteKill();
      await server.kill();
      await ended;
      server = await victims.start(random());
      victim = server;
      let moments = "";
      if (backups && noted) {
        const isRestored = kill % RESTORED_EACH === 0 || last;
        const took = await backups.afterKill(noted.at, Date.now(), keys.testSecret, isRestored);
        moments = `, moment ${noted.age.toFixed(1)} s old, the next ${took.toFixed(1)} s after the start, load ${loadavg()[0]?.toFixed(1)}`;
      }
      const { acknowledged, events } = account;
      report(`kill ${kill}: ${acknowledged} updates and ${events.size} events acknowledged so far${moments}`);
    }
    const start = Date.now();
    let listed = await listAll(server, keys.testSecret);
    let found = audit(state, listed, account, listener.told);
    const isLeft = async () =>
      !isFlawless(found) ||
      (kind === "worker" && hotEvents(state) > 0) ||
      broker.audit(idsOf(listed)).lost.length > 0 ||
      (await bucket.waiting(server)) > 0;
    let progress = { what: "", at: start };
    while ((await isLeft()) && Date.now() - progress.at < DRAIN_MS) {
      await sleep(250);
      listed = await listAll(server, keys.testSecret);
      found = audit(state, listed, account, listener.told);
      const what = `${auditText(found)} ${listener.told.events.size} ${broker.messages()} ${hotEvents(state)}`;
      if (what !== progress.what) progress = { what, at: Date.now() };
    }
    await watcher.stop();
    await backups?.takeOver(keys.testSecret);
    const stored = idsOf(listed);
    const { parts, ...archive } = await auditArchive(state, stored);
    const { lists, complaints } = watcher;
    if (found.untold.length > 0) {
      const { waiting, dead } = await listener.left(server, keys.testSecret);
      report(`of the webhook's messages ${waiting} wait, and ${dead} were given up`);
    }
    return {
      bucket: await auditBucket(state, stored),
      broker: broker.audit(stored),
      published: broker.messages(),
      archive,
      parts,
      hot: hotEvents(state),
      lists,
      complaints,
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
      ...(backups && { backups: backups.audit }),
    };
  } finally {
    await victim?.kill();
    await listener.stop();
    await broker.stop();
    await victims.discard();
    await backups?.stop();
    // Processes that were killed may still be ending: that must not hide why the run ended.
    rmSync(state, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

const idsOf = (listed: readonly { _id: string }[]): Set<string> => new Set(listed.map(({ _id }) => _id));
