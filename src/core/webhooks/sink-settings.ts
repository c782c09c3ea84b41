/** Platforms for customer engagement, which get events in their own format. */
export const ENGAGEMENT_TYPES = ["braze", "iterable", "customerio", "segment"] as const;
export type EngagementType = (typeof ENGAGEMENT_TYPES)[number];

/** Destinations of events: a receiver to post to, or a third-party system that collects them. */
export const SINK_TYPES = ["webhook", "kafka", "mqtt", "bucket", "queue", ...ENGAGEMENT_TYPES] as const;
export type SinkType = (typeof SINK_TYPES)[number];

/** The settings of a sink in addition to its URL; see `SETTINGS` for those of each type. */
export interface SinkSettings {
  template?: string;
  contentType?: string;
  headers?: Record<string, string>;
  topic?: string;
  clusterId?: string;
  username?: string;
  password?: string;
  prefix?: string;
  seconds?: number;
  region?: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  siteId?: string;
  apiKey?: string;
}

/** Settings accepted by each type. The URL is required for those in `WITH_URL`, and optional for a bucket. */
export const SETTINGS: Record<SinkType, readonly (keyof SinkSettings)[]> = {
  webhook: ["template", "contentType", "headers"],
  kafka: ["topic", "clusterId", "headers"],
  mqtt: ["topic", "username", "password"],
  bucket: ["prefix", "seconds", "region", "accessKeyId", "secretAccessKey"],
  queue: [],
  braze: ["apiKey"],
  iterable: ["apiKey"],
  customerio: ["siteId", "apiKey"],
  segment: ["apiKey"],
};
export const WITH_URL: readonly SinkType[] = ["webhook", "kafka", "mqtt", "braze"];

export const isEngagementType = (type: SinkType): type is EngagementType =>
  (ENGAGEMENT_TYPES as readonly string[]).includes(type);

/** Seconds of events in one object of a bucket, by default. */
export const BUCKET_SECONDS = 60;

/** Headers that the server or the connection sets. */
const OUR_HEADERS =
  /^(host|content-length|content-type|transfer-encoding|connection|upgrade|cookie|user-agent|cf-.*|webhook-.*|x-radar-sign.*)$/i;

/** @returns why a header can't be sent; undefined if it can */
export function headerProblem(name: string, value: string): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return `"${name.slice(0, 40)}" is no name of a header.`;
  if (OUR_HEADERS.test(name)) return `The header "${name}" is reserved.`;
  if (value.length > 2048 || !/^[\x20-\x7e]*$/.test(value))
    return `The value of "${name}" must have at most 2048 printable ASCII characters.`;
  return undefined;
}

/** The settings as returned to their owner: without secrets, but with the names of the secret ones. */
export function shownSettings({
  headers,
  password,
  secretAccessKey,
  apiKey,
  ...open
}: SinkSettings): Omit<SinkSettings, "headers" | "password" | "secretAccessKey" | "apiKey"> & { secrets?: string[] } {
  const secrets = Object.keys(headers ?? {}).map((name) => `headers.${name}`);
  if (password !== undefined) secrets.push("password");
  if (secretAccessKey !== undefined) secrets.push("secretAccessKey");
  if (apiKey !== undefined) secrets.push("apiKey");
  return { ...open, ...(secrets.length > 0 ? { secrets } : {}) };
}

/**
 * The name of an object in a bucket, below its prefix: by the day and the minute of its first event, and by that event,
 * so that sending the same batch again writes the same object.
 */
export function objectName(live: boolean, at: number, firstId: string): string {
  const [day, time] = new Date(at).toISOString().split("T");
  return `${live ? "live" : "test"}/${day.replaceAll("-", "/")}/${time.slice(0, 5).replace(":", "")}-${firstId}.ndjson`;
}

/** Values shorter than this are no secrets, and too common to be replaced. */
const MIN_SECRET_LENGTH = 4;

/** The secrets of a webhook as they are sent: a receiver may repeat them in its response, which is stored. */
export function secretValues({ headers = {}, password, secretAccessKey, siteId, apiKey }: SinkSettings): string[] {
  const parts = Object.values(headers).flatMap((value) => [value, ...value.split(" ").slice(1)]);
  const encoded = apiKey === undefined ? [] : [btoa(`${siteId ?? ""}:${apiKey}`), btoa(`${apiKey}:`)];
  return [...parts, password, secretAccessKey, apiKey, ...encoded].filter(
    (value): value is string => value !== undefined && value.length >= MIN_SECRET_LENGTH,
  );
}

/** A text without secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(secret, "…");
  return clean;
}
