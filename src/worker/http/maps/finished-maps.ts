import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { lackHeader, noteLackOf, tellLack } from "../../answers/maps/lacking-glyphs.ts";
import { FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { type Call, MediaReply, type Reply } from "../serve/endpoint.ts";

/** A map with a missing icon is cached only briefly. */
const PASSING = "public, max-age=60";

const ATTRIBUTION = "x-graticule-attribution";

/** Finished maps in the isolate's memory, faster than the data center's cache. */
const kept = new BoundedCache(4 * 1024 * 1024);

export interface FinishedMap {
  bytes: Uint8Array;
  /** Attribution of its sources. */
  attribution: string;
}

export const MEDIA = { png: "image/png", webp: "image/webp", jpeg: "image/jpeg", svg: "image/svg+xml" } as const;

/** An SVG opened as a page, or an image inside it, must not run anything. */
const SAFE = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
};

/** The response, if the caller has the map (304, only for GET), or a cache. */
export async function finishedMap(call: Call, etag: string, format: keyof typeof MEDIA): Promise<Reply | undefined> {
  const { request } = call;
  const same = request.method === "GET" && notModified(request, etag, { "cache-control": FRESH_FOR_A_DAY });
  if (same) return same;
  const found = await cached(etag);
  tellLack(etag, call);
  if (!found) return undefined;
  call.credit(found.attribution.split("; ").map((word) => ({ name: word, url: "", licence: "", attribution: word })));
  return imageReply(found, { etag, "content-type": MEDIA[format], ...SAFE, "cache-control": FRESH_FOR_A_DAY });
}

/** Keeps a map in memory and in the data center, and returns it. */
export function keepMap(call: Call, map: FinishedMap, etag: string, format: keyof typeof MEDIA): MediaReply {
  kept.put(etag, map, map.bytes.length);
  const headers = { etag, "content-type": MEDIA[format], ...SAFE, "cache-control": FRESH_FOR_A_DAY };
  const copy = imageReply(map, { ...headers, ...lackHeader(etag) });
  call.waitUntil(caches.default.put(cacheKey(etag), new Response(copy.body, { headers: copy.headers })));
  return imageReply(map, headers);
}

/** A map that lacks icons or data, without an ETag: a client with this map must not get 304 later. */
export function passingMap(map: FinishedMap, format: keyof typeof MEDIA, failed: number, isWhole: boolean): MediaReply {
  return imageReply(map, {
    "content-type": MEDIA[format],
    ...SAFE,
    ...(failed > 0 && { "x-map-icons-failed": String(failed) }),
    "cache-control": isWhole ? PASSING : "no-store",
  });
}

function imageReply({ bytes, attribution }: FinishedMap, headers: Record<string, string>): MediaReply {
  return new MediaReply(bytes as BufferSource, { ...headers, ...(attribution && { [ATTRIBUTION]: attribution }) });
}

/** The cache key of a map in a data center: not a real host, and without an API key. */
const cacheKey = (etag: string) => `https://static-map.invalid/${etag.replaceAll('"', "")}`;

async function cached(etag: string): Promise<FinishedMap | undefined> {
  const known = kept.get(etag);
  if (known) return known.value as FinishedMap;
  const response = await caches.default.match(cacheKey(etag));
  if (!response) return undefined;
  noteLackOf(etag, response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const map = { bytes, attribution: response.headers.get(ATTRIBUTION) ?? "" };
  kept.put(etag, map, bytes.length);
  return map;
}
