import type { Jurisdiction } from "./jurisdiction.ts";

/** The bindings of wrangler.toml. The Durable Objects are called through the stubs beside them (`*-stub.ts`), which have their types. */
export interface Env {
  /**
   * The database. If wrangler.toml configures further ones (DB_2, DB_3 …), this is the database of the handler's or
   * run's project, and COMMON_DB is the first one, with the common tables (src/worker/db/databases.ts).
   */
  DB: D1Database;
  COMMON_DB?: D1Database;
  GEODATA: R2Bucket;
  /**
   * The bucket with the project's files, if it is in a jurisdiction (src/worker/platform/residence.ts); absent: GEODATA.
   * `projectBucket` returns either.
   */
  BUCKET?: R2Bucket;
  /** The jurisdiction of this environment; absent: none. Set by the Worker. */
  JURISDICTION?: Jurisdiction;
  /**
   * "true": BUCKET_EU and its like are used on a machine of your own, too, where otherwise one bucket has all files. Set
   * by tests.
   */
  SEPARATE_BUCKETS?: string;
  /**
   * An S3 bucket that replaces GEODATA, as JSON (src/worker/storage/s3-requests.ts). Set by `npm start` from GEODATA_BUCKET.
   */
  GEODATA_S3?: string;
  ALERT_WATCH: DurableObjectNamespace;
  CAMPAIGN_INDEX: DurableObjectNamespace;
  DATABASE_WRITER: DurableObjectNamespace;
  DEVICE_TRACKER: DurableObjectNamespace;
  GEOCODE_JOBS: DurableObjectNamespace;
  GEOFENCE_INDEX: DurableObjectNamespace;
  LIVE_FEED: DurableObjectNamespace;
  MEETING_CELL: DurableObjectNamespace;
  RATE_LIMITER: DurableObjectNamespace;
  WEBHOOK_SENDER: DurableObjectNamespace;
  /**
   * "true": webhooks and icons may be on this machine or in its private network. Set by `npm run dev`, never in a
   * deployment.
   */
  ALLOW_PRIVATE_HOSTS?: string;
  /** Seconds before each attempt of a webhook's message, such as "0 5 300"; absent = the schedule of src/core/webhooks. */
  WEBHOOK_SCHEDULE?: string;
  /**
   * Seconds after which a tracker makes sure that a position has reached the database; absent = a week
   * (src/worker/objects/tracker/safety-net.ts).
   */
  SAFETY_NET_SECONDS?: string;
  /** How many objects write for the trackers, 1 to 16; absent = one, which is enough for about 500 updates a second. */
  DATABASE_WRITERS?: string;
  /** A Cloudflare queue for webhooks of type `queue`; absent: they are not available. */
  EVENTS_QUEUE?: Queue;

  /**
   * Days that events stay in D1 before they move into the archive; "off": forever. Absent = 7; below 1, the archive
   * runs every minute (src/worker/objects/rounds/archive-round.ts).
   */
  ARCHIVE_AFTER_DAYS?: string;
  /**
   * How long log lines may be buffered [ms], so that many need one write; absent: not at all. Set by `npm start`; on
   * Cloudflare each line belongs to its request and costs no write.
   */
  LOG_GATHER_MS?: string;
  /**
   * How long trackers' updates are gathered before they are sent to the database [ms]; absent: each is sent separately.
   * Set by `npm start`, where all objects share an isolate.
   */
  WRITE_GATHER_MS?: string;
  /**
   * How much geodata an isolate caches in memory [MB]; absent = 52, which fits the 128 MB of an isolate on Cloudflare. Set
   * by `npm start` from the machine's memory (src/server/start/cache-size.ts).
   */
  GEODATA_CACHE_MB?: string;
  /** Set by `npm start --tls-cert`: only a request with it has come through the TLS front, which says whose it is (front.ts). */
  FRONT_SECRET?: string;
  /** The built dashboard, dist/dashboard; empty if it has not been built. */
  ASSETS: Fetcher;
  /**
   * With both, any user that Cloudflare Access authenticates is signed in: "example.cloudflareaccess.com", and the
   * application's AUD tag.
   */
  ACCESS_TEAM_DOMAIN?: string;
  ACCESS_AUD?: string;
  /** Alert thresholds, such as "errors=2 disk=20"; absent = src/core/webhooks/alerts.ts. */
  ALERT_LIMITS?: string;
  /** The secret for reading GET /metrics and nothing else, as a bearer token. */
  METRICS_TOKEN?: string;
  /** The secret for POST /v1/recovery, which restores Durable Objects to an earlier time; absent: there is no such path. */
  RECOVERY_TOKEN?: string;
  /**
   * Base URL of an OpenTelemetry collector (OTLP/HTTP, JSON): each sampled request is a span there
   * (src/worker/http/serve/traces.ts). Absent: no traces.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  /** Headers for the collector, "name=value,name=value", such as its token: a secret. */
  OTEL_EXPORTER_OTLP_HEADERS?: string;
  /** The name of this service in traces; absent = graticule. */
  OTEL_SERVICE_NAME?: string;
  /** `parentbased_traceidratio`: a caller's `traceparent` decides whether it is sampled; absent = `traceidratio`. */
  OTEL_TRACES_SAMPLER?: string;
  /** Share of traces that are sampled, 0 to 1; absent = 1. */
  OTEL_TRACES_SAMPLER_ARG?: string;
  /** An Analytics Engine data set that records each response; absent: none. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** The network, for messages to receivers (src/server/start/open-worker.ts); absent: `fetch` is used. */
  OUTBOUND?: Pick<Fetcher, "fetch">;
  /**
   * The public origin of this server, such as "https://maps.example.com", used for cookies, links, passkeys and signed
   * URLs. Set by `npm start -- --url`; absent: from each request's URL.
   */
  PUBLIC_URL?: string;
  /**
   * Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted
   * (src/core/limits/client-address.ts). Set by `npm start`; absent: the server is Cloudflare's, and CF-Connecting-IP is
   * trusted.
   */
  TRUSTED_PROXIES?: string;
  /** Reports of `npm start` about its machine (src/server/start/machine.ts); absent on Cloudflare. */
  MACHINE?: Fetcher;
  /** Responds when `npm start` has sent workerd the signal to stop (src/worker/platform/hold.ts); absent on Cloudflare. */
  STOPPING?: Fetcher;
  /** Of `npm start`: whether the client of a connection has closed it, which workerd does not notice (src/server/start/socket/departed.ts). */
  CONNECTIONS?: Pick<Fetcher, "fetch">;
  /** In a helper process of `npm start -- --processes`: the main one (src/worker/platform/processes.ts). */
  MAIN?: Pick<Fetcher, "fetch">;
  /** The bindings of the databases that the main process has: "DB DB_2". */
  MAIN_DATABASES?: string;
  /** In a helper process: reads the buckets of this machine (src/worker/storage/bucket-files.ts), with these bindings. */
  FILES?: Pick<Fetcher, "fetch">;
  FILE_BUCKETS?: string;
  /** In the main process: passes calls on to all helpers. */
  HELPERS?: Pick<Fetcher, "fetch">;
  /** By which the processes of one server know each other. */
  PROCESS_SECRET?: string;
  /** Key of a PMTiles archive in GEODATA that is drawn instead of those of the imports: "maps/planet.pmtiles". */
  BASEMAP_ARCHIVE?: string;
}
