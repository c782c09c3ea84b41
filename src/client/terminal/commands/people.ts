import { setTimeout as sleep } from "node:timers/promises";
import { type Command, numberOf, type Run, textOf, UsageError, wordsOf } from "../base/command.ts";
import { plainText } from "../base/output.ts";
import { pairText, positionOf } from "../base/position.ts";

/** Rows of a list, unless --limit says otherwise. */
const DEFAULT_ROWS = 50;

const LIMIT = { limit: { type: "string" } } as const;
const LIMIT_TEXT = { limit: `number of rows; default ${DEFAULT_ROWS}` };

/** The first items of pages. */
async function firstOf<T>(pages: AsyncIterable<T>, count: number): Promise<T[]> {
  const items: T[] = [];
  if (count <= 0) return items;
  for await (const item of pages) if (items.push(item) >= count) break;
  return items;
}

/** As many items of a list as --limit says. */
function listed<T>(run: Run, pages: (limit: number) => AsyncIterable<T>): Promise<T[]> {
  const limit = numberOf(run, "limit") ?? DEFAULT_ROWS;
  return firstOf(pages(Math.min(limit, 1000)), limit);
}

const pairOf = (point?: { coordinates: number[] }) => point && `${point.coordinates[1]},${point.coordinates[0]}`;

export const track: Command = {
  name: "track",
  usage: "DEVICE LATITUDE,LONGITUDE|PLACE",
  summary: "Sends a location update of a device, and prints the events.",
  options: { user: { type: "string" }, accuracy: { type: "string" } },
  optionTexts: { user: "userId", accuracy: "meters; default 10" },
  async run(run) {
    const [deviceId, place] = wordsOf(run, ["The device", "A position"]);
    const client = run.client();
    const { latitude, longitude } = await positionOf(client, place);
    const userId = textOf(run, "user");
    const accuracy = numberOf(run, "accuracy") ?? 10;
    const body = await client.track({ deviceId, latitude, longitude, accuracy, ...(userId && { userId }) });
    run.output.show(
      body,
      body.events.map(({ _id, type, geofence, place, region }) => ({
        event: type,
        what: geofence?.description ?? place?.name ?? region?.name,
        id: _id,
      })),
      "No events.",
    );
  },
};

export const users: Command = {
  name: "users",
  usage: "[SEARCH]",
  summary: "Lists users, the newest update first, by part of an id or description, or near a place.",
  options: { ...LIMIT, near: { type: "string" }, radius: { type: "string" } },
  optionTexts: { ...LIMIT_TEXT, near: "only users near this place", radius: "with --near: meters; default 1000" },
  async run(run) {
    const [search] = wordsOf(run, [], 1);
    const near = textOf(run, "near");
    const client = run.client();
    const found =
      near === undefined
        ? await listed(run, (limit) => client.pages("listUsers", { search, limit }))
        : (
            await client.searchUsers({
              near: pairText(await positionOf(client, near)),
              radius: numberOf(run, "radius"),
              limit: Math.min(numberOf(run, "limit") ?? DEFAULT_ROWS, 100),
            })
          ).users;
    run.output.show(
      found,
      found.map(({ userId, deviceId, location, updatedAt, geofences, trip }) => ({
        user: userId,
        device: deviceId,
        coordinates: pairOf(location),
        updated: updatedAt,
        geofences: geofences.map(({ description }) => description).join(", "),
        trip: trip?.status,
      })),
      "No users.",
    );
  },
};

export const trips: Command = {
  name: "trips",
  usage: "[STATUS]",
  summary: "Lists trips, newest first; STATUS is such as started, approaching, completed.",
  options: LIMIT,
  optionTexts: LIMIT_TEXT,
  async run(run) {
    const [status] = wordsOf(run, [], 1);
    const found = await listed(run, (limit) =>
      run.client().pages("listTrips", { ...(status && { status }), limit } as { limit: number }),
    );
    run.output.show(
      found,
      found.map(({ externalId, status, userId, mode, eta, createdAt }) => ({
        trip: externalId,
        status,
        user: userId,
        mode,
        eta: eta?.duration === undefined ? undefined : `${Math.round(eta.duration)} min`,
        created: createdAt,
      })),
      "No trips.",
    );
  },
};

/** How often `events tail` asks for new events [ms]. */
const TAIL_MS = 2000;
const OVERLAP_MS = 60_000;
const MAX_EVENTS_AT_ONCE = 10_000;

export const events: Command = {
  name: "events",
  usage: "tail | list",
  parts: ["tail", "list"],
  summary: "Lists events, newest first; tail prints new ones until Ctrl+C.",
  options: { ...LIMIT, types: { type: "string" }, user: { type: "string" } },
  optionTexts: { ...LIMIT_TEXT, types: "only these types, separated by commas", user: "only this user" },
  async run(run) {
    const [part] = wordsOf(run, ["tail or list"]);
    if (part !== "tail" && part !== "list") throw new UsageError("Use tail or list.");
    const client = run.client();
    const filter = { types: textOf(run, "types")?.split(","), userId: textOf(run, "user") };
    const row = (event: Awaited<ReturnType<typeof client.getEvent>>["event"]) => ({
      time: event.createdAt,
      event: event.type,
      user: event.user.userId ?? event.user.deviceId,
      what: event.geofence?.description ?? event.place?.name ?? event.region?.name ?? event.trip?.externalId,
      id: event._id,
    });
    if (part === "list") {
      const found = await listed(run, (limit) => client.pages("listEvents", { ...filter, limit }));
      return run.output.show(found, found.map(row), "No events.");
    }
    run.output.say("Waiting for events; Ctrl+C ends.");
    // Times are the server's. An event may be stored later than its time, so each request begins a minute earlier.
    const seen = new Set<string>();
    let newest: string | undefined;
    while (!run.signal.aborted) {
      const since = newest && new Date(Date.parse(newest) - OVERLAP_MS).toISOString();
      const pages = client.pages("listEvents", { ...filter, createdAfter: since, limit: 1000 });
      const found = await firstOf(pages, since === undefined ? 1000 : MAX_EVENTS_AT_ONCE);
      for (const event of found.toReversed()) {
        const isNew = newest !== undefined && !seen.has(event._id);
        seen.add(event._id);
        if (!isNew) continue;
        const { time, event: type, user, what } = row(event);
        const line = [time, type, user, what].filter(Boolean).join("  ");
        run.output.write(`${run.output.isJson ? JSON.stringify(event) : plainText(line)}\n`);
      }
      newest = found[0]?.createdAt ?? newest ?? new Date(0).toISOString();
      await sleep(TAIL_MS, undefined, { signal: run.signal }).catch(() => {});
    }
  },
};
