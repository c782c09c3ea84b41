import type { Fence } from "../types/fence.ts";
import type { TrackingSettings } from "../types/settings.ts";
import type { Identity, Outcome, UserState } from "../types/state.ts";
import type { Surroundings } from "../types/surroundings.ts";
import type { LocationUpdate } from "../types/update.ts";

/**
 * The history of a user: each update and its surroundings, so that the step can be rerun from an earlier state. Entries
 * are stored in pages; within a page, each contains only differences from the previous entry, the first everything.
 * Names are short, because the newest page is rewritten with every update.
 */
export interface UpdateEntry {
  /** receivedAt, updatedAt − receivedAt (null = the update had no time), latitude, longitude, accuracy. */
  u: [receivedAt: number, ahead: number | null, latitude: number, longitude: number, accuracy: number];
  /** Other fields of the update that differ; null = absent now. */
  m?: Record<string, unknown>;
  /** Parts of the surroundings that differ, except fences; and the names of those that are now absent. */
  a?: Record<string, unknown>;
  x?: string[];
  /** The settings, if they differ. */
  s?: TrackingSettings;
  /** Fences not yet in this page in this revision. */
  d?: StoredFence[];
  /** Ids of the relevant fences, in order, if they differ from before. */
  f?: string[];
  /** Events: the sequence number before the first, and how many. */
  e?: [before: number, count: number];
  /** When it happened, if that is neither its own time nor server time [ms]. */
  t?: number;
  /** It was older than the newest point and didn't move the user. */
  o?: 1;
  /** The identity of the user: only with the very first update. */
  i?: Identity;
}

/** A change of the state by an API call instead of an update: the parts that differ, null = now absent. */
export interface ChangeEntry {
  p: Record<string, unknown>;
}

export type Entry = UpdateEntry | ChangeEntry;

/** A fence, or only the identity of a large one. */
export type StoredFence = Fence | Pick<Fence, "id" | "revision">;

/** Maximum JSON length of a stored fence [characters]: a ring of about 100 corners. */
const MAX_FENCE = 4_000;

/** Stored in `u`; and the IP address of the connection, which is only in a user's last state. */
const OMITTED: readonly string[] = ["receivedAt", "updatedAt", "location", "accuracy", "ip"];

/** A plain value, or the JSON of an object: a part is always one or always the other. */
type Known = string | number | boolean;

/** The previous values with which the next entry of a page is compared. */
export class PageContext {
  readonly update = new Map<string, Known>();
  readonly around = new Map<string, Known>();
  settings = "";
  /** Revisions of the fences that the page contains. */
  readonly revisions = new Map<string, number>();
  fences = "";

  /** The context after some stored entries. */
  static after(entries: readonly Entry[]): PageContext {
    const context = new PageContext();
    for (const entry of entries) if ("u" in entry) context.#follow(entry);
    return context;
  }

  #follow({ m, a, x, s, d, f }: UpdateEntry): void {
    for (const [name, value] of Object.entries(m ?? {})) {
      if (value === null) this.update.delete(name);
      else this.update.set(name, knownForm(value));
    }
    for (const [name, value] of Object.entries(a ?? {})) this.around.set(name, knownForm(value));
    for (const name of x ?? []) this.around.delete(name);
    if (s) this.settings = JSON.stringify(s);
    for (const { id, revision } of d ?? []) this.revisions.set(id, revision);
    if (f) this.fences = f.join();
  }
}

/** One applied update. */
export interface Applied {
  before: UserState | undefined;
  update: LocationUpdate;
  surroundings: Surroundings;
  settings: TrackingSettings;
  outcome: Outcome;
}

