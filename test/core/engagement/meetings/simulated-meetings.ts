import type { SidedRule } from "../../../../src/core/engagement/meeting.ts";
import type { Fix } from "../../../../src/core/engagement/meetings/judge-pair.ts";
import { MeetingCell } from "../../../../src/core/engagement/meetings/meeting-cell.ts";
import {
  type NumberedMessage,
  type Placement,
  SAFE_METRES,
} from "../../../../src/core/engagement/meetings/messages.ts";
import { type StoredWatch, Watch } from "../../../../src/core/engagement/meetings/watch.ts";

export interface Phone {
  _id: string;
  deviceId: string;
  userId?: string;
}

/** "met anna ben r1": the event of a user, the other, and the rule. */
export type Told = string;

export const nameOf = ({ _id, userId }: Phone) => userId ?? _id;

/** Trackers and cells without a network: each call is a function call, and each may fail. */
export class SimulatedMeetings {
  readonly events: Told[] = [];
  readonly distances: number[] = [];
  calls = 0;
  writes = 0;
  pulls = 0;
  readonly #phones = new Map<string, Phone>();
  readonly #watches = new Map<string, Watch>();
  /** What trackers have written. */
  readonly #written = new Map<string, StoredWatch>();
  readonly #fixes = new Map<string, Fix>();
  readonly #cells = new Map<string, { cell: MeetingCell; stored: Map<string, string> }>();
  readonly fails: () => "before" | "after" | undefined;
  #sent: NumberedMessage[] = [];
  #joining: Phone[] = [];
  #n = 0;

  /** @param fails whether the next call is lost after, or before, it had its effect */
  constructor(fails: () => "before" | "after" | undefined = () => undefined) {
    this.fails = fails;
  }

  update(phone: Phone, fix: Fix, rules: readonly SidedRule[]): void {
    this.#phones.set(phone._id, phone);
    this.#fixes.set(phone._id, fix);
    const watch = this.#watch(phone._id);
    if (!watch.note(fix, rules, phone.userId)) return;
    this.#write(phone._id);
    while (!this.#report(phone, watch));
    for (let one = this.#joining.pop(); one; one = this.#joining.pop())
      while (!this.#report(one, this.#watch(one._id)));
  }

  remove({ _id }: Phone): void {
    for (const name of this.#watch(_id).stored.cells) {
      for (const due of this.#cell(name).toPullWithout(_id)) this.#pull(name, due._id);
      this.#send(name, this.#cell(name).remove(_id));
    }
    // A new user on the device has another _id.
    this.#sent = this.#sent.filter(({ to }) => to._id !== _id);
    for (const all of [this.#watches, this.#written, this.#fixes, this.#phones]) all.delete(_id);
  }

  /** The objects restart: they have what they had stored. @param isKilled what waited to be written is lost */
  restart(isKilled: boolean): void {
    if (!isKilled) for (const id of this.#watches.keys()) this.#write(id);
    for (const id of this.#watches.keys()) {
      const stored = this.#written.get(id);
      const copy = stored && (JSON.parse(JSON.stringify(stored)) as StoredWatch);
      this.#watches.set(id, new Watch(copy, this.#fixes.get(id)));
    }
    for (const one of this.#cells.values()) {
      const stored = [...one.stored].map(([key, text]): [string, unknown] => [key, JSON.parse(text)]);
      one.cell = new MeetingCell(stored);
    }
  }

  get size(): number {
    return Math.max(0, ...[...this.#cells.values()].map(({ cell }) => cell.size));
  }

  #report(phone: Phone, watch: Watch): boolean {
    const report = watch.report(phone);
    if (!report) return true;
    const answers = [];
    for (const { cell, placement } of report.calls) {
      const failure = this.fails();
      if (failure === "before") return false;
      answers.push(this.#call(cell, JSON.parse(JSON.stringify(placement)) as Placement));
      if (failure === "after") return false;
    }
    if (watch.reported(report, answers)) this.#write(phone._id);
    return true;
  }

  #call(name: string, placement: Placement) {
    this.calls++;
    const cell = this.#cell(name);
    for (let due = cell.toPull(placement); due.length > 0; due = cell.toPull(placement))
      for (const { _id } of due) this.#pull(name, _id);
    const { messages, ...placed } = cell.place(placement, placement.fixes[0].at);
    this.#send(name, messages);
    if (!placement.leaves || !placed.stays || !this.#handOver(name, placement)) return placed;
    cell.left(placement._id);
    this.#send(name, []);
    return { safe: SAFE_METRES, stays: false };
  }

  #handOver(name: string, placement: Placement): boolean {
    const handed = [...(this.#cell(name).handOver(name, placement) ?? [["", []] as const])];
    return handed.every(([cell, pairs]) => {
      const failure = this.fails();
      const adopted = cell === "" || failure === "before" ? undefined : this.#cell(cell).adopt(name, pairs);
      if (adopted) this.#send(cell, adopted.messages);
      for (const { _id } of adopted?.due ?? []) this.#pull(cell, _id);
      return adopted && failure === undefined;
    });
  }

  #pull(cell: string, _id: string): void {
    this.pulls++;
    if (this.#watches.get(_id)?.pull()) this.#write(_id);
    this.#cell(cell).pulled(_id, this.#fixes.get(_id));
  }

  #send(name: string, messages: ReturnType<MeetingCell["remove"]>): void {
    const { cell, stored } = this.#cells.get(name) as { cell: MeetingCell; stored: Map<string, string> };
    for (const [key, value] of cell.take())
      if (value) stored.set(key, JSON.stringify(value));
      else stored.delete(key);
    for (const message of messages) {
      const numbered: NumberedMessage = { ...message, cell: name, n: ++this.#n };
      const joins = (message.ask?.devices ?? [])
        .map(({ _id }) => this.#watches.get(_id)?.cellOf(message.rule._id, message.ask?.person ?? ""))
        .find((cell) => cell !== undefined && cell !== name);
      const asked = joins === undefined ? numbered : { ...numbered, joins };
      this.#receive(asked);
      this.#sent.push(asked);
      // An earlier message arrives again.
      if (this.fails()) this.#receive(this.#sent[(this.#n * 7) % this.#sent.length] ?? numbered);
    }
  }

  #receive(message: NumberedMessage): void {
    const phone = this.#phones.get(message.to._id);
    if (!phone) return;
    const watch = this.#watch(phone._id);
    const event = watch.receive(message);
    const fix = this.#fixes.get(phone._id);
    if (message.joins !== undefined && fix && watch.join(message.joins, fix)) this.#joining.push(phone);
    this.#write(phone._id);
    if (!event || !message.event) return;
    const other = this.#phones.get(message.event.other._id) as Phone;
    this.events.push(`${message.kind} ${nameOf(phone)} ${nameOf(other)} ${message.rule._id}`);
    this.distances.push(message.event.other.distance);
  }

  #write(id: string): void {
    const stored = this.#watch(id).toWrite();
    if (!stored) return;
    this.writes++;
    this.#written.set(id, stored);
  }

  #watch(id: string): Watch {
    const watch = this.#watches.get(id) ?? new Watch();
    this.#watches.set(id, watch);
    return watch;
  }

  #cell(name: string): MeetingCell {
    const one = this.#cells.get(name) ?? { cell: new MeetingCell(), stored: new Map() };
    this.#cells.set(name, one);
    return one.cell;
  }
}
