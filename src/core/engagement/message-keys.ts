import type { Metadata } from "../tracking/types/metadata.ts";
import type { Campaign, NotificationContent } from "./campaign.ts";

/** The keys of metadata that the SDKs read. */

/** Own metadata of a message are sent as one JSON string, as the SDKs expect. */
export function campaignKeys({ _id, name }: Campaign, { metadata }: { metadata?: Metadata }): Metadata {
  return {
    "radar:campaignId": _id,
    "radar:campaignName": name,
    ...(metadata && { "radar:campaignMetadata": JSON.stringify(metadata) }),
  };
}

/** iOS reads `radar:notificationSubtitle`, Android `radar:notificationSubTitle`. */
export function notificationKeys({ text, title, subtitle, url, repeats }: NotificationContent): Metadata {
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
