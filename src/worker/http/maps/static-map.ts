import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { MAX_WEBP_PIXELS, RENDERER_VERSION } from "../../../core/maps/render.ts";
import type { CompiledStyle } from "../../../core/maps/style/compile-style.ts";
import { iconsFor } from "../../answers/maps/icons.ts";
import { lookUpNames } from "../../answers/maps/place-names.ts";
import { isBuiltIn, styleFor, wantsTerrain } from "../../answers/maps/style.ts";
import { openBasemap } from "../../geodata/basemap.ts";
import { openGeodata } from "../../geodata/live.ts";
import { terrainVersion } from "../../geodata/terrain.ts";
import { invalid } from "../../platform/errors.ts";
import {
  namesOf,
  type OverlayFields,
  overlayFields,
  type WrittenOverlay,
  writtenInBody,
  writtenInUrl,
} from "../../wire/maps/overlay-fields.ts";
import {
  checkView,
  paddingOf,
  type StaticMapFields,
  staticMapBody,
  staticMapQuery,
} from "../../wire/maps/static-map-fields.ts";
import { etagOf } from "../serve/conditional.ts";
import { type Call, endpoint, type Reply } from "../serve/endpoint.ts";
import { drawMap, type MapGround, type MapPlan, type PlacedMapFields } from "./draw-map.ts";
import { finishedMap, MEDIA } from "./finished-maps.ts";

/** Padding of autofit [pixels at scale 1]. */
const PADDING = 16;
export const staticMap = endpoint({
  name: "staticMap",
  method: "GET",
  repeats: true,
  path: "/maps/static",
  level: "publishable",
  geodataOnly: true,
  signed: true,
  chapter: "Maps",
  summary: "Returns a map image with markers and paths, for the src of an <img>.",
  description:
    "You can pass the key as `publishableKey`, or a signed URL instead of a key (POST /v1/maps/sign). Without `center` and `zoom` the map shows all markers and paths; with one of them " +
    "it fits the other. Icons that cannot be loaded are drawn as default markers, and `X-Map-Icons-Failed` counts them. " +
    "The attribution is in the image and in the header `x-graticule-attribution`. Names with characters that have " +
    "no glyph are shown in English or omitted, and the header `x-graticule-left-out` contains `glyphs`.",
  query: staticMapQuery,
  media: Object.values(MEDIA),
  handle: (call) => answerMap(call as Call, call.query, () => writtenInUrl(new URL(call.request.url))),
});

export const postStaticMap = endpoint({
  name: "postStaticMap",
  method: "POST",
  path: "/maps/static",
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns a map image with an overlay that is too long for a URL.",
  description:
    "Takes the parameters of GET /maps/static as JSON. `markers` and `path` are strings as there, objects with their options and `locations`, or " +
    "lists of these; `geojson` is an object.",
  body: staticMapBody,
  media: Object.values(MEDIA),
  handle: (call) => {
    const { markers: _, path: __, geojson: ___, ...query } = call.body;
    return answerMap(call as Call, query, () => writtenInBody(call.body));
  },
});

/** What the ETag of a URL follows from, besides the URL: only of maps without place names, uploads, and images of markers. */
interface KnownTag {
  etag: string;
  basemap: string;
  hills: string;
}

/** ETags by URL: pages request the same maps again and again, and reading an overlay costs more than all else of a 304 [bytes]. */
const tags = new BoundedCache<KnownTag>(512 * 1024);
/** In addition to the text of an entry [bytes]. */
const TAG_BYTES = 400;

async function answerMap(call: Call, query: StaticMapFields, read: () => WrittenOverlay): Promise<Reply> {
  checkFormat(call, query);
  const ground = await openGround(call, query);
  const known = tagOfUrl(call, ground);
  const before = known && (await finishedMap(call, known, query.format));
  if (before) return before;
  const written = read();
  const plan = await planMap(call, query, ground, written);
  const etag = await tagOf(plan, ground);
  if (isOfUrl(query, plan, written)) noteTagOfUrl(call, ground, etag);
  return (await finishedMap(call, etag, query.format)) ?? drawMap(call, ground, plan, etag);
}

