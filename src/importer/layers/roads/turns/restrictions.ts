import { BIKE, CAR, FOOT, TRUCK } from "../../../../core/routing/graph/modes.ts";
import { boundariesOf, isWithin, type Span, type Times } from "../../../../core/routing/graph/schedule.ts";
import type { TurnException } from "../../../../core/routing/graph/topology.ts";
import type { OsmRelation, Tags } from "../../../osm/pbf/element.ts";
import { appliesToTrucks, conditionsOf, switchedHours } from "../profiles/conditional.ts";
import { inOneCalendar } from "../profiles/times.ts";
import { blindModes, modesOnward, type RoadsAround } from "./blind-roads.ts";

/** A turn that is forbidden, or the only one allowed, as ways and nodes of the map. */
export interface Restriction {
  only: boolean;
  uTurn: boolean;
  /** Side of the turn in its name, if it has one. */
  side?: "left" | "right";
  /** Bits. */
  modes: number;
  /** Applies at these times; absent for always. */
  hours?: Times | undefined;
  from: number[];
  viaNode?: number;
  viaWays: number[];
  to: number[];
}

const MOTORS = (1 << CAR) | (1 << TRUCK);
const VEHICLES: Readonly<Record<string, number>> = {
  motorcar: 1 << CAR,
  hgv: 1 << TRUCK,
  goods: 1 << TRUCK,
  motor_vehicle: MOTORS,
  vehicle: MOTORS | (1 << BIKE),
  bicycle: 1 << BIKE,
  foot: 1 << FOOT,
};
/** Mappers invent turns ("no_left_on", "only_straight"): the first word counts. Signs for a red light are skipped. */
const KINDS = /^(no|only)_(?!.*on_red)/;

/**
 * Returns the turns that a relation forbids; [] when it is no restriction that a mode obeys. Unmarked restrictions bind motor vehicles.
 */
export function parseRestriction({ tags, members }: OsmRelation): Restriction[] {
  if (tags.type !== "restriction") return [];
  const from = members.filter(({ type, role }) => type === "way" && role === "from").map(({ ref }) => ref);
  const to = members.filter(({ type, role }) => type === "way" && role === "to").map(({ ref }) => ref);
  const viaWays = members.filter(({ type, role }) => type === "way" && role === "via").map(({ ref }) => ref);
  const viaNode = members.find(({ type, role }) => type === "node" && role === "via")?.ref;
  if (from.length === 0 || to.length === 0 || (viaNode === undefined && viaWays.length === 0)) return [];
  return rulesOf(tags).map(({ kind, modes, hours }) => ({
    only: kind.startsWith("only"),
    uTurn: kind.endsWith("u_turn"),
    side: /_left_/.test(kind) ? "left" : /_right_/.test(kind) ? "right" : undefined,
    modes,
    ...(hours && { hours }),
    from,
    viaNode,
    viaWays: viaNode === undefined ? viaWays : [],
    to,
  }));
}

function rulesOf(tags: Tags): (Pick<Restriction, "modes" | "hours"> & { kind: string })[] {
  let excepted = 0;
  for (const name of (tags.except ?? "").split(/[;,]/)) excepted |= VEHICLES[name.trim()] ?? 0;
  const rules: ReturnType<typeof rulesOf> = [];
  const add = (kind: string, modes: number, hours: Times | undefined) => {
    const bound = modes & ~excepted;
    if (KINDS.test(kind) && bound !== 0) rules.push({ kind, modes: bound, ...(hours && { hours }) });
  };
  const addConditional = (text: string | undefined, modes: number) => {
    for (const condition of conditionsOf(text ?? ""))
      add(
        condition.value,
        condition.over ? (appliesToTrucks(condition) ? modes & (1 << TRUCK) : 0) : modes,
        condition.hours,
      );
  };
  const switched = switchedHours(tags);
  add(tags.restriction ?? "", MOTORS, switched);
  addConditional(tags["restriction:conditional"], MOTORS);
  for (const [vehicle, modes] of Object.entries(VEHICLES)) {
    add(tags[`restriction:${vehicle}`] ?? "", modes, switched);
    addConditional(tags[`restriction:${vehicle}:conditional`], modes);
  }
  return rules;
}

