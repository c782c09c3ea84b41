import { eq, sql } from "drizzle-orm";
import type { Campaign } from "../../../core/engagement/campaign.ts";
import type { Meeting } from "../../../core/engagement/meeting.ts";
import type { DayCount } from "../../../core/engagement/stats.ts";
import { open } from "../database.ts";
import { type Except, scopesOfProjects } from "../except.ts";
import { campaign, campaignEpoch, meeting, segment, stat } from "../schema.ts";
import { RuleRows } from "./rule-rows.ts";

export const campaignRows = new RuleRows<Campaign>(campaign);
export const meetingRows = new RuleRows<Meeting>(meeting);

/** All campaigns, segments and rules about meetings of a scope as JSON, with their epoch, in one query. */
export async function readCampaigns(
  db: D1Database,
  scope: number,
): Promise<{ epoch: number; docs: string[]; segments: string[]; meetings: string[] }> {
  const d1 = open(db);
  const [epochs, rows, segments, meetings] = await d1.batch([
    d1.select({ epoch: campaignEpoch.epoch }).from(campaignEpoch).where(eq(campaignEpoch.scope, scope)),
    d1.select({ doc: campaign.doc }).from(campaign).where(eq(campaign.scope, scope)),
    d1.select({ doc: segment.doc }).from(segment).where(eq(segment.scope, scope)),
    d1.select({ doc: meeting.doc }).from(meeting).where(eq(meeting.scope, scope)),
  ]);
  const docsOf = (some: readonly { doc: string }[]) => some.map(({ doc }) => doc);
  return {
    epoch: epochs[0]?.epoch ?? 0,
    docs: docsOf(rows),
    segments: docsOf(segments),
    meetings: docsOf(meetings),
  };
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
