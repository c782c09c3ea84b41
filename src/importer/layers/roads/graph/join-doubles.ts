import type { Interned } from "../../../../core/geo/bytes/interned.ts";
import type { EdgeProfile, Limited, Passage } from "../../../../core/routing/graph/modes.ts";
import type { RoadRecord } from "../../../../core/routing/graph/road-record.ts";
import { CLOSED_PROFILE } from "../profiles/way-profiles.ts";
import type { Pieces } from "./piece-columns.ts";
import type { RecordTable } from "./record-table.ts";

/** Bits of the filter that finds pieces between the same two junctions, per piece: one in eight others passes it, too. */
const FILTER_BITS = 8;

/** The columns by piece that are shortened when pieces are removed. */
const BY_PIECE = [
  ...(["start", "end", "length", "forward", "backward", "record", "bearingStart", "bearingEnd"] as const),
  ...(["trafficForward", "trafficBackward"] as const),
];

/**
 * Joins pieces that run over the same nodes, because ways were drawn twice, or once per direction, or because the outline of an area
 * is also a street: for a traveler they are one road. Otherwise each of their nodes is a fork between two equal roads,
 * and a driver may turn around from one to the other.
 *
 * Each mode keeps, per direction, the best of them. Pieces that no mode uses are removed; what remains is one piece where all
 * have the same name and class, else one for each, none of which shares a mode and direction with another. The columns of `pieces` are changed in place.
 */
export function joinDoubles(pieces: Pieces, profiles: Interned<EdgeProfile>, records: RecordTable): Pieces {
  const groups = groupsOf(pieces);
  if (groups.length === 0) return pieces;
  const isRemoved = new Map<number, readonly number[]>();
  const partners = new Map<number, readonly number[]>();
  for (const group of groups) {
    const kept = join(group, pieces, profiles, records);
    for (const piece of group) {
      if (kept.includes(piece)) partners.set(piece, kept);
      else isRemoved.set(piece, kept);
    }
  }
  return withoutPieces(pieces, isRemoved, partners);
}

/** Pieces over the same nodes, at least two in a group. */
function groupsOf(pieces: Pieces): number[][] {
  const { start, end, length, count } = pieces;
  const bits = Math.min(31, Math.ceil(Math.log2(Math.max(64, count * FILTER_BITS))));
  const seen = new Uint8Array(2 ** bits / 8);
  const twice = new Uint8Array(2 ** bits / 8);
  const placeOf = (piece: number) => {
    const [low, high] = [Math.min(start[piece], end[piece]), Math.max(start[piece], end[piece])];
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> (32 - bits);
  };
  for (let piece = 0; piece < count; piece++) {
    const place = placeOf(piece);
    if ((seen[place >>> 3] & (1 << (place & 7))) !== 0) twice[place >>> 3] |= 1 << (place & 7);
    seen[place >>> 3] |= 1 << (place & 7);
  }
  const some: number[] = [];
  for (let piece = 0; piece < count; piece++) {
    const place = placeOf(piece);
    if ((twice[place >>> 3] & (1 << (place & 7))) !== 0) some.push(piece);
  }
  const low = (piece: number) => Math.min(start[piece], end[piece]);
  const high = (piece: number) => Math.max(start[piece], end[piece]);
  const candidates = Int32Array.from(some).sort(
    (a, b) => low(a) - low(b) || high(a) - high(b) || length[a] - length[b] || a - b,
  );
  const groups: number[][] = [];
  for (let i = 0; i < candidates.length; ) {
    const first = candidates[i];
    let next = i + 1;
    while (next < candidates.length && low(candidates[next]) === low(first) && high(candidates[next]) === high(first))
      next++;
    // Of the roads between two junctions, those that also take the same way.
    const rest = [...candidates.subarray(i, next)];
    while (rest.length > 1) {
      const [own] = rest;
      const group = rest.filter((piece) => piece === own || isSameLine(pieces, own, piece));
      if (group.length > 1) groups.push(group);
      for (const piece of group) rest.splice(rest.indexOf(piece), 1);
    }
    i = next;
  }
  return groups;
}

