import { createServer } from "node:net";
import { connect } from "node:tls";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { sampleBuild } from "../../importer/publish/builds.ts";
import { readLiveList } from "../../importer/publish/live-list.ts";
import { followedBy, isBehind } from "../backup/continuous/followed.ts";
import { isLate, lastBackup } from "../backup/last-backup.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";

const DAY_MS = 86_400_000;

/** Objects of each layer that are read. */
const SAMPLES_PER_LAYER = 3;

/** Reads some objects of each layer of the live builds, and compares their checksums. */
export async function checkObjects(bucket: Bucket): Promise<Finding> {
  const check = "stored geodata";
  const { list } = await readLiveList(bucket);
  let count = 0;
  for (const { name, id } of list.builds) {
    const { objects, wrong: damaged } = await sampleBuild(bucket, id, SAMPLES_PER_LAYER);
    count += objects;
    if (damaged.length > 0)
      return wrong(
        check,
        `${damaged.length} of ${objects} sampled objects of ${name} are damaged or missing, such as ${damaged[0]}`,
        `npm run geodata -- verify ${id} lists all. Make an intact build live (npm run geodata -- rollback ${name}), or import it again.`,
      );
  }
  return ok(check, `${count} sampled objects of ${list.builds.length} builds are intact`);
}

/** A day and some hours: a nightly backup is not late. */
const BACKUP_NOTE_MS = 1.5 * DAY_MS;
const BACKUP_WRONG_MS = 8 * DAY_MS;
/** A standby looks every five seconds. */
const STANDBY_WRONG_MS = 60_000;

export function checkBackup(state: string, now: number): Finding {
  const check = "backup";
  const todo = "npm run backup -- DIR|s3://BUCKET/PREFIX, nightly by cron, or npm start -- --backup-to: docs/backup.md";
  const last = lastBackup(state);
  if (!last) return note(check, "no backup of this state is known", todo);
  const { at, where, error, damaged, everyMs } = last;
  const said = at === undefined ? `there is none in ${where} yet` : `the last one is of ${at}, in ${where}`;
  if (error !== undefined) {
    const again = everyMs === undefined ? `run npm run backup -- ${where} again` : "the next interval tries again";
    return wrong(
      check,
      `${said}. The next one failed: ${error}`,
      `Solve what the error names; ${again}: docs/backup.md`,
    );
  }
  if (damaged)
    return wrong(
      check,
      `${said}. Damaged Durable Objects are in it as they were before, or not at all: ${damaged.join(", ")}`,
      "Restore an older moment into another folder, and copy their files from it: docs/backup.md",
    );
  const age = now - Date.parse(at ?? "");
  // Not from the start on: who asks wants to know how old the newest one is.
  if (isLate({ ...last, since: undefined }, now))
    return wrong(
      check,
      `${said}: more than three intervals`,
      'Search the logs for "what":"backup". Does its process run?',
    );
  if (!(age <= BACKUP_WRONG_MS)) return wrong(check, said, todo);
  return age > BACKUP_NOTE_MS ? note(check, said, todo) : ok(check, said);
}

/** Checks a standby; undefined if the state is none, or took over. */
export function checkStandby(state: string, now: number): Finding | undefined {
  const check = "standby";
  const last = followedBy(state);
  if (!last) return undefined;
  const { where, at, newAt, lookedAt, error } = last;
  const said = at === undefined ? `it has no backup of ${where} yet` : `it has the state of ${at}, from ${where}`;
  if (now - Date.parse(lookedAt) > STANDBY_WRONG_MS)
    return wrong(check, `${said}, and has not looked since ${lookedAt}`, "Start it: npm start -- --follow");
  const todo = "Check the backups of the server (npm run doctor there), and the network between.";
  if (isBehind(last, now))
    return wrong(check, `${said}. Nothing is new since ${newAt}${error ? `: ${error}` : ""}`, todo);
  return error === undefined ? ok(check, said) : note(check, `${said}. ${error}`, todo);
}

/** Checks who listens on a port if no Graticule answers there. */
export async function checkPort(port: number): Promise<Finding> {
  const check = "port";
  const probe = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen({ port, host: "127.0.0.1", exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
  if (code === undefined)
    return wrong(check, `nothing listens on port ${port}`, "Start the server, or specify its port: --port N");
  if (code === "EADDRINUSE")
    return wrong(
      check,
      `another program listens on port ${port}`,
      `Find it (ss -ltnp sport = :${port}), or use another port: npm start -- --port N`,
    );
  return wrong(check, `port ${port} cannot be used: ${code}`, "Use a port above 1023.");
}

const CERTIFICATE_NOTE_MS = 14 * DAY_MS;

interface Certificate {
  /** Why it is not trusted, for this name. */
  error?: string;
  validTo: number;
  issuer: string;
}

export function judgeCertificate(host: string, { error, validTo, issuer }: Certificate, now: number): Finding {
  const check = "certificate";
  const days = Math.floor((validTo - now) / DAY_MS);
  const said = `of ${host}, by ${issuer}, valid for ${days} more ${days === 1 ? "day" : "days"}`;
  if (validTo <= now)
    return wrong(
      check,
      `of ${host}: expired ${-days - 1} days ago`,
      "Renew it, and check why it was not renewed automatically.",
    );
  if (error !== undefined)
    return wrong(
      check,
      `of ${host}: ${error}`,
      "Use a certificate of this name with its chain. Browsers and SDKs reject this one.",
    );
  if (validTo - now < CERTIFICATE_NOTE_MS)
    return note(check, said, "Renew it, and check why it was not renewed automatically.");
  return ok(check, said);
}

const TLS_TIMEOUT_MS = 10_000;

/** Checks the certificate of an https URL; undefined for http. */
export async function checkCertificate(url: string, now: number): Promise<Finding | undefined> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "https:") return undefined;
  try {
    return judgeCertificate(hostname, await certificateOf(hostname, Number(port || 443)), now);
  } catch (error) {
    return wrong(
      "certificate",
      `no TLS connection to ${hostname}: ${error instanceof Error ? error.message : error}`,
      "Check the proxy, its port 443, and the DNS record.",
    );
  }
}

function certificateOf(host: string, port: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: TLS_TIMEOUT_MS }, () => {
      const { valid_to: validTo, issuer } = socket.getPeerCertificate();
      const error = socket.authorizationError;
      socket.destroy();
      resolve({
        validTo: Date.parse(validTo),
        issuer: String(issuer?.O ?? issuer?.CN ?? "an unknown issuer"),
        ...(error && { error: error instanceof Error ? error.message : String(error) }),
      });
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
  });
}
