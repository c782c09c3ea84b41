import type { Graticule, Input } from "../../index.ts";
import { isObject, type Kind, pick, type Stored, type Values } from "./kind.ts";
import { settings } from "./settings.ts";
import { webhooks } from "./webhooks.ts";

const PAGE = 500;

const GEOFENCE_FIELDS = [
  "tag",
  "externalId",
  "description",
  "type",
  "coordinates",
  "radius",
  "mode",
  "metadata",
  "enabled",
  "dwellThreshold",
  "stopDetection",
  "tripApproachingThreshold",
  "operatingHours",
  "speedLimit",
  "disableAfter",
  "deleteAfter",
  "userIds",
  "segments",
  "ip",
] as const;

/** A tag and an external id, as in the paths of both kinds. */
function tagKey({ tag, externalId }: Values): string | undefined {
  return typeof tag === "string" && typeof externalId === "string" ? `${tag}/${externalId}` : undefined;
}
const TAG_RULE = "Give it a tag and an externalId.";

const geofences: Kind = {
  name: "geofences",
  fields: GEOFENCE_FIELDS,
  keyOf: tagKey,
  keyRule: TAG_RULE,
  async list(client) {
    const found: Stored[] = [];
    for await (const geofence of client.pages("listGeofences", { limit: PAGE }))
      found.push({ id: geofence._id, item: geofenceItem(geofence) });
    return found;
  },
  comparable: (item) => ({
    enabled: true,
    ...(item.type === "isochrone" && { mode: "car" }),
    ...item,
    ...dates(item, "disableAfter", "deleteAfter"),
    ...(item.type === "polygon" && { coordinates: ringOf(item.coordinates), radius: undefined }),
  }),
  async write(client, { item }) {
    const { geofence } = await client.upsertGeofence(item as Input<"upsertGeofence">);
    return geofenceItem(geofence);
  },
  async remove(client, { item }) {
    await client.deleteGeofence(item as Input<"deleteGeofence">);
  },
};

/** A geofence as it was written: the response has its geometry instead. */
function geofenceItem(geofence: Values): Values {
  const { type, geometryCenter, geometryRadius, geometry } = geofence as {
    type: string;
    geometryCenter: { coordinates: number[] };
    geometryRadius?: number;
    geometry?: { coordinates: number[][][] };
  };
  const shape =
    type === "polygon"
      ? { coordinates: geometry?.coordinates[0] }
      : { coordinates: geometryCenter.coordinates, radius: geometryRadius };
  return pick({ ...geofence, ...shape }, GEOFENCE_FIELDS);
}

/** A ring may be written as the coordinates of a GeoJSON Polygon. */
function ringOf(coordinates: unknown): unknown {
  const [only, ...others] = Array.isArray(coordinates) ? coordinates : [];
  return others.length === 0 && Array.isArray(only) ? only : coordinates;
}

/** Times as the server writes them. */
function dates(item: Values, ...names: readonly string[]): Values {
  const times = names.filter((name) => !Number.isNaN(Date.parse(String(item[name]))));
  return Object.fromEntries(times.map((name) => [name, new Date(String(item[name])).toISOString()]));
}

const BEACON_FIELDS = [
  "tag",
  "externalId",
  "description",
  "type",
  "uuid",
  "major",
  "minor",
  "uid",
  "instance",
  "coordinates",
  "enabled",
  "metadata",
] as const;

const beacons: Kind = {
  name: "beacons",
  fields: BEACON_FIELDS,
  keyOf: tagKey,
  keyRule: TAG_RULE,
  async list(client) {
    const found: Stored[] = [];
    for await (const beacon of client.pages("listBeacons", { limit: PAGE }))
      found.push({ id: beacon._id, item: beaconItem(beacon) });
    return found;
  },
  comparable: (item) => ({
    ...item,
    ...Object.fromEntries(
      ["uuid", "major", "minor", "uid", "instance"]
        .filter((name) => item[name] !== undefined)
        .map((name) => [name, String(item[name]).toLowerCase()]),
    ),
  }),
  async write(client, { item }) {
    const { beacon } = await client.upsertBeacon(item as Input<"upsertBeacon">);
    return beaconItem(beacon);
  },
  async remove(client, { item }) {
    await client.deleteBeacon(item as Input<"deleteBeacon">);
  },
};

function beaconItem(beacon: Values): Values {
  const { geometry } = beacon as { geometry: { coordinates: number[] } };
  return pick({ ...beacon, coordinates: geometry.coordinates }, BEACON_FIELDS);
}

const STYLE_FIELDS = ["id", "style"] as const;

const styles: Kind = {
  name: "styles",
  fields: STYLE_FIELDS,
  keyOf: ({ id }) => (typeof id === "string" && id !== "" ? id : undefined),
  keyRule: "Give it an id.",
  async list(client) {
    const found: Stored[] = [];
    for (const { _id: id } of (await client.listMapStyles()).styles)
      found.push({ id, item: { id, style: await styleOf(client, id) } });
    return found;
  },
  // Sources, glyphs and sprite are the server's.
  comparable: ({ id, style }) => ({ id, style: isObject(style) ? pick(style, ["version", "name", "layers"]) : style }),
  async write(client, { item: { id, style } }) {
    await client.uploadMapStyle({ ...(isObject(style) ? style : {}), id } as Input<"uploadMapStyle">);
    return { id, style: await styleOf(client, String(id)) };
  },
  async remove(client, { id }) {
    await client.deleteMapStyle({ id: String(id) });
  },
};

