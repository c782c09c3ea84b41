import type { TrackEvent } from "../tracking/types/event.ts";
import type { Metadata } from "../tracking/types/metadata.ts";
import type { CampaignBook } from "./book.ts";
import { type Campaign, contentOf, type MessageContent, type NotificationContent } from "./campaign.ts";
import type { Sent } from "./ledger.ts";
import { campaignKeys, notificationKeys } from "./message-keys.ts";
import type { PhoneOwner } from "./phone.ts";

/** A message in the shape of the SDKs. */
export interface InAppMessage {
  title: MessageContent["title"];
  body: MessageContent["body"];
  button?: MessageContent["button"];
  image?: MessageContent["image"];
  metadata: Metadata;
}

/** What campaigns add to the response of an update. Nothing of it is stored in events or geofences. */
export interface Delivery {
  messages: readonly InAppMessage[];
  /** Metadata for events, by their _id. */
  notes: Readonly<Record<string, Metadata>>;
  /** For notifications that the phone shows itself; absent = none in the response. */
  phone?: PhoneOwner;
}

/** The messages of an update for the response. Campaigns deleted since then are omitted. */
export function deliver(
  book: CampaignBook,
  sent: readonly Sent[],
  events: readonly TrackEvent[],
): Pick<Delivery, "messages" | "notes"> {
  const messages: InAppMessage[] = [];
  const notes: Record<string, Metadata> = {};
  for (const { campaign: id, variant, event: eventId } of sent) {
    const campaign = book.byId.get(id);
    const content = campaign && contentOf(campaign, variant);
    const event = events.find(({ _id }) => _id === eventId);
    if (!content || !event) continue;
    if (campaign.type === "inAppMessage") messages.push(messageOf(campaign, content as MessageContent, event));
    else {
      const geofence = event.geofence && { "radar:geofenceId": event.geofence._id };
      const about = { "radar:campaignType": "eventBased", ...campaignKeys(campaign, content), ...geofence };
      notes[eventId] = { ...notificationKeys(content as NotificationContent), ...about };
    }
  }
  return { messages, notes };
}

function messageOf(campaign: Campaign, content: MessageContent, { geofence }: TrackEvent): InAppMessage {
  const { title, body, button, image } = content;
  return {
    title,
    body,
    ...(button && { button }),
    ...(image && !campaign.missingImages?.includes(image.url) && { image }),
    metadata: { ...campaignKeys(campaign, content), ...(geofence && { "radar:geofenceId": geofence._id }) },
  };
}
