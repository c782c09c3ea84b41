/** A project with something of everything, and every GET of the reference asked about it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client would read them
type Json = any;

export interface Keys {
  testSecret: string;
  testPublishable: string;
}

export type Ids = Record<string, string>;

const HERE = { latitude: 48.8566, longitude: 2.3522 };
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><circle cx="15" cy="15" r="14" fill="red"/></svg>';

export function caller(url: string, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: key, ...(body !== undefined && { "content-type": "application/json" }) };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

/** @returns the ids that paths of the reference ask for, by the word before them */
export async function fillWorld(url: string, { testSecret, testPublishable }: Keys, receiver: string): Promise<Ids> {
  const send = caller(url, testSecret);
  const track = (more: object) =>
    caller(url, testPublishable)("POST", "/v1/track", { accuracy: 5, foreground: true, ...more });
  const at = [HERE.longitude, HERE.latitude];
  const { geofence } = await send("PUT", "/v1/geofences/shop/1", {
    description: "Shop",
    type: "circle",
    coordinates: at,
    radius: 200,
  });
  const csv = 'description,coordinates,radius,tag,externalId\nYard,"[2.4,48.9]",100,yard,1\nBad,"[0,0]",1,yard,2\n';
  const fences = await send("POST", "/v1/imports/geofences", { csv, filename: "yards.csv" });
  const beacons = await send("POST", "/v1/imports/beacons", {
    csv: `description,type,uuid,major,minor,tag,externalId,coordinates,enabled\nGate,ibeacon,cccccccc-0000-4000-8000-000000000003,1,3,doors,3,"[${at}]",true\n`,
    filename: "doors.csv",
  });
  const {
    beacons: [beacon],
  } = await send("GET", "/v1/beacons");
  const { webhook } = await send("POST", "/v1/webhooks", { url: receiver });
  await send("PUT", "/v1/maps/icons/dot", { image: ICON });
  await send("PUT", "/v1/maps/styles/own", {
    version: 8,
    sources: { protomaps: {} },
    layers: [{ id: "ground", type: "background", paint: { "background-color": "#ff0000" } }],
  });
  const { job } = await send("POST", "/v1/geocode/jobs?filename=a.csv", { csv: "address\nParis\nnowhere at all\n" });
  await send("POST", "/v1/trips", {
    externalId: "order",
    userId: "ann",
    mode: "foot",
    destinationGeofenceTag: "shop",
    destinationGeofenceExternalId: "1",
  });
  const { share } = await send("POST", "/v1/trips/order/shares", { minutes: 60 });
  for (const [name, far] of [
    ["ann", 0.02],
    ["bob", 0.01],
    ["cem", 0.03],
  ] as const) {
    const who = { deviceId: `phone-${name}`, userId: name, metadata: { team: name } };
    await track({ ...who, latitude: HERE.latitude + far, longitude: HERE.longitude });
    await track({ ...who, ...HERE, ...(name === "ann" && { tripOptions: { externalId: "order" } }) });
  }
  await send("PATCH", "/v1/trips/order/update", { status: "completed" });
  await send("POST", "/v1/events", { name: "bought", userId: "bob", deviceId: "phone-bob" });
  const { users } = await until(
    () => send("GET", "/v1/users"),
    ({ users }) => users.length === 3,
  );
  const { events } = await until(
    () => send("GET", "/v1/events"),
    ({ events }) => events.length >= 5,
  );
  await until(
    () => send("GET", `/v1/geocode/jobs/${job._id}`),
    ({ job }) => job.status === "finished",
  );
  await until(
    () => send("GET", `/v1/webhooks/${webhook._id}/deliveries`),
    ({ deliveries }) => deliveries.length >= 5,
  );
  return {
    geofences: geofence._id,
    beacons: beacon._id,
    users: users[0]._id,
    events: events[0]._id,
    trips: "order",
    shares: share.token,
    webhooks: webhook._id,
    jobs: job._id,
    "imports/geofences": fences.import._id,
    "imports/beacons": beacons.import._id,
    styles: "own",
    places: "none",
    addresses: "none",
    "api/geodata": "world",
  };
}

