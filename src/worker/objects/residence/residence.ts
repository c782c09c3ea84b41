import { type Home, homeOf, readHome } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { type Jurisdiction, jurisdictionOf } from "../../platform/jurisdiction.ts";
import { type Namespace, residenceOf, residentEnv } from "../../platform/residence.ts";
import { remoteObject } from "../remote.ts";
import { discard, freeze, type Piece, type Place, RECORD_KEY, readPiece, thaw, writePiece } from "./contents.ts";

/** How an object of a class moves with its project. */
export interface ResidentClass {
  namespace: Namespace;
  /** Its contents can be made again of the database: they are not copied. */
  isCopy?: true;
}

/** What an object records of itself. */
type HandOver =
  /** Its contents are those of the object of this name there, which is released or not. */
  | { from: string; isReleased: boolean }
  /** Its contents belong to the object of this name there, which has them all once it is released. */
  | { to: string; alarm: number | null; isReleased: boolean };

/** An object at the other end of a hand-over. */
export interface Neighbor {
  surrender(to: string): Promise<void>;
  piece(place: Place): Promise<Piece>;
  release(): Promise<void>;
  reside(): Promise<void>;
}

/** How long an object that has handed its contents over remembers where they are [ms]: longer than any caller believes that it has them. */
const REMEMBERED_MS = 15 * 60_000;

/** In records, the place outside of all jurisdictions. */
const NOWHERE = "";
const toText = (place: Jurisdiction | undefined) => place ?? NOWHERE;

/**
 * Where the project of an object is stored, and whether the object is there. If its project has moved to another
 * jurisdiction, the object of the same name there takes over its contents before it handles its first call, and calls
 * that still arrive here are forwarded to it. So at any time one of both has the state, and handles the calls.
 */
export class Residence {
  readonly #context: DurableObjectState;
  readonly #env: Env;
  readonly #class: ResidentClass;
  readonly #own: Jurisdiction | undefined;
  readonly #name: string;
  readonly #scope: number;
  #record: HandOver | undefined;
  #isHere = false;
  #arriving: Promise<void> | undefined;

  constructor(context: DurableObjectState, env: Env, of: ResidentClass) {
    this.#context = context;
    this.#env = env;
    this.#class = of;
    const { jurisdiction, name = "" } = residenceOf(context.id);
    this.#own = jurisdiction;
    this.#name = name;
    this.#scope = Number.parseInt(name, 10);
    this.#record = context.storage.kv.get<HandOver>(RECORD_KEY);
  }

  /** Does this object have its project's state, as far as it knows without asking? */
  get isHere(): boolean {
    return this.#isHere;
  }

  get hasLeft(): boolean {
    return this.#record !== undefined && "to" in this.#record;
  }

  /**
   * Decides whether this object handles a call, and takes over the state if it does.
   * @returns undefined, or the object that handles it
   */
  async elsewhere(): Promise<Neighbor | undefined> {
    if (this.#isHere) return undefined;
    if (Number.isNaN(this.#scope)) return undefined;
    const home = await this.#home();
    if (jurisdictionOf(home.name) !== this.#own) return this.#at(jurisdictionOf(home.name));
    this.#arriving ??= this.#arrive(home).finally(() => {
      this.#arriving = undefined;
    });
    await this.#arriving;
    return undefined;
  }

  /** Where the project is. That it is elsewhere, or that this object has left, is only believed of the database. */
  async #home(): Promise<Home> {
    if (!this.hasLeft) {
      const home = await homeOf(this.#env, this.#scope);
      if (jurisdictionOf(home.name) === this.#own) return home;
    }
    return readHome(this.#env, this.#scope);
  }

  /** The object of this name in another place. */
  #at(place: Jurisdiction | undefined): Neighbor {
    return remoteObject(residentEnv(this.#env, place), this.#class.namespace, this.#name);
  }

  async #arrive({ from }: Home): Promise<void> {
    const former = from === undefined ? undefined : jurisdictionOf(from);
    const isMoving = from !== undefined && former !== this.#own;
    if (isMoving) {
      const record = this.#record;
      const hasAll = record && "from" in record && record.from === toText(former);
      if (!hasAll) await this.#takeOver(former);
      if (!hasAll || !record.isReleased) {
        await this.#at(former).release();
        this.#note({ from: toText(former), isReleased: true });
      }
    } else if (this.hasLeft) this.#return();
    this.#isHere = true;
  }

  /** The project has come back, and there is nothing to take over any more. */
  #return(): void {
    const { storage } = this.#context;
    const isReleased = this.#record?.isReleased;
    if (isReleased) discard(storage);
    else thaw(storage);
    this.#record = undefined;
    storage.kv.delete(RECORD_KEY);
  }

  async #takeOver(former: Jurisdiction | undefined): Promise<void> {
    const { storage } = this.#context;
    const other = this.#at(former);
    await other.surrender(toText(this.#own));
    discard(storage);
    this.#record = undefined;
    let alarm: number | null = null;
    if (!this.#class.isCopy)
      for (let place: Place | undefined = { table: 0, row: 0 }; place; ) {
        const piece: Piece = await other.piece(place);
        writePiece(storage, piece);
        alarm = piece.alarm;
        place = piece.next;
      }
    this.#note({ from: toText(former), isReleased: false });
    if (alarm === null) await storage.deleteAlarm();
    else await storage.setAlarm(alarm);
  }

  #note(record: HandOver): void {
    this.#record = record;
    this.#context.storage.kv.put(RECORD_KEY, record);
  }

  /** From now on the object in this place has the state; nothing changes here any more. */
  async surrender(to: string): Promise<void> {
    if (this.#record && "to" in this.#record && this.#record.to === to) return;
    const { storage } = this.#context;
    const alarm = await storage.getAlarm();
    this.#isHere = false;
    storage.transactionSync(() => {
      freeze(storage);
      this.#note({ to, alarm, isReleased: false });
    });
    // If no object takes it over, it is offered again.
    await storage.setAlarm(Date.now() + REMEMBERED_MS);
    await storage.sync();
  }

  piece(place: Place): Piece {
    if (!this.#record || !("to" in this.#record)) throw new Error("this object has not surrendered its state");
    return readPiece(this.#context.storage, place, this.#record.alarm);
  }

  /** The other object has everything: deletes it here, but for where it is. */
  async release(): Promise<void> {
    if (!this.#record || !("to" in this.#record) || this.#record.isReleased) return;
    const { storage } = this.#context;
    const { to } = this.#record;
    await storage.deleteAll();
    this.#note({ to, alarm: null, isReleased: true });
    await storage.setAlarm(Date.now() + REMEMBERED_MS);
  }

  /** Handles the alarm of an object whose project is elsewhere: offers its state, and later forgets where it is. */
  async ring(): Promise<void> {
    const { storage } = this.#context;
    const wasReleased = this.#record?.isReleased;
    const other = await this.elsewhere();
    if (!other) return;
    // First: an alarm that fails six times is dropped.
    await storage.setAlarm(Date.now() + REMEMBERED_MS);
    // The other takes the state over, unless it has it.
    await other.reside();
    if (!wasReleased) return;
    await storage.deleteAlarm();
    await storage.deleteAll();
    this.#record = undefined;
  }
}
