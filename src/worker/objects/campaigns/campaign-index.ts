import { DurableObject } from "cloudflare:workers";
import { HOLDOUT } from "../../../core/engagement/assign-variant.ts";
import type { Entry, Ledger } from "../../../core/engagement/ledger.ts";
import { type Ask, type Grant, grantOne, withoutMessage } from "../../../core/engagement/person.ts";
import { readCampaigns } from "../../db/customers/campaigns.ts";
import { envOf } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";

const TABLES = ["campaign", "segment", "meeting"] as const;
type Table = (typeof TABLES)[number];

/**
 * The campaigns, computed segments and rules about meetings of one scope, a copy of the database rows; the number of messages of
 * campaigns with a total, and what each userId has got on all its devices. When a request has a newer epoch, the copy is read again; if
 * the database is unavailable, the older copy is returned.
 */
export class CampaignIndex extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  #epoch: number;
  #syncing: Promise<void> | undefined;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#sql = context.storage.sql;
    for (const table of TABLES)
      this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${table} (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)`);
    this.#sql.exec("CREATE TABLE IF NOT EXISTS total (id TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID");
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS person (user TEXT, id TEXT, doc TEXT NOT NULL, PRIMARY KEY (user, id)) WITHOUT ROWID",
    );
    this.#epoch = context.storage.kv.get<number>("epoch") ?? 0;
  }

  /** The campaigns, segments and rules, as JSON, at least as new as the epoch if the database is available. */
  async read(
    scope: number,
    epoch: number,
  ): Promise<{ epoch: number; docs: string[]; segments: string[]; meetings: string[] }> {
    for (let tries = 0; this.#epoch < epoch && tries < 2; tries++) {
      this.#syncing ??= this.#sync(scope).finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    }
    const [docs, segments, meetings] = TABLES.map((table) => this.#docs(table));
    return { epoch: this.#epoch, docs, segments, meetings };
  }

  #docs(table: Table): string[] {
    const rows = this.#sql.exec<{ doc: string }>(`SELECT doc FROM ${table} ORDER BY n`).toArray();
    return rows.map(({ doc }) => doc);
  }

  async #sync(scope: number): Promise<void> {
    try {
      const { DB } = await envOf(this.env, scope);
      const { epoch, docs, segments, meetings } = await readCampaigns(DB, scope);
      this.ctx.storage.transactionSync(() => {
        for (const [i, rows] of [docs, segments, meetings].entries()) {
          this.#sql.exec(`DELETE FROM ${TABLES[i]}`);
          for (const doc of rows) this.#sql.exec(`INSERT INTO ${TABLES[i]} (doc) VALUES (?)`, doc);
        }
        for (const table of ["total", "person"])
          this.#sql.exec(`DELETE FROM ${table} WHERE id NOT IN (SELECT doc ->> '$._id' FROM campaign)`);
        this.ctx.storage.kv.put("epoch", epoch);
      });
      this.#epoch = epoch;
    } catch (error) {
      console.error(JSON.stringify({ what: "campaigns", scope, error: describeBriefly(error) }));
    }
  }

  /** Grants messages, each of which counts for the next: of totals, and of what persons may get. */
  take(asks: readonly Ask[]): Grant[] {
    return this.ctx.storage.transactionSync(() => asks.map((ask) => this.#takeOne(ask)));
  }

  #takeOne(ask: Ask): Grant {
    const { campaign, userId, variant } = ask;
    const { _id, limits } = campaign;
    const grant = userId === undefined ? {} : grantOne(ask, this.#counted(userId, _id)[_id]);
    if ("refused" in grant) return grant;
    const total = variant === HOLDOUT ? undefined : limits?.total;
    if (total !== undefined && !this.#takeOfTotal(_id, total)) return { refused: "the total is used up" };
    if (userId !== undefined) this.#keep(userId, _id, grant.entry);
    return { ...grant, isOfTotal: total !== undefined };
  }

  #takeOfTotal(id: string, total: number): boolean {
    const taken = "INSERT INTO total VALUES (?1, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1 WHERE n < ?2 RETURNING n";
    return this.#sql.exec(taken, id, total).toArray().length > 0;
  }

  /** Returns a grant that was not used. */
  giveBack(id: string, userId: string | undefined, isOfTotal: boolean): void {
    if (isOfTotal) this.#sql.exec("UPDATE total SET n = n - 1 WHERE id = ? AND n > 0", id);
    const entry = userId === undefined ? undefined : this.#counted(userId, id)[id];
    if (userId !== undefined && entry) this.#keep(userId, id, withoutMessage(entry));
  }

  /** What a person has got on all devices. */
  counted(userId: string): Ledger["by"] {
    return this.#counted(userId);
  }

  /**
   * What a person has got of campaigns before an event that converts it: of those it names, and those whose goal it is within their
   * days. From now on they are converted.
   */
  convert(userId: string, campaigns: readonly { id: string; isNamed: boolean }[], at: number): Ledger["by"] {
    const before = this.#counted(userId);
    for (const { id, isNamed } of campaigns) {
      const entry = before[id];
      const isMet = isNamed || at <= (entry?.goalUntil ?? 0);
      if (entry && isMet && !entry.converted) this.#keep(userId, id, { ...entry, converted: true });
    }
    return before;
  }

  /** Deletes what a person has got. */
  forget(userId: string): void {
    this.#sql.exec("DELETE FROM person WHERE user = ?", userId);
  }

  #counted(userId: string, id: string | null = null): Record<string, Entry> {
    const rows = this.#sql
      .exec<{ id: string; doc: string }>(
        "SELECT id, doc FROM person WHERE user = ?1 AND id = ifnull(?2, id)",
        userId,
        id,
      )
      .toArray();
    return Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.doc) as Entry]));
  }

  #keep(userId: string, id: string, entry: Entry | undefined): void {
    if (entry) this.#sql.exec("INSERT OR REPLACE INTO person VALUES (?, ?, ?)", userId, id, JSON.stringify(entry));
    else this.#sql.exec("DELETE FROM person WHERE user = ? AND id = ?", userId, id);
  }

  /** The state at an earlier time, which is restored if wanted. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }
}
