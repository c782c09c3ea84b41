import { eventId } from "../emit.ts";
import type { Fence } from "../types/fence.ts";
import type { TrackingSettings } from "../types/settings.ts";
import type { Identity, UserState } from "../types/state.ts";
import type { Surroundings } from "../types/surroundings.ts";
import type { LocationUpdate } from "../types/update.ts";
import type { ChangeEntry, Entry, StoredFence, UpdateEntry } from "./entry.ts";

/** A past update with all input of the step. */
export interface PastUpdate {
  update: LocationUpdate;
  /** When it happened [ms]. */
  at: number;
  /** It moved the user; false: it was older than the newest point. */
  counted: boolean;
  /** Ids of the events that it generated. */
  events: string[];
  settings: TrackingSettings;
  /** With the relevant fences, as they were then. */
  surroundings: Surroundings;
  /** Ids of relevant fences that were too large to be stored. */
  unkept: string[];
  identity: Identity | undefined;
}

/** A change of the state in between, by an API call. */
interface PastChange {
  change: Record<string, unknown>;
}

/**
 * Reads a page's entries.
 * @param user the _id, from which the ids of events are derived
 */
export function readPage(entries: readonly Entry[], user: string): (PastUpdate | PastChange)[] {
  const reader = new PageReader(user);
  return entries.map((entry) => ("u" in entry ? reader.read(entry) : { change: (entry as ChangeEntry).p }));
}

class PageReader {
  readonly #user: string;
  #rest: Record<string, unknown> = {};
  #around: Record<string, unknown> = {};
  #settings: TrackingSettings | undefined;
  readonly #fences = new Map<string, StoredFence>();
  #near: string[] = [];

  constructor(user: string) {
    this.#user = user;
  }

  read({ u, m, a, x, s, d, f, e, t, o, i }: UpdateEntry): PastUpdate {
    const [receivedAt, ahead, latitude, longitude, accuracy] = u;
    this.#rest = { ...this.#rest, ...m };
    for (const name in m) if (m[name] === null) delete this.#rest[name];
    this.#around = { ...this.#around, ...a };
    for (const name of x ?? []) delete this.#around[name];
    this.#settings = s ?? this.#settings;
    for (const fence of d ?? []) this.#fences.set(fence.id, fence);
    this.#near = f ?? this.#near;
    const updatedAt = ahead === null ? undefined : receivedAt + ahead;
    const update = {
      ...this.#rest,
      location: { latitude, longitude },
      accuracy,
      receivedAt,
      ...(updatedAt !== undefined && { updatedAt }),
    } as LocationUpdate;
    const near = this.#near.flatMap((id) => this.#fences.get(id) ?? []);
    const [before, count] = e ?? [0, 0];
    return {
      update,
      at: t ?? updatedAt ?? receivedAt,
      counted: o === undefined,
      events: Array.from({ length: count }, (_, k) => eventId(this.#user, before + 1 + k)),
      settings: this.#settings as TrackingSettings,
      surroundings: { ...this.#around, fences: near.filter((fence): fence is Fence => "shape" in fence) },
      unkept: near.filter((fence) => !("shape" in fence)).map(({ id }) => id),
      identity: i,
    };
  }
}

/** A state after a change by an API call. */
export function changed(state: UserState, { change }: PastChange): UserState {
  const next: Partial<UserState> & Record<string, unknown> = { ...state, ...change };
  for (const name in change) if (change[name] === null) delete next[name];
  return next as UserState;
}
