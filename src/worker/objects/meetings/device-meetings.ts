import type { CampaignBook } from "../../../core/engagement/book.ts";
import { rulesOf } from "../../../core/engagement/meeting.ts";
import type { Fix } from "../../../core/engagement/meetings/judge-pair.ts";
import { meetingEvent } from "../../../core/engagement/meetings/meeting-event.ts";
import type { Placed } from "../../../core/engagement/meetings/messages.ts";
import { type StoredWatch, Watch } from "../../../core/engagement/meetings/watch.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { type EventOptions, meetingCellOf, metTrackerOf, type SentMessage } from "./meeting-stub.ts";

/** Objects are evicted after ten seconds without a call [ms]. */
const KEPT_AFTER_MS = 8_000;

/** A user of the device that takes part in rules about meetings, or did. */
interface Watched {
  watch: Watch;
  /** The last position that counts, unless the tracker has restarted since. */
  fix?: Fix;
  sending?: Promise<void>;
  options: EventOptions;
}

/** The part of an update that matters. */
interface MeetingUpdate {
  scope: number;
  update: Pick<LocationUpdate, "location" | "accuracy">;
  settings: Pick<TrackingSettings, "accuracyLimit" | "eventTypes">;
  campaignEpoch: number;
}

/** What an update or a message needs of its tracker. */
interface Tracker {
  env: Env;
  byId(id: string): UserState | undefined;
  /** Makes sure that reports that could not be sent are sent later. */
  retryLater(): void;
}

/** The meetings of a device's users: reports positions to the cells around them, and receives what follows. Scopes without rules cost nothing. */
export class DeviceMeetings {
  readonly #tracker: Tracker;
  readonly #kv: SyncKvStorage;
  readonly #watched = new Map<string, Watched | undefined>();
  #isKeptLater = false;
  #notedAt = 0;

  constructor(tracker: Tracker, kv: SyncKvStorage) {
    this.#tracker = tracker;
    this.#kv = kv;
  }

  /** Notes an update together with the write of its state, and reports it if the cells must know. */
  note(book: CampaignBook, { scope, update, settings, campaignEpoch }: MeetingUpdate, state: UserState): void {
    const { _id } = state;
    let watched = this.#of(_id);
    if (book.meetings.length === 0 && !watched) return;
    if (update.accuracy > settings.accuracyLimit) {
      // From now on the user's last position is not its last one that counts.
      if (watched) this.#keep(_id, watched.watch, true);
      return;
    }
    const rules = rulesOf(book.meetings, state);
    if (rules.length === 0 && !watched) return;
    const { eventTypes } = settings;
    const options = { campaignEpoch, ...(eventTypes && { eventTypes }) };
    watched ??= { watch: new Watch(), options };
    const { latitude, longitude } = update.location;
    const fix = { latitude, longitude, accuracy: update.accuracy, at: state.chronology };
    Object.assign(watched, { fix, options });
    this.#watched.set(_id, watched);
    this.#notedAt = Date.now();
    if (!watched.watch.note(fix, rules, state.userId)) return;
    this.#keep(_id, watched.watch);
    this.#tracker.retryLater();
    void this.#send(scope, _id, watched);
  }

  cells(id: string): readonly string[] {
    return this.#of(id)?.watch.stored.cells ?? [];
  }

  /** The cell that compares a user and a person who are together; undefined: they are not. */
  meetsIn(id: string, rule: string, person: string): string | undefined {
    return this.#of(id)?.watch.cellOf(rule, person);
  }

  /** Where a user is; from now on its updates are reported. */
  fix(id: string): Fix | undefined {
    const watched = this.#of(id);
    const state = this.#tracker.byId(id);
    if (!watched || !state) return undefined;
    if (watched.watch.pull()) this.#keep(id, watched.watch);
    if (watched.fix) return watched.fix;
    return fixOf(state);
  }

