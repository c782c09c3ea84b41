import { buildKey, type Manifest, type ObjectList } from "../../core/geo/builds/manifest.ts";

/**
 * Compares a build in the bucket with its published list: names and sizes of all objects, and the content of a few.
 * Reading all of them, as `npm run geodata -- verify` does, needs a separate machine.
 */
interface BuildHealth {
  /** In the build's list. */
  objects: number;
  /** Missing keys. */
  missing: string[];
  /** Keys with a wrong size or wrong bytes. */
  damaged: string[];
  /** Number of objects read and compared with their SHA-256. */
  read: number;
  /** The list was longer than one request can check: this many were compared. */
  compared: number;
}

/** Maximum keys in one R2 list, and maximum lists per request. */
const KEYS_AT_ONCE = 1000;
const MAX_LISTS = 200;
/** Number of objects to read, and their maximum size [bytes]. */
const SAMPLES = 12;
const MAX_SAMPLE = 2_000_000;
/** A list longer than this is not decoded in a Worker's memory [bytes]. */
const MAX_LIST = 16_000_000;

/** "unreadable": the manifest or the list of its objects is missing, or differs from the published one. */
export async function buildHealth(
  bucket: R2Bucket,
  id: string,
  random: () => number = Math.random,
): Promise<BuildHealth | "unreadable"> {
  const manifest = await bucket.get(buildKey(id, "manifest.json"));
  const listed = await bucket.get(buildKey(id, "objects.json"));
  if (!manifest || !listed || listed.size > MAX_LIST) return "unreadable";
  const { objectsSha256 } = await manifest.json<Manifest>();
  const bytes = await listed.arrayBuffer();
  if ((await sha256(bytes)) !== objectsSha256) return "unreadable";
  const list = JSON.parse(new TextDecoder().decode(bytes)) as ObjectList;
  const keys = Object.keys(list).sort();

  const { sizes, end } = await storedSizes(bucket, id);
  const compared = end === undefined ? keys : keys.filter((key) => key <= end);
  const missing = compared.filter((key) => !sizes.has(key));
  const damaged = compared.filter((key) => sizes.has(key) && sizes.get(key) !== list[key][0]);
  const small = compared.filter((key) => sizes.get(key) === list[key][0] && list[key][0] <= MAX_SAMPLE);
  const samples = pick(small, SAMPLES, random);
  for (const key of samples) {
    const object = await bucket.get(buildKey(id, key));
    if (!object) missing.push(key);
    else if ((await sha256(await object.arrayBuffer())) !== list[key][1]) damaged.push(key);
  }
  return { objects: keys.length, missing, damaged, read: samples.length, compared: compared.length };
}

/** The objects below a build, and the last key if there are more than requested. */
async function storedSizes(bucket: R2Bucket, id: string): Promise<{ sizes: Map<string, number>; end?: string }> {
  const sizes = new Map<string, number>();
  const prefix = buildKey(id, "");
  let cursor: string | undefined;
  let last = "";
  for (let i = 0; i < MAX_LISTS; i++) {
    const page = await bucket.list({ prefix, limit: KEYS_AT_ONCE, cursor });
    for (const { key, size } of page.objects) {
      last = key.slice(prefix.length);
      sizes.set(last, size);
    }
    if (!page.truncated) return { sizes };
    cursor = page.cursor;
  }
  return { sizes, end: last };
}

function pick(keys: readonly string[], count: number, random: () => number): string[] {
  if (keys.length <= count) return [...keys];
  const chosen = new Set<string>();
  while (chosen.size < count) chosen.add(keys[Math.floor(random() * keys.length)]);
  return [...chosen];
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
