import type { EngagementType, SinkSettings } from "../sink-settings.ts";

/**
 * Requests to platforms for customer engagement, and their responses. Sources, read on 2026-11-26:
 *
 * - Braze: "User track" and "Rate limits" in braze.com/docs/api.
 * - Iterable: src/types/events.ts and src/types/common.ts of github.com/Iterable/api-client, which Iterable writes by the
 *   specification of its API; 10 requests per second: a page of Hookdeck.
 * - Customer.io: docs.customer.io/api/track (v2); src/destinations/customerio/utils.ts in
 *   github.com/segmentio/action-destinations for `batch_index` of errors. Fair use is 3,000 requests in 3 seconds.
 * - Segment: "HTTP API Source" in twilio.com/docs/segment; 1,000 events per second: src/personas/rate-limits.md in
 *   github.com/segmentio/segment-docs.
 *
 * None of them was tried with an account.
 */

/** An event as the API returns it, as far as it is sent. */
interface SourceEvent {
  _id: string;
  type: string;
  createdAt: string;
  live: boolean;
  user?: { _id: string; userId?: string; deviceId?: string };
  geofence?: Labeled;
  place?: { _id: string; name: string; chain?: { slug: string; name: string }; categories?: readonly string[] };
  region?: { type: string; code: string; name: string };
  beacon?: Labeled;
  trip?: { _id: string; externalId: string; status?: string; mode?: string };
  campaign?: { _id: string; name: string; type: string; variant?: number };
  driving?: { speedKmh?: number; limitKmh?: number; road?: string };
  meeting?: { _id: string; name: string };
  otherUser?: { _id: string; userId?: string; distance: number };
  location?: { coordinates: readonly [number, number] };
  confidence?: number;
  duration?: number;
  metadata?: Record<string, unknown>;
}

interface Labeled {
  _id: string;
  tag?: string;
  externalId?: string;
  description?: string;
  metadata?: Record<string, unknown>;
}

/** How a platform gets events. */
interface Platform {
  /** Where it is if the webhook has no URL; undefined: each customer has one. */
  url?: string;
  path: string;
  headers(settings: SinkSettings): Record<string, string>;
  /** Maximum events per request. */
  maxEvents: number;
  /** Maximum size of a request, with a margin [bytes]. */
  maxBytes: number;
  /** Minimum time between two requests, from the documented limits [ms]. */
  paceMs: number;
  /** undefined: the platform has no users without a userId. */
  item(event: SourceEvent): object | undefined;
  body(items: readonly object[]): object;
  /** Why the platform did not accept some events, by their position, from the response to a successful request. */
  rejected(response: Record<string, unknown>, items: readonly object[]): ReadonlyMap<number, string>;
}

