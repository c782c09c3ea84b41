import { DurableObject } from "cloudflare:workers";
import { readCampaigns } from "../../db/customers/campaigns.ts";
import { envOf } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";

/**
 * The campaigns and computed segments of one scope, a copy of the database rows, and the number of messages of those with a total limit. When
 * a request has a newer epoch, the copy is read again; if the database is unavailable, the older copy is returned.
 */
export class CampaignIndex extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  #epoch: number;
  #syncing: Promise<void> | undefined;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#sql = context.storage.sql;
    this.#sql.exec("CREATE TABLE IF NOT EXISTS campaign (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)");
    this.#sql.exec("CREATE TABLE IF NOT EXISTS segment (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)");
    this.#sql.exec("CREATE TABLE IF NOT EXISTS total (id TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID");
    this.#epoch = context.storage.kv.get<number>("epoch") ?? 0;
  }

  /** The campaigns and segments, as JSON, at least as new as the epoch if the database is available. */
  async read(scope: number, epoch: number): Promise<{ epoch: number; docs: string[]; segments: string[] }> {
    for (let tries = 0; this.#epoch < epoch && tries < 2; tries++) {
      this.#syncing ??= this.#sync(scope).finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    }
    return { epoch: this.#epoch, docs: this.#docs("campaign"), segments: this.#docs("segment") };
  }

  #docs(table: "campaign" | "segment"): string[] {
    const rows = this.#sql.exec<{ doc: string }>(`SELECT doc FROM ${table} ORDER BY n`).toArray();
    return rows.map(({ doc }) => doc);
  }

  async #sync(scope: number): Promise<void> {
    try {
      const { DB } = await envOf(this.env, scope);
      const { epoch, docs, segments } = await readCampaigns(DB, scope);
      this.ctx.storage.transactionSync(() => {
        this.#sql.exec("DELETE FROM campaign");
        for (const doc of docs) this.#sql.exec("INSERT INTO campaign (doc) VALUES (?)", doc);
        this.#sql.exec("DELETE FROM segment");
        for (const doc of segments) this.#sql.exec("INSERT INTO segment (doc) VALUES (?)", doc);
        this.#sql.exec("DELETE FROM total WHERE id NOT IN (SELECT doc ->> '$._id' FROM campaign)");
        this.ctx.storage.kv.put("epoch", epoch);
      });
      this.#epoch = epoch;
    } catch (error) {
      console.error(JSON.stringify({ what: "campaigns", scope, error: describeBriefly(error) }));
    }
  }

  /** Grants one message of a campaign, unless `total` are used. */
  take(id: string, total: number): boolean {
    const granted = this.#sql
      .exec(
        "INSERT INTO total VALUES (?1, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1 WHERE n < ?2 RETURNING n",
        id,
        total,
      )
      .toArray();
    return granted.length > 0;
  }

  /** Returns a grant that was not used. */
  giveBack(id: string): void {
    this.#sql.exec("UPDATE total SET n = n - 1 WHERE id = ? AND n > 0", id);
  }

  /** The state at an earlier time, which is restored if wanted. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }
}
