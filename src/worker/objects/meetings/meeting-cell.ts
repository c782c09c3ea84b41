import { DurableObject } from "cloudflare:workers";
import { MeetingCell as Cell } from "../../../core/engagement/meetings/meeting-cell.ts";
import { type HandedPair, personOf } from "../../../core/engagement/meetings/member.ts";
import {
  type MeetingMessage,
  type Placed,
  type Placement,
  SAFE_METRES,
} from "../../../core/engagement/meetings/messages.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";
import { type EventOptions, meetingCellOf, metTrackerOf, type SentMessage } from "./meeting-stub.ts";

const DELIVERED_AFTER_MS = 8_000;
const PRUNED_EVERY_MS = 3600_000;
/** Devices that move on while they are asked for their positions are asked again, so many times. */
const MAX_PULLS = 3;

/**
 * The users of one scope in one coarse cell, and near its border, that take part in rules about meetings. What changes is stored together
 * with the messages that follow from it; trackers recognize a message that is sent again.
 */
export class MeetingCell extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #cell = new Cell(this.#kv.list());
  #last = 0;
  #prunedAt = 0;
  #delivering: Promise<void> | undefined;
  #waiting: (() => void)[] = [];

  /** Applies updates of a device, in order. */
  async place(scope: number, name: string, placement: Placement, options: EventOptions): Promise<Placed> {
    for (let i = 0; i < MAX_PULLS; i++) {
      const due = this.#cell.toPull(placement);
      if (due.length === 0) break;
      await Promise.all(due.map((member) => this.#pull(scope, member)));
    }
    const now = Date.now();
    const { messages, ...placed } = this.#cell.place(placement, now);
    if (now - this.#prunedAt > PRUNED_EVERY_MS) {
      this.#prunedAt = now;
      if (this.#cell.isFull)
        console.error(
          JSON.stringify({ what: "meetings", error: `The cell ${name} is full: more users are not compared.` }),
        );
      messages.push(...this.#cell.prune(now));
    }
    this.#keep(scope, name, messages, options);
    // What another cell says of the same users comes later: that they have met, or that their meeting goes on.
    if (messages.length > 0) await this.#told(scope);
    if (!placement.leaves || !placed.stays) return placed;
    if (this.#isUntold(placement) || !(await this.#handOver(scope, name, placement))) return placed;
    this.#cell.left(placement._id);
    this.#keep(scope, name, [], options);
    return { safe: SAFE_METRES, stays: false };
  }

  /** Gives the meetings of a device that leaves to cells that have both users. If that fails, the device stays. */
  async #handOver(scope: number, name: string, placement: Placement): Promise<boolean> {
    try {
      const handed = this.#cell.handOver(name, placement);
      if (!handed) return false;
      const taken = [...handed].map(([cell, pairs]) =>
        meetingCellOf(this.env, scope, cell).adopt(scope, cell, name, pairs),
      );
      return (await Promise.all(taken)).every(Boolean);
    } catch (error) {
      noteFailure(error);
      return false;
    }
  }

  /** Takes meetings from a neighbor. @returns whether it has both users of each */
  async adopt(scope: number, name: string, from: string, pairs: readonly HandedPair[]): Promise<boolean> {
    const adopted = this.#cell.adopt(from, pairs);
    if (!adopted) return false;
    this.#keep(scope, name, adopted.messages, { campaignEpoch: 0 });
    await Promise.all(adopted.due.map((member) => this.#pull(scope, member)));
    return true;
  }

  /** Removes a device that was deleted. */
  async remove(scope: number, name: string, id: string): Promise<void> {
    await Promise.all(this.#cell.toPullWithout(id).map((member) => this.#pull(scope, member)));
    this.#keep(scope, name, this.#cell.remove(id), { campaignEpoch: 0 });
  }

  /** A tracker that cannot be reached counts where it was last, and is asked again. */
  async #pull(scope: number, { _id, deviceId }: { _id: string; deviceId: string }): Promise<void> {
    try {
      const fix = await metTrackerOf(this.env, scope, deviceId).meetingFix(_id);
      this.#cell.pulled(_id, fix ?? undefined);
    } catch (error) {
      noteFailure(error);
    }
  }

  #keep(scope: number, cell: string, messages: readonly MeetingMessage[], options: EventOptions): void {
    for (const [key, value] of this.#cell.take()) {
      if (value) this.#kv.put(key, value);
      else this.#kv.delete(key);
    }
    if (messages.length === 0) {
      if (this.#cell.size === 0 && !this.#hasMessages()) void this.ctx.storage.deleteAll();
      return;
    }
    for (const message of messages) {
      // Numbers rise even after a restart, and after all that was stored was deleted.
      this.#last = Math.max(this.#last + 1, Date.now() * 1000);
      this.#kv.put(`o:${this.#last}`, { ...message, cell, n: this.#last, options } satisfies SentMessage);
    }
    this.#kv.put("scope", scope);
    void this.ctx.storage.setAlarm(Date.now() + DELIVERED_AFTER_MS);
    void this.#deliver(scope);
  }

  /** Sends all messages, those to a device in order. One delivery at a time. */
  #deliver(scope: number): Promise<void> {
    this.#delivering ??= this.#deliverAll(scope).finally(() => {
      this.#delivering = undefined;
      if (this.#waiting.length > 0) void this.#deliver(scope);
    });
    return this.#delivering;
  }

  /** Each message that is stored now has been sent, or could not be. Others may come all the time. */
  #told(scope: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push(wake);
      void this.#deliver(scope);
    });
  }

  /** Waits a message to a device, or about its user? */
  #isUntold(placement: Placement): boolean {
    const person = personOf(placement);
    for (const [, message] of this.#kv.list<SentMessage>({ prefix: "o:" }))
      if (message.to._id === placement._id || message.person === person) return true;
    return false;
  }

  async #deliverAll(scope: number): Promise<void> {
    const failed = new Set<string>();
    for (;;) {
      const waiting = this.#waiting.splice(0);
      const byDevice = new Map<string, [string, SentMessage][]>();
      for (const [key, message] of this.#kv.list<SentMessage>({ prefix: "o:" })) {
        const { deviceId } = message.to;
        if (!failed.has(deviceId)) byDevice.set(deviceId, [...(byDevice.get(deviceId) ?? []), [key, message]]);
      }
      if (byDevice.size === 0) {
        for (const wake of waiting) wake();
        return;
      }
      await Promise.all(
        [...byDevice].map(async ([deviceId, messages]) => {
          try {
            for (const [key, message] of messages) {
              await metTrackerOf(this.env, scope, deviceId).meet(scope, await this.#asked(scope, message));
              this.#kv.delete(key);
            }
          } catch (error) {
            failed.add(deviceId);
            noteFailure(error);
          }
        }),
      );
      for (const wake of waiting) wake();
    }
  }

  /** Whether another cell has this meeting already, by a further device of the same user: then both are compared there. */
  async #asked(scope: number, message: SentMessage): Promise<SentMessage> {
    const { ask, rule, cell } = message;
    if (!ask) return message;
    const cells = await Promise.all(
      ask.devices.map(({ _id, deviceId }) =>
        metTrackerOf(this.env, scope, deviceId).meetsIn(_id, rule._id, ask.person),
      ),
    );
    // Of two cells that judge it at the same time, all take the same one.
    const [first] = cells.filter((one) => one !== undefined).sort();
    return first === undefined || first === cell ? message : { ...message, joins: first };
  }

  /** The state at an earlier time, which is restored if wanted: that of the trackers, or meetings would be lost or doubled. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }

  #hasMessages(): boolean {
    return [...this.#kv.list({ prefix: "o:", limit: 1 })].length > 0;
  }

  override async alarm(): Promise<void> {
    const scope = this.#kv.get<number>("scope");
    if (scope === undefined || !this.#hasMessages()) return;
    await this.ctx.storage.setAlarm(Date.now() + DELIVERED_AFTER_MS);
    await this.#deliver(scope);
  }
}

function noteFailure(error: unknown): undefined {
  console.error(JSON.stringify({ what: "meetings", error: describeBriefly(error) }));
}