  /**
   * Receives a message of a cell. Between reading and writing the state there is no await.
   * @param save stores the new state with its events, and what `write` writes
   */
  async receive(
    scope: number,
    message: SentMessage,
    save: (changed: { state: UserState; events: readonly TrackEvent[] } | undefined, write: () => void) => void,
  ): Promise<void> {
    const { to, event, options } = message;
    const { env, byId } = this.#tracker;
    if (!byId(to._id)) return;
    // A user that was deleted meanwhile has no name any more.
    const other = event && (await userOf(env, scope, event.other, byId));
    const before = byId(to._id);
    const watched = this.#of(to._id);
    if (!before || !watched || (event && !other && message.kind === "met")) return;
    const told = watched.watch.receive(message);
    const fix = watched.fix ?? fixOf(before);
    if (message.joins !== undefined && watched.watch.join(message.joins, fix)) {
      this.#tracker.retryLater();
      queueMicrotask(() => void this.#send(scope, to._id, watched));
    }
    const more = { ...told, receivedAt: Date.now(), ...(options.eventTypes && { eventTypes: options.eventTypes }) };
    const changed = told && event && other ? meetingEvent(before, other, { ...message, event }, more) : undefined;
    save(changed, () => this.#keep(to._id, watched.watch));
  }

  /** Sends what could not be sent. @returns whether something is left */
  async resend(scope: number, ids: readonly string[]): Promise<boolean> {
    let isLeft = false;
    for (const id of ids) {
      const watched = this.#of(id);
      if (!watched?.watch.hasDue) continue;
      await this.#send(scope, id, watched);
      isLeft ||= watched.watch.hasDue;
    }
    return isLeft;
  }

  /** Removes a user that is deleted from all meetings. */
  async forget(scope: number, id: string): Promise<void> {
    const watched = this.#of(id);
    await watched?.sending;
    const cells = this.cells(id);
    await Promise.all(cells.map((cell) => meetingCellOf(this.#tracker.env, scope, cell).remove(scope, cell, id)));
    this.#watched.delete(id);
    this.#kv.delete(keyOf(id));
  }

  #of(id: string): Watched | undefined {
    if (!this.#watched.has(id)) {
      const stored = this.#kv.get<StoredWatch>(keyOf(id));
      const state = stored?.isLastDue ? this.#tracker.byId(id) : undefined;
      const watch = stored && new Watch(stored, state && fixOf(state));
      this.#watched.set(id, watch && { watch, options: { campaignEpoch: 0 } });
    }
    return this.#watched.get(id);
  }

  /** What waits is written before this object can be evicted: who moves often writes nothing more than its state. */
  #keepLater(afterMs = KEPT_AFTER_MS): void {
    if (this.#isKeptLater) return;
    this.#isKeptLater = true;
    setTimeout(() => {
      this.#isKeptLater = false;
      const waitMs = this.#notedAt + KEPT_AFTER_MS - Date.now();
      if (waitMs > 0) this.#keepLater(waitMs);
      else for (const [id, watched] of this.#watched) if (watched) this.#keep(id, watched.watch);
    }, afterMs);
  }

  #keep(id: string, watch: Watch, isExact = false): void {
    const stored = watch.toWrite(isExact);
    if (!stored) return;
    if (watch.isIdle) this.#kv.delete(keyOf(id));
    else this.#kv.put(keyOf(id), stored);
  }

  /** Reports until nothing is due or a call fails. One report at a time. */
  #send(scope: number, id: string, watched: Watched): Promise<void> {
    watched.sending ??= this.#sendAll(scope, id, watched).finally(() => {
      delete watched.sending;
    });
    return watched.sending;
  }

  async #sendAll(scope: number, id: string, { watch, options }: Watched): Promise<void> {
    try {
      for (;;) {
        const state = this.#tracker.byId(id);
        const { deviceId, userId } = state ?? {};
        const report =
          deviceId === undefined
            ? undefined
            : watch.report({ _id: id, deviceId, ...(userId !== undefined && { userId }) });
        if (!report) return;
        // In turn: each cell tells what it found before the next one compares the same users.
        const answers: Placed[] = [];
        for (const { cell, placement } of report.calls)
          answers.push(await meetingCellOf(this.#tracker.env, scope, cell).place(scope, cell, placement, options));
        if (watch.reported(report, answers)) this.#keep(id, watch);
        else this.#keepLater();
      }
    } catch (error) {
      console.error(JSON.stringify({ what: "meetings", error: describeBriefly(error) }));
      this.#tracker.retryLater();
    }
  }
}

const fixOf = ({ location, locationAccuracy: accuracy, chronology: at }: UserState): Fix => ({
  latitude: location.latitude,
  longitude: location.longitude,
  ...{ accuracy, at },
});

const keyOf = (user: string) => `meetings:${user}`;

/** A user of this device, or of another. */
async function userOf(
  env: Env,
  scope: number,
  { _id, deviceId }: { _id: string; deviceId: string },
  byId: (id: string) => UserState | undefined,
): Promise<UserState | undefined> {
  return byId(_id) ?? (await metTrackerOf(env, scope, deviceId).user(_id));
}
