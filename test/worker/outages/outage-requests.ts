import fc from "fast-check";
import { fill } from "../../fuzz/fuzz.ts";
import { type FuzzPlatform, startFuzzPlatform } from "../../fuzz/platform.ts";
import { type ApiDocument, type Drawn, type Operation, operationsOf, requestsOf } from "../../fuzz/requests.ts";
import { dereferenced } from "../../support/open-api.ts";

/** A request that an endpoint accepts. */
export interface Accepted {
  operationId: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Answered {
  status: number;
  leftOut: string;
  retryAfter: string | null;
  text: string;
  ms: number;
}

const DRAWS = 20;
const MOST_IDS = 12;
const PATIENCE_MS = 30_000;
/** What is not drawn. */
const CIRCLE = { description: "Shop", type: "circle", coordinates: [-111.2, 48.99], radius: 100, tag: "shop" };
const BEACON = {
  description: "Door",
  type: "eddystone",
  uid: "aa",
  instance: "01",
  tag: "door",
  coordinates: [-111.2, 48.99],
};
const CONTENT = { text: "Hi", title: "Shop" };
const RULE = { match: "any", conditions: [{ type: "lastSeen", days: 7 }] };
/** The path where it cannot be drawn, and the body, in which NEW stands for an id that was never sent. */
const BY_HAND: Record<string, { path?: string; body?: object }> = {
  rasterTileJson: { path: "/maps/raster/radar-default-v1/tiles.json" },
  track: { body: { deviceId: "NEW", userId: "NEW", latitude: 48.99, longitude: -111.2, accuracy: 5, beacons: [] } },
  createTrip: { body: { externalId: "NEW", userId: "ann", mode: "car" } },
  createGeofence: { body: { ...CIRCLE, externalId: "NEW" } },
  updateGeofence: { path: "/v1/geofences/home/one", body: CIRCLE },
  createBeacon: { body: { ...BEACON, externalId: "NEW" } },
  upsertBeacon: { path: "/v1/beacons/door/one", body: BEACON },
  updateBeacon: { path: "/v1/beacons/door/one", body: { description: "Gate" } },
  createMeeting: { body: { name: "NEW", radius: 100 } },
  createSegment: { body: { externalId: "NEW", description: "Active", rule: RULE } },
  optimizeFleet: {
    path: "/v1/route/optimize",
    body: { vehicles: [{ id: 1, start: [-111.2, 48.99] }], jobs: [{ id: 1, location: [-111.21, 48.99] }] },
  },
  previewSegment: { body: { rule: RULE } },
  createCampaign: {
    body: { name: "NEW", type: "eventNotification", trigger: { event: "user.entered_geofence" }, content: CONTENT },
  },
};
/** What is asked first must not find that others have deleted or signed out. */
const ORDER = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export async function ask(url: string, { method, path, headers, body }: Accepted): Promise<Answered> {
  const began = performance.now();
  const sent = body?.replaceAll("NEW", () => crypto.randomUUID());
  const init = { method, headers, ...(sent !== undefined && { body: sent }), redirect: "manual" as const };
  const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  // A feed does not end.
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const text = isStream ? "" : await response.text();
  if (isStream) await response.body?.cancel();
  const leftOut = response.headers.get("x-graticule-left-out") ?? "";
  return {
    status: response.status,
    leftOut,
    retryAfter: response.headers.get("retry-after"),
    text,
    ms: performance.now() - began,
  };
}

/** The state of a server with something of every kind, and the keys of it; no server runs on it. */
export interface PreparedState {
  folder: string;
  operations: Operation[];
  sender: Pick<FuzzPlatform, "keys" | "settingsKeys" | "member">;
  /** Ids by the path of their collection: "/v1/trips". */
  ids: Map<string, string[]>;
}

/** Stores what requests that create something store, until each was accepted once. */
export async function prepareState(folder: string): Promise<PreparedState> {
  const platform = await startFuzzPlatform({ keptIn: folder });
  try {
    const document = dereferenced((await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDocument);
    const operations = operationsOf(document).sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
    const { keys, settingsKeys, member } = platform;
    const prepared: PreparedState = { folder, operations, sender: { keys, settingsKeys, member }, ids: new Map() };
    const creating = operations.filter(({ method, path }) => /P(OS|U)T/.test(method) && !/dashboard|oauth/.test(path));
    const lists = operations.filter(({ method, path }) => method === "GET" && !path.includes("{"));
    for (const operation of [...creating, ...lists.filter(({ path }) => path.startsWith("/v1/"))]) {
      const accepted = await firstAccepted(platform.url, operation, prepared);
      const known = [...(accepted?.text.matchAll(/"(?:_id|token)":"([^"]{1,60})"/g) ?? [])].map(([, id]) => id);
      const before = prepared.ids.get(operation.path) ?? [];
      prepared.ids.set(operation.path, [...new Set([...known, ...before])].slice(0, MOST_IDS));
    }
    return prepared;
  } finally {
    await platform.stop();
  }
}

/** The first request drawn for an operation that is accepted, with its answer; undefined if none is. */
export async function firstAccepted(
  url: string,
  operation: Operation,
  { sender, ids }: PreparedState,
): Promise<(Accepted & Answered) | undefined> {
  for (const request of candidates(operation, sender, ids)) {
    const answered = await ask(url, request).catch(() => undefined);
    if (answered && answered.status < 400) return { ...request, ...answered };
  }
  return undefined;
}

function* candidates(
  operation: Operation,
  sender: PreparedState["sender"],
  ids: PreparedState["ids"],
): Generator<Accepted> {
  const { operationId, method, path } = operation;
  const headers = { authorization: sender.keys.testSecret, "content-type": "application/json" };
  const byHand = BY_HAND[operationId];
  if (byHand)
    yield { operationId, method, headers, path: byHand.path ?? path, body: byHand.body && JSON.stringify(byHand.body) };
  const seed = [...operationId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  const own = ids.get(path.slice(0, path.indexOf("/{"))) ?? [];
  let draw = 0;
  for (const drawn of fc.sample(requestsOf(operation), { numRuns: DRAWS, seed })) {
    const plain: Drawn = { ...drawn, key: "fitting", contentType: "application/json" };
    const id = own[draw++ % Math.max(1, own.length)];
    if (id !== undefined && "id" in plain.parts) plain.parts = { ...plain.parts, id };
    yield { operationId, ...fill(sender, operation, plain, own) };
  }
}
