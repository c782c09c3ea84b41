import type { Identity } from "../../../core/tracking/types/state.ts";

/** The identity of a future user, reserved for its conversions before its first location. */
export interface Reserved extends Identity {
  /** Of its last event. */
  seq: number;
}

/** The reserved identities of a device, by userId, on its object's disk. */
export class ReservedIdentities {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  of(userId: string | undefined): Reserved | undefined {
    return this.#kv.get<Reserved>(keyOf(userId));
  }

  keep(userId: string | undefined, identity: Reserved): void {
    this.#kv.put(keyOf(userId), identity);
  }

  /** The user has a location, and with it its own record. */
  drop(userId: string | undefined): void {
    this.#kv.delete(keyOf(userId));
  }

  /** The user with this _id is deleted. */
  forget(id: string): void {
    for (const [key, { _id }] of this.#all()) if (_id === id) this.#kv.delete(key);
  }

  get isEmpty(): boolean {
    return this.#all().length === 0;
  }

  #all(): [string, Reserved][] {
    return [...this.#kv.list<Reserved>({ prefix: keyOf(undefined) })];
  }
}

const keyOf = (userId: string | undefined) => (userId === undefined ? "reserved" : `reserved:${userId}`);
