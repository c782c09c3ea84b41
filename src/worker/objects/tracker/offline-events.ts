import {
  addReport,
  type NewReport,
  NO_REPORTS,
  type OfflineReports,
  offlineEvent,
  reconcile,
  SAME_WITHIN_MS,
} from "../../../core/tracking/offline.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { FenceLabel } from "../../../core/tracking/types/fence.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { findOfflineTwin } from "../../db/customers/offline-twins.ts";
import { type Databases, envOf } from "../../db/databases.ts";

/** The events of a device's users that their phones reported as generated without a network. */
export class OfflineEvents {
  readonly #env: Databases;
  readonly #kv: SyncKvStorage;
  readonly #users = new Map<string, OfflineReports>();

  constructor(env: Databases, kv: SyncKvStorage) {
    this.#env = env;
    this.#kv = kv;
  }

  #of(user: string): OfflineReports {
    let reports = this.#users.get(user);
    if (!reports) {
      reports = this.#kv.get<OfflineReports>(keyOf(user)) ?? NO_REPORTS;
      this.#users.set(user, reports);
    }
    return reports;
  }

  /** Records a report. Returns its event: the server's, if the database has it. `isNew`: it must be stored. */
  async report(
    scope: number,
    user: UserState,
    report: NewReport,
    fence: FenceLabel,
    now: number,
  ): Promise<{ event: TrackEvent; isNew: boolean }> {
    const { DB } = await envOf(this.#env, scope);
    const same = await findOfflineTwin(DB, scope, user._id, report, SAME_WITHIN_MS);
    // From here to the end there is no await.
    const known = this.#of(user._id).reports.find(({ key }) => key === report.key);
    if (known) return { event: same ?? offlineEvent(known, user, fence, now), isNew: false };
    const after = addReport(this.#of(user._id), user._id, report, same?._id);
    this.#save(user._id, after);
    const added = after.reports[after.reports.length - 1];
    return { event: same ?? offlineEvent(added, user, fence, now), isNew: same === undefined };
  }

  /**
   * An update's events as shown, and those to store. Call `save` of the result with the write of the state.
   */
  reconcile(user: string, events: readonly TrackEvent[]): Reconciled {
    const found = events.length > 0 ? reconcile(this.#of(user), events) : undefined;
    if (!found) return { events, stored: events, save: nothing };
    return { events: found.events, stored: found.stored, save: () => this.#save(user, found.after) };
  }

  forget(user: string): void {
    this.#users.delete(user);
    this.#kv.delete(keyOf(user));
  }

  #save(user: string, reports: OfflineReports): void {
    this.#users.set(user, reports);
    this.#kv.put(keyOf(user), reports);
  }
}

interface Reconciled {
  events: readonly TrackEvent[];
  stored: readonly TrackEvent[];
  save(): void;
}

const nothing = () => {};

const keyOf = (user: string) => `offline:${user}`;
