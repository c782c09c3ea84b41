import { scopesOf } from "../../db/moves/moved-tables.ts";
import type { MovePlace } from "../../db/moves/moves.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { campaignIndexOf } from "../campaigns/campaign-index-stub.ts";
import { geofenceIndexOf } from "../fences/geofence-index-stub.ts";
import { geocodeJobsOf, routeJobsOf } from "../jobs/jobs-stub.ts";
import { meetingCellOf } from "../meetings/meeting-stub.ts";
import { deviceTrackerOf } from "../tracker/device-tracker-stub.ts";
import { leaveLiveFeed } from "../viewers/live-feed-stub.ts";
import { webhookSenderOf } from "../webhooks/webhook-sender-stub.ts";
import { copyFiles, deleteFiles } from "./moved-files.ts";

/** Objects that are called at a time. */
const AT_ONCE = 50;

/**
 * The Durable Objects and files of a project that moves to another jurisdiction. An object takes over the state of its
 * predecessor when it is first called (objects/residence); here each is called once, so that nothing stays behind.
 */
export class MovedObjects {
  readonly #source: Env;
  readonly #target: Env;
  readonly #scopes: readonly number[];

  constructor(source: Env, target: Env, project: number) {
    this.#source = source;
    this.#target = target;
    this.#scopes = scopesOf(project);
  }

  /** Does the next part. @returns where to continue; undefined: that was all */
  async next({ table: stage, after = [] }: MovePlace): Promise<MovePlace | undefined> {
    const rest = await [
      () => this.#files(after),
      () => this.#ofScopes(),
      () => this.#webhooks(after),
      () => this.#trackers(after),
    ][stage]?.();
    if (rest) return { table: stage, after: rest };
    return stage < LAST_STAGE ? { table: stage + 1 } : undefined;
  }

  get #buckets(): [R2Bucket, R2Bucket] | undefined {
    const [source, target] = [projectBucket(this.#source), projectBucket(this.#target)];
    return source === target ? undefined : [source, target];
  }

  async #files([prefix = 0, key]: MovePlace["after"] & object): Promise<MovePlace["after"]> {
    const buckets = this.#buckets;
    if (!buckets) return undefined;
    const place = { prefix: Number(prefix), ...(key !== undefined && { after: String(key) }) };
    const next = await copyFiles(...buckets, this.#scopes, place);
    return next && [next.prefix, ...(next.after === undefined ? [] : [next.after])];
  }

  async #ofScopes(): Promise<undefined> {
    for (const scope of this.#scopes) {
      await leaveLiveFeed(this.#source, scope);
      const of = [geofenceIndexOf, campaignIndexOf, geocodeJobsOf, routeJobsOf];
      await Promise.all(of.map((stubOf) => reside(stubOf(this.#target, scope))));
    }
  }

  async #webhooks(after: readonly unknown[]): Promise<MovePlace["after"]> {
    const rows = await this.#rows("SELECT scope, id, id AS name FROM webhook", after);
    await Promise.all(rows.map(({ scope, name }) => reside(webhookSenderOf(this.#target, scope, name))));
    return placeOf(rows);
  }

  async #trackers(after: readonly unknown[]): Promise<MovePlace["after"]> {
    const rows = await this.#rows("SELECT scope, id, device_id AS name FROM user", after);
    const devices = new Map(rows.map(({ scope, name }) => [`${scope}:${name}`, { scope, name }]));
    await Promise.all(
      [...devices.values()].map(async ({ scope, name }) => {
        const tracker = deviceTrackerOf(this.#target, scope, name);
        await reside(tracker);
        const cells = await tracker.meetingCells();
        await Promise.all(cells.map((cell) => reside(meetingCellOf(this.#target, scope, cell))));
      }),
    );
    return placeOf(rows);
  }

  async #rows(select: string, [scope = -1, id = ""]: readonly unknown[]): Promise<Row[]> {
    const [first, last] = this.#scopes;
    const { results } = await this.#target.DB.prepare(
      `${select} WHERE scope BETWEEN ?1 AND ?2 AND (scope, id) > (?3, ?4) ORDER BY scope, id LIMIT ${AT_ONCE}`,
    )
      .bind(first, last, scope, id)
      .all<Row>();
    return results;
  }

  /** Deletes files that the project has left behind. @returns whether there may be more */
  async clean(): Promise<boolean> {
    const buckets = this.#buckets;
    return buckets !== undefined && deleteFiles(...buckets, this.#scopes);
  }
}

const LAST_STAGE = 3;

interface Row {
  scope: number;
  id: string;
  name: string;
}

/** Where the next page begins; undefined after the last one. */
const placeOf = (rows: readonly Row[]): MovePlace["after"] =>
  rows.length < AT_ONCE ? undefined : [rows[rows.length - 1].scope, rows[rows.length - 1].id];

/** Makes an object take over its state. */
const reside = (stub: unknown) => (stub as { reside(): Promise<void> }).reside();
