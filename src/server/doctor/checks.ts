import { z } from "zod";
import { VERSION } from "../../core/metrics/version.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** JSON where it is some. */
  body: unknown;
  /** Local times when the request was sent and when the response started [ms]. */
  sent: number;
  came: number;
}

/** Sends a request to the deployment. Rejects if there is no response. */
export type Ask = (method: string, path: string, json?: unknown) => Promise<Answer>;

/** Values known to this version. */
export interface Known {
  /** Its last migration. */
  schema: string;
  /** Layer → version of its format. */
  formats: Readonly<Record<string, number>>;
}

const healthAnswer = z.object({
  version: z.string(),
  time: z.string(),
  bindings: z.record(z.string(), z.boolean()),
  schema: z.object({ expected: z.string(), found: z.string().optional() }),
  objects: z.boolean(),
  geodata: z
    .object({
      builds: z.array(
        z.object({
          name: z.string(),
          layers: z.record(z.string(), z.number()),
          center: z.tuple([z.number(), z.number()]).optional(),
        }),
      ),
    })
    .optional(),
  disk: z.object({ freeBytes: z.number(), sizeBytes: z.number() }).optional(),
  archive: z
    .object({
      lastRoundAt: z.string(),
      failing: z.number(),
      waitingSince: z.string().optional(),
      events: z.number().optional(),
      bytes: z.number().optional(),
    })
    .optional(),
});
type Health = z.output<typeof healthAnswer>;

/** A binding may be missing without harm. */
const OPTIONAL = new Set(["ANALYTICS", "MACHINE", "METRICS_TOKEN"]);
/** Clock differences [s]: above the first, a note; above the second, an error, as tokens and signatures fail. */
const CLOCK_NOTE = 5;
const CLOCK_WRONG = 60;
const LOW_DISK_RATIO = 0.1;

/** Runs all checks. Checks that others depend on come first. */
export async function examine(ask: Ask, known: Known): Promise<Finding[]> {
  const reached = await reach(ask);
  if (reached.state === "wrong") return [reached];
  const { finding, health, clock } = await readHealth(ask);
  if (!health) return [reached, finding];
  return [
    reached,
    finding,
    version(health),
    bindings(health),
    schema(health, known),
    objects(health),
    ...geodata(health, known),
    ...(clock ? [clock] : []),
    ...disk(health),
    ...archive(health),
    ...(await requests(ask, health)),
  ];
}

const NO_RESPONSE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  ECONNRESET: "it closed the connection",
};

async function reach(ask: Ask): Promise<Finding> {
  try {
    const { status, sent, came } = await ask("GET", "/v1/ping");
    if (status === 200) return ok("reached", `GET /v1/ping took ${came - sent} ms`);
    return wrong("reached", `GET /v1/ping returned ${status}`, "Is this the URL of a Graticule server?");
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return wrong(
      "reached",
      `no response: ${NO_RESPONSE[code ?? ""] ?? message}`,
      "Start it (npm start, npm run dev), or specify where it is: --port N, or --remote https://…",
    );
  }
}

async function readHealth(ask: Ask): Promise<{ finding: Finding; health?: Health; clock?: Finding }> {
  const answer = await ask("GET", "/v1/health");
  const { status, body } = answer;
  const said = messageOf(body) ?? `GET /v1/health returned ${status}`;
  const finding = (todo: string) => ({ finding: wrong("key", said, todo) });
  if (status === 401)
    return finding(
      "Specify a secret key of this deployment: --key, or GRATICULE_KEY. To create one: npm run project -- rotate",
    );
  if (status === 403) return finding("This is a publishable key. Specify a secret key.");
  if (status === 402)
    return finding("Enable the project or raise its quota: npm run project, or Settings in the dashboard.");
  if (status === 404)
    return finding("The deployment is older than this version. Run npm run deploy, or restart npm start.");
  if (status === 503) return finding("The database does not respond. Check its disk, or Cloudflare's status page.");
  const read = healthAnswer.safeParse(body);
  if (status !== 200 || !read.success) return finding("Search the logs of the deployment for the request id.");
  const middle = (answer.sent + answer.came) / 2;
  return {
    finding: ok("key", "secret key accepted"),
    health: read.data,
    clock: clock(read.data, middle, answer),
  };
}

function version(health: Health): Finding {
  if (health.version === VERSION) return ok("version", `${VERSION}, up to date`);
  return note(
    "version",
    `${health.version}; this version is ${VERSION}`,
    "Redeploy (npm run deploy), or check out the running version.",
  );
}

