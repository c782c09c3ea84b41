import type { OperatingHours } from "../tracking/types/fence.ts";
import type { Metadata } from "../tracking/types/metadata.ts";
import type { UserState } from "../tracking/types/state.ts";
import { assignVariant } from "./assign-variant.ts";
import { audienceProblem } from "./audience.ts";
import type { CampaignBook } from "./book.ts";
import { type Campaign, contentOf, type NotificationContent } from "./campaign.ts";
import { type Ledger, limitProblem } from "./ledger.ts";
import { scheduleProblem, wallClock } from "./local-clock.ts";
import { campaignKeys, notificationKeys } from "./message-keys.ts";

/**
 * Notifications that the phone itself shows at a geofence or beacon: the response has their content in the metadata of
 * nearby geofences and beacons. iOS registers them when it gets the response (RadarNotification.swift, 2026), and
 * compares days and times only then, so a campaign outside its schedule is omitted with the same effect.
 */

/** The person that a phone belongs to, as its tracker knows it: everything that decides which notifications it gets. */
export interface PhoneOwner {
  /** userId, else _id: assigns the variant. */
  subject: string;
  timeZone?: string;
  /** Campaigns whose audience or limits exclude the user. */
  excluded: readonly string[];
}

/** Looks only at campaigns with an audience or limits. */
export function phoneOwner(
  book: CampaignBook,
  ledger: Ledger,
  user: UserState,
  now: number,
  timeZone: string | undefined,
): PhoneOwner {
  const excluded: string[] = [];
  for (const { _id, audience, limits } of book.personal) {
    const isExcluded =
      (audience && audienceProblem(audience, user)) || (limits && limitProblem(limits, ledger.by[_id], now));
    if (isExcluded) excluded.push(_id);
  }
  return { subject: user.userId ?? user._id, ...(timeZone !== undefined && { timeZone }), excluded };
}

interface Noted {
  _id: string;
  tag?: string | undefined;
  metadata?: Metadata | undefined;
}

/**
 * Adds the notifications of campaigns to geofences of a response; the first campaign of a geofence wins.
 * @param owner absent = unknown: only campaigns for everyone are added
 */
export function withFenceNotes<T extends Noted & { operatingHours?: unknown }>(
  geofences: readonly T[],
  book: CampaignBook | undefined,
  owner: PhoneOwner | undefined,
  now: number,
  timeZone = owner?.timeZone,
): T[] {
  if (!book) return [...geofences];
  return geofences.map((geofence) => {
    const openHours = geofence.operatingHours as OperatingHours | undefined;
    const campaign = book.atFence(geofence).find((one) => {
      if (owner ? owner.excluded.includes(one._id) : isPersonal(one)) return false;
      return !one.schedule || !scheduleProblem(one.schedule, now, timeZone, openHours);
    });
    return campaign ? withNote(geofence, campaign, "radar:geofenceId", timeZone, owner) : geofence;
  });
}

/** The same for beacons. Requests for them do not name the user, so these campaigns are for everyone. */
export function withBeaconNotes<T extends Noted>(
  beacons: readonly T[],
  book: CampaignBook | undefined,
  timeZone: string | undefined,
  now: number,
): T[] {
  if (!book) return [...beacons];
  return beacons.map((beacon) => {
    const campaign = book
      .atBeacon(beacon)
      .find(({ schedule }) => !schedule || !scheduleProblem(schedule, now, timeZone, undefined));
    return campaign ? withNote(beacon, campaign, "radar:beaconId", timeZone) : beacon;
  });
}

/** Does it depend on the user whether, or with which content, the notification is shown? */
const isPersonal = ({ audience, limits, variants }: Pick<Campaign, "audience" | "limits" | "variants">) =>
  audience !== undefined || limits !== undefined || variants !== undefined;

function withNote<T extends Noted>(
  at: T,
  campaign: Campaign,
  idKey: string,
  timeZone: string | undefined,
  owner?: PhoneOwner,
): T {
  const content = contentOf(campaign, campaign.variants ? assignVariant(campaign, owner?.subject ?? "") : 0);
  if (!content) return at;
  const note: Metadata = {
    ...notificationKeys(content as NotificationContent),
    "radar:campaignType": "clientSide",
    ...campaignKeys(campaign, content),
    ...scheduleKeys(campaign, timeZone),
    [idKey]: at._id,
  };
  return { ...at, metadata: { ...at.metadata, ...note } };
}

/**
 * The phone compares its own wall clock: absolute times are converted to it. Local times and days of another time zone
 * than the user's have no form on the wire; the server compares them.
 */
function scheduleKeys({ schedule }: Campaign, timeZone = "UTC"): Metadata {
  if (!schedule) return {};
  const { startsAt, endsAt, daysOfWeek, operatingHours, timeZone: zone = timeZone } = schedule;
  const isOwn = zone === timeZone;
  const wall = (time: string) => (time.endsWith("Z") ? wallClock(Date.parse(time), timeZone) : time);
  const isKnown = (time: string | undefined): time is string => time !== undefined && (isOwn || time.endsWith("Z"));
  return {
    ...(isKnown(startsAt) && { "radar:startsAt": wall(startsAt) }),
    ...(isKnown(endsAt) && { "radar:endsAt": wall(endsAt) }),
    ...(daysOfWeek && isOwn && { "radar:daysOfWeek": daysOfWeek.join() }),
    ...(operatingHours !== undefined && { "radar:restrictToOperatingHours": operatingHours }),
  };
}