/** A restriction as directed edges: path[0] is come from, the last is turned to, those between are the via ways. */
export interface RestrictedPath extends Pick<Restriction, "only" | "modes" | "hours"> {
  path: readonly number[];
}

/**
 * How many copies of edges there may be before a map is rejected as broken: one for every eight edges, and in a small
 * extract as many as any town has.
 */
const mostCopies = (edgeCount: number) => Math.max(20_000, edgeCount >>> 3);

/**
 * Turns restrictions into exceptions of the turn rules. A restriction over via ways needs memory: traffic from path[0]
 * drives copies of the via edges, on which the turn to the end of the path is closed (or alone is open).
 *
 *     from ──▶ via ──▶ to          from ──▶ via' ──╳▶ to       others ──▶ via ──▶ to
 *
 * An "only" restriction holds from the end of path[0] on: the only route that starts on the first road leads to the last one
 * (OpenStreetMap wiki, Relation:restriction).
 *
 * A side road that ends blind is not a way to shake off what holds over via ways: who turns there and comes back is where he was, so
 * the copies continue along all of it (`blindModes`).
 *
 *     from ──▶ via' ──▶ via' ──▶ to closed, or alone open
 *               │▲
 *               ▼│ dead end'
 *
 * Copies are the states of an automaton (Aho & Corasick 1975): a set of restrictions and how far each has been
 * followed. Returns the exceptions and, for each copy, the edge it copies. `unfollowed`: how often a copy was wanted that would have been one too many.
 */
export function restrictTurns(
  restrictions: readonly RestrictedPath[],
  edgeCount: number,
  roads: RoadsAround,
  most = mostCopies(edgeCount),
): { exceptions: TurnException[]; copies: number[]; unfollowed: number } {
  let unfollowed = 0;
  const starting = new Map<number, RestrictedPath[]>();
  for (const restriction of restrictions) {
    const list = starting.get(restriction.path[0]);
    if (list) list.push(restriction);
    else starting.set(restriction.path[0], [restriction]);
  }
  const ids = new Map(restrictions.map((restriction, index) => [restriction, index]));
  const copies: number[] = [];
  const exceptions: TurnException[] = [];
  const known = new Map<string, number>();
  const queue: { state: number; edge: number; active: Active[] }[] = [];
  for (const edge of [...starting.keys()].sort((a, b) => a - b)) queue.push({ state: edge, edge, active: [] });

  for (let q = 0; q < queue.length; q++) {
    const { state, edge, active } = queue[q];
    const followed: Active[] = [
      ...active,
      ...(starting.get(edge) ?? []).map((restriction) => ({ restriction, at: 0 })),
    ];
    const nexts = roads.leaving(edge);
    for (const next of nexts) {
      const { closing, onward, copyModes } = followTurn(followed, edge, next, nexts, roads);
      if (onward.length > 0 && copies.length >= most) unfollowed++;
      if (onward.length > 0 && copies.length < most) {
        const key = `${next}:${onward.map(({ restriction, at, aside }) => `${ids.get(restriction)}.${at}.${aside ?? ""}`).join()}`;
        let copy = known.get(key);
        if (copy === undefined) {
          copy = edgeCount + copies.length;
          known.set(key, copy);
          copies.push(next);
          queue.push({ state: copy, edge: next, active: onward });
        }
        exceptions.push({ from: state, to: copy, ...openModes(copyModes, closing, followed, next) });
        exceptions.push({ from: state, to: next, ...openModes(15 & ~copyModes, closing, followed, next) });
      } else if (closing.length > 0) {
        const open = openModes(15, closing, followed, next);
        if (open.modes !== 15 || open.hours) exceptions.push({ from: state, to: next, ...open });
      }
    }
  }
  return { exceptions, copies, unfollowed };
}