function bindings({ bindings }: Health): Finding {
  const missing = Object.keys(bindings).filter((name) => !bindings[name] && !OPTIONAL.has(name));
  if (missing.length === 0) return ok("bindings", "complete");
  const stored = missing.filter((name) => /^(DB|BUCKET)_/.test(name));
  if (stored.length > 0)
    return wrong(
      "bindings",
      `missing: ${missing.join(", ")}; projects are stored there`,
      "Add them to wrangler.toml (docs/residency.md, docs/databases.md), then redeploy.",
    );
  return wrong("bindings", `missing: ${missing.join(", ")}`, "Use the wrangler.toml of this version, then redeploy.");
}

function schema({ schema: { expected, found } }: Health, known: Known): Finding {
  const check = "tables";
  if (found === undefined)
    return wrong(
      check,
      "the database does not respond, or has no tables",
      "Run npm run deploy, or start npm start, to create them.",
    );
  if (found < expected)
    return wrong(
      check,
      `${found}; the Worker expects ${expected}`,
      "Run npm run deploy, or restart npm start, to apply the migrations.",
    );
  if (found < known.schema)
    return note(
      check,
      `${found}; this version has ${known.schema}`,
      "Deploy this version, or check out the running version.",
    );
  if (found > expected)
    return note(
      check,
      `${found}, newer than the Worker's ${expected}`,
      "An upgrade is in progress, or the Worker was rolled back.",
    );
  return ok(check, found);
}

function objects({ objects }: Health): Finding {
  if (objects) return ok("objects", "Durable Objects respond");
  return wrong(
    "objects",
    "Durable Objects do not respond within two seconds",
    "Check the logs. On a self-hosted server, check whether the disk is full or slow.",
  );
}

function geodata({ geodata }: Health, known: Known): Finding[] {
  const check = "geodata";
  if (!geodata)
    return [
      wrong(check, "the bucket does not respond, or the list of live builds is damaged", "npm run geodata -- verify"),
    ];
  const { builds } = geodata;
  if (!builds.some(({ name }) => name === "world"))
    return [
      wrong(
        check,
        "the world base data is missing, so countries are unknown",
        "Run npm run import -- --world, or restart npm start.",
      ),
    ];
  const unknown = builds.flatMap(({ name, layers }) =>
    Object.entries(layers).flatMap(([layer, version]) =>
      known.formats[layer] !== undefined && version > known.formats[layer] ? `${layer} of ${name}` : [],
    ),
  );
  const old = builds.flatMap(({ name, layers }) =>
    Object.entries(layers).flatMap(([layer, version]) =>
      version < (known.formats[layer] ?? 0) ? `${layer} of ${name}` : [],
    ),
  );
  const formats =
    unknown.length > 0
      ? wrong(
          "formats",
          `${unknown.join(", ")}: written by a newer version`,
          "Upgrade this version, or import with the running version.",
        )
      : old.length > 0
        ? note("formats", `${old.join(", ")}: older format`, "They are only partly supported. Re-import them.")
        : ok("formats", "current format");
  const imported = builds.filter(({ name }) => name !== "world").map(({ name }) => name);
  if (imported.length === 0)
    return [note(check, "only world base data: no addresses, no roads", "npm run import -- EXTRACT.osm.pbf"), formats];
  return [ok(check, `world base data and ${imported.join(", ")}`), formats];
}

function clock({ time }: Health, middle: number, { sent, came }: Answer): Finding {
  const apart = Math.round((Date.parse(time) - middle) / 1000);
  const said = `${Math.abs(apart)} s ${apart < 0 ? "behind" : "ahead of"} this machine's, to within ${Math.ceil((came - sent) / 2000)} s`;
  if (Math.abs(apart) <= CLOCK_NOTE) return ok("clock", "in sync with this machine");
  const todo = "Synchronize the clocks (NTP). Update times, tokens and signatures depend on them.";
  return Math.abs(apart) > CLOCK_WRONG ? wrong("clock", said, todo) : note("clock", said, todo);
}

function disk({ disk }: Health): Finding[] {
  if (!disk) return [];
  const free = disk.freeBytes / disk.sizeBytes;
  const said = `${Math.round(free * 100)} % free, ${(disk.freeBytes / 1e9).toFixed(1)} GB`;
  return [
    free < LOW_DISK_RATIO
      ? wrong(
          "disk",
          said,
          "Free disk space: remove old builds (npm run geodata -- list, then remove), logs and backups.",
        )
      : ok("disk", said),
  ];
}

/** Rounds come each hour. */
const ROUND_LATE_MS = 3 * 3600_000;

