import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Campaign } from "../../../core/engagement/campaign.ts";
import type { DayCount } from "../../../core/engagement/stats.ts";
import { batch, open } from "../database.ts";
import { type Except, scopesOfProjects } from "../except.ts";
import { pageOf } from "../page.ts";
import { campaign, campaignEpoch, segment, stat } from "../schema.ts";
import { nextEpoch } from "./epochs.ts";

export async function countCampaigns(db: D1Database, scope: number): Promise<number> {
  return open(db).$count(campaign, eq(campaign.scope, scope));
}

/** Creates a campaign. Returns the new epoch. */
export async function insertCampaign(db: D1Database, scope: number, one: Campaign): Promise<number> {
  const { _id: id, createdAt, updatedAt } = one;
  const [epochs] = await batch<[{ epoch: number }]>(db, [
    nextEpoch(campaignEpoch, scope),
    open(db)
      .insert(campaign)
      .values({ scope, id, createdAt, updatedAt, doc: JSON.stringify(one) }),
  ]);
  return epochs.results[0].epoch;
}

const named = (scope: number, id: string) => and(eq(campaign.scope, scope), eq(campaign.id, id));

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
  const [epochs, { meta }] = await batch<[{ epoch: number }, never]>(db, [
    nextEpoch(campaignEpoch, scope),
    open(db)
      .update(campaign)
      .set({ updatedAt: one.updatedAt, doc: JSON.stringify(one) })
      .where(and(named(scope, one._id), eq(campaign.doc, before))),
  ]);
  return meta.changes > 0 ? epochs.results[0].epoch : undefined;
}

export async function findCampaign(db: D1Database, scope: number, id: string): Promise<string | undefined> {
  return (await open(db).select({ doc: campaign.doc }).from(campaign).where(named(scope, id)).get())?.doc;
}

/** Deletes a campaign. Returns the new epoch; undefined: not found. */
export async function deleteCampaign(db: D1Database, scope: number, id: string): Promise<number | undefined> {
  if ((await findCampaign(db, scope, id)) === undefined) return undefined;
  const [epochs] = await batch<[{ epoch: number }]>(db, [
    nextEpoch(campaignEpoch, scope),
    open(db).delete(campaign).where(named(scope, id)),
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
  const d1 = open(db);
  const [epochs, rows, segments] = await d1.batch([
    d1.select({ epoch: campaignEpoch.epoch }).from(campaignEpoch).where(eq(campaignEpoch.scope, scope)),
    d1.select({ doc: campaign.doc }).from(campaign).where(eq(campaign.scope, scope)),
    d1.select({ doc: segment.doc }).from(segment).where(eq(segment.scope, scope)),
  ]);
  const docsOf = (some: readonly { doc: string }[]) => some.map(({ doc }) => doc);
  return { epoch: epochs[0]?.epoch ?? 0, docs: docsOf(rows), segments: docsOf(segments) };
}

/** The counts of one campaign, or of all of a scope, from a day on. */
export async function campaignCounts(db: D1Database, scope: number, from: number, id?: string): Promise<DayCount[]> {
  // A space sorts before "!": the range of the names that begin with the id and a space.
  const range = id === undefined ? sql`true` : sql`name > ${`${id} `} AND name < ${`${id}!`}`;
  return open(db).all<DayCount>(
    sql`SELECT day, name, (SELECT sum(value) FROM json_each(${stat.hours})) AS count FROM ${stat}
        WHERE scope = ${scope} AND day >= ${from} AND kind = 'campaign' AND ${range}`,
  );
}

/** Campaigns of all scopes with images at other servers, for the hourly check. */
export async function campaignsWithImages(
  db: D1Database,
  most: number,
  except: Except,
): Promise<{ scope: number; doc: string }[]> {
  const { scope, doc } = campaign;
  return open(db)
    .select({ scope, doc })
    .from(campaign)
    .where(sql`${scope} IN ${scopesOfProjects(except)} AND ${doc} ->> '$.enabled' AND instr(${doc}, '"image":{') > 0`)
    .limit(most)
    .all();
}
