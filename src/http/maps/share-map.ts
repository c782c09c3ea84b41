import { isBuiltIn } from "../../answers/maps/style.ts";
import { BoundedCache } from "../../geo/bounded-cache.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { checkAddress, limitAddress } from "../serve/callers/address-limit.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, type Endpoint, endpoint, MediaReply, type Reply } from "../serve/endpoint.ts";
import { openByToken } from "../shares/open.ts";
import { mapGlyphs } from "./map-glyphs.ts";
import { mapSprite } from "./map-sprite.ts";
import { mapStyle } from "./map-style.ts";
import { mapTile } from "./map-tiles.ts";

/**
 * The map of a shared trip. A viewer has no key, so the link's token also grants access to the map: the
 * same style, tiles, glyphs and icons as under /maps, while the link is valid.
 */
const shared = { method: "GET", level: "open", rate: "none", geodataOnly: true, chapter: "Trips" } as const;
const errors = [402, 404, 410, 429, 451];

/** Recently validated tokens: a map sends fifty requests, but queries the database once. An ended link keeps its map for this time [ms]. */
const GOOD_FOR_MS = 10_000;
const good = new BoundedCache<number>(1000);
/** Invalid tokens per address [per second], to slow down guessing. */
const WRONG_PER_SECOND = 5;

/** @throws ApiError 404, 410, 402, 451 if the link shows nothing; 429 for guessing */
async function mustBeGood({ params, env, now, request, ip }: Call): Promise<void> {
  const until = good.get(params.id)?.value ?? 0;
  if (until > now) return;
  checkAddress(ip, "unknown links", WRONG_PER_SECOND, now);
  try {
    await openByToken(env, params.id, now, request.cf?.country);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) limitAddress(ip, "unknown links", WRONG_PER_SECOND, now);
    throw error;
  }
  good.put(params.id, now + GOOD_FOR_MS);
}

/** Handles a map endpoint for the holder of a token. */
async function throughToken(call: Call, to: Endpoint): Promise<Reply> {
  await mustBeGood(call);
  // These read only geodata; they need the caller only for the key in links, and here is none.
  const ip = { get: () => call.ip };
  const asked = { ...call, caller: { secret: true } as Caller };
  return to.handle(Object.defineProperty(asked, "ip", ip) as never);
}

export const shareMapStyle = endpoint({
  ...shared,
  name: "shareMapStyle",
  path: "/v1/shares/:id/map/styles/:style",
  summary: "Returns the map style of a shared trip, by the link's token.",
  description: "Like GET /maps/styles, for the built-in styles; its links use the token instead of a key.",
  media: ["application/json"],
  errors,
  async handle(call) {
    const { params, request, env } = call;
    if (!isBuiltIn(params.style)) throw notFound("Style");
    const answer = await throughToken(call as Call, mapStyle);
    if (!(answer instanceof MediaReply) || typeof answer.body !== "string") return answer;
    const origin = publicOrigin(request, env);
    const own = `${origin}/v1/shares/${encodeURIComponent(params.id)}/map/`;
    return new MediaReply(answer.body.replaceAll(`${origin}/maps/`, own), answer.headers);
  },
});

export const shareMapTile = endpoint({
  ...shared,
  name: "shareMapTile",
  path: "/v1/shares/:id/map/tiles/:z/:x/:y",
  summary: "Returns a map tile of a shared trip, by the link's token.",
  media: mapTile.media,
  errors: [204, ...errors],
  handle: (call) => throughToken(call as Call, mapTile),
});

export const shareMapGlyphs = endpoint({
  ...shared,
  name: "shareMapGlyphs",
  path: "/v1/shares/:id/map/glyphs/:fontstack/:range",
  summary: "Returns map glyphs of a shared trip, by the link's token.",
  media: mapGlyphs.media,
  errors,
  handle: (call) => throughToken(call as Call, mapGlyphs),
});

export const shareMapSprite = endpoint({
  ...shared,
  name: "shareMapSprite",
  path: "/v1/shares/:id/map/sprites/:sprite",
  summary: "Returns map icons of a shared trip, by the link's token.",
  media: mapSprite.media,
  errors,
  handle: (call) => throughToken(call as Call, mapSprite),
});
