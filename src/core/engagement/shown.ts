import type { Shown } from "./send.ts";

/** iOS has at most so many pending notifications. */
const MAX_SHOWN = 64;
const MAX_LENGTH = 256;
const PREFIX = "radar_geofence_";

/**
 * The entries of `notificationDiff`. iOS sends `{identifier, registeredAt, geofenceId?, campaignId?}` for each
 * notification (NotificationValue in RadarNotification.swift, 2026); the identifier is `radar_geofence_<geofence>`, so
 * only the time of registration distinguishes two notifications at one geofence. Older versions send an identifier
 * (`radar_geofence_<geofence>_<time>_<campaign name>`), or metadata. Entries of other forms are ignored.
 */
export function shownNotifications(entries: readonly unknown[]): Shown[] {
  return entries.slice(0, MAX_SHOWN).flatMap((entry) => shownOf(entry) ?? []);
}

function shownOf(entry: unknown): Shown | undefined {
  if (typeof entry === "string") return ofIdentifier(entry);
  if (typeof entry !== "object" || entry === null) return undefined;
  const outer = entry as Record<string, unknown>;
  const layers = [outer, outer.metadata, outer.userInfo].filter(
    (one): one is Record<string, unknown> => typeof one === "object" && one !== null,
  );
  const field = (...names: string[]) =>
    layers.flatMap((layer) => names.map((name) => layer[name])).find((value) => isText(value)) as string | undefined;
  const identifier = field("identifier");
  const known = identifier === undefined ? undefined : ofIdentifier(identifier);
  const campaign = field("campaignId", "radar:campaignId");
  const campaignName = field("campaignName", "radar:campaignName") ?? known?.campaignName;
  const geofence = field("geofenceId", "radar:geofenceId") ?? known?.geofence;
  if (campaign === undefined && campaignName === undefined) return undefined;
  const registered = [outer.registeredAt, outer.deliveredAt].map((at) => (at === undefined ? "" : String(at))).join();
  const key = [identifier ?? geofence, campaign ?? campaignName, registered].join(" ");
  return {
    key: key.slice(0, MAX_LENGTH),
    ...(campaign !== undefined && { campaign }),
    ...(campaignName !== undefined && { campaignName }),
    ...(geofence !== undefined && { geofence }),
  };
}

function ofIdentifier(identifier: string): Shown | undefined {
  if (!identifier.startsWith(PREFIX) || identifier.length > 2 * MAX_LENGTH) return undefined;
  const [geofence, , ...name] = identifier.slice(PREFIX.length).split("_");
  if (name.length === 0) return undefined;
  return { key: identifier.slice(0, MAX_LENGTH), campaignName: name.join("_"), geofence };
}

const isText = (value: unknown) => typeof value === "string" && value !== "" && value.length <= MAX_LENGTH;
