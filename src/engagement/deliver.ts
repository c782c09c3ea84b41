import type { TrackEvent } from "../tracking/types/event.ts";
import type { Metadata } from "../tracking/types/metadata.ts";
import type { CampaignBook } from "./book.ts";
import { type Campaign, contentOf, type MessageContent, type NotificationContent } from "./campaign.ts";
import type { Sent } from "./ledger.ts";
import { wallClock } from "./local-clock.ts";

/** A message in the shape of the SDKs. */
export interface InAppMessage {
  title: MessageContent["title"];
  body: MessageContent["body"];
  button?: MessageContent["button"];
  image?: MessageContent["image"];
  metadata: Metadata;
}

/** Metadata for the geofences near a device: the phone shows the notification itself. */
export interface FenceNote {
  tags?: readonly string[];
  ids?: readonly string[];
  metadata: Metadata;
}

/** What campaigns add to the response of an update. Nothing of it is stored in events or geofences. */
export interface Delivery {
  messages: readonly InAppMessage[];
  /** Metadata for events, by their _id. */
  notes: Readonly<Record<string, Metadata>>;
  fences: readonly FenceNote[];
}

/** The messages of an update for the response. Campaigns deleted since then are omitted. */
export function deliver(
  book: CampaignBook,
  sent: readonly Sent[],
  events: readonly TrackEvent[],
  atFences: readonly { campaign: Campaign; variant: number }[],
  timeZone: string | undefined,
): Delivery {
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
  const fences = atFences.flatMap(({ campaign, variant }): FenceNote[] => {
    const content = contentOf(campaign, variant);
    if (!content) return [];
    const { geofenceTags, geofenceIds } = campaign.trigger;
    return [
      {
        ...(geofenceTags && { tags: geofenceTags }),
        ...(geofenceIds && { ids: geofenceIds }),
        metadata: {
          ...notificationKeys(content as NotificationContent),
          "radar:campaignType": "clientSide",
          ...campaignKeys(campaign, content),
          ...scheduleKeys(campaign, timeZone),
        },
      },
    ];
  });
  return { messages, notes, fences };
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

/** Own metadata of a message are sent as one JSON string, as the SDKs expect. */
function campaignKeys({ _id, name }: Campaign, { metadata }: { metadata?: Metadata }): Metadata {
  return {
    "radar:campaignId": _id,
    "radar:campaignName": name,
    ...(metadata && { "radar:campaignMetadata": JSON.stringify(metadata) }),
  };
}

/** iOS reads `radar:notificationSubtitle`, Android `radar:notificationSubTitle`. */
function notificationKeys({ text, title, subtitle, url, repeats }: NotificationContent): Metadata {
  return {
    "radar:notificationText": text,
    ...(title !== undefined && { "radar:notificationTitle": title }),
    ...(subtitle !== undefined && {
      "radar:notificationSubtitle": subtitle,
      "radar:notificationSubTitle": subtitle,
    }),
    ...(url !== undefined && { "radar:notificationURL": url }),
    ...(repeats !== undefined && { "radar:notificationRepeats": repeats }),
  };
}

/** The phone compares its own wall clock: absolute times are converted to it. */
function scheduleKeys({ schedule }: Campaign, timeZone = "UTC"): Metadata {
  if (!schedule) return {};
  const { startsAt, endsAt, daysOfWeek, operatingHours } = schedule;
  const wall = (time: string) => (time.endsWith("Z") ? wallClock(Date.parse(time), timeZone) : time);
  return {
    ...(startsAt !== undefined && { "radar:startsAt": wall(startsAt) }),
    ...(endsAt !== undefined && { "radar:endsAt": wall(endsAt) }),
    ...(daysOfWeek && { "radar:daysOfWeek": daysOfWeek.join() }),
    ...(operatingHours !== undefined && { "radar:restrictToOperatingHours": operatingHours }),
  };
}

/** Adds the notifications of campaigns to geofences of a response; the first campaign of a geofence wins. */
export function withFenceNotes<T extends { _id: string; tag?: string | undefined; metadata?: Metadata | undefined }>(
  geofences: readonly T[],
  notes: readonly FenceNote[],
): T[] {
  if (notes.length === 0) return [...geofences];
  return geofences.map((geofence) => {
    const note = notes.find(
      ({ tags, ids }) =>
        (!tags || (geofence.tag !== undefined && tags.includes(geofence.tag))) && (!ids || ids.includes(geofence._id)),
    );
    return note
      ? { ...geofence, metadata: { ...geofence.metadata, ...note.metadata, "radar:geofenceId": geofence._id } }
      : geofence;
  });
}