async function until(ask: () => Promise<Json>, satisfied: (answer: Json) => boolean): Promise<Json> {
  for (const end = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (Date.now() > end) throw new Error(`It never came: ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

/** Parameters that an endpoint requires, by name. */
const QUERY: Record<string, string> = {
  coordinates: "48.8566,2.3522",
  near: "48.8566,2.3522",
  origin: "48.8566,2.3522",
  origins: "48.8566,2.3522",
  destination: "48.86,2.36",
  destinations: "48.86,2.36",
  locations: "48.8566,2.3522|48.86,2.36",
  modes: "foot",
  mode: "foot",
  layers: "country",
  query: "Paris",
  width: "200",
  height: "100",
  city: "Paris",
  stateCode: "TX",
  countryCode: "US",
};
/** What endpoints need beside that. */
const MORE: Record<string, string> = {
  "/v1/search/places": "categories=airport",
  "/v1/geocode/forward": "query=Paris",
  "/v1/addresses/validate": "addressLabel=1%20Main%20Street",
  "/v1/route/isochrone": "minutes=5",
  "/maps/static": "center=48.8566,2.3522&zoom=3",
  "/v1/users/{id}/export": "format=gpx",
};
const PARTS: Record<string, string> = {
  tag: "shop",
  externalId: "1",
  z: "2",
  x: "2",
  y: "1",
  style: "radar-default-v1",
  name: "world",
  fontstack: "Noto%20Sans%20Regular",
  range: "0-255",
};

/** What is of the moment of the asking, or of the server, and not of what was kept. */
const OF_THE_MOMENT = new Set(["currentTime", "lastUsedAt", "to", "importedAt", "usage"]);

/** JSON without that, and without counts of calls; other texts as they are. */
function kept(text: string): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (name, value: unknown) => {
        if (OF_THE_MOMENT.has(name)) return undefined;
        if (!Array.isArray(value)) return value;
        return value.filter((one: Json | null) => one?.kind !== "calls" && one?.kind !== "errors");
      }),
    );
  } catch {
    return text;
  }
}

/** Tells of the server that answers, and not of what it keeps. */
const OF_THE_SERVER = new Set(["/metrics", "/v1/health", "/dashboard/api/status"]);

/** Status and body of every GET of the reference, by path. */
export async function allAnswers(url: string, secret: string, cookie: string, ids: Ids): Promise<Map<string, string>> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
  const answers = new Map<string, string>();
  for (const [path, { get }] of Object.entries(paths) as [string, Json][]) {
    if (!get || OF_THE_SERVER.has(path)) continue;
    const filled = path
      .replace("beacons/{tag}/{externalId}", "beacons/doors/3")
      .replace(/(\w+(?:\/\w+)?)?\/\{(\w+)\}/g, (whole, before: string | undefined, name: string) => {
        const last = before?.split("/").at(-1) ?? "";
        const value = name === "id" || name === "style" ? (ids[before ?? ""] ?? ids[last] ?? PARTS[name]) : PARTS[name];
        return value === undefined ? whole : `${before === undefined ? "" : before}/${value}`;
      });
    const query = ((get.parameters ?? []) as Json[])
      .filter(({ in: where, required, name }) => where === "query" && (required || name === "near"))
      .map(({ name }) => `${name}=${encodeURIComponent(QUERY[name] ?? "none")}`);
    if (MORE[path]) query.push(MORE[path]);
    const headers: Record<string, string> = path.startsWith("/dashboard/")
      ? { cookie, "x-graticule-project": "1", "x-graticule-environment": "test" }
      : { authorization: secret };
    const answer = await fetch(`${url}${filled}${query.length ? `?${query.join("&")}` : ""}`, { headers });
    answers.set(path, `${answer.status} ${kept((await answer.text()).replaceAll(url, ""))}`);
  }
  return answers;
}
