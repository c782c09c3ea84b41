import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../base/command.ts";
import type { BackupPlace } from "../place.ts";

/** In the place: the state that backs up into it. */
const OWNER_KEY = "owner.json";
/** In the state; no backup contains it, so that a restored copy is another state. */
const IDENTITY = "backup-identity.json";
/** A place whose newest backup is older than this has no owner [ms]. */
const ABANDONED_MS = 900_000;

interface Identity {
  id: string;
  /** The place that this state took over as a standby. */
  tookOver?: string;
}

function identityOf(state: string): Identity {
  try {
    return JSON.parse(readFileSync(join(state, IDENTITY), "utf8"));
  } catch (error) {
    // If it cannot be read for now, another one would lose the place for 15 minutes.
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return writeIdentity(state, { id: randomUUID() });
  }
}

function writeIdentity(state: string, identity: Identity): Identity {
  const path = join(state, IDENTITY);
  writeFileSync(`${path}.part`, `${JSON.stringify(identity)}\n`, { mode: 0o600 });
  renameSync(`${path}.part`, path);
  return identity;
}

/** A standby that took over goes on with the backups of the server before it. */
export function tookOver(state: string, where: string): void {
  writeIdentity(state, { ...identityOf(state), tookOver: where });
}

/**
 * The state that may back up into a place: two would delete each other's chunks. The place names its owner; another state
 * becomes the owner if it took over as a standby, or once no backup was made for 15 minutes.
 */
export class PlaceOwner {
  readonly #place: BackupPlace;
  readonly #state: string;

  constructor(place: BackupPlace, state: string) {
    this.#place = place;
    this.#state = state;
  }

  /** @param newest the place's newest backup [ms] @throws CommandError if the place is another state's */
  async claim(newest: number | undefined, now: number): Promise<void> {
    const own = identityOf(this.#state);
    const owner = await this.#owner();
    if (owner === own.id) return;
    const isFree = owner === undefined || newest === undefined || now - newest > ABANDONED_MS;
    if (!isFree && own.tookOver !== this.#place.where) throw this.#conflict(newest);
    await this.#place.put(OWNER_KEY, Buffer.from(`${JSON.stringify({ id: own.id })}\n`));
    // Only once: the server before may be repaired and get its place back.
    if (own.tookOver === this.#place.where) writeIdentity(this.#state, { id: own.id });
  }

  /** @throws CommandError if the place is another state's meanwhile, or was emptied: what is known of it is not there any more */
  async check(): Promise<void> {
    const owner = await this.#owner();
    if (owner === undefined) throw new CommandError(`${this.#place.where} was emptied. Everything is backed up again.`);
    if (owner !== identityOf(this.#state).id) throw this.#conflict();
  }

  async #owner(): Promise<string | undefined> {
    const bytes = await this.#place.get(OWNER_KEY);
    if (!bytes) return undefined;
    try {
      const { id } = JSON.parse(Buffer.from(bytes).toString("utf8"));
      if (typeof id === "string") return id;
    } catch {
      // not what was written
    }
    throw new CommandError(
      `${this.#place.where} is damaged: ${OWNER_KEY} is corrupt. Delete it if one server uses it.`,
    );
  }

  #conflict(newest?: number): CommandError {
    const { where } = this.#place;
    const last = newest === undefined ? "" : ` Its newest backup is of ${new Date(newest).toISOString()}.`;
    return new CommandError(
      `${where} contains the backups of another server.${last} Use another destination: two servers would delete each other's backups. A destination is free 15 minutes after the last backup.`,
    );
  }
}
