import type { SidedRule } from "../meeting.ts";
import { type Member, personOf, type StoredMember, stored, write } from "./member.ts";
import { SAFE_METRES } from "./messages.ts";
import { NearIndex } from "./near-index.ts";

/** The devices in a cell: by record, by person, and by place. */
export class Roster {
  readonly #members = new Map<string, Member>();
  readonly #persons = new Map<string, Member[]>();
  /** The groups of members, each once in memory. */
  readonly #sides = new Map<string, Member["sides"]>();
  readonly #indexes = new Map<string, NearIndex<Member>>();
  readonly #changed: (id: string, member: StoredMember | undefined) => void;

  /** @param changed stores a member; undefined: deletes it */
  constructor(changed: (id: string, member: StoredMember | undefined) => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#members.size;
  }

  get all(): Iterable<Member> {
    return this.#members.values();
  }

  get(_id: string): Member | undefined {
    return this.#members.get(_id);
  }

  devicesOf(person: string): readonly Member[] {
    return this.#persons.get(person) ?? [];
  }

  /** Those that take part in a rule, by place: within its radius and two safe circles. */
  index({ _id, radius }: Pick<SidedRule, "_id" | "radius">): NearIndex<Member> {
    const reach = radius + 2 * SAFE_METRES;
    let index = this.#indexes.get(_id);
    if (index?.reach !== reach) {
      index = new NearIndex(reach);
      this.#indexes.set(_id, index);
      for (const member of this.#members.values()) if (member.sides[_id]) index.set(member, member);
    }
    return index;
  }

  /** Adds or changes a device. */
  keep(member: StoredMember): Member {
    const before = this.#members.get(member._id);
    if (before) {
      // The object stays the same: indexes hold it.
      for (const rule of Object.keys(before.sides)) if (!member.sides[rule]) this.#indexes.get(rule)?.delete(before);
      Object.assign(before, member);
    }
    const kept = before ?? { ...member, north: 0, east: 0, hour: 0, groups: undefined };
    const groups = JSON.stringify(kept.sides);
    kept.sides = this.#sides.get(groups) ?? kept.sides;
    this.#sides.set(groups, kept.sides);
    this.#members.set(kept._id, kept);
    for (const rule of Object.keys(kept.sides)) this.#indexes.get(rule)?.set(kept, kept);
    const person = personOf(kept);
    const devices = this.#persons.get(person);
    if (!devices) this.#persons.set(person, [kept]);
    else if (!devices.includes(kept)) devices.push(kept);
    if (write(kept)) this.#changed(kept._id, stored(kept));
    return kept;
  }

  forget(member: Member): void {
    this.#members.delete(member._id);
    for (const index of this.#indexes.values()) index.delete(member);
    const person = personOf(member);
    const devices = this.devicesOf(person).filter((one) => one !== member);
    if (devices.length > 0) this.#persons.set(person, devices);
    else this.#persons.delete(person);
    this.#changed(member._id, undefined);
  }
}
