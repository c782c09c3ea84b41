/** The bindings of wrangler.toml. The Durable Objects are called through src/objects/stubs, which knows their types. */
export interface Env {
  /**
   * The database. Where wrangler.toml names further ones (DB_2, DB_3 …), handlers and rounds find here the one of the project they
   * are about, and in COMMON_DB the first, which holds what is common (src/db/databases.ts).
   */
  DB: D1Database;
  COMMON_DB?: D1Database;
  GEODATA: R2Bucket;
  /** A bucket behind S3 that takes the place of GEODATA, as JSON (src/storage/s3-requests.ts). Set by `npm start` of GEODATA_BUCKET. */
  GEODATA_S3?: string;
  ALERT_WATCH: DurableObjectNamespace;
  DATABASE_WRITER: DurableObjectNamespace;
  DEVICE_TRACKER: DurableObjectNamespace;
  GEOCODE_JOBS: DurableObjectNamespace;
  GEOFENCE_INDEX: DurableObjectNamespace;
  LIVE_FEED: DurableObjectNamespace;
  RATE_LIMITER: DurableObjectNamespace;
  WEBHOOK_SENDER: DurableObjectNamespace;
  /**
   * "true": webhooks and icons may be on this machine or in its private network. Set by `npm run dev`, never in a
   * deployment.
   */
  ALLOW_PRIVATE_HOSTS?: string;
  /** Seconds before each try of a webhook's message, such as "0 5 300"; absent = the schedule of src/webhooks. */
  WEBHOOK_SCHEDULE?: string;
  /** Seconds after which a tracker makes sure that a position has reached the database; absent = a week (src/objects/tracker/safety-net.ts). */
  SAFETY_NET_SECONDS?: string;
  /** How many objects write for the trackers, 1 to 16; absent = one, which is enough for some 500 updates a second. */
  DATABASE_WRITERS?: string;
  /** A queue of Cloudflare's that webhooks of type `queue` send to; absent: there can be none. */
  EVENTS_QUEUE?: Queue;

  /** Days that events stay in D1 before they move into the archive; "off": for good. Absent = 7; below 1, a round comes each minute (src/objects/rounds/archive-round.ts). */
  ARCHIVE_AFTER_DAYS?: string;
  /**
   * How long lines of the log may wait for others [ms], so that many are one write; absent: none waits. Set by `npm start`; on
   * Cloudflare each line belongs to its request and costs no write.
   */
  LOG_GATHER_MS?: string;
  /**
   * How long the updates of trackers wait for each other on their way to the database [ms]; absent: each goes by itself. Set by `npm start`,
   * where all objects share an isolate.
   */
  WRITE_GATHER_MS?: string;
  /** The built dashboard, dist/dashboard; empty where it has not been built. */
  ASSETS: Fetcher;
  /** With both, whoever Cloudflare Access lets through is signed in: "example.cloudflareaccess.com", and the application's AUD tag. */
  ACCESS_TEAM_DOMAIN?: string;
  ACCESS_AUD?: string;
  /** From where on a value is an alert, such as "errors=2 disk=20"; absent = src/webhooks/alerts.ts. */
  ALERT_LIMITS?: string;
  /** The secret by which GET /metrics and nothing else is read, as a bearer token. */
  METRICS_TOKEN?: string;
  /** "true": GET /metrics answers callers on this machine without a token. Set by `npm start` and `npm run dev` where they listen there only. */
  METRICS_LOCAL?: string;
  /** A data set of Analytics Engine, to which each answer is told; absent: nothing is. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** The network, for messages to receivers (src/cli/start/open-worker.ts); absent: they go by `fetch`. */
  OUTBOUND?: Pick<Fetcher, "fetch">;
  /**
   * The origin under which people reach this server, such as "https://maps.example.com": cookies, links, passkeys and signed URLs are made for it.
   * Set by `npm start -- --url`; absent: as each request's URL has it.
   */
  PUBLIC_URL?: string;
  /**
   * Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto count (src/limits/client-address.ts). Set by `npm start`; absent: the server is
   * Cloudflare's, whose CF-Connecting-IP counts.
   */
  TRUSTED_PROXIES?: string;
  /** What `npm start` tells of its machine (src/cli/start/machine.ts); absent on Cloudflare, where nobody knows. */
  MACHINE?: Fetcher;
  /** Key of a PMTiles archive in GEODATA that is drawn instead of those of the imports: "maps/planet.pmtiles". */
  BASEMAP_ARCHIVE?: string;
}