/** A restriction that is followed. `aside`: in a side road that is blind to these modes, off the path behind path[at]. */
interface Active {
  restriction: RestrictedPath;
  at: number;
  aside?: number;
}

/** What a turn does to the restrictions that are followed: those that close it, and those that go on, for some modes. */
function followTurn(
  followed: readonly Active[],
  edge: number,
  next: number,
  nexts: readonly number[],
  roads: RoadsAround,
): { closing: Closing[]; onward: Active[]; copyModes: number } {
  const closing: Closing[] = [];
  const onward: Active[] = [];
  let copyModes = 0;
  for (const { restriction, at, aside } of followed) {
    const { path, only, modes } = restriction;
    if (aside && !nexts.includes(path[at + 1])) {
      const inside = modesOnward(roads, edge, next, aside);
      if (inside !== 0) onward.push({ restriction, at, aside: inside });
      copyModes |= inside;
      continue;
    }
    const last = at + 2 === path.length;
    const hit = path[at + 1] === next;
    // Between the first and the last junction, roads that end blind stay open to their residents.
    const blind = !last && !hit && at > 0 ? blindModes(roads, path[at], next, path[at + 1], modes) : 0;
    // Modes that some "only" binds here, if the turn it demands exists at all.
    const binds = only && !hit && nexts.includes(path[at + 1]);
    if (last && !only && hit) closing.push({ restriction, modes });
    if (binds) closing.push({ restriction, modes: modes & ~blind });
    if (!last && hit) {
      onward.push({ restriction, at: at + 1 });
      copyModes |= modes;
    } else if (blind !== 0) {
      onward.push({ restriction, at, aside: blind });
      copyModes |= blind;
    }
  }
  return { closing, onward, copyModes };
}

/** A restriction that closes a turn to some modes (bits) while it applies. */
interface Closing {
  restriction: RestrictedPath;
  modes: number;
}

interface Followed {
  restriction: RestrictedPath;
  at: number;
}

/** Of some modes (bits), those that may still turn to `next`: at some hour, and by the hour where that differs. */
function openModes(
  modes: number,
  closing: readonly Closing[],
  followed: readonly Followed[],
  next: number,
): Pick<TurnException, "modes" | "hours"> {
  const timed = followed.flatMap(({ restriction }) => restriction.hours ?? []);
  if (timed.length === 0) return { modes: modes & ~closedModes(closing, followed, next, () => true) };
  // More special days than a calendar has are not followed: what they restrict stays open.
  const { calendar, spans } = inOneCalendar(timed) ?? { calendar: undefined, spans: timed.map((): Span[] => []) };
  const spansOf = new Map(timed.map((times, i) => [times, spans[i]]));
  const entries = boundariesOf(spans, calendar)
    .map((from) => {
      const applies = ({ hours }: RestrictedPath) => !hours || isWithin(spansOf.get(hours) ?? [], from);
      return { from, modes: modes & ~closedModes(closing, followed, next, applies) };
    })
    .filter((entry, i, all) => i === 0 || entry.modes !== all[i - 1].modes);
  const atSome = entries.reduce((bits, entry) => bits | entry.modes, 0);
  return entries.length > 1 ? { modes: atSome, hours: { ...(calendar && { calendar }), entries } } : { modes: atSome };
}

function closedModes(
  closing: readonly Closing[],
  followed: readonly Followed[],
  next: number,
  applies: (restriction: RestrictedPath) => boolean,
): number {
  // Several "only" restrictions each name a road that stays open.
  let ordered = 0;
  for (const { restriction, at } of followed) {
    const { only, path, modes } = restriction;
    if (only && path[at + 1] === next && applies(restriction)) ordered |= modes;
  }
  let closed = 0;
  for (const { restriction, modes } of closing) {
    if (applies(restriction)) closed |= restriction.only ? modes & ~ordered : modes;
  }
  return closed;
}