const NONE: ReadonlyMap<number, string> = new Map();
const basic = (name = "", password = "") => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` });
const seconds = (at: string) => Math.floor(Date.parse(at) / 1000);

export const PLATFORMS: Readonly<Record<EngagementType, Platform>> = {
  braze: {
    path: "users/track",
    headers: ({ apiKey = "" }) => ({ authorization: `Bearer ${apiKey}` }),
    maxEvents: 75,
    maxBytes: 1_000_000,
    paceMs: 1,
    item: (event) => {
      const { userId, deviceId = "" } = event.user ?? {};
      // "Event object" of its documentation: events of an alias are accepted only if a profile has it.
      const user_alias = { alias_name: deviceId, alias_label: "device_id" };
      return {
        ...(userId === undefined ? { user_alias } : { external_id: userId }),
        name: event.type,
        time: event.createdAt,
        properties: propertiesOf(event),
      };
    },
    body: (events) => ({ events }),
    rejected: ({ errors }) => reasons(listOf(errors), "index", ({ type }) => type),
  },
  iterable: {
    url: "https://api.iterable.com",
    path: "api/events/trackBulk",
    headers: ({ apiKey = "" }) => ({ "api-key": apiKey }),
    maxEvents: 200,
    maxBytes: 900_000,
    // 10 requests per second and project.
    paceMs: 120,
    item(event) {
      const userId = event.user?.userId;
      if (userId === undefined) return undefined;
      const createdAt = seconds(event.createdAt);
      return { userId, id: event._id, eventName: event.type, createdAt, dataFields: propertiesOf(event) };
    },
    body: (events) => ({ events }),
    rejected(response, items) {
      const names = new Set(textsOf(response.disallowedEventNames));
      // The list outside of failedUpdates is deprecated.
      const failed = { invalidUserIds: response.invalidUserIds, ...(response.failedUpdates as object | undefined) };
      const users = new Map(
        Object.entries(failed).flatMap(([list, ids]) => textsOf(ids).map((id) => [id, list] as const)),
      );
      const found = new Map<number, string>();
      for (const [i, item] of (items as { userId: string; eventName: string }[]).entries()) {
        if (names.has(item.eventName)) found.set(i, "disallowedEventNames");
        const list = users.get(item.userId);
        if (list !== undefined) found.set(i, list);
      }
      return found;
    },
  },
  customerio: {
    url: "https://track.customer.io",
    path: "api/v2/batch",
    headers: ({ siteId, apiKey }) => basic(siteId, apiKey),
    maxEvents: 200,
    // 500 KB per request, 32 KB per event.
    maxBytes: 450_000,
    // A tenth of what fair use allows.
    paceMs: 10,
    item(event) {
      const { userId, deviceId = "" } = event.user ?? {};
      return {
        type: "person",
        identifiers: userId === undefined ? { anonymous_id: deviceId } : { id: userId },
        action: "event",
        name: event.type,
        id: ulidOf(event),
        timestamp: seconds(event.createdAt),
        attributes: propertiesOf(event),
      };
    },
    body: (batch) => ({ batch }),
    rejected: ({ errors }) =>
      reasons(listOf(errors), "batch_index", ({ reason, field, message }) =>
        [reason, field, message].filter((part) => part !== undefined).join(" "),
      ),
  },
  segment: {
    url: "https://api.segment.io",
    path: "v1/batch",
    headers: ({ apiKey }) => basic(apiKey),
    maxEvents: 100,
    // 500 KB per request, 32 KB per event.
    maxBytes: 450_000,
    // 1,000 events per second.
    paceMs: 100,
    item(event) {
      const { userId, deviceId = "" } = event.user ?? {};
      return {
        type: "track",
        ...(userId === undefined ? { anonymousId: deviceId } : { userId }),
        event: event.type,
        messageId: event._id,
        timestamp: event.createdAt,
        properties: propertiesOf(event),
        context: { library: { name: "graticule" }, ...(deviceId !== "" && { device: { id: deviceId } }) },
      };
    },
    body: (batch) => ({ batch }),
    // Segment returns 200 for what it does not accept; its debugger shows the reason.
    rejected: () => NONE,
  },
};

/** The properties of an event, flat, because platforms segment users by names without dots. JSON omits undefined ones. */
export function propertiesOf(event: SourceEvent): Record<string, unknown> {
  const { geofence, place, region, beacon, trip, campaign, driving, meeting, otherUser, location } = event;
  const labeled = (name: string, one: Labeled | undefined) =>
    one && {
      [`${name}_id`]: one._id,
      [`${name}_tag`]: one.tag,
      [`${name}_external_id`]: one.externalId,
      [`${name}_description`]: one.description,
      [`${name}_metadata`]: one.metadata,
    };
  return {
    event_id: event._id,
    live: event.live,
    device_id: event.user?.deviceId,
    ...labeled("geofence", geofence),
    ...labeled("beacon", beacon),
    ...(place && {
      place_id: place._id,
      place_name: place.name,
      place_chain: place.chain?.slug,
      place_categories: place.categories,
    }),
    ...(region && { region_type: region.type, region_code: region.code, region_name: region.name }),
    ...(trip && { trip_external_id: trip.externalId, trip_status: trip.status, trip_mode: trip.mode }),
    ...(campaign && {
      campaign_id: campaign._id,
      campaign_name: campaign.name,
      campaign_type: campaign.type,
      campaign_variant: campaign.variant,
    }),
    ...(driving && { speed_kmh: driving.speedKmh, limit_kmh: driving.limitKmh, road: driving.road }),
    ...(meeting && { meeting_id: meeting._id, meeting_name: meeting.name }),
    ...(otherUser && { other_user_id: otherUser.userId ?? otherUser._id, other_user_distance: otherUser.distance }),
    longitude: location?.coordinates[0],
    latitude: location?.coordinates[1],
    confidence: event.confidence,
    duration_minutes: event.duration,
    metadata: event.metadata,
  };
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The same ULID (time, then 80 bits) for each attempt of an event, by which Customer.io recognizes it. */
function ulidOf({ _id, createdAt }: SourceEvent): string {
  const bits =
    (BigInt(Date.parse(createdAt)) << 80n) | BigInt(`0x${_id.slice(-20).replace(/[^0-9a-f]/gi, "0") || "0"}`);
  return Array.from({ length: 26 }, (_, i) => DIGITS[Number((bits >> BigInt(5 * (25 - i))) & 31n)]).join("");
}

/** The events of a message, whatever its delivery. */
export function eventsOf(body: string): SourceEvent[] {
  const { event, events } = JSON.parse(body) as { event?: SourceEvent; events?: SourceEvent[] };
  return events ?? (event ? [event] : []);
}

const MAX_REASON = 200;

function reasons(
  errors: readonly Record<string, unknown>[],
  indexName: string,
  reasonOf: (error: Record<string, unknown>) => unknown,
): ReadonlyMap<number, string> {
  return new Map(
    errors.flatMap((error) => {
      const index = error[indexName];
      return typeof index === "number" ? [[index, String(reasonOf(error) ?? "").slice(0, MAX_REASON)] as const] : [];
    }),
  );
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
