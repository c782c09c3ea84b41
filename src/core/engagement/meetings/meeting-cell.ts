import { distance } from "../../geo/distance.ts";
import { mayMeet, type SidedRule } from "../meeting.ts";
import { coveringCells } from "./coarse-cells.ts";
import { type Fix, joined, judgePair, type Nearness } from "./judge-pair.ts";
import {
  type HandedPair,
  type Member,
  type Pair,
  pairKey,
  personOf,
  type StoredMember,
  sidesOf,
  stored,
} from "./member.ts";
import { type MeetingMessage, type Placed, type Placement, SAFE_METRES } from "./messages.ts";
import { askOf, pairMessages, type Told } from "./pair-messages.ts";
import { Pairs } from "./pairs.ts";
import { Roster } from "./roster.ts";

/** Meetings of one user by one rule at a time; further users are not compared. */
export const MAX_TOGETHER = 100;
/**
 * Devices and pairs of a cell together: some 500 bytes each, of the 128 MB of an object. Further devices, and pairs, are not compared until
 * others leave.
 */
const MAX_HELD = 150_000;
/** Less saves hardly a call. */
const MIN_SAFE_METRES = 5;
/** Who moves less between two reports may stand, by the noise of positions: others soon leave the circle in which they are together [m]. */
const STANDING_METRES = 30;
/** A member without a pair is forgotten after this silence, one with a pair after the second [ms]. */
const [FORGOTTEN_AFTER_MS, PAIR_ENDS_AFTER_MS] = [48 * 3600_000, 7 * 24 * 3600_000];

/** The devices in one coarse cell and near its border, and who of them is together. No clock, no storage: `take` returns what has changed. */
export class MeetingCell {
  readonly #roster = new Roster((id, member) => this.#changed.set(`m:${id}`, member));
  readonly #pairs = new Pairs((key, pair) => this.#changed.set(`p:${key}`, pair));
  readonly #changed = new Map<string, StoredMember | Pair | undefined>();

  readonly #maxHeld: number;

  /** @param stored what `take` returned, by its keys */
  constructor(stored: Iterable<[string, unknown]> = [], maxHeld = MAX_HELD) {
    this.#maxHeld = maxHeld;
    for (const [key, value] of stored) {
      if (key.startsWith("m:")) this.#roster.keep(value as StoredMember);
      else if (key.startsWith("p:")) this.#pairs.keep(key.slice(2), value as Pair);
    }
    this.#changed.clear();
  }

  get size(): number {
    return this.#roster.size;
  }

  /** It takes no more devices and begins no more pairs. */
  get isFull(): boolean {
    return this.#roster.size + this.#pairs.size >= this.#maxHeld;
  }

