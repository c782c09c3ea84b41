/** The bindings of wrangler.toml. The Durable Objects are called through src/objects/stubs, which knows their types. */
export interface Env {
  DB: D1Database;
  GEODATA: R2Bucket;
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
  /** Seconds after which a tracker makes sure that a position has reached the database; absent = six hours. */
  SAFETY_NET_SECONDS?: string;
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
  /** What `npm start` tells of its machine (src/cli/start/machine.ts); absent on Cloudflare, where nobody knows. */
  MACHINE?: Fetcher;
  /** Key of a PMTiles archive in GEODATA that is drawn instead of those of the imports: "maps/planet.pmtiles". */
  BASEMAP_ARCHIVE?: string;
}