/** The JSON of an update's entry; updates `context` to the values after it. */
export function updateEntry(applied: Applied, context: PageContext): string {
  const { before, update, settings, outcome } = applied;
  const { receivedAt, updatedAt, location, accuracy } = update;
  const ahead = updatedAt === undefined ? "null" : String(updatedAt - receivedAt);
  let text = `{"u":[${receivedAt},${ahead},${location.latitude},${location.longitude},${accuracy}]`;
  const add = (name: keyof UpdateEntry, json: string) => {
    text += `,"${name}":${json}`;
  };
  const [changed, gone] = differing(update, context.update, OMITTED);
  for (const name of gone) changed.push(`"${name}":null`);
  if (changed.length > 0) add("m", `{${changed.join()}}`);
  const [parts, absent] = differing(partsThatMatter(applied), context.around, ["fences"]);
  if (parts.length > 0) add("a", `{${parts.join()}}`);
  if (absent.length > 0) add("x", JSON.stringify(absent));
  const set = JSON.stringify(settings);
  if (set !== context.settings) add("s", set);
  context.settings = set;
  addFences(applied, context, add);
  const { state, events } = outcome;
  if (events.length > 0) add("e", `[${state.seq - events.length},${events.length}]`);
  // An accepted update always has a new location object.
  if (state.location === before?.location) add("o", "1");
  else if (state.chronology !== (updatedAt ?? receivedAt)) add("t", String(state.chronology));
  if (!before) {
    const { _id, live } = state;
    add("i", JSON.stringify({ _id, live, seq: state.seq - events.length }));
  }
  return `${text}}`;
}

/**
 * "name":json of the differences, and the names of values that are now absent. Sets `known` to the values of `now`.
 * Most values are plain, and are compared without being serialized.
 */
function differing(now: object, known: Map<string, Known>, leaveOut: readonly string[]): [string[], string[]] {
  const values = now as Record<string, unknown>;
  const changed: string[] = [];
  let met = 0;
  for (const name in values) {
    const value = values[name];
    if (value === undefined || leaveOut.includes(name)) continue;
    met++;
    const comparable = knownForm(value);
    if (known.get(name) === comparable) continue;
    known.set(name, comparable);
    changed.push(`"${name}":${typeof value === "object" ? (comparable as string) : JSON.stringify(value)}`);
  }
  if (met === known.size) return [changed, []];
  const gone = [...known.keys()].filter((name) => values[name] === undefined);
  for (const name of gone) known.delete(name);
  return [changed, gone];
}

/** The form in which a part is compared: itself, or the JSON of an object. */
function knownForm(value: unknown): Known {
  return typeof value === "object" ? JSON.stringify(value) : (value as Known);
}

/** A place that the device passes without being in it changes nothing: it is not stored. */
function partsThatMatter({ before, update, surroundings }: Applied): Omit<Surroundings, "fences"> {
  const { place } = surroundings;
  if (!place || update.stopped || update.foreground || before?.place?.place._id === place._id) return surroundings;
  return { ...surroundings, place: null };
}

/** The fences that it was in before or is in now: all others changed nothing. */
function addFences(
  { before, surroundings, outcome }: Applied,
  context: PageContext,
  add: (name: "d" | "f", json: string) => void,
): void {
  const was = before?.geofences;
  const is = outcome.state.geofences;
  const mattered: Fence[] = [];
  if ((was && !isEmpty(was)) || !isEmpty(is)) {
    for (const fence of surroundings.fences)
      if (was?.[fence.id] !== undefined || is[fence.id] !== undefined) mattered.push(fence);
  }
  const news = mattered.filter(({ id, revision }) => context.revisions.get(id) !== revision);
  if (news.length > 0) {
    for (const { id, revision } of news) context.revisions.set(id, revision);
    add("d", `[${news.map(storedFence).join()}]`);
  }
  const ids = mattered.map(({ id }) => id);
  if (ids.join() !== context.fences) add("f", JSON.stringify(ids));
  context.fences = ids.join();
}

function storedFence(fence: Fence): string {
  const corners = fence.shape.type === "polygon" ? fence.shape.ring.length : 0;
  // A corner has at least 20 characters, so the JSON of a large ring need not be created.
  const json = corners * 20 > MAX_FENCE ? undefined : JSON.stringify(fence);
  if (json !== undefined && json.length <= MAX_FENCE) return json;
  return JSON.stringify({ id: fence.id, revision: fence.revision });
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

/** Parts of a state that its history doesn't store: the last response, and the IP address of the connection. */
const NOT_STORED: readonly string[] = ["last", "ip"];

/** The JSON of a state as stored in a page. */
export function storedState(state: UserState): string {
  return JSON.stringify({ ...state, last: undefined, ip: undefined });
}

/** The JSON of a change by an API call; undefined if nothing differs. */
export function changeEntry(before: UserState, after: UserState): string | undefined {
  const was: Readonly<Record<string, unknown>> = { ...before };
  const is: Readonly<Record<string, unknown>> = { ...after };
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (!NOT_STORED.includes(name) && was[name] !== is[name]) changed[name] = is[name] ?? null;
  }
  return isEmpty(changed) ? undefined : JSON.stringify({ p: changed });
}