/** Returns whether the points of two pieces between the same junctions are the same, in either direction. */
function isSameLine({ start, end, shapeFirst, shapeLatitude, shapeLongitude }: Pieces, a: number, b: number): boolean {
  const count = shapeFirst[a + 1] - shapeFirst[a];
  if (shapeFirst[b + 1] - shapeFirst[b] !== count) return false;
  const matches = (isAlong: boolean) => {
    for (let i = 0; i < count; i++) {
      const at = shapeFirst[a] + i;
      const other = shapeFirst[b] + (isAlong ? i : count - 1 - i);
      if (shapeLatitude[at] !== shapeLatitude[other] || shapeLongitude[at] !== shapeLongitude[other]) return false;
    }
    return true;
  };
  // A loop may run either way round.
  return (start[a] === start[b] && end[a] === end[b] && matches(true)) || (start[a] === end[b] && matches(false));
}

/** A direction of a piece: its profile, and the row of its traffic. */
interface Lane {
  passages: Passage[];
  limited: (Limited | undefined)[];
  /** What the passages have in common. */
  road: Omit<EdgeProfile, "passages" | "limited">;
  traffic: number;
}

interface Road {
  piece: number;
  /** Along the first piece of its group, against it. */
  lanes: [along: Lane, against: Lane];
}

/** Distributes the modes of a group over its pieces; returns those that remain, the most important first. */
function join(
  group: readonly number[],
  pieces: Pieces,
  profiles: Interned<EdgeProfile>,
  records: RecordTable,
): readonly number[] {
  const { start, end, forward, backward, record, trafficForward, trafficBackward } = pieces;
  const [reference] = group;
  const isLoop = start[reference] === end[reference];
  const isAlong = (piece: number) =>
    isLoop ? isSameDirection(pieces, reference, piece) : start[piece] === start[reference];
  const lanesOf = (piece: number): [along: Lane, against: Lane] => {
    const lane = (numbers: Uint32Array, traffic: Uint32Array): Lane => {
      const { passages, limited = [], ...road } = profiles.values[numbers[piece]];
      return { passages: [...passages], limited: [...limited], road, traffic: traffic[piece] ?? 0 };
    };
    const there = lane(forward, trafficForward);
    const back = lane(backward, trafficBackward);
    return isAlong(piece) ? [there, back] : [back, there];
  };
  const roads: Road[] = group.map((piece) => ({ piece, lanes: lanesOf(piece) }));
  roads.sort(byImportance);
  for (const direction of [0, 1]) shareModes(roads, direction);
  const open = roads.filter(({ lanes }) => lanes.some(isOpen));
  const kept: Road[] = [];
  for (const road of open) {
    const same = kept.find(({ piece }) => isSameRoad(records.get(record[piece]), records.get(record[road.piece])));
    if (!same) {
      kept.push(road);
      continue;
    }
    const isFlipped = isAlong(same.piece) !== isAlong(road.piece);
    record[same.piece] = records.add(
      joinedRecord(records.get(record[same.piece]), records.get(record[road.piece]), isFlipped),
    );
    takeLanes(same, road);
  }
  for (const { piece, lanes } of kept) {
    const [there, back] = isAlong(piece) ? lanes : [lanes[1], lanes[0]];
    const numberOf = (lane: Lane) => (isOpen(lane) ? profiles.add(profileOf(lane)) : 0);
    forward[piece] = numberOf(there);
    backward[piece] = numberOf(back);
    if (trafficForward.length === 0) continue;
    trafficForward[piece] = there.traffic;
    trafficBackward[piece] = back.traffic;
  }
  return kept.map(({ piece }) => piece);
}

function byImportance(a: Road, b: Road): number {
  const importance = ({ lanes }: Road) => {
    const best = (mode: number) => Math.max(...lanes.map(({ passages }) => worth(passages[mode])));
    return CLOSED_PROFILE.passages.map((_, mode) => best(mode));
  };
  const [own, other] = [importance(a), importance(b)];
  const mode = own.findIndex((value, i) => value !== other[i]);
  return mode < 0 ? a.piece - b.piece : other[mode] - own[mode];
}

/** In one direction, each mode stays on the road that is best for it. */
function shareModes(roads: readonly Road[], direction: number): void {
  for (let mode = 0; mode < CLOSED_PROFILE.passages.length; mode++) {
    const worths = roads.map(({ lanes }) => worth(lanes[direction].passages[mode]));
    // Closed to the default vehicle: the best for a smaller one.
    const isClosed = worths.every((own) => own === 0);
    const own = isClosed ? roads.map(({ lanes }) => openWorth(lanes[direction].limited[mode])) : worths;
    const winner = own.indexOf(Math.max(...own));
    roads.forEach(({ lanes }, i) => {
      if (i === winner) return;
      lanes[direction].passages[mode] = CLOSED_PROFILE.passages[mode];
      lanes[direction].limited[mode] = undefined;
    });
  }
}

