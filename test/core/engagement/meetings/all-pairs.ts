import type { SidedRule } from "../../../../src/core/engagement/meeting.ts";
import type { Fix } from "../../../../src/core/engagement/meetings/judge-pair.ts";
import { distance } from "../../../../src/core/geo/distance.ts";
import { nameOf, type Phone, type Told } from "./simulated-meetings.ts";

/** The model: after each update, all pairs of users are compared. No cells, no safe circles, no messages. */
export class AllPairs {
  readonly events: Told[] = [];
  readonly #latest = new Map<string, { phone: Phone; fix: Fix; rules: readonly SidedRule[] }>();
  readonly #near = new Map<string, { since: number; nearAt: number; met: boolean }>();

  update(phone: Phone, fix: Fix, rules: readonly SidedRule[]): void {
    const before = this.#latest.get(phone._id)?.rules ?? [];
    this.#rename(phone);
    this.#latest.set(phone._id, { phone, fix, rules });
    const isLost = (one: SidedRule) => !rules.some(({ _id, sides }) => _id === one._id && sides === one.sides);
    this.#end(phone, before.filter(isLost));
    const own = nameOf(phone);
    for (const rule of rules)
      for (const other of new Set([...this.#latest.values()].map((one) => nameOf(one.phone))))
        if (other !== own) this.#compare(rule, phone, other, fix.at);
  }

  /** A user signs in: its meetings are those of its name now. */
  #rename(phone: Phone): void {
    const known = this.#latest.get(phone._id);
    if (!known || nameOf(known.phone) === nameOf(phone)) return;
    const [before, after] = [nameOf(known.phone), nameOf(phone)];
    known.phone = phone;
    for (const [key, state] of [...this.#near]) {
      const [rule, ...both] = key.split(" ");
      if (!both.includes(before)) continue;
      this.#near.delete(key);
      const [other] = both.filter((one) => one !== before);
      if (other === after) continue;
      const next = [rule, ...[after, other].sort()].join(" ");
      const own = this.#near.get(next);
      const isOne = !own || (own.since <= state.nearAt && state.since <= own.nearAt);
      const since = own ? Math[isOne ? "min" : "max"](own.since, state.since) : state.since;
      this.#near.set(next, {
        since,
        nearAt: Math.max(own?.nearAt ?? 0, state.nearAt),
        met: state.met || own?.met === true,
      });
    }
  }

  remove(phone: Phone): void {
    const { rules = [] } = this.#latest.get(phone._id) ?? {};
    this.#latest.delete(phone._id);
    this.#end(phone, rules);
  }

  /** A phone takes no part any more: its pairs end, unless another phone of the user is near. */
  #end(phone: Phone, lost: readonly SidedRule[]): void {
    for (const key of this.#near.keys()) {
      const [rule, a, b] = key.split(" ");
      const { radius } = lost.find(({ _id }) => _id === rule) ?? {};
      if (radius === undefined || ![a, b].includes(nameOf(phone))) continue;
      const isNear = this.#between(rule, a, b).some(
        ({ one, two, d }) => d - one.fix.accuracy - two.fix.accuracy <= radius,
      );
      if (!isNear) this.#near.delete(key);
    }
  }

  #between(rule: string, a: string, b: string) {
    const of = (name: string) => [...this.#latest.values()].filter(({ phone }) => nameOf(phone) === name);
    const sides = (rules: readonly SidedRule[]) => rules.find(({ _id }) => _id === rule)?.sides ?? 0;
    return of(a)
      .flatMap((one) => of(b).map((two) => ({ one, two, d: distance(one.fix, two.fix) })))
      .filter(({ one, two }) => {
        const [s, t] = [sides(one.rules), sides(two.rules)];
        return ((s & 1) > 0 && (t & 2) > 0) || ((s & 2) > 0 && (t & 1) > 0);
      });
  }

  #compare({ _id, radius, minimumSeconds, freshMinutes }: SidedRule, phone: Phone, other: string, at: number): void {
    const own = nameOf(phone);
    const key = [_id, ...[own, other].sort()].join(" ");
    const all = this.#between(_id, own, other);
    const limit = freshMinutes * 60_000;
    const fresh = all.filter(({ one, two }) => one.phone._id === phone._id && Math.abs(at - two.fix.at) <= limit);
    const isBeyond = ({ one, two, d }: (typeof all)[number]) => d - one.fix.accuracy - two.fix.accuracy > radius;
    const state = this.#near.get(key);
    if (state && all.every(isBeyond)) {
      this.#near.delete(key);
      if (state.met) this.events.push(`parted ${own} ${other} ${_id}`, `parted ${other} ${own} ${_id}`);
      return;
    }
    if (state?.met || !fresh.some((pair) => (state ? !isBeyond(pair) : pair.d <= radius))) return;
    const since = state && at - state.nearAt <= limit ? state.since : at;
    const met = fresh.some(({ d }) => d <= radius) && at - since >= minimumSeconds * 1000;
    this.#near.set(key, { since, nearAt: Math.max(at, state?.nearAt ?? 0), met });
    if (met) this.events.push(`met ${own} ${other} ${_id}`, `met ${other} ${own} ${_id}`);
  }
}
