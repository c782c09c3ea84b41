import type { TrackEvent } from "../tracking/types/event.ts";
import { assignVariant } from "./assign-variant.ts";
import type { CampaignBook } from "./book.ts";
import type { Ledger } from "./ledger.ts";
import { type Counted, countName } from "./send.ts";

/** The events by which the SDKs report what a user did with an in-app message. */
export const MESSAGE_EVENTS = {
  "user.displayed_in_app_message": "displayed",
  "user.clicked_in_app_message": "clicked",
  "user.dismissed_in_app_message": "dismissed",
} as const satisfies Record<string, Counted>;

/**
 * Attributes a logged event to campaigns: the one it names, and those whose goal it is.
 * @param user the userId, else the _id
 */
export function attribute(
  book: CampaignBook,
  before: Ledger,
  event: TrackEvent,
  named: string | undefined,
  user: string,
): { event: TrackEvent; ledger: Ledger } {
  const counts: string[] = [];
  const by: Record<string, Ledger["by"][string]> = { ...before.by };
  const convert = (id: string, variant: number) => {
    counts.push(countName(id, variant, "conversions"));
    const entry = by[id];
    if (!entry || entry.n === 0 || entry.converted) return;
    by[id] = { ...entry, converted: true };
    counts.push(countName(id, variant, "converted"));
  };
  const campaign = named === undefined ? undefined : book.byId.get(named);
  const what = reportedBy(event.type);
  if (campaign) {
    const entry = by[campaign._id];
    const variant = entry && entry.n > 0 ? entry.variant : assignVariant(campaign, user);
    if (what) counts.push(countName(campaign._id, variant, what));
    else convert(campaign._id, variant);
  }
  if (!what) {
    for (const [id, { goalUntil = 0, variant }] of Object.entries(before.by)) {
      const goal = book.byId.get(id)?.goal;
      if (goal?.event === event.type && event.createdAt <= goalUntil && id !== campaign?._id) convert(id, variant);
    }
  }
  const label = campaign && { campaign: { _id: campaign._id, name: campaign.name, type: campaign.type } };
  return { event: { ...event, ...label, ...(counts.length > 0 && { counts }) }, ledger: { ...before, by } };
}

/** Does an event report what a user did with a message? It is no conversion then. */
export const isReport = (type: string): boolean => reportedBy(type) !== undefined;

function reportedBy(type: string): Counted | undefined {
  if (type === "opened_app") return "opened";
  return Object.hasOwn(MESSAGE_EVENTS, type) ? MESSAGE_EVENTS[type as keyof typeof MESSAGE_EVENTS] : undefined;
}
