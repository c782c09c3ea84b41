import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { isAround } from "../../../core/maps/tiles/around.ts";
import { isBuiltIn } from "../../answers/maps/style.ts";
import { commonDatabase } from "../../db/databases.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { checkAddress, limitAddress } from "../serve/callers/address-limit.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, type Endpoint, endpoint, MediaReply, type Reply } from "../serve/endpoint.ts";
import { count } from "../serve/usage.ts";
import { openByToken } from "../shares/open.ts";
import { positionsOf, shownOf } from "../shares/shown.ts";
import { mapGlyphs } from "./map-glyphs.ts";
import { mapSprite } from "./map-sprite.ts";
import { mapStyle } from "./map-style.ts";
import { mapTile } from "./map-tiles.ts";

/**
 * The map of a shared trip. A viewer has no key, so the link's token also grants access to the map: the
 * same style, tiles, glyphs and icons as under /maps, while the link is valid, around what the link shows.
 */
const shared = { method: "GET", level: "open", rate: "address", geodataOnly: true, chapter: "Trips" } as const;
const errors = [402, 404, 410, 429, 451];

/** A link that was found valid. */
interface Known extends Pick<Caller, "project" | "live"> {
  until: number;
  /** The positions that it shows. */
  positions: readonly Coordinate[];
}

/** Recently validated tokens: a map sends fifty requests, but queries the database once. An ended link keeps its map for this time [ms]. */
const GOOD_FOR_MS = 10_000;
const good = new BoundedCache<Known>(100_000);
/** Invalid tokens per address [per second], to slow down guessing. */
const WRONG_PER_SECOND = 5;

/** @throws ApiError 404, 410, 402, 451 if the link shows nothing; 429 for guessing */
async function knownLink({ params, env, now, request, ip }: Call): Promise<Known> {
  const before = good.get(params.id)?.value;
  if (before && before.until > now) return before;
  checkAddress(ip, "unknown links", WRONG_PER_SECOND, now);
  try {
    const opened = await openByToken(env, params.id, now, request.cf?.country);
    const positions = positionsOf(await shownOf(env, opened));
    const { scope } = opened;
    const known = { project: Math.floor(scope / 2), live: scope % 2 === 1, until: now + GOOD_FOR_MS, positions };
    good.put(params.id, known, 10 + positions.length);
    return known;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) limitAddress(ip, "unknown links", WRONG_PER_SECOND, now);
    throw error;
  }
}

/** Handles a map endpoint for the holder of a token, and counts the call for the link's project. */
async function throughToken(call: Call, name: string, to: Endpoint): Promise<Reply> {
  const known = await knownLink(call);
  const written = count(commonDatabase(call.env), known, name, call.now, "calls");
  if (written) call.waitUntil(written);
  if (to === mapTile && isFar(known, call.params)) return emptyTile();
  // These read only geodata; they need the caller only for the key in links, and here is none.
  return to.handle(call.with({ caller: { secret: true } as Caller }));
}

/** Is it a tile far from what the link shows? What is not a tile gets the error of map tiles. */
function isFar({ positions }: Known, { z, x, y }: Call["params"]): boolean {
  const [zoom, column, row] = [z, x, y.replace(/\.(mvt|pbf)$/, "")].map(Number);
  return zoom >= 0 && column >= 0 && row >= 0 && !isAround(positions, zoom, column, row);
}

/**
 * An empty tile, for a short time: MapLibre GL draws none for 404 either, but would not ask again when the trip comes near,
 * and browsers log a 404 as an error.
 */
const emptyTile = () =>
  new Response(null, { status: 204, headers: { "cache-control": `public, max-age=${GOOD_FOR_MS / 1000}` } });

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
    const answer = await throughToken(call as Call, "shareMapStyle", mapStyle);
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
  description:
    "Like GET /maps/tiles, but only around what the link shows: its location, destination and route. Tiles more than eight columns or rows away are empty (204), for ten seconds: the trip may come near.",
  media: mapTile.media,
  errors: [204, ...errors],
  handle: (call) => throughToken(call as Call, "shareMapTile", mapTile),
});

/** An endpoint that is passed on unchanged. */
const passedOn = (name: string, path: string, summary: string, to: Endpoint) =>
  endpoint({
    ...shared,
    name,
    path: `/v1/shares/:id/map/${path}`,
    summary: `Returns ${summary} of a shared trip, by the link's token.`,
    media: to.media,
    errors,
    handle: (call) => throughToken(call as Call, name, to),
  });

export const shareMapGlyphs = passedOn("shareMapGlyphs", "glyphs/:fontstack/:range", "map glyphs", mapGlyphs);
export const shareMapSprite = passedOn("shareMapSprite", "sprites/:sprite", "map icons", mapSprite);
