import { DurableObject } from "cloudflare:workers";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import { geofenceChanges, geofenceTombstones, readFenceEpoch } from "../../db/customers/geofences.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";
import { type FenceRecord, FenceStore, type NearFence, type NearQuery } from "./fence-store.ts";
import type { FenceArea } from "./known-fences.ts";
import type { Neighbourhood } from "./neighbourhood.ts";

const PAGE = 1000;

/**
 * Spatial index of the geofences of one scope: a copy of the database rows. When a request has a newer epoch, the index
 * reads the changes since its own epoch. It contains only enabled fences.
 */
export class GeofenceIndex extends DurableObject<Env> {
  readonly #store: FenceStore;
  readonly #kv: SyncKvStorage;
  #epoch: number;
  #syncing: Promise<void> | undefined;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#store = new FenceStore(context.storage.sql);
    this.#kv = context.storage.kv;
    this.#epoch = this.#kv.get<number>("epoch") ?? 0;
  }

  /** The fences that contain the point. */
  async at(scope: number, epoch: number, point: Coordinate): Promise<Fence[]> {
    await this.#reach(scope, epoch);
    return this.#store.at(point);
  }

  /** The fences nearest to a point, nearest first. */
  async near(scope: number, epoch: number, point: Coordinate, query: NearQuery): Promise<NearFence[]> {
    await this.#reach(scope, epoch);
    return this.#store.near(point, query);
  }

  /** The records of the fences nearest to a point, nearest first. */
  async search(scope: number, epoch: number, point: Coordinate, query: NearQuery): Promise<FenceRecord[]> {
    await this.#reach(scope, epoch);
    return this.#store.near(point, query).map(({ fence }) => this.#store.record(fence.id));
  }

  /**
   * The fences within `radius` of a point. If there are more than `most`, returns a smaller neighborhood; below `least`
   * [m], one without fences.
   */
  async neighbourhood(
    scope: number,
    epoch: number,
    center: Coordinate,
    radius: number,
    most: number,
    least = 0,
  ): Promise<Neighbourhood> {
    await this.#reach(scope, epoch);
    return { center, epoch: this.#epoch, ...this.#store.around(center, { radius, most, least }) };
  }

  /** All fences within `radius` of a point, for an isolate to cache. See FenceStore.area. */
  async area(scope: number, epoch: number, center: Coordinate, radius: number, most: number): Promise<FenceArea> {
    await this.#reach(scope, epoch);
    return { center, epoch: this.#epoch, ...this.#store.area(center, radius, most) };
  }

  /** Reads changes from the database if the index is older than `epoch`. */
  async #reach(scope: number, epoch: number): Promise<void> {
    // A running sync may have started before the change; the next one starts after it.
    for (let tries = 0; this.#epoch < epoch && tries < 2; tries++) {
      this.#syncing ??= this.#sync(scope).finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    }
  }

  async #sync(scope: number): Promise<void> {
    const { DB: db } = await envOf(this.env, scope);
    const until = await readFenceEpoch(db, scope);
    // An index ahead of the database means that the database was restored or replaced: start over.
    if (this.#epoch > until) {
      this.#store.clear();
      this.#epoch = 0;
    }
    const since = this.#epoch;
    // A row that changes again while the pages are read leaves this range of epochs; the next sync finds it.
    let last = { epoch: since, id: "\uffff" };
    for (;;) {
      const rows = await geofenceChanges(db, scope, last, until, PAGE);
      this.ctx.storage.transactionSync(() => {
        for (const row of rows) {
          if (row.enabled) this.#store.put(row);
          else this.#store.remove(row.id);
        }
      });
      if (rows.length < PAGE) break;
      last = { epoch: rows[rows.length - 1].epoch, id: rows[rows.length - 1].id };
    }
    const tombstones = await geofenceTombstones(db, scope, since);
    this.ctx.storage.transactionSync(() => {
      for (const id of tombstones) this.#store.remove(id);
      this.#kv.put("epoch", until);
    });
    this.#epoch = until;
  }

  /** The state at an earlier time, which is restored if wanted. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }
}
