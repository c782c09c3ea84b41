import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Campaign } from "../../../core/engagement/campaign.ts";
import type { DayCount } from "../../../core/engagement/stats.ts";
import { open } from "../database.ts";
import { type Except, listOf, scopesOfProjects } from "../except.ts";
import { pageOf } from "../page.ts";
import { campaign } from "../schema.ts";

/** Also raised by changes of segments, which trackers read together with campaigns. */
export function nextEpoch(db: D1Database, scope: number): D1PreparedStatement {
  return db
    .prepare(
      "INSERT INTO campaign_epoch VALUES (?, 1) ON CONFLICT (scope) DO UPDATE SET epoch = epoch + 1 RETURNING epoch",
    )
    .bind(scope);
}

export async function countCampaigns(db: D1Database, scope: number): Promise<number> {
  const row = await open(db).select({ n: count() }).from(campaign).where(eq(campaign.scope, scope)).get();
  return row?.n ?? 0;
}

/** Creates a campaign. Returns the new epoch. */
export async function insertCampaign(db: D1Database, scope: number, one: Campaign): Promise<number> {
  const [epochs] = await db.batch<{ epoch: number }>([
    nextEpoch(db, scope),
    db
      .prepare("INSERT INTO campaign (scope, id, created_at, updated_at, doc) VALUES (?1, ?2, ?3, ?4, ?5)")
      .bind(scope, one._id, one.createdAt, one.updatedAt, JSON.stringify(one)),
  ]);
  return epochs.results[0].epoch;
}

/**
 * Replaces a campaign if its JSON is still `before`: otherwise a change in the meantime would be lost, or a deleted
 * campaign would exist again. Returns the new epoch; undefined: it was changed or deleted.
 */
export async function replaceCampaign(
  db: D1Database,
  scope: number,
  one: Campaign,
  before: string,
): Promise<number | undefined> {
  const [epochs, rows] = await db.batch<{ epoch: number }>([
    nextEpoch(db, scope),
    db
      .prepare("UPDATE campaign SET updated_at = ?3, doc = ?4 WHERE scope = ?1 AND id = ?2 AND doc = ?5 RETURNING id")
      .bind(scope, one._id, one.updatedAt, JSON.stringify(one), before),
  ]);
  return rows.results.length > 0 ? epochs.results[0].epoch : undefined;
}

export async function findCampaign(db: D1Database, scope: number, id: string): Promise<string | undefined> {
  const where = and(eq(campaign.scope, scope), eq(campaign.id, id));
  return (await open(db).select({ doc: campaign.doc }).from(campaign).where(where).get())?.doc;
}

/** Deletes a campaign. Returns the new epoch; undefined: not found. */
export async function deleteCampaign(db: D1Database, scope: number, id: string): Promise<number | undefined> {
  if ((await findCampaign(db, scope, id)) === undefined) return undefined;
  const [epochs] = await db.batch<{ epoch: number }>([
    nextEpoch(db, scope),
    db.prepare("DELETE FROM campaign WHERE scope = ? AND id = ?").bind(scope, id),
  ]);
  return epochs.results[0].epoch;
}

/** Campaigns of a scope, newest first, as JSON. */
export async function listCampaigns(
  db: D1Database,
  scope: number,
  { limit, createdBefore, createdAfter }: { limit: number; createdBefore?: number; createdAfter?: number },
): Promise<{ docs: string[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(limit, campaign.createdAt, (also, most) =>
    open(db)
      .select({ doc: campaign.doc, time: campaign.createdAt })
      .from(campaign)
      .where(
        and(
          eq(campaign.scope, scope),
          createdBefore === undefined ? undefined : lt(campaign.createdAt, createdBefore),
          createdAfter === undefined ? undefined : gt(campaign.createdAt, createdAfter),
          also,
        ),
      )
      .orderBy(desc(campaign.createdAt), desc(campaign.id))
      .limit(most)
      .all(),
  );
  return { docs: rows.map(({ doc }) => doc), hasMore };
}

/** All campaigns and segments of a scope as JSON, with their epoch, in one query. */
export async function readCampaigns(
  db: D1Database,
  scope: number,
): Promise<{ epoch: number; docs: string[]; segments: string[] }> {
  const [epochs, rows, segments] = await db.batch<{ epoch: number; doc: string }>([
    db.prepare("SELECT epoch FROM campaign_epoch WHERE scope = ?").bind(scope),
    db.prepare("SELECT doc FROM campaign WHERE scope = ?").bind(scope),
    db.prepare("SELECT doc FROM segment WHERE scope = ?").bind(scope),
  ]);
  const docsOf = ({ results }: { results: { doc: string }[] }) => results.map(({ doc }) => doc);
  return { epoch: epochs.results[0]?.epoch ?? 0, docs: docsOf(rows), segments: docsOf(segments) };
}

/** The counts of one campaign, or of all of a scope, from a day on. */
export async function campaignCounts(db: D1Database, scope: number, from: number, id?: string): Promise<DayCount[]> {
  // A space sorts before "!": the range of the names that begin with the id and a space.
  const range = id === undefined ? sql`true` : sql`name > ${`${id} `} AND name < ${`${id}!`}`;
  return open(db).all<DayCount>(
    sql`SELECT day, name, (SELECT sum(value) FROM json_each(stat.hours)) AS count FROM stat
        WHERE scope = ${scope} AND day >= ${from} AND kind = 'campaign' AND ${range}`,
  );
}

/** Campaigns of all scopes with images at other servers, for the hourly check. */
export async function campaignsWithImages(
  db: D1Database,
  most: number,
  except: Except,
): Promise<{ scope: number; doc: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT scope, doc FROM campaign
       WHERE scope IN ${scopesOfProjects("?2")}
         AND doc ->> '$.enabled' AND instr(doc, '"image":{') > 0 LIMIT ?1`,
    )
    .bind(most, listOf(except))
    .all<{ scope: number; doc: string }>();
  return results;
}