const styleOf = async (client: Graticule, id: string) => (await client.getMapStyle({ id })).style;

const CAMPAIGN_FIELDS = [
  ...["name", "type", "enabled", "trigger", "audience", "content", "variants", "holdout", "goal", "schedule", "limits"],
] as const;
/** Sections that an empty object removes. */
const REMOVABLE = ["audience", "goal", "schedule", "limits"] as const;

const campaigns: Kind = {
  name: "campaigns",
  fields: CAMPAIGN_FIELDS,
  keyOf: ({ name }) => (typeof name === "string" && name !== "" ? name : undefined),
  keyRule: "Give each its own name.",
  async list(client) {
    const found: Stored[] = [];
    for await (const campaign of client.pages("listCampaigns", { limit: 100 }))
      found.push({ id: campaign._id, item: pick(campaign, CAMPAIGN_FIELDS) });
    return found;
  },
  comparable: ({ holdout, ...item }) => ({ enabled: true, ...item, ...(holdout !== 0 && { holdout }) }),
  async write(client, { item, before }) {
    const body =
      before === undefined
        ? item
        : {
            id: before.id,
            enabled: true,
            ...Object.fromEntries(
              REMOVABLE.filter((name) => before.item[name] !== undefined).map((name) => [name, {}]),
            ),
            ...(before.item.holdout !== undefined && { holdout: 0 }),
            ...item,
          };
    const { campaign } = before
      ? await client.updateCampaign(body as Input<"updateCampaign">)
      : await client.createCampaign(body as Input<"createCampaign">);
    return pick(campaign, CAMPAIGN_FIELDS);
  },
  async remove(client, { id }) {
    await client.deleteCampaign({ id: String(id) });
  },
};

const SEGMENT_FIELDS = ["externalId", "description", "rule"] as const;
const VISITS = ["geofenceTag", "geofence", "chain", "category"];

const segments: Kind = {
  name: "segments",
  fields: SEGMENT_FIELDS,
  keyOf: ({ externalId }) => (typeof externalId === "string" && externalId !== "" ? externalId : undefined),
  keyRule: "Give it an externalId.",
  async list(client) {
    const found: Stored[] = [];
    for await (const segment of client.pages("listSegments", { limit: 100 }))
      found.push({ id: segment._id, item: pick(segment, SEGMENT_FIELDS) });
    return found;
  },
  comparable: ({ rule, ...item }) => ({ ...item, rule: isObject(rule) ? comparableRule(rule) : rule }),
  async write(client, { item, before }) {
    const { segment } = before
      ? await client.updateSegment({ ...item, id: before.id } as Input<"updateSegment">)
      : await client.createSegment(item as Input<"createSegment">);
    return pick(segment, SEGMENT_FIELDS);
  },
  async remove(client, { id }) {
    await client.deleteSegment({ id: String(id) });
  },
};

/** A rule with its defaults, as the server writes it. */
function comparableRule({ conditions, ...rule }: Values): Values {
  const full = (one: unknown) => {
    if (!isObject(one)) return one;
    const { not, ...condition } = one;
    const counts = VISITS.includes(String(one.type)) && one.weeks === undefined;
    return { ...(counts && { visits: 1, days: 30 }), ...condition, ...(not === true && { not }) };
  };
  return { match: "all", ...rule, conditions: Array.isArray(conditions) ? conditions.map(full) : conditions };
}

const MEETING_FIELDS = [
  ...["name", "enabled", "users", "others", "radius", "minimumSeconds", "freshMinutes", "testUserIds"],
] as const;
const MEETING_DEFAULTS = { enabled: true, users: {}, others: {}, minimumSeconds: 0, freshMinutes: 10 };

const meetings: Kind = {
  name: "meetings",
  fields: MEETING_FIELDS,
  keyOf: ({ name }) => (typeof name === "string" && name !== "" ? name : undefined),
  keyRule: "Give each its own name.",
  async list(client) {
    const found: Stored[] = [];
    for await (const meeting of client.pages("listMeetings", { limit: 100 }))
      found.push({ id: meeting._id, item: pick(meeting, MEETING_FIELDS) });
    return found;
  },
  comparable: (item) => ({ ...MEETING_DEFAULTS, ...item }),
  async write(client, { item, before }) {
    const body = { ...MEETING_DEFAULTS, ...(before && { testUserIds: [], id: before.id }), ...item };
    const { meeting } = before
      ? await client.updateMeeting(body as Input<"updateMeeting">)
      : await client.createMeeting(body as Input<"createMeeting">);
    return pick(meeting, MEETING_FIELDS);
  },
  async remove(client, { id }) {
    await client.deleteMeeting({ id: String(id) });
  },
};

/** In the order of writing: what others refer to is first. */
export const KINDS: readonly Kind[] = [settings, segments, geofences, beacons, styles, webhooks, campaigns, meetings];