function archive({ archive, time }: Health): Finding[] {
  const check = "archive";
  if (!archive) return [];
  const { failing, lastRoundAt, waitingSince, events = 0, bytes = 0 } = archive;
  if (failing > 0)
    return [
      wrong(
        check,
        failing === 1 ? "the last run failed" : `the last ${failing} runs failed`,
        'Search the logs for "what":"archive". No events are lost: they stay in the database until they are archived.',
      ),
    ];
  if (Date.parse(time) - Date.parse(lastRoundAt) > ROUND_LATE_MS)
    return [
      wrong(check, `no run since ${lastRoundAt}`, "Check the cron trigger in wrangler.toml. It should run hourly."),
    ];
  const said = `${events} events, ${(bytes / 1e6).toFixed(1)} MB`;
  if (waitingSince === undefined) return [ok(check, said)];
  return [
    note(
      check,
      `${said}; events since ${waitingSince} are waiting`,
      "The next runs archive them, up to 400,000 per hour.",
    ),
  ];
}

/** A test device in an uninhabited place; it is deleted afterwards. */
const DEVICE = "graticule-doctor";

/** Sends one request of each kind, within the smallest import if there is one. */
function kinds({ geodata }: Health): [kind: string, method: string, path: string, json?: unknown][] {
  const builds = geodata?.builds ?? [];
  const at = (layer: string) => builds.find(({ name, layers }) => name !== "world" && layer in layers)?.center;
  const text = ([longitude, latitude]: readonly [number, number]) => `${latitude.toFixed(5)},${longitude.toFixed(5)}`;
  const berlin = [13.3777, 52.5163] as const;
  const place = at("places") ?? berlin;
  const road = at("roads");
  const next = road && ([road[0] + 0.005, road[1] + 0.005] as const);
  const points = [{ deviceId: DEVICE, latitude: place[1], longitude: place[0], accuracy: 5, foreground: true }];
  return [
    ["settings", "GET", "/v1/settings"],
    ["geocode", "GET", "/v1/geocode/forward?query=Berlin&layers=coarse"],
    ["reverse geocode", "GET", `/v1/geocode/reverse?coordinates=${text(place)}`],
    ["autocomplete", "GET", `/v1/search/autocomplete?query=Ber&near=${text(place)}`],
    ["places", "GET", `/v1/search/places?near=${text(place)}&categories=food-beverage`],
    ["context", "GET", `/v1/context?coordinates=${text(place)}`],
    ...(road && next
      ? ([
          ["distance", "GET", `/v1/route/distance?origin=${text(road)}&destination=${text(next)}&modes=car`],
          ["directions", "GET", `/v1/route/directions?locations=${text(road)}|${text(next)}&mode=car`],
        ] as [string, string, string][])
      : []),
    ["map", "GET", `/maps/static?center=${text(place)}&zoom=4&width=128&height=128`],
    ["track", "POST", "/v1/track", points[0]],
    ["geofences", "GET", "/v1/geofences?limit=1"],
    ["events", "GET", "/v1/events?limit=1"],
    ["webhooks", "GET", "/v1/webhooks?limit=1"],
    ["live geodata", "GET", "/v1/geodata"],
    ["delete a user", "DELETE", `/v1/users/${DEVICE}`],
  ];
}

async function requests(ask: Ask, health: Health): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [kind, method, path, json] of kinds(health)) {
    const check = `request: ${kind}`;
    try {
      const { status, body, headers, sent, came } = await patiently(ask, method, path, json);
      const lacks = headers.get("x-graticule-left-out");
      if (lacks)
        findings.push(
          wrong(check, `the response lacks ${lacks}: objects in the bucket are damaged`, "npm run geodata -- verify"),
        );
      else if (status < 300) findings.push(ok(check, `${came - sent} ms`));
      else {
        const id = headers.get("x-request-id");
        const said = `${status}: ${messageOf(body) ?? "no message"}`;
        findings.push(wrong(check, said, `Check the logs${id ? ` for the request ${id}` : ""}.`));
      }
    } catch (error) {
      findings.push(wrong(check, `no response: ${error instanceof Error ? error.message : error}`, "Check the logs."));
    }
  }
  return findings;
}

/** Asks once more when it was too early; the project may be in use. */
async function patiently(ask: Ask, method: string, path: string, json: unknown): Promise<Answer> {
  const first = await ask(method, path, json);
  if (first.status !== 429) return first;
  const seconds = Math.min(5, Number(first.headers.get("retry-after") ?? 1));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return ask(method, path, json);
}

function messageOf(body: unknown): string | undefined {
  const read = z.object({ meta: z.object({ message: z.string() }) }).safeParse(body);
  return read.success ? read.data.meta.message : undefined;
}