/** A road takes the modes of another one of the same name. */
function takeLanes(same: Road, road: Road): void {
  road.lanes.forEach((lane, direction) => {
    const own = same.lanes[direction];
    if (!isOpen(own)) {
      own.road = lane.road;
      own.traffic = lane.traffic;
    }
    lane.passages.forEach((passage, mode) => {
      if (passage.speed === 0 && !lane.limited[mode]) return;
      own.passages[mode] = passage;
      own.limited[mode] = lane.limited[mode];
    });
  });
}

function isSameDirection({ shapeFirst, shapeLatitude, shapeLongitude }: Pieces, a: number, b: number): boolean {
  const count = shapeFirst[a + 1] - shapeFirst[a];
  for (let i = 0; i < count; i++) {
    const [at, other] = [shapeFirst[a] + i, shapeFirst[b] + i];
    if (shapeLatitude[at] !== shapeLatitude[other] || shapeLongitude[at] !== shapeLongitude[other]) return false;
  }
  return true;
}

const isOpen = ({ passages, limited }: Lane): boolean =>
  passages.some(({ speed }) => speed > 0) || limited.some((own) => own !== undefined);

const profileOf = ({ road, passages, limited }: Lane): EdgeProfile =>
  limited.some((own) => own !== undefined) ? { ...road, passages, limited } : { ...road, passages };

const openWorth = (limited: Limited | undefined): number => (limited ? worth(limited.open) : 0);

/**
 * How good a passage is: the same at all hours before others, open to all traffic before restricted and private, then the quicker
 * one; 0 if it is closed.
 */
function worth({ speed, preference, restricted, private: isPrivate, hours }: Passage): number {
  if (speed === 0) return 0;
  const rank = (hours ? 0 : 4) + (isPrivate ? 0 : 2) + (restricted ? 0 : 1);
  return rank * 2 ** 24 + speed * preference;
}

function isSameRoad(a: RoadRecord, b: RoadRecord): boolean {
  const plain = ({ forward, backward, ...road }: RoadRecord) => JSON.stringify(road);
  return plain(a) === plain(b);
}

/** One-way roads have signs for their direction only. */
function joinedRecord(own: RoadRecord, other: RoadRecord, isFlipped: boolean): RoadRecord {
  const { forward, backward, ...road } = own;
  const [there, back] = isFlipped ? [other.backward, other.forward] : [other.forward, other.backward];
  const along = forward ?? there;
  const against = backward ?? back;
  return { ...road, ...(along ? { forward: along } : {}), ...(against ? { backward: against } : {}) };
}

/** Removes pieces. Restrictions over a removed piece, or over one that lost modes, apply to all that remain of its group. */
function withoutPieces(
  pieces: Pieces,
  removed: ReadonlyMap<number, readonly number[]>,
  partners: ReadonlyMap<number, readonly number[]>,
): Pieces {
  const { shapeFirst, shapeLatitude, shapeLongitude } = pieces;
  const removedInOrder = Int32Array.from(removed.keys()).sort();
  const numberOf = (piece: number) => {
    let [low, high] = [0, removedInOrder.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (removedInOrder[middle] < piece) low = middle + 1;
      else high = middle;
    }
    return piece - low;
  };
  const piecesOfWay = new Map<number, readonly number[]>();
  for (const [way, some] of pieces.piecesOfWay) {
    const all = some.flatMap((piece) => removed.get(piece) ?? partners.get(piece) ?? [piece]);
    piecesOfWay.set(way, [...new Set(all)].map(numberOf));
  }
  let count = 0;
  let points = 0;
  for (let piece = 0; piece < pieces.count; piece++) {
    if (removed.has(piece)) continue;
    for (const name of BY_PIECE) if (pieces[name].length > 0) pieces[name][count] = pieces[name][piece];
    const [first, last] = [shapeFirst[piece], shapeFirst[piece + 1]];
    shapeFirst[count] = points;
    for (let i = first; i < last; i++, points++) {
      shapeLatitude[points] = shapeLatitude[i];
      shapeLongitude[points] = shapeLongitude[i];
    }
    count++;
  }
  shapeFirst[count] = points;
  const shortened = Object.fromEntries(BY_PIECE.map((name) => [name, pieces[name].subarray(0, count)]));
  return {
    ...pieces,
    ...shortened,
    count,
    shapeFirst: shapeFirst.subarray(0, count + 1),
    shapeLatitude: shapeLatitude.subarray(0, points),
    shapeLongitude: shapeLongitude.subarray(0, points),
    piecesOfWay,
  };
}
