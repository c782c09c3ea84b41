import { type CampaignBook, openBook } from "../../../core/engagement/book.ts";
import type { Campaign } from "../../../core/engagement/campaign.ts";
import type { Meeting } from "../../../core/engagement/meeting.ts";
import type { ComputedSegment } from "../../../core/engagement/segments/segment.ts";
import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import type { Env } from "../../platform/env.ts";
import { within } from "../../platform/within.ts";
import { campaignIndexOf } from "./campaign-index-stub.ts";

/** Scopes whose campaigns an isolate caches. */
const MAX_SCOPES = 1_000;
/** An update waits at most this long for campaigns [ms]; then it uses the ones known before. */
const PATIENCE_MS = 2_000;

const books = new BoundedMap<number, CampaignBook>(MAX_SCOPES);

/**
 * The campaigns of a scope, cached until their epoch rises. Without a promise if they are known.
 * @param epoch the newest epoch known to the caller; 0 = the scope has never had campaigns
 */
export function campaignsOf(
  env: Env,
  scope: number,
  epoch: number,
): CampaignBook | undefined | Promise<CampaignBook | undefined> {
  if (epoch === 0) return undefined;
  const known = books.get(scope);
  if (known && known.epoch >= epoch) return known;
  return within(PATIENCE_MS, read(env, scope, epoch)).then((book) => book ?? books.get(scope));
}

async function read(env: Env, scope: number, asked: number): Promise<CampaignBook> {
  const { epoch, docs, segments, meetings = [] } = await campaignIndexOf(env, scope).read(scope, asked);
  const known = books.get(scope);
  if (known && known.epoch >= epoch) return known;
  const book = openBook(
    epoch,
    docs.map((doc) => JSON.parse(doc) as Campaign),
    segments.map((doc) => JSON.parse(doc) as ComputedSegment),
    meetings.map((doc) => JSON.parse(doc) as Meeting),
  );
  books.set(scope, book);
  return book;
}
