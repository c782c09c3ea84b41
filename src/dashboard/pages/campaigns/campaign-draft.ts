import type { CampaignType, MessageContent, NotificationContent } from "../../../core/engagement/campaign.ts";
import type { getCampaign } from "../../../worker/http/campaigns/campaigns.ts";
import type { Answer } from "../../api/client.ts";
import { listOf } from "../../forms/draft.ts";
import { viewerZone } from "../../forms/pick-options.ts";
import { localTime } from "../../map/fences/fence-draft.ts";

export type Campaign = Answer<typeof getCampaign>["campaign"];

export const TYPE_WORDS: Readonly<Record<CampaignType, string>> = {
  inAppMessage: "In-app message",
  eventNotification: "Event notification",
  geofenceNotification: "Geofence or beacon notification",
};

/** The fields as they are typed: texts, until the server has checked them. */
export const EMPTY = {
  ...{ name: "", type: "inAppMessage" as CampaignType, enabled: true },
  ...{ event: "user.entered_geofence", geofenceTags: "", beaconTags: "" },
  ...{ title: "", text: "", button: "", link: "", image: "" },
  ...{ perUser: "1", cooldownMinutes: "", startsAt: "", endsAt: "", timeZone: "" },
};
export type Draft = typeof EMPTY;

const textOf = (value: number | undefined) => (value === undefined ? "" : String(value));

export function draftOf(campaign: Campaign): Draft {
  const { name, type, enabled, trigger, limits, schedule, variants } = campaign;
  const content = campaign.content ?? variants?.[0]?.content;
  const { event = "", geofenceTags = [], beaconTags = [] } = trigger;
  const common = {
    name,
    type,
    enabled,
    event,
    geofenceTags: geofenceTags.join(", "),
    beaconTags: beaconTags.join(", "),
    perUser: textOf(limits?.perUser),
    cooldownMinutes: textOf(limits?.cooldownMinutes),
    startsAt: plainTime(schedule?.startsAt),
    endsAt: plainTime(schedule?.endsAt),
    timeZone:
      schedule?.timeZone ?? (isAbsolute(schedule?.startsAt) || isAbsolute(schedule?.endsAt) ? viewerZone() : ""),
  };
  if (type === "inAppMessage") {
    const { title, body, button, image } = content as MessageContent;
    return {
      ...common,
      title: title.text,
      text: body.text,
      button: button?.text ?? "",
      link: button?.deepLink ?? "",
      image: image?.url ?? "",
    };
  }
  const { title = "", text, url = "" } = content as NotificationContent;
  return { ...common, title, text, link: url, button: "", image: "" };
}

const isAbsolute = (time: string | undefined) => time !== undefined && /(Z|[+-]\d\d:\d\d)$/.test(time);

/** A time of the schedule as a field has it: an absolute one in the viewer's zone. */
const plainTime = (time: string | undefined) => (isAbsolute(time) ? localTime(time) : (time ?? "").slice(0, 16));

/** Fields of a section with the typed ones: an empty one is removed. */
function withTyped<T extends object>(saved: T | undefined, typed: Record<string, string>): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...saved, ...typed };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== "" && value !== undefined));
}

/** The body of a request. Parts that the form does not show stay as they are saved. */
export function bodyOf(draft: Draft, saved: Campaign | undefined): Record<string, unknown> {
  const { name, type, enabled, event, perUser, cooldownMinutes, startsAt, endsAt, timeZone } = draft;
  const geofenceTags = listOf(draft.geofenceTags);
  const beaconTags = listOf(draft.beaconTags);
  const {
    geofenceTags: _,
    beaconTags: _beacons,
    ...trigger
  } = withTyped(saved?.trigger, { event: type === "geofenceNotification" ? "" : event });
  return {
    name,
    enabled,
    ...(!saved && { type }),
    trigger: {
      ...trigger,
      ...(geofenceTags.length > 0 && { geofenceTags }),
      ...(beaconTags.length > 0 && { beaconTags }),
    },
    limits: withTyped(saved?.limits, { perUser, cooldownMinutes }),
    schedule: withTyped(saved?.schedule, { startsAt, endsAt, timeZone }),
    // Variants have their own contents, which the API changes.
    ...(!saved?.variants && { content: contentOf(draft, saved?.content) }),
  };
}

function contentOf({ type, title, text, button, link, image }: Draft, saved: Campaign["content"]) {
  if (type !== "inAppMessage") return withTyped(saved as NotificationContent | undefined, { title, text, url: link });
  const before = (saved ?? {}) as Partial<MessageContent>;
  return {
    ...(before.metadata && { metadata: before.metadata }),
    title: { ...before.title, text: title },
    body: { ...before.body, text },
    ...(button !== "" && { button: { ...withTyped(before.button, { deepLink: link }), text: button } }),
    ...(image !== "" && { image: { name: before.image?.name ?? image.slice(-64), url: image } }),
  };
}