/** @throws ApiError 400 */
function checkFormat({ caller }: Call, { attribution, format, width, height, scale }: StaticMapFields): void {
  if (attribution === "false" && !caller.secret)
    throw invalid("attribution", "Only with a secret key, or in a signed URL: you must credit the sources.");
  if (format === "webp" && width * height * scale ** 2 > MAX_WEBP_PIXELS)
    throw invalid("format", `webp has up to ${MAX_WEBP_PIXELS} pixels; png and jpeg allow more.`);
}

async function openGround(call: Call, query: StaticMapFields): Promise<MapGround> {
  const { env } = call;
  const geodata = await openGeodata(env.GEODATA, call);
  const basemap = await openBasemap(geodata, env.GEODATA, env.BASEMAP_ARCHIVE);
  const hasTerrain = wantsTerrain(query);
  return { geodata, basemap, hasTerrain, hills: hasTerrain ? terrainVersion(geodata) : "" };
}

function tagOfUrl({ request }: Call, { basemap, hills }: MapGround): string | undefined {
  const known = request.method === "GET" ? tags.get(request.url)?.value : undefined;
  return known && known.basemap === basemap.version && known.hills === hills ? known.etag : undefined;
}

/** Whether the ETag follows from the URL: see `KnownTag`. */
function isOfUrl({ center, style }: StaticMapFields, { asked, icons }: MapPlan, written: WrittenOverlay): boolean {
  return namesOf(written).length === 0 && asked.center === center && icons.version === "" && isBuiltIn(style);
}

function noteTagOfUrl({ request: { method, url } }: Call, { basemap, hills }: MapGround, etag: string): void {
  if (method === "GET") tags.put(url, { etag, basemap: basemap.version, hills }, 2 * url.length + TAG_BYTES);
}

/** Looks up names, the style and the uploads. @throws ApiError 400 */
async function planMap(
  { env, caller, now, pace }: Call,
  query: StaticMapFields,
  { geodata }: MapGround,
  written: WrittenOverlay,
): Promise<MapPlan> {
  const { language } = query;
  const names = await lookUpNames(geodata, query.center, namesOf(written), { language, now, pace });
  const fields = overlayFields(written, names.of);
  checkView(query, fields);
  const padding = paddingOf(query, query.bbox ? 0 : PADDING);
  const images = fields.markers.map(({ icon }) => icon).filter((icon) => icon !== undefined);
  const [style, icons] = await Promise.all([
    styleFor(env, caller, query.style, query),
    iconsFor(env, caller, images, now),
  ]);
  const beforeLayer = layerOf(query.before_layer, style.style);
  return { asked: { ...query, center: names.center(query.center), padding }, fields, style, icons, beforeLayer };
}

function tagOf({ asked, fields, style, icons }: MapPlan, { basemap, hasTerrain, hills }: MapGround): Promise<string> {
  const versions = [basemap.version, style.version, icons.version, ...(hasTerrain ? [hills] : [])];
  return etagOf(identityOf(asked, fields, versions));
}

/** The style layer above the paths. @throws ApiError if the style has no layer with this id */
function layerOf(id: string | undefined, { layers }: CompiledStyle): string | undefined {
  if (id === undefined || layers.some((layer) => layer.id === id)) return id;
  throw invalid("before_layer", `Layers of this style: ${layers.map((layer) => layer.id).join(", ")}.`);
}

/** Everything the image depends on, and nothing else: not the key, and not the order or spelling of parameters. */
function identityOf(query: PlacedMapFields, fields: OverlayFields, versions: readonly string[]): string {
  const { markers: _, path: __, geojson: ___, ...rest } = query;
  // By name: sorting pairs would write each of them as text first.
  const sorted = Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([RENDERER_VERSION, versions, sorted, fields]);
}
