import type { Entry, UpdateEntry } from "../history/entry.ts";
import { labelOf } from "../steps/enter-fences.ts";
import type { Fence, FenceLabel } from "../types/fence.ts";
import type { UserState } from "../types/state.ts";
import type { Place } from "../types/surroundings.ts";
import type { TimedFix } from "./fixes.ts";

/** A time spent in a geofence or place [ms]. */
export interface Visit {
  from: number;
  to: number;
  geofence?: FenceLabel;
  place?: Place;
}

/**
 * Reads the positions of stored updates, and the geofences and places that the user was in, without the rest: a day may have ten thousand.
 * Positions that arrived late count, too.
 */
export class PastReader {
  readonly fixes: TimedFix[] = [];
  readonly #visits: Visit[] = [];
  readonly #open = new Map<string, Visit>();
  /** Geofences of the entry before, which it was in before or after that update. */
  #near: readonly string[] = [];
  /** The place of the entry before. */
  #place: string | undefined;

  /** Adds a page's entries, in order. */
  add(entries: readonly Entry[]): void {
    const labels = new Map<string, FenceLabel>();
    let place: Place | undefined;
    let [stopped, foreground] = [false, false];
    let near: readonly string[] = [];
    for (const entry of entries) {
      if (!("u" in entry)) continue;
      const { u, m, a, x, d, f, o } = entry;
      if (m && "stopped" in m) stopped = m.stopped === true;
      if (m && "foreground" in m) foreground = m.foreground === true;
      if (a && "place" in a) place = (a.place as Place | null) ?? undefined;
      if (x?.includes("place")) place = undefined;
      for (const fence of d ?? []) labels.set(fence.id, "shape" in fence ? labelOf(fence as Fence) : { _id: fence.id });
      near = f ?? near;
      const at = timeOf(entry);
      const [, , latitude, longitude, accuracy] = u;
      this.fixes.push({ at, location: { latitude, longitude }, accuracy, stopped });
      if (o) continue;
      this.#follow(at, near, labels);
      this.#leave(place);
      if (place && (stopped || foreground)) this.#extend(place._id, at, at, { place });
    }
  }

  /** A user is in a geofence between two updates if it mattered to both: the first entered it, or the second left it. */
  #follow(at: number, near: readonly string[], labels: ReadonlyMap<string, FenceLabel>): void {
    const before = this.fixes[this.fixes.length - 2]?.at ?? at;
    for (const id of near) {
      if (this.#near.includes(id)) this.#extend(id, before, at, { geofence: labels.get(id) ?? { _id: id } });
    }
    this.#near = near;
  }

  /** Who returns to a place visits it again. */
  #leave(now: Place | undefined): void {
    if (this.#place !== undefined && this.#place !== now?._id) this.#open.delete(this.#place);
    this.#place = now?._id;
  }

  #extend(id: string, from: number, to: number, what: Pick<Visit, "geofence" | "place">): void {
    const open = this.#open.get(id);
    // A place matters only while the user has settled: it may not be named meanwhile.
    if (open && (what.place || open.to >= from)) {
      open.to = Math.max(open.to, to);
      return;
    }
    const visit = { ...what, from, to };
    this.#open.set(id, visit);
    this.#visits.push(visit);
  }

  /** Visits so far; with the user's state, those that are not over, too. */
  visits(state?: UserState): Visit[] {
    const last = this.fixes[this.fixes.length - 1]?.at ?? 0;
    const current = Object.values(state?.geofences ?? {}).filter(({ enteredAt }) => enteredAt <= last);
    const now = current.map(({ fence, enteredAt }): Visit => ({ geofence: fence, from: enteredAt, to: last }));
    return [...this.#visits, ...now];
  }
}

function timeOf({ u: [receivedAt, ahead], t }: UpdateEntry): number {
  return t ?? receivedAt + (ahead ?? 0);
}