  /** All that it has, by key. */
  stored(): [string, StoredMember | Pair][] {
    const members = Array.from(this.#roster.all, (one): [string, StoredMember] => [`m:${one._id}`, stored(one)]);
    return [...members, ...[...this.#pairs.all].map(([key, pair]): [string, Pair] => [`p:${key}`, pair])];
  }

  /** What has changed since the last call: to store, or undefined to delete. */
  take(): [string, StoredMember | Pair | undefined][] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /**
   * Devices whose current positions must be known before `place`, because they have not reported each update: those that may be near, or
   * may no longer be, and other devices of both persons.
   */
  toPull({ _id, deviceId, userId, fixes, rules }: Placement): Member[] {
    const persons = new Set<string>();
    const own = { deviceId, sides: sidesOf(rules) };
    const person = personOf({ _id, ...(userId !== undefined && { userId }) });
    const met = this.#metBy(person);
    const isNear = (rule: string, other: string) => {
      const [found, one] = [rules.find((one) => one._id === rule), met?.get(pairKey(rule, person, other))];
      return found && one && fixes.every((fix) => distance(fix, one) + one.safe <= found.radius);
    };
    for (const { pair, other } of this.#pairs.of(person)) if (!isNear(pair.rule._id, other)) persons.add(other);
    for (const rule of rules) {
      for (const fix of fixes) {
        this.#roster.index(rule).around(fix, rule.radius + SAFE_METRES, (other, apart) => {
          if (apart > rule.radius + other.safe || other._id === _id || !mayMeet(rule._id, own, other)) return;
          if (!isNear(rule._id, personOf(other))) persons.add(personOf(other));
        });
      }
    }
    if (persons.size > 0) persons.add(person);
    return this.#uncertain(persons, _id);
  }

  /** The same before `remove`. */
  toPullWithout(_id: string): Member[] {
    const member = this.#roster.get(_id);
    const pairs = member ? this.#pairs.of(personOf(member)) : [];
    return this.#uncertain(new Set(pairs.flatMap(({ pair }) => pair.persons)), _id);
  }

  #uncertain(persons: ReadonlySet<string>, without: string): Member[] {
    const devices = [...persons].flatMap((person) => this.#roster.devicesOf(person));
    return devices.filter((member) => member.safe > 0 && member._id !== without);
  }

  /** The current position of a device; from now on its tracker reports each update. Undefined: it has none. */
  pulled(_id: string, fix: Fix | undefined): void {
    const member = this.#roster.get(_id);
    if (!member) return;
    const { latitude, longitude, accuracy, at } = fix && fix.at >= member.at ? fix : member;
    this.#roster.keep({ ...member, latitude, longitude, accuracy, at, safe: 0 });
  }

  /** Applies the updates of a device. */
  place(placement: Placement, now: number): Placed & { messages: MeetingMessage[] } {
    const { _id, deviceId, userId, fixes, repeated = 0, rules, leaves } = placement;
    const messages: MeetingMessage[] = [];
    const sides = sidesOf(rules);
    let member = this.#roster.get(_id);
    const before = member && { latitude: member.latitude, longitude: member.longitude };
    if (member && personOf(member) !== personOf(placement)) member = this.#rename(member, userId, messages);
    // A device that has left and been forgotten may say so again; one of a person that is together with another here takes part from afar.
    if (!member && ((leaves && !this.#pairs.has(personOf(placement))) || this.isFull))
      return { safe: SAFE_METRES, stays: false, messages };
    for (const [i, { latitude, longitude, accuracy, at }] of fixes.entries()) {
      if (member && at < member.at) continue;
      const lost = Object.keys(member?.sides ?? {}).filter((rule) => sides[rule] !== member?.sides[rule]);
      const named = { _id, deviceId, ...(userId !== undefined && { userId }) };
      const isNew = member === undefined;
      member = this.#roster.keep({ ...named, latitude, longitude, accuracy, at, sides, safe: 0, heardAt: now });
      if (isNew) messages.push(...this.#goingOn(member));
      if (lost.length > 0) this.#end(personOf(member), lost, messages);
      for (const rule of rules) this.#compare(member, rule, i < repeated, messages);
    }
    if (!member) return { safe: 0, stays: false, messages };
    const isPaired = this.#pairs.has(personOf(member));
    if (leaves && !isPaired) this.#roster.forget(member);
    if (leaves) return { safe: isPaired ? 0 : SAFE_METRES, stays: isPaired, messages };
    const stands = before !== undefined && distance(before, member) < STANDING_METRES;
    const safe = isPaired && !stands ? 0 : this.#safeOf(member, rules);
    if (safe > 0) this.#roster.keep({ ...member, safe });
    return { safe, stays: true, messages };
  }

  /**
   * The cells that can judge the meetings of a device that leaves, as they have both users; undefined: there is none for one of the meetings,
   * or a user has several devices, of which another cell may have others.
   * @param name of this cell
   */
  handOver(name: string, { _id, rules }: Pick<Placement, "_id" | "rules">): Map<string, HandedPair[]> | undefined {
    const handed = new Map<string, HandedPair[]>();
    for (const { key, pair } of this.#pairs.of(personOf(this.#roster.get(_id) as Member))) {
      const devices = pair.persons.flatMap((person) => this.#roster.devicesOf(person));
      const [first, second] = devices.map((one) => coveringCells(one, one._id === _id ? rules : [pair.rule]));
      const cell = first.find((cell) => cell !== name && second?.includes(cell));
      if (devices.length > 2 || cell === undefined) return undefined;
      handed.set(cell, [...(handed.get(cell) ?? []), [key, pair]]);
    }
    return handed;
  }

  /** The device has left, and other cells judge its meetings. */
  left(_id: string): void {
    const member = this.#roster.get(_id);
    if (!member) return;
    this.#roster.forget(member);
    for (const { key } of this.#pairs.of(personOf(member))) this.#pairs.forget(key);
  }

  /**
   * Takes meetings from a cell that a device leaves.
   * @param from the name of that cell
   * @returns messages, and devices that must report each update from now on; undefined: a user is not here
   */
  adopt(from: string, handed: readonly HandedPair[]): { due: Member[]; messages: MeetingMessage[] } | undefined {
    const devices = handed.map(([, { persons }]) => persons.map((person) => this.#roster.devicesOf(person)));
    if (devices.some((both) => both.some(({ length }) => length === 0))) return undefined;
    for (const [key, pair] of handed) {
      const own = this.#pairs.get(key);
      this.#pairs.keep(key, own ? { ...own, ...pair, ...joined(own, pair) } : pair);
    }
    const keys = new Set(handed.map(([key]) => key));
    const messages = devices.flat(2).flatMap((device) => this.#goingOn(device, keys));
    return {
      due: devices.flat(2).filter(({ safe }) => safe > 0),
      messages: messages.map(({ ask: _, ...message }) => ({ ...message, from })),
    };
  }

  /** Removes a device: it was deleted, or takes part in no rule. Its meetings end without events, unless another device continues them. */
  remove(_id: string): MeetingMessage[] {
    const member = this.#roster.get(_id);
    if (!member) return [];
    const messages: MeetingMessage[] = [];
    this.#roster.forget(member);
    this.#end(personOf(member), Object.keys(member.sides), messages);
    return messages;
  }

  /** A user has signed in: the same record has another name. Its meetings go on, but for those with its own other devices. */
  #rename(member: Member, userId: string | undefined, messages: MeetingMessage[]): Member {
    const [before, { userId: _, ...unnamed }] = [personOf(member), member];
    const renamed = { ...unnamed, ...(userId !== undefined && { userId }) };
    const person = personOf(renamed);
    const pairs = this.#pairs.of(before);
    for (const { key, pair, other } of pairs) {
      if (other === person) messages.push(...this.#tell("ended", pair, undefined, pair.nearAt));
      this.#pairs.forget(key);
    }
    this.#roster.forget(member);
    const kept = this.#roster.keep(renamed);
    for (const { pair, other } of pairs) {
      if (other === person) continue;
      const key = pairKey(pair.rule._id, person, other);
      const own = this.#pairs.get(key);
      const persons = pair.persons[0] === before ? ([person, other] as const) : ([other, person] as const);
      this.#pairs.keep(key, own ? { ...own, ...joined(own, pair) } : { ...pair, persons });
      if (pair.metAt === undefined) continue;
      const recipients = this.#roster.devicesOf(other).map(({ _id, deviceId }) => ({ _id, deviceId }));
      const message = { kind: "met" as const, rule: pair.rule, person, was: before, at: pair.metAt };
      messages.push(...recipients.map((to) => ({ ...message, to })));
    }
    // Its other devices may not know of those that this one has met.
    for (const device of this.#roster.devicesOf(person)) if (device !== kept) messages.push(...this.#goingOn(device));
    return kept;
  }

  /** Forgets devices that have been silent for long. */
  prune(now: number): MeetingMessage[] {
    const silent = [...this.#roster.all].filter((member) => {
      const isPaired = this.#pairs.has(personOf(member));
      return now - member.heardAt > (isPaired ? PAIR_ENDS_AFTER_MS : FORGOTTEN_AFTER_MS);
    });
    return silent.flatMap(({ _id }) => this.remove(_id));
  }

  /**
   * Compares a person with those near and those that it is together with.
   * @param isRepeated with those who have moved since, the position has been compared
   */
  #compare(member: Member, rule: SidedRule, isRepeated: boolean, messages: MeetingMessage[]): void {
    const person = personOf(member);
    const others = new Set<string>();
    let known = 0;
    for (const { pair, other } of this.#pairs.of(person)) {
      if (pair.rule._id !== rule._id) continue;
      known++;
      others.add(other);
    }
    if (known < MAX_TOGETHER)
      this.#roster.index(rule).around(member, rule.radius, (other) => {
        if (mayMeet(rule._id, member, other)) others.add(personOf(other));
      });
    others.delete(person);
    for (const other of others) {
      if (isRepeated && this.#roster.devicesOf(other).some(({ at }) => at > member.at)) continue;
      const key = pairKey(rule._id, person, other);
      if (!this.#pairs.get(key) && (known++ >= MAX_TOGETHER || this.isFull)) break;
      this.#judge(key, member, other, rule, messages);
    }
  }

  #judge(key: string, member: Member, other: string, rule: SidedRule, messages: MeetingMessage[]): void {
    const before = this.#pairs.get(key);
    const { at } = member;
    const { nearness, nearest } = this.#nearness(member, other, rule);
    const { judgement, next } = judgePair(before, rule, nearness, at);
    if (judgement === "together") return;
    const pair = { ...(before ?? { persons: [personOf(member), other] as const }), rule: this.#pairs.labelOf(rule) };
    if (judgement === "parted") messages.push(...this.#tell("parted", pair, nearest, at));
    if (!next) {
      if (before) this.#pairs.forget(key);
      return;
    }
    const isFirst = pair.persons[0] === personOf(member);
    const [one, two] = nearest.map(({ _id }) => _id);
    const kept = { ...pair, ...next, ...(judgement === "met" && { speakers: isFirst ? [one, two] : [two, one] }) };
    this.#pairs.keep(key, kept as Pair);
    if (judgement === "met") messages.push(...this.#tell("met", kept as Pair, nearest, at));
  }

  /** How near a device, and its person, is to another person, and which devices are nearest: of the own person, and of the other. */
  #nearness(member: Member, other: string, rule: SidedRule) {
    const nearness: Nearness = { fresh: Infinity, freshGap: Infinity, gap: Infinity };
    let nearest: [Member, Member] | undefined;
    let best = Infinity;
    for (const one of this.#roster.devicesOf(personOf(member)))
      for (const two of this.#roster.devicesOf(other)) {
        if (!mayMeet(rule._id, one, two)) continue;
        const apart = distance(one, two);
        const gap = apart - one.accuracy - two.accuracy;
        nearness.gap = Math.min(nearness.gap, gap);
        const isFresh = one === member && Math.abs(member.at - two.at) <= rule.freshMinutes * 60_000;
        if (isFresh) {
          nearness.fresh = Math.min(nearness.fresh, apart);
          nearness.freshGap = Math.min(nearness.freshGap, gap);
        }
        // Of a meeting, the fresh ones; of a parting, all are far away.
        const rank = isFresh ? apart : apart + 1e9;
        if (rank < best) [best, nearest] = [rank, [one, two]];
      }
    return { nearness, nearest: nearest as [Member, Member] };
  }

  /** Ends a person's pairs by rules in which one of its devices takes no part any more, unless another device continues them. */
  #end(person: string, rules: readonly string[], messages: MeetingMessage[]): void {
    for (const { key, pair } of this.#pairs.of(person)) {
      const { _id, radius } = pair.rule;
      if (!rules.includes(_id)) continue;
      const [ones, twos] = pair.persons.map((one) => this.#roster.devicesOf(one));
      const isNear = (one: Member, two: Member) =>
        mayMeet(_id, one, two) && distance(one, two) - one.accuracy - two.accuracy <= radius;
      if (ones.some((one) => twos.some((two) => isNear(one, two)))) continue;
      if (pair.metAt !== undefined) messages.push(...this.#tell("ended", pair, undefined, pair.nearAt));
      this.#pairs.forget(key);
    }
  }

  #tell(kind: MeetingMessage["kind"], pair: Told, nearest: readonly [Member, Member] | undefined, at: number) {
    const [first, second] = pair.persons.map((person) => this.#roster.devicesOf(person));
    return pairMessages(kind, pair, [first, second], nearest, at);
  }

  /** The meetings of its person, for a device that is new here: it may be the one that parts. */
  #goingOn(member: Member, of?: ReadonlySet<string>): MeetingMessage[] {
    const person = personOf(member);
    const to = { _id: member._id, deviceId: member.deviceId };
    return this.#pairs.of(person).flatMap(({ key, pair: { rule, metAt }, other }) => {
      if (metAt === undefined || (of && !of.has(key))) return [];
      const asked = askOf(rule, person, this.#roster.devicesOf(other));
      return [{ kind: "met" as const, rule, person: other, at: metAt, to, ...asked }];
    });
  }

  /** How far the device may move before it can be near another, or far from one that it has met, if those move no farther than they may. */
  #safeOf(member: Member, rules: readonly SidedRule[]): number {
    const person = personOf(member);
    const met = this.#metBy(person);
    if (!met) return 0;
    let safe = SAFE_METRES;
    for (const [key, other] of met) {
      const rule = rules.find(({ _id }) => _id === this.#pairs.get(key)?.rule._id);
      safe = Math.min(safe, ((rule?.radius ?? 0) - distance(member, other) - other.safe) / 2);
    }
    if (safe < MIN_SAFE_METRES) return 0;
    for (const rule of rules)
      this.#roster.index(rule).around(member, rule.radius + 2 * SAFE_METRES, (other, apart) => {
        if (!mayMeet(rule._id, member, other) || personOf(other) === person) return;
        if (met.size > 0 && met.has(pairKey(rule._id, person, personOf(other)))) return;
        safe = Math.min(safe, (apart - rule.radius - other.safe) / 2);
        return safe < MIN_SAFE_METRES;
      });
    return safe < MIN_SAFE_METRES ? 0 : safe;
  }

  /**
   * The devices of those whom a person has met, by pair; undefined if one has several devices, or waits for a meeting: then each update
   * counts.
   */
  #metBy(person: string): Map<string, Member> | undefined {
    const met = new Map<string, Member>();
    for (const { key, pair, other } of this.#pairs.of(person)) {
      const [device, ...more] = this.#roster.devicesOf(other);
      const isOne = device && more.length === 0 && this.#roster.devicesOf(person).length === 1;
      if (pair.metAt === undefined || !isOne) return undefined;
      met.set(key, device);
    }
    return met;
  }
}
